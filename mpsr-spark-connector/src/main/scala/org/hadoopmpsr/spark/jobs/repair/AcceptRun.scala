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
package org.hadoopmpsr.spark.jobs.repair

import java.util.UUID

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.client.run.RunRecord
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.core.commit.Rebuild
import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.hash.HashKind
import org.hadoopmpsr.core.rebuild.Damage
import org.hadoopmpsr.core.stats.DataFile
import org.hadoopmpsr.spark.jobs.rebuild.{Derivation, DerivedFrom, DerivedPart, Deriver, Target}
import org.hadoopmpsr.spark.jobs.run.{BegunChange, JobException, Publisher, RunReporter, SegmentFiles}
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Takes what somebody has made of segments by hand in one group for their records, and writes it in every group: each segment as a
 * change of its own, which all groups get or none. A segment for which that fails stays as it is.
 *
 * @param group whose files are accepted
 */
private[jobs] final class AcceptRun(
    groups: ReplicaGroups,
    group: String,
    store: AcceptStore,
    deriver: Deriver,
    reporter: RunReporter)
    extends PrintableLogging {
  import AcceptRun._

  private val publisher = new Publisher(store)
  private val tried = mutable.HashSet.empty[String]
  private val left = mutable.ArrayBuffer.empty[String]

  /**
   * Runs to the end.
   *
   * @return the record of the run, as it is kept; its problem names what was not accepted
   * @throws java.io.IOException after a failure that the next run may not have, with the record kept
   */
  def run(): RunRecord = reporter.run(publisher.discard) {
    while (round()) {}
    left.headOption.map(first => if (left.size == 1) first else s"$first; ${left.size - 1} more segments stay as they are")
  }

  /** Does what is found; false if nothing is. */
  private def round(): Boolean = {
    val found = store.damages()
    val due = found.filter(d => d.group == group && Differences.isByHand(d) && tried.add(d.segment))
    reporter.planned(due.map(d => new Progress(1, 1, d.files.size, 0, 0, 0)).foldLeft(Progress.NONE)(_.plus(_)))
    due.foreach { damage =>
      val others = found.filter(d => d.segment == damage.segment && d.group != group)
      try accept(damage, others)
      catch { case e: JobException => stays(damage, e.getMessage) }
    }
    due.nonEmpty
  }

  private def stays(damage: Damage, reason: String): Unit = {
    val text = s"segment ${damage.segment} is not accepted and stays as it is: $reason"
    logWarning(text)
    left += text
  }

  private def accept(damage: Damage, others: Seq[Damage]): Unit = {
    reporter.pulse()
    val read = acceptedFiles(damage)
    val id = s"accept-${UUID.randomUUID}"
    reporter.changeBegins(id)
    var published = false
    try {
      val begun = store.begin(id)
      val files = read.map(file => file.copy(file = of(id, file.file)))
      val parts = groups.names.asScala.toSeq.flatMap(written(begun, _, files, damage))
      val foreign = others.flatMap(Differences.byHand).filter(_.foreign)
      val replaced = read.map(file => file.id -> file.state) ++ foreign.map(f => f.file.fileId -> f.state)
      val accepted =
        new Rebuild(group, java.util.Collections.singletonList(damage.segment), replaced.map(r => java.lang.Long.valueOf(r._1)).asJava)
      val staged = parts.flatMap(_.files)
      val result = publisher.publish(begun, staged)(store.accept(id, accepted, replaced.map(_._2), staged))
      published = result.outcome == Outcome.COMMITTED || result.outcome == Outcome.ALREADY_COMMITTED
      if (!published) stays(damage, result.reason)
    } finally {
      if (!published) publisher.discard(id)
      reporter.changeEnds(Option.when(published)(new Progress(1, 1, 0, 0, 0, 0)))
    }
  }

  /** All that the group has of the segment. */
  private def acceptedFiles(damage: Damage): Seq[Accepted] = {
    val changed = Differences.byHand(damage)
    if (changed.size < damage.files.size) {
      val lost = damage.files.asScala.find(file => !changed.contains(file)).get
      throw new JobException(
        s"${lost.file.path} of group $group has no replica that can be read (${lost.cause}); bring its DataNode back, or use" +
          " --execute")
    }
    changed.find(_.file.statistics.partition.size != groups.find(group).get.predicates.size).foreach { odd =>
      throw new JobException(
        s"${odd.file.path} lies in a directory whose name does not say one partition of group $group; move it to the" +
          " directory of its records")
    }
    val damaged = damage.files.asScala.map(_.file.path).toSet
    val sound = store
      .files(group, Seq(damage.segment))
      .filter(file => !damaged(file.path) && store.isThere(file))
    sound.map(file => accepted(file, damage, 0, stated = true)) ++
      changed.map(file => accepted(file.file, damage, file.state, stated = false))
  }

  /** Records are hashed as the others of the segment; what was published in another way is not checked. */
  private def accepted(file: DataFile, damage: Damage, state: Long, stated: Boolean): Accepted = {
    val isStated = stated && file.statistics.content.kind == damage.hashKind
    Accepted(SegmentFiles.of(group, file), file.fileId, state, Option.when(!isStated)(damage.hashKind))
  }

  /** A file whose records are of the segment that the change makes. */
  private def of(id: String, file: SegmentFile): SegmentFile =
    new SegmentFile(id, file.group, "", file.partition, file.path, file.length, file.content)

  private def written(
      begun: BegunChange,
      target: String,
      files: Seq[Accepted],
      damage: Damage): Seq[DerivedPart] = if (files.isEmpty) Nil else {
    val rows = deriver.count(target, files.map(_.file), () => reporter.pulse())
    val bytesOfRow = files.map(_.file.length).sum.toDouble / math.max(1, rows.values.sum)
    val targets = rows.toSeq.collect { case (partition, count) if count > 0 =>
      Target(begun.id, partition, damage.hashKind, count, (count * bytesOfRow).toLong, 0)
    }
    if (targets.isEmpty) Nil
    else deriver.derive(
      Derivation(target, files.map(file => DerivedFrom(file.file, subtracted = false, file.unstated)), targets),
      begun,
      part => reporter.partDone(part.progress),
      () => reporter.pulse())
  }
}

private object AcceptRun {

  /** @param state in which it is read; 0: as it was published */
  private final case class Accepted(file: SegmentFile, id: Long, state: Long, unstated: Option[HashKind])
}
