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
package org.hadoopmpsr.spark.jobs.adopt

import java.util.UUID

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.hadoopmpsr.client.PublishResult
import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.client.run.RunRecord
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.core.adopt.{AdoptionPlanner, AdoptionRules, UntrackedFile}
import org.hadoopmpsr.core.commit.Refusal
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.spark.jobs.rebuild.{DerivedPart, Deriver}
import org.hadoopmpsr.spark.jobs.run.{BegunChange, JobException, Publisher, RunReporter}
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.versions.Scala213._

/** One run: reads what is due, writes its records in the other groups and publishes it, change by change. */
private[jobs] final class AdoptRun(
    groups: ReplicaGroups,
    store: AdoptStore,
    reader: Reader,
    deriver: Deriver,
    reporter: RunReporter,
    rules: AdoptionRules)
    extends PrintableLogging {
  private val publisher = new Publisher(store)
  private val others = new OtherGroups(groups, deriver)

  /** Files by their ids and states. */
  private val tried = mutable.HashSet.empty[(Long, Long)]
  private val left = mutable.ArrayBuffer.empty[String]
  private var paused = false

  /**
   * Runs to the end.
   *
   * @return the record of the run, as it is kept; its problem names what is left for the next run
   * @throws java.io.IOException after a failure that the next run may not have, with the record kept
   */
  def run(): RunRecord = reporter.run(publisher.discard) {
    while (round()) {}
    left.headOption.map(first => if (left.size == 1) first else s"$first; ${left.size - 1} more changes came to nothing")
  }

  /** Does what is due, until somebody pauses the adoption; false if nothing is. */
  private def round(): Boolean = {
    val files = store.untracked().filterNot(file => tried(file.fileId -> file.state))
    val changes = AdoptionPlanner.plan(files.asJava, rules).asScala.map(_.asScala.toSeq).toSeq
    reporter.planned(changes.map(planned).foldLeft(Progress.NONE)(_.plus(_)))
    changes.foreach(change => if (!isPaused()) adopt(change))
    changes.nonEmpty && !paused
  }

  /** Asks before each change. */
  private def isPaused(): Boolean = {
    if (!paused && store.isPaused) {
      paused = true
      stays("the adoption is paused; hdfs mpsr dataset adopt with --execute goes on with it")
    }
    paused
  }

  private def planned(files: Seq[UntrackedFile]) = new Progress(1, 1, files.size, files.map(_.length).sum, 0, 0)

  private def adopt(files: Seq[UntrackedFile]): Unit = {
    tried ++= files.map(file => file.fileId -> file.state)
    reporter.pulse()
    try {
      val read = reader.read(files, () => reporter.pulse())
      val unfit = read.flatMap(found => found.unfit.map(found.file -> _)).toMap
      if (unfit.nonEmpty) {
        unfit.foreach { case (file, reason) => logWarning(s"${file.path} stays as it is, in the default group alone: $reason") }
        store.unfit(unfit)
      }
      read.filter(_.failure.isDefined).foreach(found => stays(s"${found.file.path} could not be read: ${found.failure.get}"))
      val fit = read.filter(_.statistics.isDefined)
      if (fit.nonEmpty) publish(fit)
    } catch { case e: JobException => stays(e.getMessage) }
  }

  private def stays(reason: String): Unit = {
    logWarning(reason)
    left += reason
  }

  /** Publishes files as one change, or in parts if they make too many files. */
  private def publish(read: Seq[ReadFile]): Unit = {
    val id = s"adopt-${UUID.randomUUID}"
    reporter.changeBegins(id)
    var published = false
    var parts = Seq.empty[Seq[ReadFile]]
    try {
      val begun = store.begin(id)
      val adopted = read.map(_.staged(groups.defaultName, id))
      store.stand(begun, adopted)
      val written = others.names.flatMap(derived(begun, _, read))
      val staged = adopted ++ written.flatMap(_.files)
      val result = publisher.publish(begun, staged)(store.adopt(id, read.map(_.file), staged))
      published = result.outcome == Outcome.COMMITTED || result.outcome == Outcome.ALREADY_COMMITTED
      if (!published) parts = refused(result, read)
    } finally {
      if (!published) publisher.discard(id)
      reporter.changeEnds(Option.when(published)(new Progress(1, 1, read.size, read.map(_.file.length).sum, 0, 0)))
    }
    parts.foreach(publish)
  }

  /** What is tried instead of a change that was not published. */
  private def refused(result: PublishResult, read: Seq[ReadFile]): Seq[Seq[ReadFile]] =
    if (result.outcome == Outcome.FENCED) { // the next round asks for what has changed
      logInfo(result.reason)
      Nil
    } else if (result.refusal.kind == Refusal.Kind.TOO_MANY_FILES && read.size > 1) {
      val (first, second) = read.splitAt(read.size / 2)
      Seq(first, second)
    } else {
      stays(result.reason)
      Nil
    }

  private def derived(begun: BegunChange, group: String, read: Seq[ReadFile]): Seq[DerivedPart] = others.write(
    begun,
    group,
    read,
    part => reporter.partDone(new Progress(0, 0, 0, 0, part.encoded.size, 0)),
    () => reporter.pulse())
}
