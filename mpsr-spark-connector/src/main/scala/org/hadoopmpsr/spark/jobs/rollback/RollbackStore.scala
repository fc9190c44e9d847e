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

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.FileSystem
import org.hadoopmpsr.client.{Dataset, MpsrClient, PublishResult, StagedFile}
import org.hadoopmpsr.client.history.PlannedRollback
import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.spark.jobs.run.{JobException, NameNodeStaging, SegmentFiles, Staging}
import org.hadoopmpsr.spark.versions.Scala213._

/** The states of one dataset, and where rollbacks go. For one thread. */
private[jobs] trait RollbackStore extends Staging {

  /** How the state that is to come back differs from the present one. */
  def plan(): PlannedRollback

  /**
   * The files of the segments that a rollback restores, in all groups.
   *
   * @throws JobException if a group does not have all of them any more
   */
  def restored(plan: PlannedRollback): Seq[SegmentFile]

  /** How many files of the segments that a rollback removes each directory of the default group has. */
  def removed(plan: PlannedRollback): Map[String, Int]

  /** Publishes a rollback. After an exception the outcome is unknown; the same call again tells it. */
  def publish(change: String, plan: PlannedRollback, files: Seq[StagedFile]): PublishResult

  /** The number of a published change; 0 if nothing tells it. */
  def sequence(change: String): Long
}

/**
 * A dataset of HDFS.
 *
 * @param to the state that is to come back
 */
private[jobs] final class NameNodeRollbackStore(client: MpsrClient, fs: FileSystem, dataset: Dataset, to: String)
    extends NameNodeStaging(client, fs, dataset)
    with RollbackStore {
  private val roots = dataset.representations.asScala.map(r => r.group -> r.root).toMap

  override def plan(): PlannedRollback = client.planRollback(dataset.path, to)

  override def restored(plan: PlannedRollback): Seq[SegmentFile] =
    if (plan.restores.isEmpty) Nil else dataset.groups.names.asScala.toSeq.flatMap(restored(plan, _))

  private def restored(plan: PlannedRollback, group: String): Seq[SegmentFile] = {
    val files = client.removedSegmentFiles(dataset.path, group, plan.restoredIds).asScala.toSeq
    val found = files.groupMapReduce(_.statistics.commitId)(_ => 1L)(_ + _)
    plan.restores.asScala.foreach { part =>
      val had = Option(part.groups.get(group)).fold(0L)(_.files)
      val has = found.getOrElse(part.id, 0L)
      if (has != had) {
        throw new JobException(
          s"group $group has $has of the $had files of segment ${part.id}, which is to come back; every group must" +
            " have all of them: see 'hdfs mpsr status', and choose another state if they are gone")
      }
    }
    files.map(SegmentFiles.below(roots(group), group, _))
  }

  override def removed(plan: PlannedRollback): Map[String, Int] =
    if (plan.removes.isEmpty) Map.empty
    else {
      val group = dataset.groups.defaultName
      client.segmentFiles(dataset.path, group, plan.removedIds).asScala.groupMapReduce(SegmentFiles.directory(roots(group), _))(_ => 1)(_ + _)
    }

  override def publish(change: String, plan: PlannedRollback, files: Seq[StagedFile]): PublishResult =
    client.rollback(dataset.path, dataset.id, change, plan, s"to $to, change ${plan.sequence}", files.asJava)

  override def sequence(change: String): Long =
    client.history(dataset.path, NameNodeRollbackStore.Recent).changes.asScala.find(_.id == change).fold(0L)(_.sequence)
}

private object NameNodeRollbackStore {

  /** Among so many changes one that was just published is looked for. */
  private val Recent = 100
}
