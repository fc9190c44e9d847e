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

import org.apache.spark.sql.catalyst.expressions.{AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.spark.check.{PlanChecks, RelationChecks}
import org.hadoopmpsr.spark.relation.{ConfKeys, DirectoryListing, DirectoryRead, StockReason}

/**
 * Decides what the reads of one query read. The NameNode is asked once for each read; again only for an earlier state that
 * Spark has listed, for another group where its partitions are pruned when the query runs, and for what a table's
 * selected partitions are compared with.
 *
 * @param past decides reads of earlier states
 * @param query the query before its reads are decided
 */
private[spark] final class ReadDecider(
    requests: PlanRequests,
    rewrite: ReadRewrite,
    past: PastReads,
    conf: SQLConf,
    query: LogicalPlan) {
  private val listings = new ListingMatch(requests)

  private val pruning = new PruningWeight(requests, conf, query)

  private lazy val ofQuery = RelationChecks.reasons(query)

  /**
   * Decides one read.
   *
   * @param filters the filters above the read
   * @param used the columns that the query looks at
   * @param statisticsColumns the columns whose statistics the plan has for each file
   * @return empty where the read is not of a dataset, or nothing tells whether it is
   */
  def decide(
      read: DirectoryRead,
      filters: Seq[Expression],
      used: AttributeSet,
      statisticsColumns: Seq[String] = Nil): Option[ReadReplacement] =
    ConfKeys.asOfOption(read.relation.options) match {
      case Some(state) => past.decide(read, state, filters, used)
      case None => present(read, filters, used, statisticsColumns)
    }

  private def present(
      read: DirectoryRead,
      filters: Seq[Expression],
      used: AttributeSet,
      statisticsColumns: Seq[String]): Option[ReadReplacement] = {
    val asked = requests.query(read, filters, used, statisticsColumns)
    requests.answer(asked).fold(
      busy => Some(rewrite.stock(asked, busy)),
      _.map { answer =>
        val reasons = ofQuery ++ RelationChecks.reason(read.relation, conf) ++ PlanChecks.reasons(read, answer.plan, used) ++
          PlanChecks.sharedPath(answer.plan, asked.conditions.filters, conf) ++ asked.conditions.reason ++ pruning.reason(read)
        reasons.headOption
          .toLeft(answer)
          .flatMap(matched(asked, _))
          .fold(reason => rewrite.stock(asked, reason, substituted(asked, answer, reason +: reasons)), identity)
      })
  }

  /**
   * The group of which a stock read reads files, if records of files that cannot be read may come from another group. Spark then
   * reads with version 1 of data sources. Version 2 prunes no partitions when the query runs, and stays where that decides
   * whether an expression fails.
   */
  private def substituted(asked: PlanQuery, answer: PlanAnswer, reasons: Seq[StockReason]): Option[String] =
    Some(answer.plan.groups.defaultName).filter { _ =>
      ConfKeys.degraded(conf) && reasons.forall(_.cause.substitutable) &&
      (asked.read.isFirstVersion || !pruning.mayFailBelowJoin(asked.read) && !asked.conditions.needsSecondVersion)
    }

  /** The replacement that has the records which Spark has listed. */
  private def matched(asked: PlanQuery, answer: PlanAnswer): Either[StockReason, ReadReplacement] =
    for {
      listing <- DirectoryListing.of(asked.read, asked.conditions.filters)
      state <- listings.state(asked, answer, listing)
      (query, present) = state
      chosen = pruning.weigh(query, present)
      comparison = listings.comparison(query, chosen.plan, listing)
      _ <- comparison.reason(chosen.plan).toLeft(())
    } yield rewrite.planned(query, chosen, comparison)
}
