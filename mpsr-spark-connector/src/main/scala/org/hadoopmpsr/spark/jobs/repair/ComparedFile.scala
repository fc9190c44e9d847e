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
package org.hadoopmpsr.spark.jobs.repair

import java.util.{List => JList}

import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.core.hash.HashKind

/**
 * A segment in a group that is compared with another group. Serializable.
 *
 * @param group the group that differs
 * @param partitions the partition tuples that are compared; none for all
 * @param kind how records are hashed to compare them
 */
private[jobs] final case class ComparedPart(group: String, partitions: Option[Set[JList[AnyRef]]], kind: HashKind)

/**
 * A file that is read to compare it. Serializable.
 *
 * @param part the number of its part
 * @param wanted true for a file of the other group, whose records should be there; false for one that is there
 * @param stated true if its content is known, and must be what is read
 */
private[jobs] final case class ComparedFile(part: Int, file: SegmentFile, wanted: Boolean, stated: Boolean)

/**
 * What a part has too little and too much. Serializable.
 *
 * @param lacks the number of records that should be there
 * @param extra the number of records that should not
 * @param misplaced the number of records that lie in the directory of another partition
 * @param examples of the hashes of records that lack, which are wanted, and of those that are extra
 */
private[jobs] final case class PartDifference(
    part: Int,
    lacks: Long,
    extra: Long,
    misplaced: Long,
    examples: Seq[ExampleHash]) {

  def plus(other: PartDifference, mostExamples: Int): PartDifference = {
    val (lacking, more) = (examples ++ other.examples).sortBy(e => (e.high, e.low)).partition(_.wanted)
    PartDifference(
      part,
      lacks + other.lacks,
      extra + other.extra,
      misplaced + other.misplaced,
      lacking.take(mostExamples) ++ more.take(mostExamples))
  }
}

/** The hash of a record that lacks, which is wanted, or is extra. Serializable. */
private[jobs] final case class ExampleHash(wanted: Boolean, high: Long, low: Long)

/** A record as text. Serializable. */
private[jobs] final case class ExampleRecord(part: Int, hash: ExampleHash, text: String)

/** A file whose records cannot be read. Serializable. */
private[jobs] final case class UnreadableFile(part: Int, path: String, reason: String)
