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

import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.planning.PhysicalOperation
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.classic
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, InMemoryFileIndex, LogicalRelation}

/**
 * Lets each read of a dataset read the replica group that answers its filters with the least work. What the rule does
 * not understand, and whatever fails in it, leaves the read as it is without MPSR.
 */
private[spark] final class ReadRule(session: SparkSession, source: PlanSource) extends Rule[LogicalPlan] {
  override val ruleName: String = "org.hadoopmpsr.spark.ReadRule"

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!ConfKeys.enabled(conf)) plan
    else guarded(plan) {
      DecisionMetrics.register()
      rewrite(plan, RelationChecks.showsFiles(plan))
    }

  /** Goes down to each relation together with all filters above it, and decides once for each occurrence. */
  private def rewrite(plan: LogicalPlan, showsFiles: Boolean): LogicalPlan = plan match {
    case PhysicalOperation(_, filters, RelationChecks.Candidate(logical, relation, listing)) =>
      guarded(plan) {
        decide(logical, relation, listing, filters, showsFiles) match {
          case Some(decision) => replace(plan, logical, decided(logical, relation, listing, decision))
          case None => plan
        }
      }
    case _ => plan.mapChildren(rewrite(_, showsFiles))
  }

  /** @return empty where the relation is not a dataset */
  private def decide(
      logical: LogicalRelation,
      relation: HadoopFsRelation,
      listing: InMemoryFileIndex,
      filters: Seq[Expression],
      showsFiles: Boolean): Option[Decision] = {
    val root = listing.rootPaths.head
    val filter = new FilterTranslation(logical.output).translate(filters)
    source.plan(root, hadoopConf(), filter, ConfKeys.group(conf)) match {
      case PlanSource.Planned(plan) =>
        val decision = RelationChecks
          .reason(relation, conf, showsFiles)
          .orElse(PlanChecks.reason(relation, listing, plan))
          .map(Decision.Stock(_))
          .getOrElse(if (plan.group == plan.groups.defaultName) Decision.DefaultGroup(plan) else Decision.Group(plan))
        DecisionMetrics.count(decision)
        logInfo(s"$root, filter $filter: ${decision.text}")
        Some(decision)
      case PlanSource.NotADataset | PlanSource.Unavailable => None
    }
  }

  private def hadoopConf(): Configuration = session.asInstanceOf[classic.SparkSession].sessionState.newHadoopConf()

  /** The relation with the same output; the name of its format tells the decision. */
  private def decided(
      logical: LogicalRelation,
      relation: HadoopFsRelation,
      listing: InMemoryFileIndex,
      decision: Decision): LogicalRelation = {
    val marked = relation.copy(
      fileFormat = new DecidedParquetFormat(decision.text),
      options = relation.options + (ConfKeys.Choice -> decision.choice))(relation.sparkSession)
    decision match {
      case Decision.Group(plan) =>
        val index = GroupFileIndex(listing.rootPaths.head, plan, listing)
        logical.copy(
          relation = marked.copy(
            location = index,
            partitionSchema = index.partitionSchema,
            dataSchema = relation.schema)(relation.sparkSession),
          catalogTable = logical.catalogTable.map(_.copy(stats = None)))
      case Decision.DefaultGroup(plan) =>
        logical.copy(relation = marked.copy(location = PrunedListing(listing, plan))(relation.sparkSession))
      case Decision.Stock(_) => logical.copy(relation = marked)
    }
  }

  private def replace(plan: LogicalPlan, old: LogicalRelation, replacement: LogicalRelation): LogicalPlan =
    plan.transformDown { case l: LogicalRelation if l eq old => replacement }

  private def guarded(unchanged: LogicalPlan)(body: => LogicalPlan): LogicalPlan =
    try body
    catch {
      // a LinkageError: another version of Spark; a StackOverflowError: an expression nested very deep
      case e @ (NonFatal(_) | _: LinkageError | _: StackOverflowError) =>
        DecisionMetrics.countFailure()
        logWarning(s"The query is read as without MPSR, because planning its reads failed: $e", e)
        unchanged
    }
}
