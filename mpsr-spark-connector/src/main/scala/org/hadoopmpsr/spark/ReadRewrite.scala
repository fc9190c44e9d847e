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

import org.apache.spark.sql.catalyst.expressions.{And, Expression}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan}
import org.apache.spark.sql.execution.datasources.{FileIndex, HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.spark.check.{DirectoryConditions, ListingComparison}
import org.hadoopmpsr.spark.relation.{DecidedParquetFormat, Decision, StockReason}
import org.hadoopmpsr.spark.scan.{GroupFileIndex, PrunedListing, ReaderOptions}
import org.hadoopmpsr.spark.transform.ReadTransforms
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * The planned files of one group.
 *
 * @param node the node of the relation, with the columns of the read
 * @param relation the files as a relation of Spark
 * @param plan of this group alone
 */
private[spark] final case class ReadPart(node: LogicalRelation, relation: HadoopFsRelation, plan: ReadPlan)

/**
 * What takes the place of a read.
 *
 * @param query what was asked of the plan that is read
 * @param parts what is read; empty where the relation keeps its own files
 * @param read the relation's node with other files, or with the reason why it keeps its own; of several parts the union
 * @param comparison what Spark would have read in its place; empty where it does
 * @param first the conditions that Spark is to evaluate before those of the query
 */
private[spark] final case class ReadReplacement(
    decision: Decision,
    query: PlanQuery,
    parts: Seq[ReadPart],
    read: LogicalPlan,
    comparison: Option[ListingComparison],
    first: Seq[Expression] = Nil) {

  private def transforms: Seq[ReadTransforms] = parts.map(_.relation.fileFormat).collect { case decided: DecidedParquetFormat => decided.transforms }

  /** Whether a part gives some column not exactly. */
  def isApproximate: Boolean = transforms.exists(_.isApproximate)

  /** Whether a part has rounded values of a column that is read: the bounds of its files are of these. */
  def isRounded: Boolean = transforms.exists(_.isRounded)

  /** The read below the conditions that come first. */
  def filtered: LogicalPlan = first.reduceOption(And(_, _)).map(Filter(_, read)).getOrElse(read)
}

/**
 * Writes decisions into a query.
 *
 * @param query the query before its reads are decided
 */
private[spark] final class ReadRewrite(conf: SQLConf, query: LogicalPlan) {
  private lazy val failingLater = DirectoryConditions.failingLater(query)

  /**
   * Spark reads as without MPSR, and EXPLAIN says why.
   *
   * @param substituted the group whose files Spark reads, where records of files that cannot be read may come from another one
   */
  def stock(query: PlanQuery, reason: StockReason, substituted: Option[String] = None): ReadReplacement = {
    val decision = Decision.Stock(reason)
    ReadReplacement(decision, query, Nil, query.read.showing(decision, substituted, query.conditions.filters), None)
  }

  /** Spark reads the planned files. */
  def planned(query: PlanQuery, answer: PlanAnswer, comparison: ListingComparison): ReadReplacement = {
    val PlanAnswer(plan, planNote) = answer
    val untracked = comparison.untracked.size
    val besides = Option.when(untracked > 0)(s"and $untracked files that came without a commit")
    val note = (planNote ++ besides).reduceOption(_ + "; " + _)
    val planned = plan.each.asScala.toSeq
    val all = if (untracked == 0) planned else withDefault(query, planned)
    val decision =
      if (all.size > 1) Decision.Union(plan, note)
      else if (isDefault(all.head)) Decision.DefaultGroup(plan, note)
      else Decision.Group(plan, note)
    replacement(query, decision, all, Some(comparison))(relation(query, decision, _, comparison))
  }

  /**
   * Spark reads the planned files of an earlier state, and none that it has listed.
   *
   * @param plan a plan of that state
   */
  def past(query: PlanQuery, plan: ReadPlan): ReadReplacement = {
    val all = plan.each.asScala.toSeq
    val decision =
      if (all.size > 1) Decision.Union(plan, None)
      else if (isDefault(all.head)) Decision.DefaultGroup(plan, None)
      else Decision.Group(plan, None)
    replacement(query, decision, all, None)(part => ofFiles(query, decision, part, query.read.relation.location))
  }

  private def replacement(query: PlanQuery, decision: Decision, all: Seq[ReadPlan], comparison: Option[ListingComparison])(
      files: ReadPlan => HadoopFsRelation): ReadReplacement = {
    val parts = all.map { part =>
      val relation = files(part)
      // those of the table are of all records of the default group, now
      val statistics = isDefault(part) && all.size == 1 && comparison.isDefined
      ReadPart(query.read.reading(relation, statistics), relation, part)
    }
    parts match {
      case Seq(part) => ReadReplacement(decision, query, parts, part.node, comparison, first(query, part))
      case _ => ReadReplacement(decision, query, parts, PartUnion.of(query, parts, first(query, _)), comparison)
    }
  }

  /** The parts that have files, and one of the default group in any case. */
  private def withDefault(query: PlanQuery, parts: Seq[ReadPlan]): Seq[ReadPlan] = {
    val some = parts.filter(part => isDefault(part) || !part.files.isEmpty)
    if (some.exists(isDefault)) some else parts.head.ofNoFiles(query.read.root.toUri.getPath) +: some
  }

  private def isDefault(plan: ReadPlan): Boolean = plan.group == plan.groups.defaultName

  /** The conditions that Spark is to evaluate before those of the query. */
  private def first(query: PlanQuery, part: ReadPart): Seq[Expression] = if (isDefault(part.plan)) Nil else query.conditions.first

  /** @param plan of one group */
  private def relation(
      query: PlanQuery,
      decision: Decision,
      plan: ReadPlan,
      comparison: ListingComparison): HadoopFsRelation =
    if (isDefault(plan)) {
      val relation = marked(query, decision, plan)
      relation.copy(location = PrunedListing(comparison.index, plan, comparison.untracked))(relation.sparkSession)
    } else ofFiles(query, decision, plan, comparison.index)

  private def marked(query: PlanQuery, decision: Decision, plan: ReadPlan): HadoopFsRelation = {
    val options = ReaderOptions.of(query.read.relation, plan, query.request, conf)
    val transforms = ReadTransforms.of(plan, query.accuracies, query.used)
    val text = decision.textOf(plan) + transforms.note.fold("")("; " + _)
    query.read.marked(text, Some(plan.group), Some(plan.group), query.conditions.filters, options ++ transforms.options, transforms)
  }

  /** @param listing what Spark has listed */
  private def ofFiles(query: PlanQuery, decision: Decision, plan: ReadPlan, listing: FileIndex): HadoopFsRelation = {
    val relation = marked(query, decision, plan)
    val columns = DirectoryConditions.columns(query.read, query.conditions.filters, failingLater)
    val index = GroupFileIndex(query.read.root, plan, columns, listing)
    val directories = index.partitionSchema.fieldNames.toSet
    relation.copy(
      location = index,
      partitionSchema = index.partitionSchema,
      dataSchema = relation.schema.copy(fields = relation.schema.filterNot(f => directories(f.name)).toArray))(
      relation.sparkSession)
  }
}
