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
package org.hadoopmpsr.spark.jobs.repair

import java.math.{BigDecimal => JBigDecimal, BigInteger}
import java.nio.charset.StandardCharsets
import java.time.{Instant, LocalDate, LocalTime}
import java.util.Arrays

import com.fasterxml.jackson.core.JsonFactoryBuilder
import com.fasterxml.jackson.core.json.JsonWriteFeature
import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import com.fasterxml.jackson.databind.node.JsonNodeFactory
import org.hadoopmpsr.columnar.buffer.{BooleanVector, ColumnVector, DoubleVector, LongVector, NestedVector}
import org.hadoopmpsr.columnar.buffer.{StringVector, WideDecimalVector}
import org.hadoopmpsr.core.schema.{ColumnType, DecimalType, Schema}

/** Records as JSON, with dates and times as ISO 8601 writes them, and bytes as Base64. */
private[repair] object RecordText {
  private val mapper = new ObjectMapper(new JsonFactoryBuilder().enable(JsonWriteFeature.ESCAPE_NON_ASCII).build())
  private val nodes = JsonNodeFactory.instance
  private val MicrosOfSecond = 1000000L
  private val NanosOfSecond = 1000000000L

  /**
   * A record.
   *
   * @param vector the values of a column by its place in the schema
   * @param row which of them
   */
  def of(schema: Schema, vector: Int => ColumnVector, row: Int): String = {
    val json = mapper.createObjectNode()
    for (position <- 0 until schema.columns.size) {
      val column = schema.columns.get(position)
      val values = vector(position)
      if (values.isNull(row)) json.putNull(column.name)
      else values match {
        case forms: NestedVector =>
          json.set[JsonNode](column.name, NestedText.of(column.`type`, forms.dictionary, forms.ids()(row)))
        case decimals: WideDecimalVector => json.put(column.name, decimal(decimals.digits(row), column.`type`))
        case bytes: StringVector if column.`type` == ColumnType.BINARY =>
          val id = bytes.ids()(row)
          val all = bytes.dictionary
          json.put(column.name, Arrays.copyOfRange(all.bytes, all.start(id), all.end(id)))
        case texts: StringVector =>
          val id = texts.ids()(row)
          val all = texts.dictionary
          json.put(column.name, new String(all.bytes, all.start(id), all.length(id), StandardCharsets.UTF_8))
        case doubles: DoubleVector => json.put(column.name, doubles.values()(row))
        case booleans: BooleanVector => json.put(column.name, booleans.values()(row))
        case longs: LongVector => json.set[JsonNode](column.name, whole(longs.values()(row), column.`type`))
      }
    }
    mapper.writeValueAsString(json)
  }

  /** A whole number as a value of a type. */
  def whole(value: Long, columnType: ColumnType): JsonNode = columnType match {
    case ColumnType.DATE => nodes.textNode(LocalDate.ofEpochDay(value).toString)
    case ColumnType.TIMESTAMP => nodes.textNode(instant(value, MicrosOfSecond))
    case ColumnType.TIMESTAMP_NS => nodes.textNode(instant(value, NanosOfSecond))
    case ColumnType.TIMESTAMP_NTZ => nodes.textNode(instant(value, MicrosOfSecond).stripSuffix("Z"))
    case ColumnType.TIME_NS => nodes.textNode(LocalTime.ofNanoOfDay(value).toString)
    case _: DecimalType => nodes.numberNode(decimal(BigInteger.valueOf(value), columnType))
    case _ => nodes.numberNode(value)
  }

  /** The digits of a decimal without the point as a number. */
  def decimal(digits: BigInteger, columnType: ColumnType): JBigDecimal = columnType match {
    case decimal: DecimalType => new JBigDecimal(digits, decimal.scale)
    case other => throw new IllegalStateException(s"a decimal in a column of type ${other.ddl}")
  }

  private def instant(value: Long, ofSecond: Long): String = Instant
    .ofEpochSecond(Math.floorDiv(value, ofSecond), Math.floorMod(value, ofSecond) * (NanosOfSecond / ofSecond))
    .toString
}
