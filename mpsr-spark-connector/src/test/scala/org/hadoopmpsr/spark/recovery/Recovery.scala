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
package org.hadoopmpsr.spark.recovery

import java.util.Collections.singletonList
import java.util.function.BooleanSupplier

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.Row
import org.hadoopmpsr.core.rebuild.Damage
import org.hadoopmpsr.core.stats.DataFile
import org.hadoopmpsr.spark.versions.Scala213._
import org.hadoopmpsr.spark.{SinkDataset, TestRecords}

/**
 * Something that may happen.
 *
 * @param weight how often it is chosen
 * @param run returns false, with nothing done, where it cannot happen now
 */
private[recovery] final case class RecoveryStep(name: String, weight: Int, run: BooleanSupplier)

/** A dataset of a cluster to which things happen, and the records that it should hold. For one thread. */
private[recovery] final class Recovery(val cluster: RecoveryCluster, val seed: Long) {
  val random = new Random(seed * 0x9e3779b97f4a7c15L)
  val path = s"/recovery/$seed"
  val dataset = new SinkDataset(cluster.conf, cluster.uri, path, TestRecords, Nil)
  val log: mutable.Buffer[String] = mutable.Buffer.empty

  /** The records of all commits. */
  val rows: mutable.Buffer[Row] = mutable.Buffer.empty

  /** The records of files that came without a commit. */
  val untracked: mutable.Buffer[Row] = mutable.Buffer.empty

  /** Segments and groups that something other than the end of a node has damaged, and that are not rebuilt. */
  val hurt: mutable.Set[(String, String)] = mutable.Set.empty

  /** Files whose bytes on disk are not those that were written. */
  val corrupt: mutable.Set[String] = mutable.Set.empty

  /** Nodes without room. */
  val full: mutable.Set[String] = mutable.Set.empty

  /** The replica groups of the cluster. */
  val groups: Seq[String] = TestRecords.groups.names.asScala.toSeq

  /** The groups of the dataset that can be read. */
  def representations: Seq[String] = cluster.client(_.getDataset(path)).groups.names.asScala.toSeq

  def any[T](of: Seq[T]): T = of(random.nextInt(of.size))

  def damages: Seq[Damage] = cluster.client(_.damage(path, 100000)).damages.asScala.toSeq

  /** True while the records of some segment, or of a file of an ordinary writer, have no live copy. */
  def hasUnreadable: Boolean =
    damages.exists(_.liveCopies == 0) || cluster.client(_.untracked(path)).asScala.exists(file => cluster.isUnreadable(file.path))

  def segments: Seq[String] = cluster.client(_.segments(path)).segments.asScala.map(_.id).toSeq.sorted

  def files(segment: String, group: String): Seq[DataFile] =
    cluster.client(_.segmentFiles(path, group, singletonList(segment))).asScala.toSeq.sortBy(_.path)

  /** Replica groups that can take new files. */
  def roomy: Set[String] = cluster.up.filterNot(full).map(cluster.groups).toSet

  /** True if each replica group can take new files. */
  def hasRoom: Boolean = roomy == groups.toSet

  /** Forgets what is rebuilt. */
  def learnRebuilt(): Unit = {
    val left = damages.map(d => d.segment -> d.group).toSet
    hurt --= hurt.filterNot(left)
    val files = damages.flatMap(_.files.asScala).map(_.file.path).toSet
    corrupt --= corrupt.filterNot(files)
  }

  /** Reads files whose bytes are wrong: a NameNode learns of them from those who read them. */
  def readCorrupt(): Unit = corrupt.foreach { path =>
    try {
      val in = cluster.fs.open(new Path(path))
      try in.readAllBytes()
      finally in.close()
    } catch { case _: java.io.IOException => () }
  }
}
