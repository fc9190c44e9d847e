/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package org.hadoopmpsr.spark.source

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.core.plan.{Filter, ReadRequest}

/** Knows the datasets and plans reads of them. Safe for use by several threads. */
private[spark] trait PlanSource {

  /**
   * Plans a read.
   *
   * @param root a qualified path
   * @param conf a configuration that nothing else uses; evaluated only when needed, because this costs some milliseconds
   * @param group the group to read, whatever the read costs; empty for the cheapest
   * @param statisticsColumns the columns whose statistics the plan has for each file
   * @throws java.io.IOException when this read cannot be planned
   */
  def plan(
      root: Path,
      conf: => Configuration,
      readRequest: ReadRequest,
      group: Option[String],
      statisticsColumns: Seq[String] = Nil): PlanSource.Answer
}

private[spark] object PlanSource {

  /** The cheapest request, if only the definition of the dataset is needed. */
  val NoRecords = new ReadRequest(new Filter.Or(java.util.List.of()), java.util.Set.of())

  sealed trait Answer

  /** The path is a dataset. */
  final case class DatasetPlan(plan: ReadPlan) extends Answer

  /** The path is not a dataset. */
  case object NotADataset extends Answer

  /** Nothing tells now whether the path is a dataset. The log says why. */
  case object Unavailable extends Answer

  /** The NameNode takes no call now, and nothing tells whether the path is a dataset. */
  final case class Busy(problem: String) extends Answer
}
