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
package org.hadoopmpsr.spark.jobs.rebuild

import java.io.FileNotFoundException

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.{FileSystem, Path}
import org.hadoopmpsr.client.{Dataset, MpsrClient, PublishResult, StagedFile}
import org.hadoopmpsr.core.commit.Rebuild
import org.hadoopmpsr.core.rebuild.{Damage, RebuildScope}
import org.hadoopmpsr.core.stats.DataFile
import org.hadoopmpsr.spark.jobs.run.{BegunChange, NameNodeStaging, Staging}

/** What is damaged in one dataset, and where rebuilds go. For one thread. */
private[jobs] trait RebuildStore extends Staging {

  /** Begins a change as [[begin]] does, and tells operators what it rebuilds. */
  def begin(change: String, rebuild: RebuildScope): BegunChange

  /** What is damaged now, at least the most endangered of it. */
  def damages(): Seq[Damage]

  /** All files of segments in a group, damaged ones among them. */
  def files(group: String, segments: Seq[String]): Seq[DataFile]

  /** Whether a file is in its place, and was not changed. */
  def isThere(file: DataFile): Boolean

  /** Publishes a change. After an exception the outcome is unknown; the same call again tells it. */
  def publish(change: String, rebuild: Rebuild, files: Seq[StagedFile]): PublishResult
}

/**
 * A dataset of HDFS.
 *
 * @param foreign true if files of the default group that nobody published, and that have the names of segments' files, count as
 *   damaged and are replaced
 */
private[jobs] class NameNodeRebuildStore(client: MpsrClient, fs: FileSystem, dataset: Dataset, foreign: Boolean = false)
    extends NameNodeStaging(client, fs, dataset)
    with RebuildStore {

  override def begin(change: String, rebuild: RebuildScope): BegunChange =
    begun(change, client.beginRebuild(dataset.path, dataset.id, change, rebuild))

  override def damages(): Seq[Damage] = {
    val most = NameNodeRebuildStore.MostFiles
    val found = if (foreign) client.damageAndForeignFiles(dataset.path, most) else client.damage(dataset.path, most)
    // an incomplete group is written, and nothing of it is to be repaired
    val groups = if (foreign) dataset.groups else dataset.writtenGroups
    found.damages.asScala.toSeq.filter(damage => groups.find(damage.group).isPresent)
  }

  override def files(group: String, segments: Seq[String]): Seq[DataFile] =
    client.segmentFiles(dataset.path, group, segments.asJava).asScala.toSeq

  override def isThere(file: DataFile): Boolean =
    try {
      val found = fs.getFileStatus(new Path(file.path))
      found.getLen == file.length && found.getModificationTime == file.modificationTime
    } catch { case _: FileNotFoundException => false }

  override def publish(change: String, rebuild: Rebuild, files: Seq[StagedFile]): PublishResult =
    client.rebuild(
      dataset.path,
      dataset.id,
      change,
      new Rebuild(rebuild.group, rebuild.segments, rebuild.replaces, foreign, rebuild.moves),
      files.asJava)
}

private[jobs] object NameNodeRebuildStore {

  /** So many damaged files are planned at a time. */
  private val MostFiles = 100000
}
