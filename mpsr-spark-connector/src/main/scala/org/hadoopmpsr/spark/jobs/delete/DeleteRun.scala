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
package org.hadoopmpsr.spark.jobs.delete

import java.util.UUID

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.client.run.RunRecord
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.core.commit.{Duplicates, KeptSegment}
import org.hadoopmpsr.core.delete.{DeleteParts, FileFate}
import org.hadoopmpsr.core.hash.{ContentHash, ContentHashes}
import org.hadoopmpsr.spark.jobs.run.{JobException, Publisher, RunReporter}
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Takes records away from one dataset: plans, writes the records that stay of the segments that lose some, and publishes all of it
 * as one change, or in parts. What is published stays, whatever happens later.
 *
 * @param defaultGroup the name of the default group
 * @param limits what the changes may have
 * @param inParts true if several changes are allowed
 * @param user who deletes
 */
private[jobs] final class DeleteRun(
    dataset: String,
    defaultGroup: String,
    condition: DeleteCondition,
    store: DeleteStore,
    planner: DeletePlanner,
    tasks: FileTasks,
    reporter: RunReporter,
    limits: DeleteParts,
    inParts: Boolean,
    user: String)
    extends PrintableLogging {
  import DeleteRun._

  private val publisher = new Publisher(store)
  private val certified = mutable.ArrayBuffer.empty[Certificate]
  private var fenced = 0

  /** The changes that are published. */
  def certificates: Seq[Certificate] = certified.toSeq

  /**
   * Runs to the end.
   *
   * @return the record of the run, as it is kept
   * @throws java.io.IOException if a change is not published; [[certificates]] tells those before it
   */
  def run(): RunRecord = reporter.run(publisher.discard) {
    while (!round()) {}
    requireNone(planner.untracked())(s"${certified.size} changes are published, but meanwhile files came with records that go: ")
    None
  }

  /** Deletes what the condition is true for now; false if another change came first. */
  private def round(): Boolean = {
    val plan = planner.plan(() => reporter.pulse())
    requireNone(plan.untracked)("")
    val byId = plan.segments.map(s => s.info.id -> s).toMap
    val parts = divided(defaultGroup, plan, limits).map(_.map(work => byId(work.segment)))
    if (parts.size > 1 && !inParts) {
      throw new JobException(
        s"${plan.segments.size} segments lose records, too many files for one change; compact the dataset first, raise" +
          s" dfs.mpsr.commit.max.files, or delete in ${parts.size} changes with --in-parts: each is in all groups or in none," +
          " but readers may see some of them and not yet others")
    }
    reporter.planned(new Progress(parts.size, plan.segments.size, plan.rewritten.size, plan.bytes, 0, 0))
    parts.forall(publish)
  }

  /** Fails if records that go lie where no change takes them away. */
  private def requireNone(untracked: Map[String, Long])(before: String): Unit = if (untracked.nonEmpty) {
    throw new JobException(
      s"$before${untracked.size} untracked files, such as ${untracked.keys.min}, have ${untracked.values.sum} records that go, and" +
        " only files of commits can be written anew in all groups; delete these files, or have the program that wrote them write" +
        " them anew without such records, and start the job again")
  }

  /** False if another change came first. */
  private def publish(segments: Seq[DoomedSegment]): Boolean = {
    reporter.pulse()
    val id = KeptSegment.ID_PREFIX + UUID.randomUUID
    reporter.changeBegins(id)
    var published = false
    try {
      val begun = store.begin(id)
      val pieces = segments.zipWithIndex.flatMap { case (segment, place) =>
        segment.staying.map(f => FilePiece(f.file, KeptSegment.id(id, place), f.rows, f.fate == FileFate.READ))
      }
      val written = tasks.rewrite(pieces, begun, reporter.partDone, () => reporter.pulse())
      val losses = written.map(w => Loss(w.file.segment, w.file.group, w.file.directory, w.deleted)) ++
        segments.flatMap(_.files).filter(_.fate == FileFate.GOES).map { f =>
          Loss(f.file.segment, f.file.group, f.file.directory, f.file.content)
        }
      val files = written.flatMap(_.files)
      val change = DeleteChange(id, segments.map(_.info.id), duplicates(losses), condition.text, files)
      val result = publisher.publish(begun, files)(store.publish(change))
      published = result.outcome match {
        case Outcome.COMMITTED | Outcome.ALREADY_COMMITTED => true
        case Outcome.REFUSED => throw new JobException(result.reason)
        case Outcome.FENCED =>
          fenced += 1
          logWarning(s"change $id is fenced: ${result.reason}")
          if (fenced >= MostFenced) {
            throw new JobException(
              s"$fenced deletes were fenced, the last one because ${result.reason}; let the other changes of the dataset end," +
                " and start the delete again")
          }
          false
      }
      if (published) certify(id, segments, losses)
    } finally {
      if (!published) publisher.discard(id)
      reporter.changeEnds(Option.when(published)(new Progress(1, segments.size, 0, 0, 0, 0)))
    }
    published
  }

  private def certify(id: String, segments: Seq[DoomedSegment], losses: Seq[Loss]): Unit = {
    val lost = losses.filter(_.group == defaultGroup).groupMapReduce(_.segment)(l => ContentHashes.of(l.content))(_.plus(_))
    val now = store.segments().filter(s => KeptSegment.isOf(s.id, id))
    val current = now.map(_.id).toSet
    certified += Certificate(
      dataset,
      id,
      now.headOption.map(_.since),
      user,
      System.currentTimeMillis(),
      condition.text,
      segments.zipWithIndex.map { case (segment, place) =>
        val before = ContentHashes.of(segment.info.content)
        val deleted = lost.getOrElse(segment.info.id, ContentHashes.EMPTY)
        val after = before.minus(deleted)
        CertifiedSegment(segment.info.id, Some(KeptSegment.id(id, place)).filter(current), before, deleted, after)
      })
  }
}

private[jobs] object DeleteRun {
  private val MostFenced = 3

  /** One directory of the default group changes in one hold of the lock: as many files as a merge may change there. */
  private val DirectoryFiles = 100

  /** What changes may have. */
  def limits(maxFiles: Int): DeleteParts = new DeleteParts(maxFiles, DirectoryFiles)

  private[jobs] def divided(defaultGroup: String, plan: DeletePlan, limits: DeleteParts): Seq[Seq[DeleteParts.Work]] =
    try limits.of(plan.segments.map(_.work(defaultGroup)).asJava).asScala.map(_.asScala.toSeq).toSeq
    catch { case e: IllegalArgumentException => throw new JobException(e.getMessage) }

  private final case class Loss(segment: String, group: String, directory: String, content: ContentHash)

  private def duplicates(losses: Seq[Loss]): Seq[Duplicates] = losses
    .filterNot(_.content.isEmpty)
    .groupMapReduce(l => (l.group, l.directory, l.content.kind))(_.content)(_.plus(_))
    .map { case ((group, directory, _), content) => new Duplicates(group, directory, content) }
    .toSeq
}
