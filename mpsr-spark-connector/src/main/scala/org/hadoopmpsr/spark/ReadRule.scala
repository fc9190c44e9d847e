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

import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.expressions.AttributeSet
import org.apache.spark.sql.catalyst.planning.PhysicalOperation
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.catalyst.rules.Rule
import org.hadoopmpsr.spark.accuracy.StatedAccuracy
import org.hadoopmpsr.spark.aggregate.CountedAggregate
import org.hadoopmpsr.spark.locality.ReaderHosts
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.relation.{ConfKeys, Decision, DecisionMetrics, DirectoryRead, PastReadException, StockReason}
import org.hadoopmpsr.spark.source.PlanSource

/**
 * Replaces each read of a dataset by a read of the replica group that answers the filters with the least work. Reads that the
 * rule does not understand, and reads for which it fails, stay as without MPSR.
 */
private[spark] final class ReadRule(session: SparkSession, source: PlanSource) extends Rule[LogicalPlan] with PrintableLogging {
  override val ruleName: String = "org.hadoopmpsr.spark.ReadRule"

  override def apply(plan: LogicalPlan): LogicalPlan =
    if (!ConfKeys.enabled(conf)) plan
    else guarded(plan) {
      DecisionMetrics.register()
      val requests = new PlanRequests(source, conf, () => newHadoopConf(), new StatedAccuracy(plan), ReaderHosts.of(session, conf))
      val rewrite = new ReadRewrite(conf, plan)
      val past = new PastReads(requests, rewrite, conf, plan)
      replaceReads(plan, new ReadDecider(requests, rewrite, past, conf, plan), new AggregateAnswers(requests, rewrite))
    }

  private def newHadoopConf() = session.asInstanceOf[classic.SparkSession].sessionState.newHadoopConf()

  /** Decides each occurrence of a relation once, with all filters above it. */
  private def replaceReads(plan: LogicalPlan, decider: ReadDecider, answers: AggregateAnswers): LogicalPlan = plan match {
    case CountedAggregate(counted) if ConfKeys.aggregates(conf) =>
      guarded(plan) {
        val replacement = decider.decide(counted.read, counted.filters, counted.used, counted.statistics)
        replace(plan, counted.read, replacement) { replacement =>
          val answer = answers.answer(counted, replacement)
          if (answer.isDefined) {
            DecisionMetrics.countAnswer()
          }
          answer
        }
      }
    case PhysicalOperation(columns, filters, DirectoryRead(read)) =>
      guarded(plan) {
        val used = AttributeSet((columns ++ filters).flatMap(_.references))
        replace(plan, read, decider.decide(read, filters, used))(_ => None)
      }
    case _ => plan.mapChildren(replaceReads(_, decider, answers))
  }

  /** @param answer a plan that takes the place of the whole plan, where there is one */
  private def replace(plan: LogicalPlan, read: DirectoryRead, replacement: Option[ReadReplacement])(
      answer: ReadReplacement => Option[LogicalPlan]): LogicalPlan =
    replacement match {
      case Some(replacement) =>
        DecisionMetrics.count(replacement.decision)
        replacement.decision.plan.foreach(GoneFiles.watch(session, read.root, _))
        log(read, replacement)
        answer(replacement).getOrElse {
          if (replacement.isApproximate) DecisionMetrics.countApproximate()
          plan.transformDown { case l if l eq read.node => replacement.filtered }
        }
      case None => plan
    }

  private def log(read: DirectoryRead, replacement: ReadReplacement): Unit = replacement.decision match {
    case Decision.Stock(reason) if reason.cause.isFault && ReadRule.isNew(read.root.toString, reason) =>
      logWarning(s"${read.root} is read as without MPSR: ${reason.text}. From now on, this reason is logged at level INFO")
    case decision => logInfo(s"${read.root}, filter ${replacement.query.request.filter}: ${decision.text}")
  }

  private def guarded(unchanged: LogicalPlan)(body: => LogicalPlan): LogicalPlan =
    try body
    catch {
      case e: PastReadException => throw e
      // a LinkageError: another version of Spark; a StackOverflowError: an expression nested very deep
      case e @ (NonFatal(_) | _: LinkageError | _: StackOverflowError) =>
        DecisionMetrics.countFailure()
        logWarning(s"The query reads as without MPSR, because planning the reads failed: $e", e)
        unchanged
    }
}

private object ReadRule {
  private val Remembered = 1000

  private val warnings = new java.util.LinkedHashMap[(String, String), java.lang.Boolean](16, 0.75f, true) {
    override protected def removeEldestEntry(eldest: java.util.Map.Entry[(String, String), java.lang.Boolean]): Boolean =
      size > Remembered
  }

  /** Whether this is the first time that the reason is given, whatever numbers are in it. */
  private def isNew(root: String, reason: StockReason): Boolean = warnings.synchronized {
    warnings.put((root, reason.text.replaceAll("\\d+", "#")), true) == null
  }
}
