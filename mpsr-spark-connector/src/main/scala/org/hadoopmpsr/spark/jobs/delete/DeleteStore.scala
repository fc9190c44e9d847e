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

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.FileSystem
import org.hadoopmpsr.client.{Dataset, MpsrClient, PublishResult, Segments, StagedFile}
import org.hadoopmpsr.core.commit.Duplicates
import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.core.plan.{Filter, ReadRequest}
import org.hadoopmpsr.core.stats.FileStatistics
import org.hadoopmpsr.spark.jobs.run.{JobException, NameNodeStaging, SegmentFiles, Staging}
import org.hadoopmpsr.spark.versions.Scala213._

/** The segments of one dataset, and where deletes go. For one thread. */
private[jobs] trait DeleteStore extends Staging {

  /** The current segments, in any order. */
  def segments(): Seq[Segments.Info]

  /** All files of current segments in all groups. */
  def files(segments: Seq[String]): Seq[StoredFile]

  /** Segments with files that cannot be read or are not what was published, and in which groups. */
  def damaged(): Map[String, Set[String]]

  /**
   * The paths of the untracked files.
   *
   * @throws org.hadoopmpsr.spark.jobs.run.JobException if nobody can tell them
   */
  def untracked(): Seq[String]

  /** Publishes a delete. After an exception the outcome is unknown; the same call again tells it. */
  def publish(change: DeleteChange): PublishResult
}

/** A file of a segment, with the statistics of all columns. */
private[jobs] final case class StoredFile(file: SegmentFile, statistics: FileStatistics)

/**
 * A delete.
 *
 * @param segments the ids of the segments that lose records
 * @param deleted the records that go, by group, directory and kind of hash
 * @param condition which records go
 * @param files the files with the records that stay
 */
private[jobs] final case class DeleteChange(
    id: String,
    segments: Seq[String],
    deleted: Seq[Duplicates],
    condition: String,
    files: Seq[StagedFile])

/** A dataset of HDFS. */
private[jobs] final class NameNodeDeleteStore(client: MpsrClient, fs: FileSystem, dataset: Dataset)
    extends NameNodeStaging(client, fs, dataset)
    with DeleteStore {
  private val roots = dataset.representations.asScala.map(r => r.group -> r.root).toMap

  override def segments(): Seq[Segments.Info] = client.segments(dataset.path).segments.asScala.toSeq

  override def files(segments: Seq[String]): Seq[StoredFile] = for {
    group <- dataset.groups.names.asScala.toSeq
    file <- client.segmentFilesWithColumns(dataset.path, group, segments.asJava).asScala
  } yield StoredFile(SegmentFiles.below(roots(group), group, file), file.statistics)

  /** An incomplete group is none of those that lose records. */
  override def damaged(): Map[String, Set[String]] = client
    .damage(dataset.path, NameNodeDeleteStore.MostFiles)
    .damages
    .asScala
    .filter(damage => dataset.groups.find(damage.group).isPresent)
    .groupMap(_.segment)(_.group)
    .view
    .mapValues(_.toSet)
    .toMap

  override def untracked(): Seq[String] = {
    val plan = client
      .plan(dataset.path, NameNodeDeleteStore.NoRecord, dataset.groups.defaultName, java.util.List.of())
      .orElseThrow(() => new JobException(s"${dataset.path} is no dataset any more"))
    if (plan.stock) {
      throw new JobException(
        s"nothing tells which files of ${dataset.path} may have records that go: ${plan.reason};" +
          " see 'hdfs mpsr status' and 'hdfs mpsr repair --dry-run', and start the job again")
    }
    plan.untracked.asScala.toSeq
  }

  override def publish(change: DeleteChange): PublishResult = client.delete(
    dataset.path,
    dataset.id,
    change.id,
    change.segments.asJava,
    change.deleted.asJava,
    change.condition,
    change.files.asJava)
}

private object NameNodeDeleteStore {

  /** So many damaged files are looked at. */
  private val MostFiles = 100000

  /** A request that gets the untracked files and no published one. */
  private val NoRecord = ReadRequest.ofFiles(new Filter.Or(java.util.List.of())).withUntracked()
}
