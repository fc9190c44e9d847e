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
import java.util.Random

import org.apache.parquet.column.Encoding
import org.apache.parquet.io.LocalOutputFile
import org.apache.spark.sql.Row
import org.hadoopmpsr.columnar.buffer.{ColumnVector, DoubleVector, LongVector}
import org.hadoopmpsr.columnar.parquet.{ColumnarParquetFile, FileColumn, SortedRows}
import org.hadoopmpsr.core.group.Codecs
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.{SparkFixture, TestDirectories}
import org.hadoopmpsr.testing.ParquetRows
import org.junit.jupiter.api.Assertions.{assertArrayEquals, assertEquals, assertTrue}
import org.junit.jupiter.api.{BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

import scala.jdk.CollectionConverters._

/** Spark reads numbers in dictionaries as MPSR writes them. */
@TestInstance(Lifecycle.PER_CLASS)
class DictionaryReadTest {
  import SparkFixture._

  private val rowCount = 50_000
  private val schema = Schema.parse("number int, id bigint, day date, value double, small float, zero double")
  private val drawn = Array(0.1, -0.0, 2.5, Double.NaN, Double.PositiveInfinity, Double.MinPositiveValue, -7.25)
  private val random = new Random(34)
  private val places = Array.fill(rowCount)(random.nextInt(drawn.length))

  /** Compiling takes longer than these queries. */
  private val interpreted = Seq("spark.sql.codegen.wholeStage" -> "false", "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")

  private def absent(row: Int): Boolean = row % 11 == 3

  private def values(row: Int): Seq[Any] = {
    val place = places(row)
    Seq[Any](place * 1_000_003, place * 1_000_000_000_007L, place * 400L, drawn(place), drawn(place).toFloat, -0.0)
  }

  @BeforeAll
  def write(): Unit = {
    val file = TestDirectories.create("mpsr-dictionaries").resolve("f.parquet")
    val columns = schema.columns.asScala.zipWithIndex.map { case (column, i) =>
      val vector = ColumnVector.of(column.`type`)
      vector.reserve(rowCount)
      for (row <- 0 until rowCount)
        if (absent(row)) vector.setNull(row, 1)
        else
          (vector, values(row)(i)) match {
            case (doubles: DoubleVector, value: Number) => doubles.set(row, value.doubleValue)
            case (longs: LongVector, value: Number) => longs.set(row, value.longValue)
            case (_, value) => throw new IllegalArgumentException(s"$value is no number")
          }
      new FileColumn(column, vector, () => Array.empty[Int], false)
    }
    val out = ColumnarParquetFile.begin(new LocalOutputFile(file), columns.asJava, java.util.List.of(), Codecs.parse("zstd"), java.util.Map.of())
    try {
      out.writeAll(new SortedRows(Array.range(0, rowCount), 0, rowCount, null), rowCount)
      out.finish()
    } finally out.close()
    requireDictionaries(file)
    session.read.parquet(file.toString).createOrReplaceTempView("dictionaries")
  }

  private def requireDictionaries(file: Path): Unit = {
    val reader = ParquetRows.open(file)
    try
      reader.getRowGroups.asScala.flatMap(_.getColumns.asScala).foreach { chunk =>
        assertTrue(chunk.getEncodings.contains(Encoding.RLE_DICTIONARY), s"$chunk")
      }
    finally reader.close()
  }

  private def bits(value: Any): Any = value match {
    case double: Double => java.lang.Double.doubleToRawLongBits(double)
    case float: Float => java.lang.Float.floatToRawIntBits(float)
    case other => other
  }

  @Test
  def allRowsAreAsTheyWereWritten(): Unit = Seq("true", "false").foreach { vectorized =>
    withConf("spark.sql.parquet.enableVectorizedReader" -> vectorized) {
      val found: Array[Row] = session.sql("SELECT number, id, unix_date(day), value, small, zero FROM dictionaries").collect()
      assertEquals(rowCount, found.length)
      for (row <- 0 until rowCount) {
        val expected = if (absent(row)) Seq.fill(6)(null) else values(row).updated(2, values(row)(2).asInstanceOf[Long].toInt)
        assertArrayEquals(expected.map(bits).toArray[Any].asInstanceOf[Array[Object]], found(row).toSeq.map(bits).toArray[Any].asInstanceOf[Array[Object]], s"row $row")
      }
    }
  }

  /** Also where a filter asks for a zero that no value has: Parquet's filter by dictionaries tells the zeros apart. */
  @Test
  def filtersFindWhatTheyFindWithoutPushdown(): Unit =
    Seq("value = 0", "value >= 0", "value = double('NaN')", "value > 2.5", "zero = 0", "zero >= 0", "zero IN (0, 7)", "zero <> 0",
      "small < -7", "id = 1000000000007", "id = 5", "number IN (1000003, 3)", "day > date'1970-06-01'").foreach { condition =>
      def count: Seq[String] = rows(session.sql(s"SELECT count(*), sum(number) FROM dictionaries WHERE $condition"))
      val expected = withConf(interpreted :+ "spark.sql.parquet.filterPushdown" -> "false": _*)(count)
      assertEquals(expected, withConf(interpreted: _*)(count), condition)
    }
}
