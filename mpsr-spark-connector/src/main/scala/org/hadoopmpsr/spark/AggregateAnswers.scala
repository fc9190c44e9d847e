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
import org.hadoopmpsr.spark.aggregate.CountedAggregate
import org.hadoopmpsr.spark.scan.GroupPartitions
import org.hadoopmpsr.spark.versions.Scala213._

/** Answers aggregates from what plans know of files. */
private[spark] final class AggregateAnswers(requests: PlanRequests, rewrite: ReadRewrite) {

  /**
   * The aggregate without reading data.
   *
   * @param replacement of the aggregate's read
   * @return empty where the plans do not know enough
   */
  def answer(counted: CountedAggregate, replacement: ReadReplacement): Option[LogicalPlan] =
    over(counted, replacement).orElse(ofOtherGroup(counted, replacement).flatMap(over(counted, _)))

  private def over(counted: CountedAggregate, replacement: ReadReplacement): Option[LogicalPlan] =
    if (replacement.parts.isEmpty || replacement.isRounded || replacement.comparison.forall(_.untracked.nonEmpty)) None
    else counted.over(replacement.parts.map(part => part.relation -> part.plan))

  /**
   * Plans the read again, of a group that is not the cheapest: its partition columns cover all columns that only partitions
   * can answer, and the most others.
   */
  private def ofOtherGroup(counted: CountedAggregate, replacement: ReadReplacement): Option[ReadReplacement] = {
    val needed = counted.ofPartitions.map(_.name).toSet
    val used = counted.used.map(_.name).toSet
    for {
      comparison <- replacement.comparison
      plan <- replacement.decision.plan
      usable = plan.candidates.asScala.filter(c => c.excluded == null && c.group != plan.group).map(_.group)
      group <- usable
        .filter(g => needed.subsetOf(GroupPartitions.names(plan, g)))
        .maxByOption(g => used.intersect(GroupPartitions.names(plan, g)).size)
      other <- requests.plan(replacement.query, Some(group))
      if !other.stock && comparison.reason(other).isEmpty
    } yield rewrite.planned(replacement.query, PlanAnswer(other, None), comparison)
  }
}
