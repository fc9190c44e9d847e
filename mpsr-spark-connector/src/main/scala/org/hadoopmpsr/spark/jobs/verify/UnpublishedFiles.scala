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
package org.hadoopmpsr.spark.jobs.verify

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.{FileSystem, Path}
import org.hadoopmpsr.client.Dataset
import org.hadoopmpsr.core.layout.PathNames

/** Finds files in the directories of a dataset that no change has brought. */
private[jobs] final class UnpublishedFiles(fs: FileSystem, dataset: Dataset) {

  /** The files of a group's directory that readers see, by their paths without scheme. */
  def listed(group: String): Set[String] = {
    val root = new Path(dataset.representations.asScala.find(_.group == group).get.root)
    val found = Set.newBuilder[String]
    if (fs.exists(root)) {
      val files = fs.listFiles(root, true)
      while (files.hasNext) {
        val path = files.next().getPath.toUri.getPath
        if (!path.substring(root.toUri.getPath.stripSuffix("/").length).split('/').exists(PathNames.isHidden)) {
          found += path
        }
      }
    }
    found.result()
  }

  /**
   * Those that are there still, and are not known to the NameNode.
   *
   * @param before what was listed before the NameNode was asked
   * @param published what the NameNode knows of the group now, and knew before
   */
  def of(group: String, before: Set[String], published: => Set[String]): Seq[FalseFile] = {
    val left = before -- published
    val there = if (left.isEmpty) left else left & listed(group)
    there.toSeq.sorted.map(FalseFile(group, _, "was not published: stock readers read it, and MPSR does not"))
  }
}
