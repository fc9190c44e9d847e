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

import org.apache.spark.sql.catalyst.InternalRow
import org.hadoopmpsr.columnar.buffer.RecordAppender
import org.hadoopmpsr.core.group.ReplicaGroup
import org.hadoopmpsr.core.schema.{ColumnPath, ColumnType, DecimalType, NestedType, Schema}

/**
 * Puts rows into a buffer of records. For one thread.
 *
 * @param group the default group
 */
private[write] final class RowPutter(schema: Schema, group: ReplicaGroup, form: WriteForm, record: RecordAppender) {
  private val date = form.times.date
  private val time = form.times.time

  private val puts = schema.columns.asScala.toArray.zip(form.columns).zipWithIndex.collect { case ((column, place), i) if place >= 0 =>
    val put = putter(i, column.`type`, place)
    (row: InternalRow) => if (!row.isNullAt(place)) put(row)
  }

  private val checks = form.fields.toArray.map { case (field, place) =>
    val predicate = group.predicates.get(field)
    new FieldCheck(schema, predicate, form.columns(schema.indexOf(ColumnPath.root(predicate.column)).getAsInt), place)
  }

  /**
   * Puts a row.
   *
   * @throws org.hadoopmpsr.columnar.buffer.BadRecordException if not all groups can have it
   */
  def put(row: InternalRow): Unit = {
    checks.foreach(_.check(row))
    record.begin()
    var i = 0
    while (i < puts.length) {
      puts(i)(row)
      i += 1
    }
    record.end(0)
  }

  private def putter(i: Int, columnType: ColumnType, place: Int): InternalRow => Unit = columnType match {
    case decimal: DecimalType =>
      row => record.putDecimal(i, row.getDecimal(place, decimal.precision, decimal.scale).toJavaBigDecimal)
    case nested: NestedType =>
      val form = new NestedPutter(nested, date, time)
      row => record.putNested(i, form.of(row, place))
    case ColumnType.BOOLEAN => row => record.putBoolean(i, row.getBoolean(place))
    case ColumnType.TINYINT => row => record.putLong(i, row.getByte(place))
    case ColumnType.SMALLINT => row => record.putLong(i, row.getShort(place))
    case ColumnType.FLOAT => row => record.putDouble(i, row.getFloat(place))
    case ColumnType.DOUBLE => row => record.putDouble(i, row.getDouble(place))
    case ColumnType.STRING =>
      row => {
        val utf8 = row.getUTF8String(place).getBytes
        record.putUtf8(i, utf8, 0, utf8.length)
      }
    case ColumnType.BINARY =>
      row => {
        val bytes = row.getBinary(place)
        record.putBytes(i, bytes, 0, bytes.length)
      }
    case ColumnType.DATE => row => record.putLong(i, date(row.getInt(place)))
    case ColumnType.TIMESTAMP => row => record.putLong(i, time(row.getLong(place)))
    case narrow if narrow.isInt32 => row => record.putLong(i, row.getInt(place))
    case _ => row => record.putLong(i, row.getLong(place))
  }
}
