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
package org.hadoopmpsr.spark.columns

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.core.schema.{Schema, ShownColumns}

/**
 * The columns of a dataset in some state.
 *
 * @param inFiles the names of the stored columns that files of the default group have
 */
private[columns] final case class KnownColumns(stored: Schema, shown: ShownColumns, inFiles: Seq[String])

private[columns] object KnownColumns {

  def of(plan: ReadPlan): KnownColumns = {
    val inFiles = plan.groups.physicalColumns(plan.groups.defaultName, plan.schema)
    KnownColumns(plan.schema, plan.shown, inFiles.asScala.toSeq.map(_.name))
  }
}
