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
package org.hadoopmpsr.spark.degraded

import java.io.IOException
import java.util.concurrent.TimeUnit

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.LocatedFileStatus
import org.apache.hadoop.security.AccessControlException
import org.hadoopmpsr.spark.log.PrintableLogging

/** Tells whether the ends of files can be read, where their footers lie. Safe for use by several threads. */
private[spark] object FileEnds extends PrintableLogging {
  private val Bytes = 8

  /**
   * Whether the last bytes of a file can be read now, also if only the user may not read them. Each DataNode is tried once, and none of those that have not answered lately.
   *
   * @param file of HDFS
   * @param conf is completed
   * @param timeoutMs after so many milliseconds without an answer, a DataNode is given up; empty for the default
   */
  def canBeRead(file: LocatedFileStatus, conf: Configuration, timeoutMs: Option[Int]): Boolean = {
    val timeout = timeoutMs.getOrElse(DegradedReads.DefaultTimeoutMs)
    val nodes = file.getBlockLocations.lastOption.fold(Set.empty[String])(_.getNames.toSet)
    val began = System.nanoTime()
    (nodes.isEmpty || !nodes.forall(SilentNodes.contains)) && {
      PlannedFileSystem.addTo(conf, timeout)
      try {
        read(file, conf)
        true
      } catch {
        case _: AccessControlException => true // what Spark says then is right
        case e: IOException if ReadFailures.isLoss(e) =>
          val tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began)
          logWarning(s"The end of ${file.getPath} cannot be read (${ReadFailures.line(e)})")
          if (tookMs >= timeout) nodes.foreach(SilentNodes.add)
          false
      }
    }
  }

  private def read(file: LocatedFileStatus, conf: Configuration): Unit = {
    val path = PlannedFileSystem.path(file.getPath)
    val in = path.getFileSystem(conf).open(path)
    try {
      val last = math.min(Bytes.toLong, file.getLen).toInt
      in.readFully(file.getLen - last, new Array[Byte](last))
    } finally in.close()
  }
}
