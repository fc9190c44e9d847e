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
package org.hadoopmpsr.spark.jobs.sampling

/**
 * What one codec made of some bytes.
 *
 * @param bytes how many are left
 * @param packNanos nanoseconds
 * @param unpackNanos nanoseconds
 */
private[jobs] final case class CodecTrial(codec: String, bytes: Long, packNanos: Long, unpackNanos: Long)

/**
 * What all codecs made of some bytes of a file.
 *
 * @param stored how many bytes the file has for them
 * @param raw how many they are without the file's own codec
 */
private[jobs] final case class Trial(stored: Long, raw: Long, codecs: Seq[CodecTrial])

private[jobs] object Trial {

  /**
   * Tries all codecs on each piece.
   *
   * @param stored see [[Trial]]
   */
  def of(stored: Long, pieces: Seq[Array[Byte]]): Trial =
    Trial(stored, pieces.map(_.length.toLong).sum, TrialCodec.All.map { codec =>
      pieces.map(one(codec, _)).reduce((a, b) =>
        CodecTrial(a.codec, a.bytes + b.bytes, a.packNanos + b.packNanos, a.unpackNanos + b.unpackNanos))
    })

  private def one(codec: TrialCodec, piece: Array[Byte]): CodecTrial = {
    val begin = System.nanoTime()
    val packed = codec.pack(piece)
    val middle = System.nanoTime()
    codec.unpack(packed, piece.length)
    CodecTrial(codec.name, packed.length, middle - begin, System.nanoTime() - middle)
  }
}
