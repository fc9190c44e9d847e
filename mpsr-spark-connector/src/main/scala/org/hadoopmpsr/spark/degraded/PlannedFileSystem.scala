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
import java.net.URI
import java.util.concurrent.CompletableFuture

import scala.collection.concurrent.TrieMap

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{BlockLocation, FileStatus, FileSystem, FilterFileSystem, FSDataInputStream, FutureDataInputStreamBuilder, Path}
import org.apache.hadoop.fs.impl.OpenFileParameters

/**
 * HDFS for planned files, whose records other groups have too: a read fails soon where no DataNode answers, and is not tried
 * again. The scheme is its own, and so is the client: other reads of the process stay as they are. For reading only.
 */
private[degraded] final class PlannedFileSystem extends FilterFileSystem {

  override def initialize(name: URI, conf: Configuration): Unit = {
    val failing = new Configuration(conf)
    failing.setInt("dfs.client.max.block.acquire.failures", 0)
    // each open connection to a DataNode that stands still would take the timeout before a new one does
    failing.setInt("dfs.client.cached.conn.retry", 0)
    failing.setInt("dfs.client.socket-timeout", conf.getInt(PlannedFileSystem.Timeout, 0))
    fs = FileSystem.newInstance(PlannedFileSystem.hdfs(name), failing)
    super.initialize(name, conf)
    PlannedFileSystem.known.put(name.getAuthority, conf)
  }

  override def getScheme: String = PlannedFileSystem.Scheme

  private def inner(path: Path): Path = new Path(PlannedFileSystem.hdfs(path.toUri))

  override def open(path: Path, bufferSize: Int): FSDataInputStream = fs.open(inner(path), bufferSize)

  override def openFile(path: Path): FutureDataInputStreamBuilder = fs.openFile(inner(path))

  override protected def openFileWithOptions(
      path: Path,
      parameters: OpenFileParameters): CompletableFuture[FSDataInputStream] =
    super.openFileWithOptions(inner(path), parameters)

  override def getFileBlockLocations(file: FileStatus, start: Long, length: Long): Array[BlockLocation] =
    fs.getFileBlockLocations(inner(file.getPath), start, length)

  override def getFileStatus(path: Path): FileStatus = {
    val status = fs.getFileStatus(inner(path))
    status.setPath(path)
    status
  }
}

private[spark] object PlannedFileSystem {
  val Scheme = "mpsr"

  /** In the configuration: after so many milliseconds without an answer, a DataNode is given up. */
  private val Timeout = "mpsr.degraded.timeout.ms"

  private val known = TrieMap.empty[String, Configuration]

  /** Makes the scheme known to a configuration. */
  def addTo(conf: Configuration, timeoutMs: Int): Unit = {
    conf.set(s"fs.$Scheme.impl", classOf[PlannedFileSystem].getName)
    conf.setInt(Timeout, timeoutMs)
  }

  /** The path of the same file in HDFS, under this scheme. */
  def path(hdfs: Path): Path = new Path(withScheme(hdfs.toUri, Scheme))

  /** The configuration with which files of a cluster were opened under this scheme by this process. */
  def configuration(authority: String): Option[Configuration] = known.get(authority)

  /** The DataNodes, with their ports, of each block of a part of a file under this scheme; empty if the NameNode does not tell. */
  def nodes(path: Path, start: Long, length: Long): Seq[Set[String]] =
    try
      configuration(path.toUri.getAuthority).toSeq.flatMap { conf =>
        path.getFileSystem(conf).getFileBlockLocations(path, start, length).toSeq.map(_.getNames.toSet)
      }
    catch { case _: IOException => Nil }

  /** Without a path where there is none. */
  private def hdfs(uri: URI): URI = withScheme(uri, "hdfs")

  private def withScheme(uri: URI, scheme: String): URI = new URI(scheme, uri.getAuthority, uri.getPath, null, null)
}
