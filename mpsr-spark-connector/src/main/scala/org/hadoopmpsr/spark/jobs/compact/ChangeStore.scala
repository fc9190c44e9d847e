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

import org.hadoopmpsr.client.{PublishResult, StagedFile}
import org.hadoopmpsr.core.commit.{Duplicates, RemovedContent}
import org.hadoopmpsr.core.compact.{HeldSegment, SegmentFile}
import org.hadoopmpsr.spark.jobs.run.Staging

/** Where the segments of one dataset are, and where changes of them go. For one thread. */
private[jobs] trait ChangeStore extends Staging {

  /** The current segments, in any order. */
  def segments(): Seq[HeldSegment]

  /** All files of current segments in all groups. */
  def files(segments: Seq[String]): Seq[SegmentFile]

  /**
   * Replaces segments by one with the id of the change. After an exception the outcome is unknown; the same call again
   * tells it.
   */
  def publish(change: MergedChange): PublishResult
}

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
