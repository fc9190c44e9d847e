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
package org.hadoopmpsr.spark.locality

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.execution.datasources.{FilePartition, PartitionedFile}
import org.hadoopmpsr.core.assign.{ReadCost, Split, SplitAssignment}
import org.hadoopmpsr.spark.versions.SplitBytes

/**
 * Parts of files, packed into the partitions of a scan.
 *
 * @param localBytes the bytes that are read on a host that holds them, if all tasks run on their preferred hosts
 */
private[spark] final case class LocalPartitions(partitions: Seq[FilePartition], localBytes: Long)

private[spark] object LocalPartitions {

  /**
   * Assigns the parts to hosts, and packs the parts of each host as Spark packs all parts. Empty where Spark's own packing
   * stays: no host holds any of the parts, or there would be more partitions than the session allows.
   *
   * @param parts all parts that the scan reads, in the order in which Spark packs them
   */
  def pack(
      session: SparkSession,
      parts: Seq[PartitionedFile],
      hosts: Seq[String],
      cost: ReadCost): Option[LocalPartitions] = {
    val known = hosts.toSet
    if (!parts.exists(_.locations.exists(known.contains))) None
    else {
      val conf = session.asInstanceOf[classic.SparkSession].sessionState.conf
      // a file counts with its first part
      val files = parts.filter(_.start == 0)
      val maxSplitBytes = SplitBytes.max(session, files.map(_.fileSize + conf.filesOpenCostInBytes).sum)
      val splits = parts.map(p => Split.on(p.length, java.util.Arrays.asList(p.locations: _*)))
      val assignment = SplitAssignment.assign(splits.asJava, hosts.asJava, cost)
      val byHost = parts.indices.groupBy(i => assignment.nodeOf.get(i).intValue)
      val packed = byHost.toSeq.sortBy(_._1).flatMap { case (host, indices) =>
        FilePartition.getFilePartitions(session, indices.map(i => at(hosts(host), parts(i))), maxSplitBytes)
      }
      val partitions = packed.zipWithIndex.map { case (p, i) => p.copy(index = i) }
      if (conf.filesMaxPartitionNum.exists(partitions.size > _)) None
      else Some(LocalPartitions(partitions, assignment.loads.asScala.map(_.localBytes).sum))
    }
  }

  /** The task of the part prefers this host alone. Other hosts hold only some files of a task. */
  private def at(host: String, part: PartitionedFile): PartitionedFile = part.copy(locations = Array(host))
}
