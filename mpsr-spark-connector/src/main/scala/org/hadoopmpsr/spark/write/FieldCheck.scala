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

import java.util.Objects

import org.apache.spark.sql.catalyst.InternalRow
import org.hadoopmpsr.columnar.buffer.BadRecordException
import org.hadoopmpsr.core.group.Predicate
import org.hadoopmpsr.core.schema.{ColumnPath, ColumnType, DecimalType, NestedType, Schema, StructType}

/**
 * Compares what rows tell of a partition field with what the predicate derives: an ordinary writer may put a record into any directory.
 *
 * @param source the place of the predicate's column in a row, of a path that of the whole column; less than 0 if rows lack it
 * @param told the place of the field in a row
 */
private[write] final class FieldCheck(schema: Schema, predicate: Predicate, source: Int, told: Int) {
  private val sourceType = predicate.source(schema).`type`
  private val sourceOf = FieldCheck.source(schema, predicate.column, source)
  private val toldOf = FieldCheck.reader(predicate.field(schema).`type`, told)

  /** @throws BadRecordException if they differ */
  def check(row: InternalRow): Unit = {
    val value = sourceOf(row)
    val derived = if (value == null) null else predicate.transform.apply(sourceType, value)
    val found = toldOf(row)
    if (!Objects.equals(derived, found)) {
      throw new BadRecordException(
        s"a record has '$found' in the column '${predicate.fieldName}', and ${predicate.text} of it is '$derived'")
    }
  }
}

private[write] object FieldCheck {

  /** Whether values of a type can be compared. */
  def canBeOf(columnType: ColumnType): Boolean = columnType match {
    case _: NestedType | _: DecimalType => false
    case ColumnType.BOOLEAN | ColumnType.BINARY => false
    case other => !other.isFloating
  }

  /** The value of a row at a place there, or at a path within that, as predicates have it. */
  private def source(schema: Schema, name: String, place: Int): InternalRow => AnyRef = {
    var structs = schema.root(name).get.`type`
    val steps = ColumnPath.places(schema, name).toSeq.map { field =>
      val fields = structs.asInstanceOf[StructType].fields
      structs = fields.get(field).`type`
      (fields.size, field)
    }
    val value = reader(structs, steps.lastOption.fold(place)(_._2))
    val places = place +: steps.map(_._2)
    if (place < 0) (_: InternalRow) => null
    else (row: InternalRow) => {
      val within = steps.zip(places).foldLeft(row) { case (struct, ((size, _), at)) =>
        if (struct == null || struct.isNullAt(at)) null else struct.getStruct(at, size)
      }
      if (within == null) null else value(within)
    }
  }

  /** The value of a row, as predicates have it; null if there is none. */
  private def reader(columnType: ColumnType, place: Int): InternalRow => AnyRef = {
    val value = present(columnType, place)
    row => if (row.isNullAt(place)) null else value(row)
  }

  private def present(columnType: ColumnType, place: Int): InternalRow => AnyRef = columnType match {
    case ColumnType.STRING => row => row.getUTF8String(place).toString
    case ColumnType.TINYINT => row => Long.box(row.getByte(place).toLong)
    case ColumnType.SMALLINT => row => Long.box(row.getShort(place).toLong)
    case narrow if narrow.isInt32 => row => Long.box(row.getInt(place).toLong)
    case _ => row => Long.box(row.getLong(place))
  }
}
