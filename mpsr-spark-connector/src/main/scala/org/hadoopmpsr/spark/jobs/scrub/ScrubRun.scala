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
package org.hadoopmpsr.spark.jobs.scrub

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.hadoopmpsr.client.Segments
import org.hadoopmpsr.client.run.RunRecord
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.rebuild.Damage
import org.hadoopmpsr.core.scrub.{ScrubState, SegmentVerdict}
import org.hadoopmpsr.spark.jobs.rebuild.{RebuildRun, RebuildStore}
import org.hadoopmpsr.spark.jobs.run.{Publisher, RunReporter}
import org.hadoopmpsr.spark.jobs.verify.{GroupFinding, SegmentCheck, SegmentFinding}
import org.hadoopmpsr.spark.log.PrintableLogging

/**
 * Reads segments of one dataset, and writes anew what is wrong in a group, from groups that are right. Where nobody can tell which
 * group is right, nothing is changed. What was read is kept after every part of the run: a run that ends early loses one part.
 *
 * @param state what earlier runs have done; kept with `keep`
 * @param select which of the current segments are read, in their order
 * @param heal makes the run that rebuilds what is damaged in a store
 * @param clock milliseconds since the epoch
 */
private[jobs] final class ScrubRun(
    groups: ReplicaGroups,
    store: RebuildStore,
    segments: () => Seq[Segments.Info],
    select: Seq[Segments.Info] => Seq[Segments.Info],
    check: SegmentCheck,
    heal: RebuildStore => RebuildRun,
    reporter: RunReporter,
    state: ScrubState,
    keep: ScrubState => Unit,
    clock: () => Long)
    extends PrintableLogging {
  private val publisher = new Publisher(store)
  private val failures = mutable.ArrayBuffer.empty[ScrubState.Problem]

  /**
   * Runs to the end.
   *
   * @return the record of the run, as it is kept; its problem names what is wrong and could not be healed
   * @throws java.io.IOException after a failure that the next run may not have, with the record kept
   */
  def run(): RunRecord = reporter.run(publisher.discard) {
    val current = segments()
    state.keepOnly(current.map(_.id).toSet.asJava)
    val due = select(current)
    var bytes = due.flatMap(_.groups.values.asScala.map(_.bytes)).sum
    reporter.planned(ScrubRun.amount(bytes))
    check.check(due, groups.names.asScala.toSeq, () => reporter.pulse()) { findings =>
      val read = findings.flatMap(_.groups.values.map(_.bytes)).sum
      reporter.done(ScrubRun.amount(read))
      bytes -= read
      judge(findings)
      keep(state)
      reporter.planned(ScrubRun.amount(math.max(0, bytes)))
    }
    keep(state)
    ended
  }

  private def ended: Option[String] = failures.headOption.map { first =>
    val more = if (failures.size == 1) "" else s"; ${failures.size - 1} more segments of groups are wrong"
    s"segment ${first.segment} in group ${first.group} is wrong and stays so: ${first.reason}$more"
  }

  private def judge(findings: Seq[SegmentFinding]): Unit = {
    val verdicts = findings.map { finding =>
      val (exact, lossy) = finding.groups.map { case (group, found) => group -> held(found) }.partition { case (group, _) => !finding.lossy(group) }
      finding -> SegmentVerdict.of(finding.recorded.orNull, exact.asJava).withRounded(lossy.asJava, finding.rounded.asJava)
    }
    val (wrong, sound) = verdicts.partition { case (_, verdict) => !verdict.wrong.isEmpty || verdict.undecided != null }
    sound.foreach { case (finding, _) => read(finding) }
    if (wrong.nonEmpty) {
      val stays = healAll(wrong)
      // not before: what a run that ends early leaves wrong is read by the next one
      wrong.foreach { case (finding, _) => read(finding) }
      stays.foreach(state.failed)
      failures ++= stays
    }
  }

  private def read(finding: SegmentFinding): Unit =
    if (finding.groups.values.exists(_.unread)) state.tried(finding.segment, finding.newestFile, clock())
    else state.checked(finding.segment, finding.newestFile, clock())

  private def held(found: GroupFinding): SegmentVerdict.Held = {
    val wrong = found.wrong.values
    new SegmentVerdict.Held(found.content, wrong.count(_.isFalse), found.undecoded, wrong.count(!_.isFalse))
  }

  /** Returns what stays wrong. */
  private def healAll(wrong: Seq[(SegmentFinding, SegmentVerdict)]): Seq[ScrubState.Problem] = {
    // what the NameNode knows to be damaged is rebuilt by the rebuild
    val known = store.damages().map(damage => (damage.segment, damage.group)).toSet
    val (decided, undecided) = wrong.partition(_._2.undecided == null)
    val (falseFiles, others) = decided
      .flatMap { case (finding, verdict) =>
        verdict.wrong.asScala.toSeq.sorted.collect {
          case (group, reason) if !known((finding.segment, group)) => (finding, verdict, group, reason)
        }
      }
      .partition { case (finding, _, group, _) => finding.groups(group).wrong.nonEmpty }
    val damages = falseFiles.map { case (finding, verdict, group, reason) =>
      logWarning(s"segment ${finding.segment} in group $group is wrong: ${ScrubRun.text(finding.groups(group), reason)}")
      FoundDamage.of(finding, group, group == groups.defaultName, verdict.sound.asScala.toSet, clock())
    }
    val unclear = for {
      (finding, verdict) <- undecided
      group <- (if (verdict.wrong.isEmpty) finding.groups.keySet.toSet else verdict.wrong.keySet.asScala.toSet).toSeq.sorted
      if !known((finding.segment, group))
    } yield problem(finding.segment, group, s"${verdict.undecided}; nothing was changed")
    val unexplained = others.map { case (finding, _, group, reason) =>
      problem(finding.segment, group, s"$reason, though each of its files holds what is stated of it; nothing was changed")
    }
    state.found(damages.size + unclear.size + unexplained.size)
    unclear ++ unexplained ++ (if (damages.isEmpty) Nil else rebuild(damages))
  }

  private def rebuild(damages: Seq[Damage]): Seq[ScrubState.Problem] = {
    val found = new FoundDamage(store, damages)
    try heal(found).rebuildAll().map(left => problem(left.damage.segment, left.damage.group, left.reason))
    finally {
      state.healed(found.healed.size)
      keep(state)
    }
  }

  private def problem(segment: String, group: String, reason: String): ScrubState.Problem = {
    logWarning(s"segment $segment in group $group is wrong and stays so: $reason")
    new ScrubState.Problem(segment, group, reason)
  }
}

private[jobs] object ScrubRun {
  private def amount(bytes: Long): Progress = new Progress(0, 0, 0, bytes, 0, 0)

  private def text(found: GroupFinding, reason: String): String =
    found.wrong.headOption.fold(reason) { case (file, problem) => s"$reason, such as ${file.path}, which ${problem.text}" }
}
