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
package org.hadoopmpsr.spark.jobs.verify

import java.io.FileNotFoundException

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.Segments
import org.hadoopmpsr.core.hash.{ContentHash, ContentHashes}
import org.hadoopmpsr.core.stats.DataFile
import org.hadoopmpsr.spark.jobs.run.{DatasetText, SparkTasks}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * What a group was found to hold of a segment.
 *
 * @param content the records of all files that could be read
 * @param files all files of the segment in the group
 * @param wrong those that are not as stated
 * @param undecoded how many of these are false and cannot be decoded
 */
private[jobs] final case class GroupFinding(
    content: ContentHashes,
    files: Seq[DataFile],
    wrong: Map[DataFile, Problem],
    undecoded: Int) {
  def bytes: Long = files.map(_.length).sum

  def unread: Boolean = wrong.values.exists(!_.isFalse)

  /** Whether the content is that of all files. */
  def isWhole: Boolean = undecoded == 0 && !unread
}

/**
 * What the groups were found to hold of a segment.
 *
 * @param recorded what each of them holds by the segment's record, or, if it has none, by what all groups state; empty if they
 *   do not state the same
 * @param groups those that were read, by name
 * @param lossy the names of the groups that have rounded values
 * @param rounded what these should hold, by the records of the default group; empty if that was not read as a whole, or does not
 *   hold what is recorded
 */
private[jobs] final case class SegmentFinding(
    segment: String,
    recorded: Option[ContentHash],
    groups: Map[String, GroupFinding],
    lossy: Set[String] = Set.empty,
    rounded: Map[String, ContentHashes] = Map.empty) {

  /** The groups that hold the records themselves. */
  def exact: Map[String, GroupFinding] = groups.filterNot { case (group, _) => lossy(group) }

  /** The id of the newest file; 0 if there is none. */
  def newestFile: Long = groups.values.flatMap(_.files.map(_.fileId)).maxOption.getOrElse(0L)

  /** What is wrong with what groups hold, by group. */
  def problems: Map[String, String] = {
    val expected = recorded.map(ContentHashes.of)
    exact.collect {
      case (group, found) if expected.exists(_ != found.content) => group -> SegmentFinding.differs(found.content, expected.get)
    } ++ groups.collect {
      case (group, found) if lossy(group) && rounded.get(group).exists(_ != found.content) =>
        group -> SegmentFinding.differsRounded(found.content, rounded(group))
    }
  }

  /** Whether all that was read is the same records, and in groups with rounded values as many, and the rounded ones where that is known. */
  def agree: Boolean =
    exact.values.map(_.content).toSet.size <= 1 && groups.values.map(_.content.count).toSet.size <= 1 &&
      groups.forall { case (group, found) => rounded.get(group).forall(_ == found.content) }
}

private[jobs] object SegmentFinding {
  private def differs(found: ContentHashes, recorded: ContentHashes): String =
    s"holds ${found.count} records with hash ${found.hex}, and the segment's record says ${recorded.count} with ${recorded.hex}"

  private def differsRounded(found: ContentHashes, rounded: ContentHashes): String =
    s"holds ${found.count} records with hash ${found.hex}, and the default group's records, rounded, are ${rounded.count} with ${rounded.hex}"
}

/** The segments of one dataset, as far as a check needs them. For one thread. */
private[jobs] trait CheckedSegments {

  /** The current ones. */
  def segments(): Seq[Segments.Info]

  /** The files of segments in a group, with all that is stated of them; fails if one is not current any more. */
  def files(group: String, segments: Seq[String]): Seq[DataFile]
}

/**
 * Reads segments in groups, and finds out what they hold. What another change replaces meanwhile is left out.
 *
 * @param fs the URI of the file system
 * @param portionBytes about so many bytes are read between two findings
 */
