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

import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow
import org.apache.spark.unsafe.types.UTF8String
import org.hadoopmpsr.columnar.buffer.{BooleanVector, ColumnVector, DoubleVector, LongVector, StringVector}
import org.hadoopmpsr.columnar.derive.RecordReader
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.schema.{ColumnType, Schema}

/** Values of records that are read, as Spark has them in rows. */
private[jobs] object VectorRows {

  /** The values of a logical column of the records that were read last; a string is valid until the next are read. */
  def vector(reader: RecordReader, groups: ReplicaGroups, schema: Schema, column: String): ColumnVector = {
    val position = schema.indexOf(column)
    if (position.isPresent) reader.column(position.getAsInt) else reader.fields.column(groups.defaultGroup, column)
  }

  /** Puts rows of a vector into a place of a row. */
  def putter(at: Int, columnType: ColumnType, vector: ColumnVector): (Int, SpecificInternalRow) => Unit = {
    val put: (Int, SpecificInternalRow) => Unit = (vector, columnType) match {
      case (texts: StringVector, _) =>
        val all = texts.dictionary
        (i, row) => {
          val id = texts.ids()(i)
          row.update(at, UTF8String.fromBytes(all.bytes, all.start(id), all.length(id)))
        }
      case (longs: LongVector, ColumnType.INT | ColumnType.DATE) => (i, row) => row.setInt(at, longs.values()(i).toInt)
      case (longs: LongVector, _) => (i, row) => row.setLong(at, longs.values()(i))
      case (doubles: DoubleVector, ColumnType.FLOAT) => (i, row) => row.setFloat(at, doubles.values()(i).toFloat)
      case (doubles: DoubleVector, _) => (i, row) => row.setDouble(at, doubles.values()(i))
      case (booleans: BooleanVector, _) => (i, row) => row.setBoolean(at, booleans.values()(i))
    }
    (i, row) => if (vector.isNull(i)) row.setNullAt(at) else put(i, row)
  }
}
