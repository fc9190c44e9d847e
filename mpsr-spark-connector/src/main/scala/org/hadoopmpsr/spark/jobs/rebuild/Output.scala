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
package org.hadoopmpsr.spark.jobs.rebuild

import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.parquet.io.{OutputFile, PositionOutputStream}
import org.hadoopmpsr.client.write.HdfsFile

/** Where new files are written. Serializable. */
private[jobs] sealed trait Output extends Serializable {

  /** A file that is about to be written; for one thread. */
  def file(fs: FileSystem, path: Path): OutputFile
}

private[jobs] object Output {

  /** To their places. */
  case object ToHdfs extends Output {
    override def file(fs: FileSystem, path: Path): OutputFile = new HdfsFile(fs, path)
  }

  /** Nowhere: their bytes are counted, and nobody can read them. */
  case object Nowhere extends Output {
    override def file(fs: FileSystem, path: Path): OutputFile = new CountedFile(path)
  }

  private final class CountedFile(path: Path) extends OutputFile {
    override def create(blockSizeHint: Long): PositionOutputStream = new CountedStream

    override def createOrOverwrite(blockSizeHint: Long): PositionOutputStream = new CountedStream

    override def supportsBlockSize(): Boolean = false

    override def defaultBlockSize(): Long = 0

    override def getPath: String = path.toString
  }

  private final class CountedStream extends PositionOutputStream {
    private var position = 0L

    override def getPos: Long = position

    override def write(b: Int): Unit = position += 1

    override def write(bytes: Array[Byte], offset: Int, length: Int): Unit = position += length
  }
}
