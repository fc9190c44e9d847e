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

import java.io.{EOFException, IOException}
import java.nio.ByteBuffer

import org.apache.parquet.io.{InputFile, SeekableInputStream}

/** A file that remembers whether its bytes could not be read, which is not the same as bytes that make no sense. */
private[jobs] final class WatchedFile(file: InputFile) extends InputFile {
  @volatile private var failed: Option[IOException] = None

  /** Why bytes that are there could not be read; empty if they could. */
  def failure: Option[IOException] = failed

  override def getLength: Long = file.getLength

  override def toString: String = file.toString

  override def newStream(): SeekableInputStream = new Stream(watch(file.newStream()))

  private def watch[T](read: => T): T =
    try read
    catch {
      case e: EOFException => throw e // whoever wants bytes behind the end has read a false place
      case e: IOException =>
        failed = Some(e)
        throw e
    }

  private final class Stream(stream: SeekableInputStream) extends SeekableInputStream {
    override def getPos: Long = stream.getPos

    override def seek(position: Long): Unit = watch(stream.seek(position))

    override def read(): Int = watch(stream.read())

    override def read(bytes: Array[Byte], offset: Int, length: Int): Int = watch(stream.read(bytes, offset, length))

    override def read(buffer: ByteBuffer): Int = watch(stream.read(buffer))

    override def readFully(bytes: Array[Byte]): Unit = watch(stream.readFully(bytes))

    override def readFully(bytes: Array[Byte], offset: Int, length: Int): Unit =
      watch(stream.readFully(bytes, offset, length))

    override def readFully(buffer: ByteBuffer): Unit = watch(stream.readFully(buffer))

    override def close(): Unit = stream.close()
  }
}
