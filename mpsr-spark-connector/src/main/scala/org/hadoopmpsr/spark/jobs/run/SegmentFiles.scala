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
package org.hadoopmpsr.spark.jobs.run

import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.core.layout.PathNames
import org.hadoopmpsr.core.stats.DataFile

private[jobs] object SegmentFiles {

  /** A file of a group, for tasks that read it. */
  def of(group: String, file: DataFile): SegmentFile = in("", group, file)

  /**
   * A file of a group, for tasks that write others in its directory.
   *
   * @param root the directory of the group's files
   */
  def below(root: String, group: String, file: DataFile): SegmentFile = in(directory(root, file), group, file)

  /** The directory of a file below that of the group's files; empty where the group has no predicates. */
  def directory(root: String, file: DataFile): String = PathNames.parent(file.path).stripPrefix(root).stripPrefix("/")

  private def in(directory: String, group: String, file: DataFile): SegmentFile = new SegmentFile(
    file.statistics.commitId,
    group,
    directory,
    file.statistics.partition,
    file.path,
    file.length,
    file.statistics.content)
}
