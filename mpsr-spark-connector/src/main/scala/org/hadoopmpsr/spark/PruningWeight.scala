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
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.spark.check.{DynamicPruning, EvaluationOrder}
import org.hadoopmpsr.spark.relation.{DirectoryRead, StockReason}
import org.hadoopmpsr.spark.scan.GroupPartitions

/**
 * Weighs groups whose partitions are left out when the query runs against the group that was chosen. Which partitions these are
 * is not known to planning; the share that is expected to be read decides.
 *
 * @param query the query before its reads are decided
 */
private[spark] final class PruningWeight(requests: PlanRequests, conf: SQLConf, query: LogicalPlan) {

  /** The columns that stock Spark would prune partitions by when the query runs. */
  private lazy val dynamicColumns = DynamicPruning.columns(query, conf)

  private lazy val fallibleBelowJoins = EvaluationOrder.fallibleBelowJoins(query)

  /** Why a read must be as on stock because a join leaves out partitions of it, if it must. */
  def reason(read: DirectoryRead): Option[StockReason] = EvaluationOrder.reason(read, dynamicColumns, fallibleBelowJoins, conf)

  /** Whether an expression below a join may fail for records of the read. */
  def mayFailBelowJoin(read: DirectoryRead): Boolean = read.output.exists(fallibleBelowJoins.contains)

  /** The answer as it is, or the plan of another group where that is cheaper without the partitions that are left out. */
  def weigh(query: PlanQuery, answer: PlanAnswer): PlanAnswer = {
    val PlanAnswer(plan, note) = answer
    val default = plan.groups.defaultName
    val named = requests.namedGroup(query.read).isDefined && note.isEmpty
    val shares = if (named || plan.group == default) Map.empty[String, Double] else query.conditions.sharesLeft(dynamicColumns)
    if (shares.keySet.subsetOf(GroupPartitions.names(plan, plan.group))) answer
    else {
      val pruned = s"partitions of $default are pruned by ${shares.keys.toSeq.sorted.mkString(", ")} when the query runs"
      def noted(plan: ReadPlan, text: String) = PlanAnswer(plan, Some((note.toSeq :+ text).mkString("; ")))
      val cheapest = plan.candidates.asScala.map(_.group).minBy(cost(plan, _, shares))
      // the whole cost of a group that planning gave up is known when it is asked for
      val other =
        if (cheapest == plan.group) None
        else requests.plan(query, Some(cheapest))
          .filter(p => !p.stock && cost(p, cheapest, shares) < cost(plan, plan.group, shares))
      other.map(noted(_, pruned)).getOrElse(noted(plan, s"cheaper even though $pruned"))
    }
  }

  /** A group's cost, of its partitions that are expected to be read. */
  private def cost(plan: ReadPlan, group: String, shares: Map[String, Double]): Double = {
    val left = GroupPartitions.names(plan, group).toSeq.flatMap(shares.get).product
    plan.candidates.asScala.find(c => c.group == group && c.excluded == null).fold(Double.MaxValue)(_.costMs * left)
  }
}
