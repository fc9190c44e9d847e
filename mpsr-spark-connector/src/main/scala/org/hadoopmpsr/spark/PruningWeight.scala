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
package org.hadoopmpsr.spark

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.spark.check.DynamicPruning
import org.hadoopmpsr.spark.scan.GroupPartitions

/**
 * Weighs the default group, whose partitions may be pruned when the query runs, against the group that was chosen. Which
 * partitions are pruned is not known to planning; Spark's own guess of their share decides.
 *
 * @param query the query before its reads are decided
 */
private[spark] final class PruningWeight(requests: PlanRequests, conf: SQLConf, query: LogicalPlan) {

  /** The columns that stock Spark would prune partitions by when the query runs. */
  private lazy val dynamicColumns = DynamicPruning.columns(query, conf)

  /** The answer as it is, or the plan of the default group where that is cheaper with pruning. */
  def weigh(query: PlanQuery, answer: PlanAnswer): PlanAnswer = {
    val PlanAnswer(plan, note) = answer
    val default = plan.groups.defaultName
    val columns = query.read.output.filter(dynamicColumns.contains(_)).map(_.name).toSet
    def cost(group: String) = plan.candidates.asScala.find(c => c.group == group && c.excluded == null).map(_.costMs)
    val named = requests.namedGroup(query.read).isDefined && note.isEmpty
    if (named || plan.group == default || columns.subsetOf(GroupPartitions.names(plan, plan.group))) {
      answer
    } else {
      val left = 1 - conf.dynamicPartitionPruningFallbackFilterRatio
      val pruned = s"partitions of $default are pruned by ${columns.toSeq.sorted.mkString(", ")} when the query runs"
      (cost(default), cost(plan.group)) match {
        case (Some(whole), Some(chosen)) if whole * left < chosen =>
          requests.plan(query, Some(default)).filter(!_.stock) match {
            case Some(other) => PlanAnswer(other, Some((note.toSeq :+ pruned).mkString("; ")))
            case None => answer
          }
        case _ => PlanAnswer(plan, Some((note.toSeq :+ s"cheaper even though $pruned").mkString("; ")))
      }
    }
  }
}
