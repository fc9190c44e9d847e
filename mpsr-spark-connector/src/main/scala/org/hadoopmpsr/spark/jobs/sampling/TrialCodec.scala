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

import java.io.ByteArrayOutputStream
import java.util.zip.{Deflater, Inflater}

import com.github.luben.zstd.Zstd
import net.jpountz.lz4.LZ4Factory
import org.xerial.snappy.Snappy

/** A way to make bytes fewer, and back. */
private[jobs] sealed abstract class TrialCodec(val name: String) {
  def pack(bytes: Array[Byte]): Array[Byte]

  /** @param length of the bytes that were packed */
  def unpack(packed: Array[Byte], length: Int): Array[Byte]
}

/** The codecs that are tried. Safe for use by several threads. */
private[jobs] object TrialCodec {
  private final class OfZstd(level: Int) extends TrialCodec(s"zstd-$level") {
    override def pack(bytes: Array[Byte]): Array[Byte] = Zstd.compress(bytes, level)

    override def unpack(packed: Array[Byte], length: Int): Array[Byte] = {
      val bytes = new Array[Byte](length)
      val size = Zstd.decompress(bytes, packed)
      if (Zstd.isError(size) || size != length) throw new IllegalStateException(s"zstd gave $size of $length bytes")
      bytes
    }
  }

  private object OfSnappy extends TrialCodec("snappy") {
    override def pack(bytes: Array[Byte]): Array[Byte] = Snappy.compress(bytes)

    override def unpack(packed: Array[Byte], length: Int): Array[Byte] = Snappy.uncompress(packed)
  }

  private object OfLz4 extends TrialCodec("lz4") {
    private val factory = LZ4Factory.fastestInstance()

    override def pack(bytes: Array[Byte]): Array[Byte] = factory.fastCompressor().compress(bytes)

    override def unpack(packed: Array[Byte], length: Int): Array[Byte] = factory.safeDecompressor().decompress(packed, length)
  }

  private object OfGzip extends TrialCodec("gzip-6") {
    override def pack(bytes: Array[Byte]): Array[Byte] = {
      val deflater = new Deflater(6, true)
      try {
        deflater.setInput(bytes)
        deflater.finish()
        val packed = new ByteArrayOutputStream(bytes.length / 2 + 64)
        val buffer = new Array[Byte](1 << 16)
        while (!deflater.finished()) packed.write(buffer, 0, deflater.deflate(buffer))
        packed.toByteArray
      } finally deflater.end()
    }

    override def unpack(packed: Array[Byte], length: Int): Array[Byte] = {
      val inflater = new Inflater(true)
      try {
        inflater.setInput(packed)
        val bytes = new Array[Byte](length)
        var at = 0
        while (at < length && !inflater.finished()) at += inflater.inflate(bytes, at, length - at)
        bytes
      } finally inflater.end()
    }
  }

  /** From quick to small. */
  val All: Seq[TrialCodec] = Seq(OfLz4, OfSnappy, new OfZstd(1), new OfZstd(3), new OfZstd(9), new OfZstd(19), OfGzip)
}
