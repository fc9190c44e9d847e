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
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.spark.internal.Logging
import org.apache.spark.sql.catalyst.expressions.{AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.LogicalRelation
import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.core.plan.ReadRequest
import org.hadoopmpsr.spark.aggregate.CountedAggregate
import org.hadoopmpsr.spark.check.{Compared, DirectoryConditions, DynamicPruning, PlanChecks, RelationChecks}
import org.hadoopmpsr.spark.relation.{ConfKeys, Decision, DecisionMetrics, DirectoryRead, Listing, SelectedPartitions, StockCause, StockReason}
import org.hadoopmpsr.spark.relation.DirectoryRead.Listed
import org.hadoopmpsr.spark.scan.{GroupFileIndex, GroupPartitions, PrunedListing, ReaderOptions}
import org.hadoopmpsr.spark.source.{FilterTranslation, PlanSource}

/**
 * Decides what the reads of one query read.
 *
 * @param hadoopConf a configuration of its own, which costs some milliseconds
 * @param readerHosts the hosts that read, empty where they are not known
 * @param query as it is before its reads are decided
 */
private[spark] final class Deciding(
    source: PlanSource,
    conf: SQLConf,
    hadoopConf: () => Configuration,
    readerHosts: => Seq[String],
    query: LogicalPlan)
    extends Logging {
  import Deciding._

  private lazy val ofQuery = RelationChecks.reason(query)

  /** The columns that stock Spark would prune partitions by when the query runs. */
  private lazy val dynamicColumns = DynamicPruning.columns(query, conf)

  private lazy val hosts = readerHosts.toSet.asJava

  private lazy val failingLater = DirectoryConditions.failingLater(query)

  /**
   * @param filters what records pass
   * @param used the columns that the query looks at
   * @param statisticsColumns those of which the plan is to say what is known in each file
   * @return empty where the read is not of a dataset
   */
  def decide(
      read: DirectoryRead,
      filters: Seq[Expression],
      used: AttributeSet,
      statisticsColumns: Seq[String] = Nil): Option[Decided] = {
    val readRequest = new ReadRequest(
      new FilterTranslation(read.output).translate(filters),
      used.map(_.name).toSet.asJava,
      ConfKeys.parallelism(conf),
      hosts)
    plan(read, readRequest, statisticsColumns).map { case Answered(plan, note) =>
      val reason =
        ofQuery.orElse(RelationChecks.reason(read.relation, conf)).orElse(PlanChecks.reason(read, plan, used))
      reason.map(stock(read, readRequest, _)).getOrElse {
        read.listing(filters) match {
          case Left(other) => stock(read, readRequest, other)
          case Right(Listed.All(listing)) =>
            val (demanded, planOfListing) = ofListing(read, readRequest, statisticsColumns, plan, listing)
            val answered = weighed(read, demanded, statisticsColumns, planOfListing, note)
            val compared = Compared(listing.index, PlanChecks.listingReason(listing, _, hadoopConf()))
            checked(read, filters, demanded, answered, compared)
          case Right(Listed.Selected(partitions)) =>
            val answered = weighed(read, readRequest, statisticsColumns, plan, note)
            checked(read, filters, readRequest, answered, ofSelected(read, readRequest, plan, partitions))
        }
      }
    }
  }

  private def checked(
      read: DirectoryRead,
      filters: Seq[Expression],
      readRequest: ReadRequest,
      answered: Answered,
      compared: Compared): Decided =
    compared
      .reason(answered.plan)
      .map(stock(read, readRequest, _))
      .getOrElse(planned(read, filters, readRequest, answered, compared))

  /** What was listed of a table's partitions is compared with the files that the default group has of them. */
  private def ofSelected(read: DirectoryRead, readRequest: ReadRequest, plan: ReadPlan, partitions: SelectedPartitions): Compared = {
    val files = ReadRequest.ofFiles(new FilterTranslation(read.output).translate(partitions.filters))
    val default = plan.groups.defaultName
    val present =
      if (plan.group == default && readRequest.filter == files.filter) Some(plan) else ask(read, files, Some(default), Nil)
    val unknown = StockCause.NothingToCompare()
    val reason = present.fold[ReadPlan => Option[StockReason]](_ => Some(unknown))(partitions.reason(_))
    Compared(partitions.index, reason)
  }

  /** What was listed may be older than the present state, which was planned: the same of the state that was listed. */
  private def ofListing(
      read: DirectoryRead,
      readRequest: ReadRequest,
      statisticsColumns: Seq[String],
      plan: ReadPlan,
      listing: Listing): (ReadRequest, ReadPlan) =
    if (plan.defaultTotals == null || listing.totals == plan.defaultTotals) (readRequest, plan)
    else {
      val earlier = readRequest.of(listing.totals)
      (earlier, this.plan(read, earlier, statisticsColumns).map(_.plan).filter(!_.stock).getOrElse(plan))
    }

  /** The aggregate without reading data, where what was decided allows it. */
  def answer(counted: CountedAggregate, decided: Decided): Option[LogicalPlan] = {
    def over(decided: Decided): Option[LogicalPlan] = (decided.decision.plan, decided.read) match {
      case (Some(plan), relation: LogicalRelation) => counted.over(relation, plan)
      case _ => None
    }
    over(decided).orElse(telling(counted, decided).flatMap(over))
  }

  /** The same read of that other group than the cheapest whose partitions tell of most, and of all that is needed. */
  private def telling(counted: CountedAggregate, decided: Decided): Option[Decided] = {
    val read = counted.read
    val needed = counted.ofPartitions.map(_.name).toSet
    val used = counted.used.map(_.name).toSet
    for {
      compared <- decided.compared
      plan <- decided.decision.plan
      usable = plan.candidates.asScala.filter(c => c.excluded == null && c.group != plan.group).map(_.group)
      group <- usable
        .filter(g => needed.subsetOf(GroupPartitions.names(plan, g)))
        .maxByOption(g => used.intersect(GroupPartitions.names(plan, g)).size)
      other <- ask(read, decided.readRequest, Some(group), counted.statistics)
      if !other.stock && compared.reason(other).isEmpty
    } yield planned(read, counted.filters, decided.readRequest, Answered(other, None), compared)
  }

  private def plan(read: DirectoryRead, readRequest: ReadRequest, statisticsColumns: Seq[String]): Option[Answered] = {
    val forced = ConfKeys.group(read.relation.options, conf)
    try ask(read, readRequest, forced, statisticsColumns).map(Answered(_, None))
    catch {
      case NonFatal(e) if forced.isDefined =>
        // is it that there is no such group?
        ask(read, readRequest, None, statisticsColumns).map { plan =>
          val name = forced.get
          if (plan.groups.find(name).isPresent) throw e
          val note = s"there is no replica group '$name', only ${plan.groups.names.asScala.mkString(", ")}"
          logWarning(s"Reading ${read.root}: $note; the cheapest is read")
          Answered(plan, Some(note))
        }
    }
  }

  private def ask(read: DirectoryRead, readRequest: ReadRequest, group: Option[String], statisticsColumns: Seq[String]): Option[ReadPlan] =
    source.plan(read.root, hadoopConf(), readRequest, group, statisticsColumns) match {
      case PlanSource.Planned(plan) => Some(plan)
      case PlanSource.NotADataset => None
      case PlanSource.Unavailable =>
        DecisionMetrics.countUnavailable()
        None
    }

  /**
   * Partitions of the default group that are pruned when the query runs are not known to planning. Spark's own guess of
   * their share decides whether another group, which cannot be pruned so, is still cheaper.
   */
  private def weighed(
      read: DirectoryRead,
      readRequest: ReadRequest,
      statisticsColumns: Seq[String],
      plan: ReadPlan,
      note: Option[String]): Answered = {
    val default = plan.groups.defaultName
    val columns = read.output.filter(dynamicColumns.contains(_)).map(_.name).toSet
    def cost(group: String) = plan.candidates.asScala.find(c => c.group == group && c.excluded == null).map(_.costMs)
    val unchanged = Answered(plan, note)
    val forced = ConfKeys.group(read.relation.options, conf).isDefined && note.isEmpty
    if (forced || plan.group == default || columns.subsetOf(GroupPartitions.names(plan, plan.group))) {
      unchanged
    } else {
      val left = 1 - conf.dynamicPartitionPruningFallbackFilterRatio
      val pruned = s"partitions of $default are pruned by ${columns.toSeq.sorted.mkString(", ")} when the query runs"
      (cost(default), cost(plan.group)) match {
        case (Some(whole), Some(chosen)) if whole * left < chosen =>
          ask(read, readRequest, Some(default), statisticsColumns).filter(!_.stock) match {
            case Some(other) => Answered(other, Some((note.toSeq :+ pruned).mkString("; ")))
            case None => unchanged
          }
        case _ => Answered(plan, Some((note.toSeq :+ s"cheaper even though $pruned").mkString("; ")))
      }
    }
  }

  private def stock(read: DirectoryRead, readRequest: ReadRequest, reason: StockReason): Decided = {
    val decision = Decision.Stock(reason)
    Decided(decision, readRequest, read.showing(decision), None)
  }

  private def planned(
      read: DirectoryRead,
      filters: Seq[Expression],
      readRequest: ReadRequest,
      answered: Answered,
      compared: Compared): Decided = {
    val Answered(plan, note) = answered
    val listing = compared.index
    val options = ReaderOptions.of(read.relation, plan, readRequest, conf)
    if (plan.group == plan.groups.defaultName) {
      val decision = Decision.DefaultGroup(plan, note)
      val relation = read.marked(decision, options)
      val other = read.reading(relation.copy(location = PrunedListing(listing, plan))(relation.sparkSession))
      Decided(decision, readRequest, other, Some(compared))
    } else {
      val decision = Decision.Group(plan, note)
      val relation = read.marked(decision, options)
      val index = GroupFileIndex(read.root, plan, DirectoryConditions.columns(read, filters, failingLater), listing)
      val directories = index.partitionSchema.fieldNames.toSet
      val other = read.reading(
        relation.copy(
          location = index,
          partitionSchema = index.partitionSchema,
          dataSchema = relation.schema.copy(fields = relation.schema.filterNot(f => directories(f.name)).toArray))(
          relation.sparkSession),
        statistics = false)
      Decided(decision, readRequest, other, Some(compared))
    }
  }
}

private[spark] object Deciding {

  /**
   * @param read what takes the place of the relation
   * @param compared what Spark would have read in its place; empty where it does
   */
  final case class Decided(decision: Decision, readRequest: ReadRequest, read: LogicalPlan, compared: Option[Compared])

  /** @param note what EXPLAIN says beyond the plan's own reason */
  private final case class Answered(plan: ReadPlan, note: Option[String])
}
