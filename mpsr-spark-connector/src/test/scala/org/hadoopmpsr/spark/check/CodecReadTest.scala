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
package org.hadoopmpsr.spark.check

import java.nio.file.Path

import scala.jdk.CollectionConverters._

import org.apache.parquet.io.LocalOutputFile
import org.hadoopmpsr.columnar.buffer.{DoubleVector, LongVector}
import org.hadoopmpsr.columnar.parquet.{ColumnarParquetFile, FileColumn, SortedRows}
import org.hadoopmpsr.core.group.Codecs
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.{SparkFixture, TestDirectories}
import org.hadoopmpsr.testing.ParquetRows
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Test

/** Spark's own readers read files of each codec, as MPSR writes them. */
class CodecReadTest {
  import SparkFixture._

  private val rowCount = 5_000
  private val schema = Schema.parse("id bigint not null, value double not null")
  private val codecs = Seq("zstd:1", "zstd:3", "zstd:19", "zstd:22", "gzip:1", "gzip:9", "snappy", "lz4_raw", "none", "auto", "zstd, value=lz4_raw")

  private def value(row: Int): Double = math.sin(row) * row

  private def write(file: Path, codec: String): Unit = {
    val ids = new LongVector
    val values = new DoubleVector
    ids.reserve(rowCount)
    values.reserve(rowCount)
    for (row <- 0 until rowCount) {
      ids.set(row, row.toLong)
      values.set(row, value(row))
    }
    val columns = schema.columns.asScala.zip(Seq(ids, values)).map { case (column, vector) =>
      new FileColumn(column, vector, () => Array.empty[Int], false)
    }
    val out = ColumnarParquetFile.begin(new LocalOutputFile(file), columns.asJava, java.util.List.of(), Codecs.parse(codec), java.util.Map.of())
    try {
      out.writeAll(new SortedRows(Array.range(0, rowCount), 0, rowCount, null), rowCount)
      out.finish()
    } finally out.close()
  }

  @Test
  def everyCodecIsRead(): Unit = {
    val directory = TestDirectories.create("mpsr-codecs")
    codecs.zipWithIndex.foreach { case (codec, i) =>
      val file = directory.resolve(s"f$i.parquet")
      write(file, codec)
      val reader = ParquetRows.open(file)
      val names =
        try reader.getRowGroups.asScala.flatMap(_.getColumns.asScala).map(_.getCodec.name).toSet
        finally reader.close()
      assertEquals(expected(codec), names, codec)
      Seq("true", "false").foreach { vectorized =>
        withConf("spark.sql.parquet.enableVectorizedReader" -> vectorized) {
          val rows = session.read.parquet(file.toString).collect().map(row => row.getLong(0) -> row.getDouble(1)).toMap
          assertEquals((0 until rowCount).map(row => row.toLong -> value(row)).toMap, rows, s"$codec, vectorized $vectorized")
        }
      }
    }
  }

  private def expected(codec: String): Set[String] = codec match {
    case "none" => Set("UNCOMPRESSED")
    case "auto" => Set("ZSTD")
    case "zstd, value=lz4_raw" => Set("ZSTD", "LZ4_RAW")
    case other => Set(other.split(":")(0).toUpperCase(java.util.Locale.ROOT))
  }
}
