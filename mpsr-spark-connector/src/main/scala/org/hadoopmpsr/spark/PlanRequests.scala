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
import org.apache.spark.sql.catalyst.expressions.{AttributeSet, Expression}
import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.core.plan.ReadRequest
import org.hadoopmpsr.core.transform.{Accuracy, TransformRegistry}
import org.hadoopmpsr.spark.accuracy.StatedAccuracy
import org.hadoopmpsr.spark.check.ReadConditions
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.relation.{ConfKeys, DecisionMetrics, DirectoryRead, StockCause, StockReason}
import org.hadoopmpsr.spark.source.{FilterTranslation, PlanSource}

/**
 * The question to the NameNode for one read.
 *
 * @param conditions the conditions on the records of the read
 * @param request the filters and columns in the terms of the NameNode
 * @param statisticsColumns the columns whose statistics the plan has for each file
 * @param used the columns that the query looks at
 * @param accuracies how far off columns may be, by their names; others are read exactly
 */
private[spark] final case class PlanQuery(
    read: DirectoryRead,
    conditions: ReadConditions,
    request: ReadRequest,
    statisticsColumns: Seq[String],
    used: AttributeSet,
    accuracies: Map[String, Accuracy] = Map.empty)

/**
 * A plan of a read.
 *
 * @param note what EXPLAIN says in addition to the reason of the plan
 */
private[spark] final case class PlanAnswer(plan: ReadPlan, note: Option[String])

/**
 * Asks for the plans of one query's reads.
 *
 * @param newHadoopConf makes a configuration, which costs some milliseconds
 * @param accuracy what the query says about the accuracy of columns
 * @param readerHosts the hosts that read, empty where they are not known
 */
private[spark] final class PlanRequests(
    source: PlanSource,
    conf: SQLConf,
    newHadoopConf: () => Configuration,
    accuracy: StatedAccuracy,
    readerHosts: => Seq[String])
    extends PrintableLogging {
  private lazy val hosts = readerHosts.toSet.asJava

  def hadoopConf: Configuration = newHadoopConf()

  /** @param used the columns that the query looks at */
  def query(read: DirectoryRead, filters: Seq[Expression], used: AttributeSet, statisticsColumns: Seq[String]): PlanQuery = {
    val conditions = new ReadConditions(read, filters, conf)
    val filter = new FilterTranslation(read.output).translate(conditions.requested)
    val request = new ReadRequest(filter, used.map(_.name).toSet.asJava, ConfKeys.parallelism(conf), hosts)
    val accuracies = accuracy.of(read)
    // the greatest values tell what a relative error comes to
    val bounded = accuracies.collect { case (column, limits) if !limits.absolute.isInfinite => column }
    PlanQuery(
      read,
      conditions,
      request.inParts().withUntracked().knowing(TransformRegistry.known()).within(accuracies.asJava),
      (statisticsColumns ++ bounded).distinct,
      used,
      accuracies)
  }

  /** The group that the relation or the session names, whatever it costs. */
  def namedGroup(read: DirectoryRead): Option[String] = ConfKeys.group(read.relation.options, conf)

  /**
   * The plan of the named group, else of the cheapest; empty where the read is not of a dataset, or nothing tells.
   *
   * @return why the read is as without MPSR, if the NameNode takes no call
   */
  def answer(query: PlanQuery): Either[StockReason, Option[PlanAnswer]] = {
    val named = namedGroup(query.read)
    try ask(query, named).map(_.map(PlanAnswer(_, None)))
    catch {
      case NonFatal(e) if named.isDefined =>
        // the NameNode refuses names of no group, and may fail for another reason
        ask(query, None).map(_.map { plan =>
          if (plan.groups.meant(named.get).isPresent) throw e
          val note = s"there is no replica group '${named.get}', only ${plan.groups.names.asScala.mkString(", ")}"
          logWarning(s"Reading ${query.read.root}: $note; the cheapest is read")
          PlanAnswer(plan, Some(note))
        })
    }
  }

  /** As [[answer]]; empty also if the NameNode takes no call. */
  def plan(query: PlanQuery): Option[PlanAnswer] = answer(query).toOption.flatten

  /** The plan of that group, if one is given; empty also if the NameNode takes no call. */
  def plan(query: PlanQuery, group: Option[String]): Option[ReadPlan] = ask(query, group).toOption.flatten

  /** What the NameNode says, whatever it is. */
  def reply(query: PlanQuery, group: Option[String]): PlanSource.Answer =
    source.plan(query.read.root, hadoopConf, query.request, group, query.statisticsColumns)

  private def ask(query: PlanQuery, group: Option[String]): Either[StockReason, Option[ReadPlan]] =
    reply(query, group) match {
      case PlanSource.DatasetPlan(plan) => Right(Some(plan))
      case PlanSource.NotADataset => Right(None)
      case PlanSource.Unavailable =>
        DecisionMetrics.countUnavailable()
        Right(None)
      case PlanSource.Busy(problem) => Left(StockCause.NameNodeBusy(problem))
    }
}
