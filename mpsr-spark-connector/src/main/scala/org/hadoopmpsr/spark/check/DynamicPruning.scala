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
package org.hadoopmpsr.spark.check

import scala.util.control.NonFatal

import org.apache.spark.sql.catalyst.expressions.{AttributeReference, AttributeSet, DynamicPruningSubquery}
import org.apache.spark.sql.catalyst.optimizer.RewritePredicateSubquery
import org.apache.spark.sql.catalyst.plans.logical.{Filter, Join, LogicalPlan}
import org.apache.spark.sql.catalyst.trees.TreePattern.{EXISTS_SUBQUERY, IN_SUBQUERY}
import org.apache.spark.sql.execution.dynamicpruning.PartitionPruning
import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.spark.log.PrintableLogging

/**
 * Finds the partition columns by which stock Spark would prune with values that are known only when the query runs. Spark
 * decides this after MPSR has decided the reads. Therefore Spark's own rules run on the query, and their result is thrown
 * away.
 */
private[spark] object DynamicPruning extends PrintableLogging {

  /** The partition columns of the query's relations that would be pruned. */
  def columns(plan: LogicalPlan, conf: SQLConf): AttributeSet =
    if (!conf.dynamicPartitionPruningEnabled || !joins(plan)) AttributeSet.empty
    else try {
      AttributeSet(PartitionPruning(RewritePredicateSubquery(plan)).collect {
        case Filter(pruning: DynamicPruningSubquery, child) =>
          PartitionPruning.getFilterableTableScan(pruning.pruningKey, child).toSeq.flatMap { scan =>
            sources(pruning, child, AttributeSet(scan.output))
          }
      }.flatten)
    } catch {
      // some relation of the query has no statistics yet, for example
      case NonFatal(e) =>
        logDebug("Whether partitions would be pruned dynamically is not known", e)
        AttributeSet.empty
    }

  private def joins(plan: LogicalPlan): Boolean =
    plan.containsAnyPattern(EXISTS_SUBQUERY, IN_SUBQUERY) || plan.exists(_.isInstanceOf[Join])

  /** The relation's columns that the key is made of. */
  private def sources(pruning: DynamicPruningSubquery, child: LogicalPlan, output: AttributeSet): Seq[AttributeReference] =
    PartitionPruning.findExpressionAndTrackLineageDown(pruning.pruningKey, child).toSeq.flatMap { case (key, _) =>
      key.references.collect { case a: AttributeReference if output.contains(a) => a }
    }
}
