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
package org.hadoopmpsr.spark.stream

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.streaming.runtime.StreamingRelation
import org.hadoopmpsr.spark.relation.{ConfKeys, PastReadException}

/**
 * Lets streams of Parquet files in HDFS read each record of a dataset once, also where a rewrite replaces files that the
 * stream has read. Other streams stay unchanged.
 */
private[spark] object StreamRule extends Rule[LogicalPlan] {
  override val ruleName: String = "org.hadoopmpsr.spark.StreamRule"

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!ConfKeys.enabled(conf)) plan
    else requirePresent(plan).resolveOperatorsUp {
      case stream: StreamingRelation if StreamedDataset.mayBe(stream.dataSource) =>
        stream.copy(dataSource = new StreamedDataset(stream.dataSource))
    }

  /** A stream goes on from one state to the next. */
  private def requirePresent(plan: LogicalPlan): LogicalPlan = {
    plan.foreach {
      case stream: StreamingRelation =>
        ConfKeys.asOfOption(stream.dataSource.options).foreach { state =>
          throw new PastReadException(
            s"a stream cannot be read as of $state: a stream reads what comes; leave out ${ConfKeys.AsOfOption}")
        }
      case _ =>
    }
    plan
  }
}
