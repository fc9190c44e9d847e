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
package org.hadoopmpsr.spark.write

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.BasicWriteTaskStats
import org.apache.spark.unsafe.types.UTF8String

/** What has become of a write. */
private[write] sealed trait WriteOutcome

private[write] object WriteOutcome {

  /** All records are in all groups, published in so many milliseconds. */
  final case class Written(stats: WrittenStats, commitMs: Long) extends WriteOutcome

  /** The dataset had the batch before. */
  case object Repeated extends WriteOutcome

  /** Nothing is written, nor will be. */
  final case class Impossible(reason: String) extends WriteOutcome
}

/**
 * What was written.
 *
 * @param partitions the directories of the default group
 * @param files those of all groups; so are the bytes
 * @param rows each counted once
 */
private[write] final case class WrittenStats(partitions: Set[String], files: Int, bytes: Long, rows: Long) {

  /** As Spark counts what a task has written. */
  def basic: BasicWriteTaskStats =
    BasicWriteTaskStats(partitions.toSeq.map(p => InternalRow(UTF8String.fromString(p))), files, bytes, rows)
}
