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

import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.core.plan.ReadRequest
import org.hadoopmpsr.spark.check.{ListingComparison, PlanChecks}
import org.hadoopmpsr.spark.relation.{DirectoryListing, SelectedPartitions, StockCause, StockReason}
import org.hadoopmpsr.spark.source.FilterTranslation

/** Finds plans of the state of a dataset that Spark has listed. */
private[spark] final class ListingMatch(requests: PlanRequests) {

  /**
   * The query and its answer for the listed state. A listing of a whole directory may be older than the planned state; then
   * the earlier one is planned.
   *
   * @return why there is no plan of that state, if there is none
   */
  def state(query: PlanQuery, answer: PlanAnswer, listing: DirectoryListing): Either[StockReason, (PlanQuery, PlanAnswer)] =
    listing match {
      case DirectoryListing.Partitions(_) => Right((query, answer))
      case DirectoryListing.Whole(listing) =>
        PlanChecks.stateReason(listing, answer.plan) match {
          case None => Right((query, answer))
          case Some(reason) if answer.plan.defaultTotals == null => Left(reason)
          case Some(reason) =>
            val earlier = query.copy(request = query.request.of(listing.totalsWithout(answer.plan.untracked.asScala)))
            requests.plan(earlier).map(_.plan).filter(!_.stock) match {
              case None => Left(reason)
              case Some(plan) => PlanChecks.stateReason(listing, plan).toLeft((earlier, answer.copy(plan = plan)))
            }
        }
    }

  /** @param plan a plan of the query */
  def comparison(query: PlanQuery, plan: ReadPlan, listing: DirectoryListing): ListingComparison = listing match {
    case DirectoryListing.Whole(listing) =>
      ListingComparison(
        listing.index,
        listing.listedOf(plan.untracked.asScala),
        PlanChecks.listingReason(listing, _, requests.hadoopConf))
    case DirectoryListing.Partitions(partitions) =>
      val reason = defaultFiles(query, plan, partitions)
        .fold[ReadPlan => Option[StockReason]](_ => Some(StockCause.NothingToCompare()))(partitions.reason(_))
      ListingComparison(partitions.index, partitions.listedOf(plan.untracked.asScala), reason)
  }

  /** The files that the default group has of the partitions. */
  private def defaultFiles(query: PlanQuery, plan: ReadPlan, partitions: SelectedPartitions): Option[ReadPlan] = {
    val files = ReadRequest.ofFiles(new FilterTranslation(query.read.output).translate(partitions.filters)).withUntracked()
    val default = plan.groups.defaultName
    if (plan.group == default && plan.isOfOneGroup && query.request.filter == files.filter) Some(plan)
    else requests.plan(query.copy(request = files, statisticsColumns = Nil), Some(default))
  }
}
