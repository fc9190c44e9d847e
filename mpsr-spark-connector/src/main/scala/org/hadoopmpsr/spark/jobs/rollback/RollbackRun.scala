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
package org.hadoopmpsr.spark.jobs.rollback

import java.io.FileNotFoundException
import java.util.UUID

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.client.history.PlannedRollback
import org.hadoopmpsr.client.rollback.RollbackReport
import org.hadoopmpsr.client.run.RunRecord
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.core.commit.KeptSegment
import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.spark.jobs.delete.{FilePiece, FileTasks}
import org.hadoopmpsr.spark.jobs.run.{JobException, Publisher, RunReporter}
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Brings an earlier state of one dataset back: plans, writes the records of the segments that come back, file for file in every group, and
 * publishes one change. Plans anew if another change came first.
 *
 * @param defaultGroup the name of the default group
 * @param tasks with no condition
 * @param maxFiles the most files that a change may have
 */
private[jobs] final class RollbackRun(
    dataset: String,
    defaultGroup: String,
    store: RollbackStore,
    tasks: FileTasks,
    reporter: RunReporter,
    maxFiles: Int)
    extends PrintableLogging {
  import RollbackRun._

  private val publisher = new Publisher(store)
  private var told = Option.empty[RollbackReport]
  private var fenced = 0
  /** The number of the last change when the run began. What comes after it stays. */
  private var began = Option.empty[Long]

  /** What was done; None if it failed. */
  def report: Option[RollbackReport] = told

  /**
   * Runs to the end.
   *
   * @return the record of the run, as it is kept
   * @throws java.io.IOException if nothing is changed though the states differ
   */
  def run(): RunRecord = reporter.run(publisher.discard) {
    while (!round()) {}
    None
  }

  /** False if another change came first. */
  private def round(): Boolean = {
    val plan = planned()
    if (plan.isEmpty) {
      told = Some(new RollbackReport(dataset, plan, null))
      true
    } else {
      try {
        val files = store.restored(plan)
        check(files, store.removed(plan))
        reporter.planned(new Progress(1, changed(plan), files.size, files.map(_.length).sum, 0, 0))
        publish(plan, files)
      } catch {
        case e: FileNotFoundException => // another change has replaced a segment in between
          again(e.getMessage)
          false
      }
    }
  }

  private def planned(): PlannedRollback = {
    val all = store.plan()
    val before = began.getOrElse(all.last)
    began = Some(before)
    val plan = all.leavingWhatCameAfter(before)
    plan.removedWithLaterRecords(before).ifPresent { part =>
      throw new JobException(
        s"segment ${part.id}, which is to go, has records that were committed after the job began: another change has put both into one" +
          " segment; start the job again, if these records may go too")
    }
    plan
  }

  private def changed(plan: PlannedRollback): Int = plan.removes.size + plan.restores.size

  private def check(files: Seq[SegmentFile], removed: Map[String, Int]): Unit = {
    if (files.size > maxFiles) {
      throw new JobException(
        s"${files.size} files come back, more than the $maxFiles that dfs.mpsr.commit.max.files allows for one change; raise it on" +
          " the NameNode and for this job, and start the job again")
    }
    val shown = files.filter(_.group == defaultGroup).groupMapReduce(_.directory)(_ => 1)(_ + _)
    (shown.keySet ++ removed.keySet).foreach { directory =>
      val both = shown.getOrElse(directory, 0) + removed.getOrElse(directory, 0)
      if (both > DirectoryFiles) {
        throw new JobException(
          s"$both files of directory '$directory' would change in one hold of the NameNode's lock, more than the $DirectoryFiles that" +
            " are allowed; choose a later state, or read this one with the option mpsr.as-of")
      }
    }
  }

  /** False if another change came first. */
  private def publish(plan: PlannedRollback, files: Seq[SegmentFile]): Boolean = {
    reporter.pulse()
    val id = KeptSegment.ROLLBACK_PREFIX + UUID.randomUUID
    reporter.changeBegins(id)
    var published = false
    try {
      val begun = store.begin(id)
      val places = plan.restoredIds.asScala.zipWithIndex.toMap
      val pieces = files.map(f => FilePiece(f, KeptSegment.id(id, places(f.segment)), f.content.count, reads = false))
      val written = tasks.rewrite(pieces, begun, reporter.partDone, () => reporter.pulse()).flatMap(_.files)
      val result = publisher.publish(begun, written)(store.publish(id, plan, written))
      published = result.outcome match {
        case Outcome.COMMITTED | Outcome.ALREADY_COMMITTED => true
        case Outcome.REFUSED => throw new JobException(result.reason)
        case Outcome.FENCED =>
          again(result.reason)
          false
      }
      if (published) told = Some(new RollbackReport(dataset, plan, new RollbackReport.Change(id, store.sequence(id))))
    } finally {
      if (!published) publisher.discard(id)
      reporter.changeEnds(Option.when(published)(new Progress(1, changed(plan), 0, 0, 0, 0)))
    }
    published
  }

  private def again(reason: String): Unit = {
    fenced += 1
    logWarning(s"the rollback of $dataset is planned anew: $reason")
    if (fenced >= MostFenced) {
      throw new JobException(
        s"$fenced rollbacks were fenced, the last one because $reason; let the other changes of the dataset end, and start the" +
          " rollback again")
    }
  }
}

private[jobs] object RollbackRun {
  private val MostFenced = 3

  /** One directory of the default group changes in one hold of the lock. A rollback cannot be divided, and has more than other changes. */
  private val DirectoryFiles = 1000
}
