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
package org.hadoopmpsr.spark.degraded

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection
import org.apache.spark.sql.execution.vectorized.{ColumnVectorUtils, ConstantColumnVector}
import org.apache.spark.sql.execution.vectorized.{OffHeapColumnVector, OnHeapColumnVector, WritableColumnVector}
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.vectorized.{ColumnarBatch, ColumnVector => SparkVector}
import org.hadoopmpsr.client.degraded.PartRecords
import org.hadoopmpsr.columnar.buffer.{BooleanVector, ColumnVector, DoubleVector, LongVector, NestedVector}
import org.hadoopmpsr.columnar.buffer.{StringVector, WideDecimalVector}
import org.hadoopmpsr.columnar.degraded.DegradedRead
import org.hadoopmpsr.core.schema.{Column, ColumnType}

/**
 * Records of a degraded read as Spark's readers give them: batches, each in place of the one before, or rows. For one thread.
 *
 * @param columns those that the form takes from files
 * @param directory the values that come from directories
 */
private[degraded] final class DegradedRows(read: DegradedRead, form: ReadForm, columns: Seq[Column], directory: InternalRow)
    extends PartRecords[AnyRef] {
  private var capacity = 0
  private var vectors: Seq[WritableColumnVector] = Nil
  private var batch: ColumnarBatch = _
  private val projection =
    if (form.batches) None
    else Some(UnsafeProjection.create(StructType(form.required.fields ++ form.partition.fields)))
  private var rows: java.util.Iterator[InternalRow] = java.util.Collections.emptyIterator[InternalRow]()
  private var hasBatch = false

  override def hasNext: Boolean =
    if (form.batches) {
      hasBatch = hasBatch || fill()
      hasBatch
    } else {
      while (!rows.hasNext && fill()) rows = batch.rowIterator
      rows.hasNext
    }

  override def next(): AnyRef = {
    if (!hasNext) throw new NoSuchElementException("the read has ended")
    projection match {
      case Some(unsafe) => unsafe(rows.next())
      case None =>
        hasBatch = false
        batch
    }
  }

  private def fill(): Boolean = read.next() && {
    if (read.count > capacity) allocate(read.count)
    vectors.zip(columns).foreach { case (vector, column) =>
      vector.reset()
      put(read.column(column.name), column.`type`, vector)
    }
    batch.setNumRows(read.count)
    true
  }

  private def allocate(rows: Int): Unit = {
    if (batch != null) batch.close()
    capacity = math.max(rows, DegradedRows.LeastCapacity)
    vectors =
      (if (form.offHeap) OffHeapColumnVector.allocateColumns(capacity, form.required)
       else OnHeapColumnVector.allocateColumns(capacity, form.required)).toSeq
    val constants = form.partition.fields.toSeq.zipWithIndex.map { case (field, i) =>
      val constant = new ConstantColumnVector(capacity, field.dataType)
      ColumnVectorUtils.populate(constant, directory, i)
      constant
    }
    batch = new ColumnarBatch((vectors ++ constants).toArray[SparkVector])
  }

  private def put(from: ColumnVector, columnType: ColumnType, to: WritableColumnVector): Unit = {
    val putAt: (Int, Int) => Unit = (from, columnType) match {
      case (forms: NestedVector, _) =>
        val appender = new NestedAppender(columnType, to)
        (row, _) => appender.append(forms.dictionary, forms.ids()(row))
      case (decimals: WideDecimalVector, _) => (row, i) => to.putByteArray(i, decimals.digits(row).toByteArray)
      case (texts: StringVector, _) =>
        val all = texts.dictionary
        (row, i) => {
          val id = texts.ids()(row)
          to.putByteArray(i, all.bytes, all.start(id), all.length(id))
        }
      case (longs: LongVector, ColumnType.TINYINT) => (row, i) => to.putByte(i, longs.values()(row).toByte)
      case (longs: LongVector, ColumnType.SMALLINT) => (row, i) => to.putShort(i, longs.values()(row).toShort)
      case (longs: LongVector, narrow) if narrow.isInt32 => (row, i) => to.putInt(i, longs.values()(row).toInt)
      case (longs: LongVector, _) => (row, i) => to.putLong(i, longs.values()(row))
      case (doubles: DoubleVector, ColumnType.FLOAT) => (row, i) => to.putFloat(i, doubles.values()(row).toFloat)
      case (doubles: DoubleVector, _) => (row, i) => to.putDouble(i, doubles.values()(row))
      case (booleans: BooleanVector, _) => (row, i) => to.putBoolean(i, booleans.values()(row))
    }
    val selected = read.selected
    var i = 0
    while (i < read.count) {
      if (from.isNull(selected(i))) putNull(from, to, i) else putAt(selected(i), i)
      i += 1
    }
  }

  /** Nested values are appended, nulls among them. */
  private def putNull(from: ColumnVector, to: WritableColumnVector, i: Int): Unit =
    if (from.isInstanceOf[NestedVector]) NestedAppender.appendNull(to) else to.putNull(i)

  override def close(): Unit =
    try read.close()
    finally if (batch != null) batch.close()
}

private[degraded] object DegradedRows {
  private val LeastCapacity = 4096
}
