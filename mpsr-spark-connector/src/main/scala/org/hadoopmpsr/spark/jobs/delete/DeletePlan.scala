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

import java.io.FileNotFoundException

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.client.Segments
import org.hadoopmpsr.core.delete.{DeleteParts, FileFate}
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.core.plan.Pruner
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.jobs.run.JobException
import org.hadoopmpsr.spark.versions.Scala213._

/** A file of a segment that loses records. */
private[jobs] final case class DoomedFile(file: SegmentFile, rows: Long, fate: FileFate)

/**
 * A segment that loses records.
 *
 * @param records the number of records that go
 */
private[jobs] final case class DoomedSegment(info: Segments.Info, records: Long, files: Seq[DoomedFile]) {

  /** The files of which records may stay. */
  def staying: Seq[DoomedFile] = files.filter(_.fate != FileFate.GOES)

  def work(defaultGroup: String): DeleteParts.Work = {
    val directories = files.filter(_.file.group == defaultGroup).groupMapReduce(_.file.directory) { doomed =>
      if (doomed.fate == FileFate.GOES) 1 else 2
    }(_ + _)
    new DeleteParts.Work(info.id, staying.size, directories.view.mapValues(Int.box).toMap.asJava)
  }
}

/**
 * What a delete does.
 *
 * @param segments those that lose records, the oldest first
 * @param others the number of the other current segments
 * @param untracked how many records that should go each untracked file has. A plan with some cannot be carried out
 */
private[jobs] final case class DeletePlan(segments: Seq[DoomedSegment], others: Int, untracked: Map[String, Long]) {
  def records: Long = segments.map(_.records).sum

  /** The segments of which statistics tell that all records go. They are not read. */
  def dropped: Seq[DoomedSegment] = segments.filter(_.staying.isEmpty)

  /** The files that are written anew. */
  def rewritten: Seq[DoomedFile] = segments.flatMap(_.staying)

  def bytes: Long = rewritten.map(_.file.length).sum
}

/** Finds the segments that lose records: by statistics, and where these do not tell, by the records of one group. */
private[jobs] final class DeletePlanner(
    schema: Schema,
    groups: ReplicaGroups,
    store: DeleteStore,
    tasks: FileTasks,
    condition: DeleteCondition,
    besides: UntrackedRecords) {
  import DeletePlanner._

  /**
   * The records that should go and lie in untracked files now.
   *
   * @throws JobException if nobody can tell
   */
  def untracked(): Map[String, Long] = besides.count(store.untracked())

  /**
   * Plans a delete of the segments that are current now.
   *
   * @param pulse is called again and again; what it throws ends the work
   * @throws JobException if a segment that loses records cannot be replaced
   */
  def plan(pulse: () => Unit): DeletePlan = {
    val left = untracked()
    val (infos, files) = current(MostTries)
    val damaged = store.damaged()
    // what is gone from a group or was changed there says nothing of what the other groups have
    val candidates = infos.flatMap { info =>
      candidate(info, files.getOrElse(info.id, Nil), damaged.getOrElse(info.id, Set.empty))
    }
    candidates.find(c => damaged.contains(c.info.id)).foreach { segment =>
      throw new JobException(
        s"segment ${segment.info.id}, which may have records that go, is damaged in group" +
          s" ${damaged(segment.info.id).min}; see 'hdfs mpsr rebuild --dry-run' and 'hdfs mpsr repair --dry-run'," +
          " and start the job again when it is whole")
    }
    val group = countedGroup(candidates)
    val read = candidates.flatMap(_.files).filter(f => f.file.group == group && f.fate == FileFate.READ)
    val counted = tasks.count(read.map(_.file), pulse)
    val doomed = candidates.flatMap { segment =>
      val whole = segment.files.filter(f => f.file.group == group && f.fate == FileFate.GOES).map(_.rows).sum
      val records = whole + counted.getOrElse(segment.info.id, 0L)
      Option.when(records > 0)(segment.copy(records = records))
    }
    doomed.find(_.info.notReplaceable != null).foreach { segment =>
      throw new JobException(
        s"segment ${segment.info.id} has ${segment.records} records that go and cannot be replaced now:" +
          s" ${segment.info.notReplaceable}; see 'hdfs mpsr rebuild' and 'hdfs mpsr repair', and start the job again")
    }
    DeletePlan(doomed, infos.size - doomed.size, left)
  }

  /** The segments, the oldest first, and their files. */
  private def current(tries: Int): (Seq[Segments.Info], Map[String, Seq[DoomedFile]]) = {
    val infos = store.segments().sortBy(s => (s.first, s.timeMs, s.id))
    try { (infos, if (infos.isEmpty) Map.empty[String, Seq[DoomedFile]] else filesOf(infos.map(_.id))) }
    catch {
      case _: FileNotFoundException if tries > 1 => current(tries - 1) // another change has replaced one of them in between
    }
  }

  private def filesOf(segments: Seq[String]): Map[String, Seq[DoomedFile]] = {
    val pruners = groups.groups.asScala.map(g => g.name -> new Pruner(schema, g.predicates)).toMap
    store
      .files(segments)
      .map(f => DoomedFile(f.file, f.statistics.rows, FileFate.of(pruners(f.file.group), condition.filter, f.statistics)))
      .groupBy(_.file.segment)
  }

  private def candidate(info: Segments.Info, files: Seq[DoomedFile], damaged: Set[String]): Option[DoomedSegment] =
    if (files.isEmpty) None
    else {
      val fates = files.filterNot(f => damaged(f.file.group)).groupBy(_.file.group).values.map(_.map(_.fate).asJava).toSeq.asJava
      FileFate.ofSegment(fates) match {
        case FileFate.STAYS => None
        case FileFate.GOES => Some(DoomedSegment(info, 0, files.map(_.copy(fate = FileFate.GOES))))
        case FileFate.READ => Some(DoomedSegment(info, 0, files))
      }
    }

  /** Where the fewest bytes are read. */
  private def countedGroup(candidates: Seq[DoomedSegment]): String = {
    val bytes = candidates.flatMap(_.files).filter(_.fate == FileFate.READ).groupMapReduce(_.file.group)(_.file.length)(_ + _)
    groups.names.asScala.minBy(bytes.getOrElse(_, 0L))
  }
}

private object DeletePlanner {
  private val MostTries = 5
}
