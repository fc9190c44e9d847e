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
package org.hadoopmpsr.spark.jobs.compact

import java.io.IOException

import org.hadoopmpsr.client.{PublishResult, StagedFile}
import org.hadoopmpsr.core.commit.{Duplicates, RemovedContent}
import org.hadoopmpsr.core.compact.{HeldSegment, SegmentFile}

/** Where the segments of one dataset are, and where changes of them go. For one thread. */
private[jobs] trait ChangeStore {

  /** The current segments, in any order. */
  def segments(): Seq[HeldSegment]

  /** All files of current segments in all groups. */
  def files(segments: Seq[String]): Seq[SegmentFile]

  /**
   * Makes the directory in which the files of a change are staged. What was staged under this id before is gone.
   *
   * @throws CompactionException if the NameNode refuses it
   */
  def begin(change: String): BegunChange

  /**
   * Replaces segments by one with the id of the change. After an exception the outcome is unknown; the same call again
   * tells it.
   */
  def publish(change: MergedChange): PublishResult

  /** Deletes what is staged for a change that is not published. */
  def abort(change: String): Unit

  /** Deletes the files below the directory of a change that are not among these paths; returns how many there were. */
  def deleteOthers(begun: BegunChange, named: Set[String]): Int
}

/**
 * A change that is begun.
 *
 * @param stagingDir absolute, without scheme; with a directory for each group
 * @param maxFiles the most files that it may have, in all groups together
 */
private[jobs] final case class BegunChange(id: String, stagingDir: String, maxFiles: Int)

/**
 * What replaces segments.
 *
 * @param segments the ids of the segments that are replaced
 * @param removed for each group the content of the replaced records, as they were read
 * @param duplicates the records that are left out because another one has the same key
 */
private[jobs] final case class MergedChange(
    id: String,
    segments: Seq[String],
    files: Seq[StagedFile],
    removed: Map[String, RemovedContent],
    duplicates: Seq[Duplicates])

/** Compaction cannot go on; the message says the problem, the cause and the fix. */
private[jobs] final class CompactionException(message: String, cause: Throwable = null)
    extends IOException(message, cause)
