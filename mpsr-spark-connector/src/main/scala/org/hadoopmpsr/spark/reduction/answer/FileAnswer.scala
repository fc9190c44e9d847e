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

import java.io.{ByteArrayInputStream, ByteArrayOutputStream, DataInputStream, DataOutputStream}

import scala.collection.mutable

/** Partial results of one file: the values of the columns that are told apart, as the bytes of a row of Spark, and a result for each. */
private[answer] final class FileAnswer {
  private val bytes = new ByteArrayOutputStream
  private val out = new DataOutputStream(bytes)

  def add(key: Array[Byte], result: Array[Byte]): Unit = Seq(key, result).foreach { part =>
    out.writeInt(part.length)
    out.write(part)
  }

  def size: Long = bytes.size.toLong

  def toBytes: Array[Byte] = bytes.toByteArray
}

private[answer] object FileAnswer {

  /** The keys and results that were added. */
  def read(bytes: Array[Byte]): Seq[(Array[Byte], Array[Byte])] = {
    val in = new DataInputStream(new ByteArrayInputStream(bytes))
    def part() = {
      val part = new Array[Byte](in.readInt())
      in.readFully(part)
      part
    }
    val results = mutable.ArrayBuffer.empty[(Array[Byte], Array[Byte])]
    while (in.available > 0) {
      val key = part()
      results += key -> part()
    }
    results.toSeq
  }
}
