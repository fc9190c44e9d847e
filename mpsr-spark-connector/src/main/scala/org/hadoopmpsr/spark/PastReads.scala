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

import org.apache.spark.sql.catalyst.expressions.{AttributeSet, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.InMemoryFileIndex
import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.core.history.AsOf
import org.hadoopmpsr.spark.check.{PlanChecks, RelationChecks}
import org.hadoopmpsr.spark.relation.{DirectoryRead, PastReadException, StockReason}
import org.hadoopmpsr.spark.source.PlanSource
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Decides reads of earlier states of datasets. What Spark has listed is the present state: nothing is compared with the listing, and
 * nothing is left to stock.
 *
 * @param query the query before its reads are decided
 */
private[spark] final class PastReads(requests: PlanRequests, rewrite: ReadRewrite, conf: SQLConf, query: LogicalPlan) {
  private lazy val ofQuery = RelationChecks.reasons(query)

  /**
   * Decides one read.
   *
   * @param state what is read, as somebody has written it
   * @param filters the filters above the read
   * @param used the columns that the query looks at
   * @return empty if the read is not of a dataset
   * @throws PastReadException if the state cannot be read
   */
  def decide(read: DirectoryRead, state: String, filters: Seq[Expression], used: AttributeSet): Option[ReadReplacement] =
    try plan(read, AsOf.parse(state), filters, used)
    catch {
      case e: PastReadException => throw e
      case e: java.io.IOException => throw failure(read, state, MpsrClient.answer(e), e)
      case e @ (NonFatal(_) | _: LinkageError | _: StackOverflowError) =>
        throw failure(read, state, Option(e.getMessage).getOrElse(e.toString), e)
    }

  private def plan(
      read: DirectoryRead,
      state: AsOf,
      filters: Seq[Expression],
      used: AttributeSet): Option[ReadReplacement] = {
    def refuse(cause: String) = throw failure(read, state.toString, cause, null)
    val query = requests.query(read, filters, used, Nil)
    val asked = query.copy(request = query.request.asOf(state))
    def ask(group: Option[String]) = requests.reply(asked, group) match {
      case PlanSource.DatasetPlan(plan) if plan.stock => refuse(plan.reason)
      case PlanSource.DatasetPlan(plan) => Some(plan)
      case PlanSource.NotADataset => None // PastReadStrategy fails if the option asks for the state
      case PlanSource.Unavailable => refuse("the NameNode cannot be asked; the log says why")
      case PlanSource.Busy(problem) => refuse(problem)
    }
    ask(requests.namedGroup(read)).map { plan =>
      if (!read.relation.location.isInstanceOf[InMemoryFileIndex] && !read.relation.partitionSchema.isEmpty) {
        refuse("it is read as a table with partitions, of which nobody knows the earlier ones; read the directory itself")
      }
      val strange: Seq[StockReason] = RelationChecks.reason(read.relation, conf).toSeq ++ PlanChecks.reasons(read, plan, used)
      strange.headOption.foreach(reason => refuse(reason.text))
      // files, the order of records and filters of the reader show which group is read
      val default = Some(plan.groups.defaultName)
      val reasons = ofQuery ++ asked.conditions.reason ++ PlanChecks.sharedPath(plan, filters, conf)
      val chosen = if (reasons.isEmpty) plan else ask(default).getOrElse(plan)
      rewrite.past(asked, chosen)
    }
  }

  private def failure(read: DirectoryRead, state: String, cause: String, e: Throwable): PastReadException = {
    val text = cause.linesIterator.nextOption().getOrElse("")
    val known = text.contains(" as of ")
    new PastReadException(if (known) text else s"cannot read ${read.root} as of $state: $text", e)
  }
}
