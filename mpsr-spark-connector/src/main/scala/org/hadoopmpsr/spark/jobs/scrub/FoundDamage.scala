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

import org.hadoopmpsr.client.{PublishResult, StagedFile}
import org.hadoopmpsr.client.PublishResult.Outcome
import org.hadoopmpsr.core.commit.{Rebuild, Segment}
import org.hadoopmpsr.core.hash.ContentHash
import org.hadoopmpsr.core.rebuild.{Damage, DamagedFile, RebuildScope}
import org.hadoopmpsr.core.stats.DataFile
import org.hadoopmpsr.spark.jobs.rebuild.RebuildStore
import org.hadoopmpsr.spark.jobs.run.BegunChange
import org.hadoopmpsr.spark.jobs.verify.{GroupFinding, SegmentFinding}

/**
 * A dataset whose damage is what was found in files that the NameNode believes to be sound. For one thread.
 *
 * @param store where rebuilds go
 */
private[scrub] final class FoundDamage(store: RebuildStore, found: Seq[Damage]) extends RebuildStore {
  private var left = found
  private val done = mutable.ArrayBuffer.empty[Damage]

  /** What was written anew. */
  def healed: Seq[Damage] = done.toSeq

  override def damages(): Seq[Damage] = left

  override def files(group: String, segments: Seq[String]): Seq[DataFile] = store.files(group, segments)

  override def isThere(file: DataFile): Boolean = store.isThere(file)

  override def publish(change: String, rebuild: Rebuild, files: Seq[StagedFile]): PublishResult = {
    val result = store.publish(change, rebuild, files)
    if (result.outcome != Outcome.REFUSED) {
      val (its, others) =
        left.partition(damage => damage.group == rebuild.group && rebuild.segments.contains(damage.segment))
      left = others
      if (result.outcome != Outcome.FENCED) done ++= its // else another change came first
    }
    result
  }

  override def begin(change: String): BegunChange = store.begin(change)

  override def begin(change: String, rebuild: RebuildScope): BegunChange = store.begin(change, rebuild)

  override def abort(change: String): Unit = store.abort(change)

  override def deleteOthers(begun: BegunChange, named: Set[String]): Int = store.deleteOthers(begun, named)
}

private[scrub] object FoundDamage {

  /**
   * The false files of a segment in a group, to be written anew.
   *
   * @param sound the groups that hold the segment
   */
  def of(finding: SegmentFinding, group: String, isDefault: Boolean, sound: Set[String], nowMs: Long): Damage = {
    val found = finding.groups(group)
    val (wrong, kept) = found.files.partition(found.wrong.contains)
    new Damage(
      finding.segment,
      group,
      isDefault,
      sound.map(source => source -> share(finding.groups(source))).toMap.asJava,
      nowMs,
      true,
      stated(kept),
      stated(wrong),
      false,
      wrong.map(file => new DamagedFile(file.withoutColumns, DamagedFile.Cause.FALSE)).asJava)
  }

  private def share(found: GroupFinding): Segment.Group =
    new Segment.Group(found.files.size, found.bytes, found.content.single.orElse(ContentHash.EMPTY))

  /** Files that are hashed in different ways, which no change brings, cannot be rebuilt: the NameNode refuses it. */
  private def stated(files: Seq[DataFile]): ContentHash =
    files.map(f => new Segment.Group(1, f.length, f.statistics.content)).foldLeft(Segment.Group.EMPTY)(_.plus(_)).content
}