private[jobs] final class SegmentCheck(
    context: SparkContext,
    dataset: DatasetText,
    fs: java.net.URI,
    conf: Broadcast[SerializableConfiguration],
    tasks: SparkTasks,
    store: CheckedSegments,
    portionBytes: Long = SegmentCheck.PortionBytes) {
  import SegmentCheck._

  /**
   * Checks segments, some at a time.
   *
   * @param groups the names of the groups that are read
   * @param done is told the findings of some segments
   * @param pulse is called again and again; what it throws ends the work
   */
  def check(segments: Seq[Segments.Info], groups: Seq[String], pulse: () => Unit)(done: Seq[SegmentFinding] => Unit): Unit =
    portions(segments, groups).foreach(some => done(portion(some, groups, pulse)))

  /** The findings of segments that are read in one go. */
  private def portion(segments: Seq[Segments.Info], groups: Seq[String], pulse: () => Unit): Seq[SegmentFinding] = {
    val byGroup = filesOf(segments.map(_.id), groups)
    val files = byGroup.toSeq.flatMap { case (group, its) => its.map(group -> _) }
    val found = findings(files, pulse)
    // a file of a segment that is replaced meanwhile may be gone, or be no file of the segment
    val lost = found.values.exists(_.problem.exists(!_.isFalse))
    val current = if (lost) store.segments().map(_.id).toSet else segments.map(_.id).toSet
    val bySegment = byGroup.map { case (group, its) => group -> its.groupBy(_.statistics.commitId) }
    segments.filter(s => byGroup.nonEmpty && current(s.id)).map { segment =>
      val recorded = Option(segment.recorded).orElse(unanimous(segment))
      val findings = bySegment.map { case (group, its) => group -> finding(its.getOrElse(segment.id, Nil), found) }
      val source = bySegment.get(dataset.defaultGroup).map(_.getOrElse(segment.id, Nil))
      SegmentFinding(segment.id, recorded, findings, lossy, rounded(source, findings.get(dataset.defaultGroup), recorded, found))
    }
  }

  private lazy val lossy: Set[String] = dataset.groups.lossyNames.asScala.toSet

  /** What groups with rounded values should hold of a segment, by the files of the default group. */
  private def rounded(
      files: Option[Seq[DataFile]],
      its: Option[GroupFinding],
      recorded: Option[ContentHash],
      found: Map[String, FileFinding]): Map[String, ContentHashes] =
    if (lossy.isEmpty || !its.exists(f => f.isWhole && recorded.forall(r => ContentHashes.of(r) == f.content))) Map.empty
    else lossy.toSeq.map { group =>
      group -> ContentHashes.of(files.getOrElse(Nil).flatMap(file => found(file.path).rounded.get(group)).asJava)
    }.toMap

  /** What all groups state, and stated when they were published; none if one of them has lost files since. */
  private def unanimous(segment: Segments.Info): Option[ContentHash] = {
    val stated = dataset.groupTexts.filterNot(group => lossy(group.name)).map(group => Option(segment.groups.get(group.name)).map(_.content))
    Option.when(stated.distinct.size == 1)(stated.head).flatten
  }

  private def finding(files: Seq[DataFile], found: Map[String, FileFinding]): GroupFinding = GroupFinding(
    ContentHashes.of(files.flatMap(file => found(file.path).content).asJava),
    files,
    files.flatMap(file => found(file.path).problem.map(file -> _)).toMap,
    files.map(file => found(file.path)).count(f => f.content.isEmpty && f.problem.exists(_.isFalse)))

  /** The files by group; none where all of the segments were replaced. */
  private def filesOf(segments: Seq[String], groups: Seq[String]): Map[String, Seq[DataFile]] =
    try groups.map(group => group -> store.files(group, segments)).toMap
    catch {
      case _: FileNotFoundException =>
        val current = store.segments().map(_.id).toSet
        val left = segments.filter(current)
        if (left.isEmpty) Map.empty else filesOf(left, groups)
    }

  private def findings(files: Seq[(String, DataFile)], pulse: () => Unit): Map[String, FileFinding] = if (files.isEmpty) Map.empty
  else {
    val readers = SparkTasks.divided(files, tasks.count)(_._2.length, _ => 1)
    val check = new FileCheck(dataset, fs, conf, tasks.bandwidthOf(readers.size))
    val stated = readers.map(_.map { case (group, file) => StatedFile.of(group, file) })
    tasks
      .run[Seq[StatedFile], FileFinding](
        "the files could not be checked",
        context.parallelize(stated, stated.size),
        some => check.check(some.flatten),
        _ => (),
        pulse)
      .map(finding => finding.path -> finding)
      .toMap
  }

  /** Segments that are read in one go: so many that a job is worth it, and so few that the driver holds their files. */
  private def portions(segments: Seq[Segments.Info], groups: Seq[String]): Seq[Seq[Segments.Info]] = {
    val portions = mutable.ArrayBuffer.empty[mutable.ArrayBuffer[Segments.Info]]
    var (files, bytes) = (0L, 0L)
    segments.foreach { segment =>
      val its = groups.flatMap(group => Option(segment.groups.get(group)))
      if (portions.isEmpty || files + its.map(_.files).sum > PortionFiles || bytes + its.map(_.bytes).sum > portionBytes) {
        portions += mutable.ArrayBuffer.empty
        files = 0
        bytes = 0
      }
      portions.last += segment
      files += its.map(_.files).sum
      bytes += its.map(_.bytes).sum
    }
    portions.map(_.toSeq).toSeq
  }
}

private[jobs] object SegmentCheck {
  private val PortionFiles = 20000L
  private val PortionBytes = 64L << 30
}
