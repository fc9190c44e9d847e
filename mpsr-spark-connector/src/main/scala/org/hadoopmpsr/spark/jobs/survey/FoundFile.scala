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
package org.hadoopmpsr.spark.jobs.survey

import scala.collection.mutable

import org.apache.hadoop.fs.{FileSystem, Path}
import org.hadoopmpsr.client.FilesToRead

/**
 * A file of a directory.
 *
 * @param path absolute, without scheme
 * @param length in bytes
 * @param modificationTime milliseconds since the epoch
 * @param copies how many HDFS keeps; 1 for one that is erasure-coded
 */
private[jobs] final case class FoundFile(
    path: String,
    length: Long,
    modificationTime: Long,
    copies: Int,
    erasureCoded: Boolean)

private[jobs] object FoundFile {

  /**
   * All files that readers read below a directory.
   *
   * @throws java.io.FileNotFoundException if there is none
   */
  def below(fs: FileSystem, directory: Path): Seq[FoundFile] = {
    val found = mutable.ArrayBuffer.empty[FoundFile]
    FilesToRead.below(
      fs,
      directory,
      status => {
        val path = status.getPath.toUri.getPath
        found += FoundFile(path, status.getLen, status.getModificationTime, status.getReplication.toInt, status.isErasureCoded)
      })
    found.toSeq
  }
}
