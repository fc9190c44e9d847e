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
package org.hadoopmpsr.spark.jobs.compact

import java.util.UUID

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.client.run.RunRecord
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.core.commit.{Refusal, RemovedContent}
import org.hadoopmpsr.core.config.ConfigKeys
import org.hadoopmpsr.core.compact.{CompactionPlan, CompactionPlanner, Merge, MergeRules, MergeWork}
import org.hadoopmpsr.spark.jobs.run.{BegunChange, JobException, Publisher, RunReporter}
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Compacts one dataset: plans, and does one merge after the other, each as a change of its own, until nothing is left to
 * merge. What is published stays, whatever happens later; the change underway is aborted when the run ends early.
 */
private[jobs] final class CompactionRun(
    store: ChangeStore,
    parts: PartRunner,
    reporter: RunReporter,
    rules: MergeRules)
    extends PrintableLogging {
  import CompactionRun._

  /** The merges that this run does not try again; why, where that is a problem. */
  private val left = mutable.LinkedHashMap.empty[Seq[String], Option[String]]
  private val publisher = new Publisher(store)
  private var fenced = 0

  /**
   * Runs to the end.
   *
   * @return the record of the run, as it is kept
   * @throws java.io.IOException after a failure that the next run may not have, with the record kept
   */
  def run(): RunRecord = reporter.run(publisher.discard) {
    while (round()) {}
    problem
  }

  private def problem: Option[String] = {
    val reasons = left.toSeq.collect { case (segments, Some(reason)) => s"segment ${segments.head} and what follows it stay: $reason" }
    reasons.headOption.map(first => if (reasons.size == 1) first else s"$first; ${reasons.size - 1} more merges are left out")
  }

  /** Does the merges of one plan; false if there is none. */
  private def round(): Boolean = {
    val segments = store.segments()
    val rounds = CompactionPlanner.rounds(segments.asJava, rules).asScala.toSeq
    reporter.planned(rounds.map(progress).foldLeft(Progress.NONE)(_.plus(_)))
    val due = rounds.headOption.toSeq.flatMap(_.merges.asScala).filterNot(m => left.contains(ids(m)))
    due.foreach(merge)
    due.nonEmpty
  }

  private def merge(merge: Merge): Unit = {
    reporter.pulse()
    val id = s"merge-${merge.first}-${merge.last}-${UUID.randomUUID.toString.take(8)}"
    reporter.changeBegins(id)
    var merged: Option[Progress] = None
    try {
      val begun = store.begin(id)
      val allowed = rules.withMaxNewFiles(math.min(rules.maxNewFiles, begun.maxFiles))
      val work = MergeWork.of(ids(merge).asJava, store.files(ids(merge)).asJava, allowed)
      if (work.saves(allowed)) {
        merged = publish(merge, work, begun)
      } else {
        leaveOut(merge, if (work.segments.size < 2) Some(tooManyFiles(allowed)) else None)
      }
    } finally {
      if (merged.isEmpty) publisher.discard(id)
      reporter.changeEnds(merged)
    }
  }

  /** What is done, without files; None if the NameNode has another opinion. */
  private def publish(merge: Merge, work: MergeWork, begun: BegunChange): Option[Progress] = {
    val merged = parts.run(work.parts.asScala.toSeq, begun, part => reporter.partDone(part.progress), () => reporter.pulse())
    if (merged.map(_.number).sorted != work.parts.asScala.map(_.number).sorted) {
      throw new IllegalStateException(s"${merged.size} results came of ${work.parts.size} parts of change ${begun.id}")
    }
    val files = merged.flatMap(_.files)
    val removed = merged.groupBy(_.group).map { case (group, of) => group -> RemovedContent.sum(of.map(_.removed).asJava) }
    val duplicates = merged.flatMap(_.duplicates)
    val change = MergedChange(begun.id, work.segments.asScala.toSeq, files, removed, duplicates)
    val result = publisher.publish(begun, files)(store.publish(change))
    result.outcome match {
      case Outcome.COMMITTED | Outcome.ALREADY_COMMITTED =>
        // the NameNode has seen that they are the same ones in every group
        val ofEach = duplicates.groupMapReduce(_.group)(_.content.count)(_ + _).values.maxOption.getOrElse(0L)
        Some(new Progress(1, work.segments.size, 0, 0, 0, ofEach))
      case Outcome.FENCED =>
        fenced += 1
        logWarning(s"change ${begun.id} is fenced: ${result.reason}")
        if (fenced >= MostFenced) {
          throw new JobException(
            s"$fenced merges were fenced, the last one because ${result.reason}; other changes of the dataset run at the" +
              " same time: let one of them end, and start the compaction again")
        }
        None
      case Outcome.REFUSED if result.refusal.kind == Refusal.Kind.NOT_REPLACEABLE =>
        leaveOut(merge, Some(result.reason))
        None
      case Outcome.REFUSED => throw new JobException(result.reason)
    }
  }

  private def leaveOut(merge: Merge, problem: Option[String]): Unit = {
    left(ids(merge)) = problem
    logInfo(s"segments ${merge.first} to ${merge.last} stay: ${problem.getOrElse("their merge saves no file")}")
  }
}

private[jobs] object CompactionRun {
  private val MostFenced = 3

  private def ids(merge: Merge): Seq[String] = merge.segments.asScala.map(_.id).toSeq

  private def tooManyFiles(rules: MergeRules): String =
    s"two segments together have more files than one change may write (${rules.maxNewFiles} in all groups), replace" +
      s" (${rules.maxOldFiles}), or change in one directory (${rules.maxDirectoryFiles}); raise" +
      s" ${ConfigKeys.MAX_COMMIT_FILES.name}, or use predicates with fewer partitions"

  private def progress(plan: CompactionPlan): Progress =
    new Progress(plan.merges.size, plan.segments, plan.filesRead, plan.bytesRead, plan.filesWritten, 0)
}
