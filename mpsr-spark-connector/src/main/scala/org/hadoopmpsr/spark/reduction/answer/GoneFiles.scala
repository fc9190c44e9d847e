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
package org.hadoopmpsr.spark.reduction.answer

import java.io.{FileNotFoundException, IOException}

import scala.util.Random

import org.apache.hadoop.fs.{FileSystem, Path}
import org.hadoopmpsr.core.answer.FileKey
import org.hadoopmpsr.spark.log.PrintableLogging

/**
 * Which files of a cluster are gone. HDFS finds a file by its inode id, wherever it lies. A file that was replaced, and is kept for
 * reads of earlier states, is there.
 *
 * @param most files that are asked for at a time; of more, some are drawn at random
 */
private[answer] final class GoneFiles(fs: FileSystem, most: Int = 2000) extends PrintableLogging {

  /** The name of the cluster. */
  def cluster: String = fs.getUri.toString

  /** Those of the files that are surely gone. Where the file system does not tell, there are none. */
  def of(files: Set[FileKey]): Set[FileKey] = {
    val asked = if (files.size > most) Random.shuffle(files.toSeq).take(most).toSet else files
    try asked.filter(isGone)
    catch {
      case e: IOException =>
        logInfo(s"Answers of files that are gone are not looked for: $e")
        Set.empty
    }
  }

  private def isGone(file: FileKey): Boolean =
    try {
      val status = fs.getFileStatus(new Path(s"/.reserved/.inodes/${file.fileId}"))
      status.getLen != file.length || status.getModificationTime != file.modificationTime
    } catch { case _: FileNotFoundException => true }
}
