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
package org.hadoopmpsr.spark.write

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.expressions.SpecializedGetters
import org.hadoopmpsr.core.nested.NestedWriter
import org.hadoopmpsr.core.schema.{ColumnType, DecimalType, ListType, MapType, NestedType, StructType}

/**
 * Writes the forms of nested values of rows. For one thread.
 *
 * @param date the day that is written for a day
 * @param time the time that is written for a time with a time zone
 */
private[write] final class NestedPutter(columnType: NestedType, date: Int => Int, time: Long => Long) {
  private val form = new NestedWriter
  private val put = putter(columnType)

  /** The form of the value at a place, which is not null; valid until the next call. */
  def of(row: SpecializedGetters, place: Int): NestedWriter = {
    form.clear()
    put(row, place)
    form
  }

  private def putter(own: ColumnType): (SpecializedGetters, Int) => Unit = own match {
    case struct: StructType => ofStruct(struct)
    case list: ListType =>
      val element = nullable(list.element)
      (from, at) => {
        val values = from.getArray(at)
        val place = form.beginList()
        (0 until values.numElements()).foreach(element(values, _))
        form.end(place, values.numElements())
      }
    case map: MapType =>
      val key = putter(map.key)
      val value = nullable(map.value)
      (from, at) => {
        val entries = from.getMap(at)
        val (keys, values) = (entries.keyArray(), entries.valueArray())
        val place = form.beginMap()
        (0 until entries.numElements()).foreach { i =>
          key(keys, i)
          value(values, i)
        }
        form.end(place, entries.numElements())
      }
    case decimal: DecimalType =>
      (from, at) => form.putDecimal(from.getDecimal(at, decimal.precision, decimal.scale).toJavaBigDecimal.setScale(decimal.scale).unscaledValue)
    case ColumnType.BOOLEAN => (from, at) => form.putBoolean(from.getBoolean(at))
    case ColumnType.FLOAT => (from, at) => form.putDouble(from.getFloat(at))
    case ColumnType.DOUBLE => (from, at) => form.putDouble(from.getDouble(at))
    case ColumnType.TINYINT => (from, at) => form.putLong(from.getByte(at))
    case ColumnType.SMALLINT => (from, at) => form.putLong(from.getShort(at))
    case ColumnType.STRING =>
      (from, at) => {
        val utf8 = from.getUTF8String(at).getBytes
        form.putBytes(utf8, 0, utf8.length)
      }
    case ColumnType.BINARY =>
      (from, at) => {
        val bytes = from.getBinary(at)
        form.putBytes(bytes, 0, bytes.length)
      }
    case ColumnType.DATE => (from, at) => form.putLong(date(from.getInt(at)))
    case ColumnType.TIMESTAMP => (from, at) => form.putLong(time(from.getLong(at)))
    case narrow if narrow.isInt32 => (from, at) => form.putLong(from.getInt(at))
    case _ => (from, at) => form.putLong(from.getLong(at))
  }

  private def nullable(own: ColumnType): (SpecializedGetters, Int) => Unit = {
    val putOne = putter(own)
    (from, at) => if (from.isNullAt(at)) form.putNull() else putOne(from, at)
  }

  private def ofStruct(struct: StructType): (SpecializedGetters, Int) => Unit = {
    val fields = struct.fields.asScala.map(f => putter(f.`type`)).toArray
    (from, at) => {
      val values = from.getStruct(at, fields.length)
      val present = fields.indices.filterNot(values.isNullAt)
      val place = form.beginStruct()
      present.foreach { position =>
        form.field(position)
        fields(position)(values, position)
      }
      form.end(place, present.size)
    }
  }
}
