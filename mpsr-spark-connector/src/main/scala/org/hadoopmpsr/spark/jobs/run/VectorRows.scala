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

import java.util.Arrays

import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.hadoopmpsr.columnar.buffer.{BooleanVector, ColumnVector, DoubleVector, LongVector, NestedVector}
import org.hadoopmpsr.columnar.buffer.{StringVector, WideDecimalVector}
import org.hadoopmpsr.columnar.derive.RecordReader
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.nested.NestedReader
import org.hadoopmpsr.core.schema.Schema

/** Values of records that are read, as Spark has them in rows. */
private[jobs] object VectorRows {

  /** The values of a logical column, or of a path within one, of the records that were read last; a string is valid until the next are read. */
  def vector(reader: RecordReader, groups: ReplicaGroups, schema: Schema, column: String): ColumnVector = {
    if (schema.find(column).isPresent) reader.fields.source(column) else reader.fields.column(groups.defaultGroup, column)
  }

  /**
   * Puts rows of a vector into a place of a row.
   *
   * @param dataType of the place: Spark's type of the column, or for whatever has a dictionary `BinaryType`, which gets its bytes
   */
  def putter(at: Int, dataType: DataType, vector: ColumnVector): (Int, SpecificInternalRow) => Unit = {
    val put: (Int, SpecificInternalRow) => Unit = (vector, dataType) match {
      case (forms: NestedVector, t @ (_: StructType | _: ArrayType | _: MapType)) =>
        val form = new NestedReader
        (i, row) => {
          form.start(forms.dictionary.bytes, forms.dictionary.start(forms.ids()(i)))
          row.update(at, NestedValue.of(t, form))
        }
      case (decimals: WideDecimalVector, t: DecimalType) =>
        (i, row) => row.update(at, Decimal(BigDecimal(BigInt(decimals.digits(i)), t.scale), t.precision, t.scale))
      case (texts: StringVector, StringType) =>
        val all = texts.dictionary
        (i, row) => {
          val id = texts.ids()(i)
          row.update(at, UTF8String.fromBytes(all.bytes, all.start(id), all.length(id)))
        }
      case (texts: StringVector, _) =>
        val all = texts.dictionary
        (i, row) => {
          val id = texts.ids()(i)
          row.update(at, Arrays.copyOfRange(all.bytes, all.start(id), all.end(id)))
        }
      case (longs: LongVector, t: DecimalType) =>
        (i, row) => row.update(at, Decimal.createUnsafe(longs.values()(i), t.precision, t.scale))
      case (longs: LongVector, ByteType) => (i, row) => row.setByte(at, longs.values()(i).toByte)
      case (longs: LongVector, ShortType) => (i, row) => row.setShort(at, longs.values()(i).toShort)
      case (longs: LongVector, IntegerType | DateType) => (i, row) => row.setInt(at, longs.values()(i).toInt)
      case (longs: LongVector, _) => (i, row) => row.setLong(at, longs.values()(i))
      case (doubles: DoubleVector, FloatType) => (i, row) => row.setFloat(at, doubles.values()(i).toFloat)
      case (doubles: DoubleVector, _) => (i, row) => row.setDouble(at, doubles.values()(i))
      case (booleans: BooleanVector, _) => (i, row) => row.setBoolean(at, booleans.values()(i))
    }
    (i, row) => if (vector.isNull(i)) row.setNullAt(at) else put(i, row)
  }
}
