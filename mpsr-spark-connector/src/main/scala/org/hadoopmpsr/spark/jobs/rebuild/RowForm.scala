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
package org.hadoopmpsr.spark.jobs.rebuild

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow
import org.apache.spark.sql.types._
import org.hadoopmpsr.columnar.buffer.{BooleanVector, ColumnVector, DoubleVector, LongVector, StringVector}
import org.hadoopmpsr.columnar.derive.SortedRecords
import org.hadoopmpsr.core.group.{ReplicaGroup, ReplicaGroups, SortKey}
import org.hadoopmpsr.core.schema.{ColumnPath, ColumnType, Schema}
import org.hadoopmpsr.spark.jobs.run.VectorRows

/**
 * Records between the tasks that read and those that write, as rows of Spark: where a record goes, and the columns of the
 * group's files. Not serializable.
 *
 * @param subtracts true if some records are subtracted: only then do rows have a hash, by which equal ones are found, and say
 *   whether they are kept. A hash takes more bytes between tasks than all columns of many records
 */
private[rebuild] final class RowForm(
    groups: ReplicaGroups,
    group: ReplicaGroup,
    schema: Schema,
    subtracts: Boolean) {
  import RowForm._

  /** The columns of the group's files. */
  val columns: Seq[org.hadoopmpsr.core.schema.Column] = SortedRecords.columns(groups, group, schema).asScala.toSeq

  private val sorted = SortedRecords.sort(groups, group, schema).asScala.toSeq

  private val bits = sorted.filterNot(_.isColumn)

  private val all = columns ++ sorted.filter(key => key.isColumn && ColumnPath.isPath(key.column)).map(_.source(schema))

  /** What rows have: the columns of the files, and the values within these, and the bits, by which rows are sorted. */
  val values: Seq[SortKey] = all.map(c => SortKey.of(c.name)) ++ bits

  /** As the vectors have the values, and so that Spark sorts them as they do. */
  private val types: Seq[DataType] = all.map(c => ColumnVector.of(c.`type`) match {
    case _: StringVector => BinaryType
    case _: LongVector => if (c.`type`.isInt32) IntegerType else LongType
    case _: DoubleVector => if (c.`type` == ColumnType.FLOAT) FloatType else DoubleType
    case _: BooleanVector => BooleanType
  }) ++ bits.map(_ => IntegerType)

  private val placed: Seq[StructField] =
    Seq(StructField(Task, IntegerType, nullable = false), StructField(Number, IntegerType, nullable = false))

  private val compared: Seq[StructField] = if (!subtracts) Nil
  else
    Seq(
      StructField(High, LongType, nullable = false),
      StructField(Low, LongType, nullable = false),
      StructField(Kept, BooleanType, nullable = false))

  /** Where the first column of the files is. */
  private val first = placed.size + compared.size

  val rowType: StructType = StructType(
    placed ++ compared ++
      types.zipWithIndex.map { case (t, place) => StructField(column(place), t) })

  /** By what the rows of a task are sorted: partition by partition as its files are, and what is compared side by side. */
  val sort: Seq[String] =
    (Number +: sorted.map(key => column(values.indexOf(key)))) ++ compared.map(_.name)

  def newRow(): SpecificInternalRow = new SpecificInternalRow(rowType.fields.map(_.dataType).toSeq)

  /** Puts rows of a vector into the column of a place among the values. */
  def putter(place: Int, vector: ColumnVector): (Int, SpecificInternalRow) => Unit =
    VectorRows.putter(first + place, types(place), vector)

  /** Puts the column of a place into a row of a vector. */
  def taker(place: Int, vector: ColumnVector): (InternalRow, Int) => Unit = {
    val at = first + place
    val take: (InternalRow, Int) => Unit = (vector, columns(place).`type`) match {
      case (texts: StringVector, _) =>
        (row, i) => {
          val bytes = row.getBinary(at)
          texts.set(i, texts.dictionary.intern(bytes, 0, bytes.length))
        }
      case (longs: LongVector, narrow) if narrow.isInt32 => (row, i) => longs.set(i, row.getInt(at))
      case (longs: LongVector, _) => (row, i) => longs.set(i, row.getLong(at))
      case (doubles: DoubleVector, ColumnType.FLOAT) => (row, i) => doubles.set(i, row.getFloat(at))
      case (doubles: DoubleVector, _) => (row, i) => doubles.set(i, row.getDouble(at))
      case (booleans: BooleanVector, _) => (row, i) => booleans.set(i, row.getBoolean(at))
    }
    (row, i) => if (row.isNullAt(at)) vector.setNull(i, 1) else take(row, i)
  }
}

private[rebuild] object RowForm {

  /** The number of the task that writes the record. */
  val Task = "task"
  val TaskAt = 0

  /** The number of the record's target. */
  val Number = "target"
  val NumberAt = 1
  val High = "high"
  val HighAt = 2
  val Low = "low"
  val LowAt = 3

  /** False if the record is subtracted. */
  val Kept = "kept"
  val KeptAt = 4

  private def column(place: Int): String = s"c$place"
}
