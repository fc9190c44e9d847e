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
package org.hadoopmpsr.spark.jobs.adopt

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.spark.jobs.rebuild.{Derivation, DerivedFrom, DerivedPart, Deriver, Target}
import org.hadoopmpsr.spark.jobs.run.BegunChange
import org.hadoopmpsr.spark.versions.Scala213._

/** Writes the records of files of the default group in the other groups. */
private[jobs] final class OtherGroups(groups: ReplicaGroups, deriver: Deriver) {

  /** Their names. */
  val names: Seq[String] = groups.names.asScala.toSeq.filter(_ != groups.defaultName)

  /**
   * Writes the files of one group to the directory of a change.
   *
   * @param read files that can be adopted
   * @param done is told each partition as it is written, on any thread
   * @param pulse is called again and again; what it throws ends the work
   */
  def write(
      begun: BegunChange,
      group: String,
      read: Seq[ReadFile],
      done: DerivedPart => Unit,
      pulse: () => Unit): Seq[DerivedPart] = {
    val files = read.map { found =>
      val statistics = found.statistics.get
      new SegmentFile(
        begun.id,
        groups.defaultName,
        "",
        statistics.partition,
        found.file.path,
        found.file.length,
        statistics.content)
    }
    val rows = read.flatMap(_.counts(group)).groupMapReduce(_._1)(_._2)(_ + _)
    val bytesOfRow = files.map(_.length).sum.toDouble / math.max(1, rows.values.sum)
    val targets = rows.toSeq.collect { case (partition, count) if count > 0 =>
      Target(begun.id, partition, ReadFile.Kind, count, (count * bytesOfRow).toLong, 0)
    }
    deriver.derive(Derivation(group, files.map(DerivedFrom(_, subtracted = false)), targets), begun, done, pulse)
  }
}
