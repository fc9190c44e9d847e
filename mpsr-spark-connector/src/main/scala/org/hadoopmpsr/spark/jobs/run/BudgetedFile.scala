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

import java.nio.ByteBuffer

import org.apache.parquet.io.{InputFile, SeekableInputStream}

/** A file of which everything that is read is taken from a budget. */
private[jobs] final class BudgetedFile(file: InputFile, budget: ReadBudget) extends InputFile {
  override def getLength: Long = file.getLength

  override def toString: String = file.toString

  override def newStream(): SeekableInputStream = new BudgetedFile.Stream(file.newStream(), budget)
}

private object BudgetedFile {
  private final class Stream(stream: SeekableInputStream, budget: ReadBudget) extends SeekableInputStream {
    override def getPos: Long = stream.getPos

    override def seek(position: Long): Unit = stream.seek(position)

    override def read(): Int = counted(stream.read(), 1)

    override def read(bytes: Array[Byte], offset: Int, length: Int): Int = {
      val read = stream.read(bytes, offset, length)
      counted(read, read)
    }

    override def read(buffer: ByteBuffer): Int = {
      val read = stream.read(buffer)
      counted(read, read)
    }

    override def readFully(bytes: Array[Byte]): Unit = readFully(bytes, 0, bytes.length)

    override def readFully(bytes: Array[Byte], offset: Int, length: Int): Unit = {
      stream.readFully(bytes, offset, length)
      budget.read(length)
    }

    override def readFully(buffer: ByteBuffer): Unit = {
      val length = buffer.remaining
      stream.readFully(buffer)
      budget.read(length)
    }

    private def counted(result: Int, bytes: Int): Int = {
      if (result >= 0) budget.read(bytes)
      result
    }

    override def close(): Unit = stream.close()
  }
}
