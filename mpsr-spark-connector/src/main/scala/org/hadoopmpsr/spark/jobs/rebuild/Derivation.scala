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

import java.util.{List => JList}

import org.hadoopmpsr.client.StagedFile
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.core.hash.HashKind
import org.hadoopmpsr.spark.jobs.run.BegunChange

/**
 * Files of one group that are written from records of other groups. Serializable.
 *
 * @param group the group that gets the files
 * @param files what is read
 * @param targets the partitions that are written; records of others are left out
 */
private[jobs] final case class Derivation(group: String, files: Seq[DerivedFrom], targets: Seq[Target])

/**
 * A file that is read. Serializable.
 *
 * @param subtracted true if its records, which are of the group that gets the files, are there already
 * @param unstated how its records are hashed if its content is not known
 */
private[jobs] final case class DerivedFrom(file: SegmentFile, subtracted: Boolean, unstated: Option[HashKind] = None)

/**
 * A partition of a segment that is written.
 *
 * @param partition a value for each predicate of the group, null among them
 * @param kind how its records are hashed
 * @param rows how many records it gets, about
 * @param bytes how many bytes they take, about
 * @param files the number of files that are replaced
 */
private[jobs] final case class Target(
    segment: String,
    partition: JList[AnyRef],
    kind: HashKind,
    rows: Long,
    bytes: Long,
    files: Int)

/**
 * The new files of a partition. Serializable.
 *
 * @param encoded the files, as bytes
 */
private[jobs] final case class DerivedPart(target: Target, encoded: Seq[Array[Byte]]) {

  def files: Seq[StagedFile] = encoded.map(StagedFile.of)

  def progress: Progress = new Progress(0, 0, target.files, target.bytes, encoded.size, 0)
}

/** Does derivations. */
private[jobs] trait Deriver {

  /**
   * Writes the files to the directory of a change.
   *
   * @param done is told each partition as it is written, on any thread
   * @param pulse is called again and again; what it throws ends the work
   * @return one result for each partition that has records
   * @throws java.io.IOException if a file cannot be read, or does not hold what is stated of it, among others
   */
  def derive(
      derivation: Derivation,
      change: BegunChange,
      done: DerivedPart => Unit,
      pulse: () => Unit): Seq[DerivedPart]

  /**
   * Counts records.
   *
   * @param files of one segment
   * @return the number of records in each partition of the group
   * @throws java.io.IOException if a file of the group itself has a record of another partition than its own, among others
   */
  def count(group: String, files: Seq[SegmentFile], pulse: () => Unit): Map[JList[AnyRef], Long]
}
