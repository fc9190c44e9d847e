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
package org.hadoopmpsr.spark.stream

import org.hadoopmpsr.core.commit.Rebuild
import org.hadoopmpsr.spark.versions.Scala213._

/** The names of rebuilt files: the segment's id, the rebuild's id and a number, with hyphens between them. */
private[stream] object RebuiltNames {

  /** True for the id of a rebuild. */
  def isRebuild(change: String): Boolean = change.startsWith(Rebuild.ID_PREFIX)

  /** False if no rebuild has made a file of this name, whatever segments there are. */
  def mayBe(name: String): Boolean = name.contains(s"-${Rebuild.ID_PREFIX}")

  /**
   * The segment of a file that a rebuild has made, and what may be the id of the rebuild; the last one is the longest. Empty if
   * none has.
   *
   * @param segments the ids of the current segments
   */
  def of(name: String, segments: String => Boolean): Option[(String, Seq[String])] = {
    def hyphens(from: Int) = Iterator.iterate(name.indexOf('-', from))(i => name.indexOf('-', i + 1)).takeWhile(_ >= 0)
    hyphens(0).find(i => name.startsWith(Rebuild.ID_PREFIX, i + 1) && segments(name.substring(0, i))).map { start =>
      name.substring(0, start) -> hyphens(start + 1 + Rebuild.ID_PREFIX.length).map(name.substring(start + 1, _)).toSeq
    }.filter(_._2.nonEmpty)
  }

  /** The same where the segment may not be current any more, because it was merged: one of these changes has made the file. */
  def ofChanges(name: String, changes: Iterable[String]): Option[(String, Seq[String])] = changes
    .filter(change => isRebuild(change) && name.contains(s"-$change-"))
    .maxByOption(_.length)
    .map(change => name.substring(0, name.indexOf(s"-$change-")) -> Seq(change))
}
