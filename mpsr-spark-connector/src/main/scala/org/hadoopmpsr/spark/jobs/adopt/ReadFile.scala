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

import java.util.{List => JList}

import org.hadoopmpsr.client.StagedFile
import org.hadoopmpsr.core.adopt.UntrackedFile
import org.hadoopmpsr.core.hash.HashKind
import org.hadoopmpsr.core.stats.FileStatistics

/**
 * What was found in a file: what it holds, why it cannot be adopted as it is, or why nobody knows.
 *
 * @param encoded the file as one of no segment yet, see [[StagedFile.toBytes]]
 * @param counts how many records each partition of the other groups gets, by the names of the groups
 * @param unfit what is the matter with the file itself
 * @param failure why it could not be read now
 */
private[jobs] final case class ReadFile(
    file: UntrackedFile,
    encoded: Option[Array[Byte]],
    counts: Map[String, Map[JList[AnyRef], Long]],
    unfit: Option[String],
    failure: Option[String]) {

  def statistics: Option[FileStatistics] = encoded.map(StagedFile.of(_).statistics)

  /** The file as one of a segment. */
  def staged(group: String, segment: String): StagedFile = {
    val found = StagedFile.of(encoded.get)
    val its = found.statistics
    new StagedFile(
      group,
      found.relativePath,
      new FileStatistics(segment, its.content, its.partition, its.columns, its.rowGroups),
      file.length)
  }
}

private[jobs] object ReadFile {

  /** How records are hashed. */
  val Kind: HashKind = HashKind.XXH_128

  def unfit(file: UntrackedFile, reason: String): ReadFile = ReadFile(file, None, Map.empty, Some(reason), None)

  def failed(file: UntrackedFile, reason: String): ReadFile = ReadFile(file, None, Map.empty, None, Some(reason))
}

/** Reads files to find out what they hold. */
private[jobs] trait Reader {

  /**
   * One result for each file.
   *
   * @param pulse is called again and again; what it throws ends the work
   */
  def read(files: Seq[UntrackedFile], pulse: () => Unit): Seq[ReadFile]
}
