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

import org.hadoopmpsr.client.StagedFile
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.core.commit.{Duplicates, RemovedContent}
import org.hadoopmpsr.core.compact.MergePart
import org.hadoopmpsr.spark.jobs.run.{BegunChange, ReadBudget}

/** Merges the sorted files of one partition. Sent to executors; safe for use by several threads. */
private[jobs] trait PartMerger extends Serializable {

  /**
   * Merges the files of a part into new files in the directory of a change.
   *
   * @param firstNumber the number of the first new file of the change; each further one has the next number
   * @param budget is told what is read
   */
  def merge(part: MergePart, change: BegunChange, firstNumber: Int, budget: ReadBudget): MergedPart
}

/**
 * The result of a part. Serializable.
 *
 * @param number the number of the part
 * @param encoded the new files, as bytes
 * @param removed the content of the replaced files, as they were read
 * @param bytesRead the lengths of the replaced files
 * @param duplicates the records that are left out because another one has the same key
 */
private[jobs] final case class MergedPart(
    number: Int,
    group: String,
    encoded: Seq[Array[Byte]],
    removed: RemovedContent,
    filesRead: Int,
    bytesRead: Long,
    duplicates: Option[Duplicates]) {

  /** What was done. */
  def progress: Progress = new Progress(0, 0, filesRead, bytesRead, encoded.size, 0)

  /** The new files. */
  def files: Seq[StagedFile] = encoded.map(StagedFile.of)
}
