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
package org.hadoopmpsr.spark.transform

import java.io.IOException

import scala.jdk.CollectionConverters._

import org.apache.spark.TaskContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{GenericInternalRow, UnsafeProjection}
import org.apache.spark.sql.execution.datasources.PartitionedFile
import org.apache.spark.sql.execution.vectorized.{OffHeapColumnVector, OnHeapColumnVector, WritableColumnVector}
import org.apache.spark.sql.types._
import org.apache.spark.sql.vectorized.{ColumnarBatch, ColumnVector}

/**
 * Reads parts of files as Spark's reader does, with the values of columns that files hold in transforms. A file that holds such a
 * column itself is read as it is.
 *
 * @param stock Spark's reader of the required columns, of the parts, and of the columns of directories
 * @param offHeap where columns of batches lie
 */
private[spark] final class TransformedReader(
    stock: PartitionedFile => Iterator[InternalRow],
    needed: NeededParts,
    required: StructType,
    partition: StructType,
    offHeap: Boolean)
    extends (PartitionedFile => Iterator[InternalRow])
    with Serializable {
  private val columns = needed.columns
  private val partCounts = columns.map(_.column.parts.size)

  override def apply(file: PartitionedFile): Iterator[InternalRow] = {
    val path = file.toString
    val batches = new Batches(path)
    lazy val rows = new Rows(path)
    Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => batches.close()))
    // as in Spark's own readers, what is an iterator of rows may give batches
    val all = stock(file).asInstanceOf[Iterator[AnyRef]].map {
      case batch: ColumnarBatch => batches.of(batch)
      case row: InternalRow => rows.of(row)
    }
    all.asInstanceOf[Iterator[InternalRow]]
  }

  /** The place of the first part of a needed column among all columns that Spark's reader gives. */
  private def firstPart(number: Int): Int = required.size + partCounts.take(number).sum

  private final class Batches(path: String) {
    private val joiners = columns.map(c => new ColumnJoiner(path, c.column))
    private var vectors = Seq.empty[WritableColumnVector]
    private var capacity = 0

    def of(batch: ColumnarBatch): ColumnarBatch = {
      val rows = batch.numRows
      if (rows > capacity) allocate(rows)
      val all = (0 until batch.numCols).map(batch.column)
      val values = all.take(required.size).toArray ++ all.drop(firstPart(columns.size))
      columns.indices.foreach { i =>
        val place = columns(i).place
        val parts = all.slice(firstPart(i), firstPart(i) + partCounts(i)).toArray
        vectors(i).reset()
        joiners(i).join(parts, values(place), rows, vectors(i))
        values(place) = vectors(i)
      }
      val joined = new ColumnarBatch(values)
      joined.setNumRows(rows)
      joined
    }

    private def allocate(rows: Int): Unit = {
      close()
      capacity = math.max(rows, TransformedReader.LeastCapacity)
      val schema = StructType(columns.map(c => required(c.place)))
      vectors = (if (offHeap) OffHeapColumnVector.allocateColumns(capacity, schema)
                 else OnHeapColumnVector.allocateColumns(capacity, schema)).toSeq
    }

    def close(): Unit = {
      vectors.foreach(_.close())
      vectors = Nil
      capacity = 0
    }
  }

  private final class Rows(path: String) {
    private val joiners = columns.map(c => new ColumnJoiner(path, c.column))
    private val types = (required.fields ++ columns.flatMap(_.column.parts) ++ partition.fields).map(_.dataType)
    private val projection = UnsafeProjection.create(StructType(required.fields ++ partition.fields))

    def of(row: InternalRow): InternalRow = {
      def value(place: Int): Any = if (row.isNullAt(place)) null else row.get(place, types(place))
      val values = (required.indices ++ (firstPart(columns.size) until types.length)).map(value).toArray
      columns.indices.foreach { i =>
        val place = columns(i).place
        val parts = (firstPart(i) until firstPart(i) + partCounts(i)).map(value)
        values(place) = joiners(i).join(parts, values(place), required(place).dataType)
      }
      projection(new GenericInternalRow(values))
    }
  }
}

private[transform] object TransformedReader {
  val LeastCapacity = 4096
}

/**
 * Computes the values of a column from its parts. For one thread.
 *
 * @param path names the file in messages
 */
private[transform] final class ColumnJoiner(path: String, held: HeldColumn) {
  private val transformed = held.transformed
  private val level = held.level
  private val wide = held.parts.map(_.dataType == LongType).toArray

  /** The place of each part among those of the transform. */
  private val places = level.columns.asScala.map(_.intValue).toArray
  private val parts = new Array[Array[Long]](transformed.columns.size)
  private var values = Array.empty[Long]

  /**
   * Joins rows.
   *
   * @param from the vectors of the parts
   * @param itself the column as the file holds it; null in all rows of files that hold the parts
   */
  def join(from: Array[ColumnVector], itself: ColumnVector, rows: Int, into: WritableColumnVector): Unit = {
    if (values.length < rows) {
      places.foreach(parts(_) = new Array[Long](rows))
      values = new Array[Long](rows)
    }
    from.indices.foreach(i => copy(from(i), wide(i), rows, parts(places(i))))
    transformed.join(level, parts, rows, values)
    val first = from(0)
    if (from.exists(_.hasNull)) {
      var row = 0
      while (row < rows) {
        val isNull = first.isNullAt(row)
        if (!from.forall(_.isNullAt(row) == isNull)) throw damaged()
        if (!isNull) putBits(into, row, values(row))
        else if (itself.isNullAt(row)) into.putNull(row)
        else putSame(into, row, itself)
        row += 1
      }
    } else putAll(into, rows)
  }

  private def copy(from: ColumnVector, isWide: Boolean, rows: Int, to: Array[Long]): Unit = {
    val mayBeNull = from.hasNull
    var row = 0
    if (isWide) {
      while (row < rows) {
        to(row) = if (mayBeNull && from.isNullAt(row)) 0 else from.getLong(row)
        row += 1
      }
    } else {
      while (row < rows) {
        to(row) = if (mayBeNull && from.isNullAt(row)) 0 else from.getInt(row)
        row += 1
      }
    }
  }

  private def putAll(into: WritableColumnVector, rows: Int): Unit = {
    var row = 0
    into.dataType match {
      case DoubleType =>
        while (row < rows) {
          into.putDouble(row, java.lang.Double.longBitsToDouble(values(row)))
          row += 1
        }
      case _ =>
        while (row < rows) {
          putBits(into, row, values(row))
          row += 1
        }
    }
  }

  private def putBits(into: WritableColumnVector, row: Int, bits: Long): Unit = into.dataType match {
    case DoubleType => into.putDouble(row, java.lang.Double.longBitsToDouble(bits))
    case FloatType => into.putFloat(row, java.lang.Float.intBitsToFloat(bits.toInt))
    case ByteType => into.putByte(row, bits.toByte)
    case ShortType => into.putShort(row, bits.toShort)
    case IntegerType | DateType => into.putInt(row, bits.toInt)
    case _ => into.putLong(row, bits)
  }

  private def putSame(into: WritableColumnVector, row: Int, from: ColumnVector): Unit = into.dataType match {
    case DoubleType => into.putDouble(row, from.getDouble(row))
    case FloatType => into.putFloat(row, from.getFloat(row))
    case ByteType => into.putByte(row, from.getByte(row))
    case ShortType => into.putShort(row, from.getShort(row))
    case IntegerType | DateType => into.putInt(row, from.getInt(row))
    case _ => into.putLong(row, from.getLong(row))
  }

  /**
   * Joins one row.
   *
   * @param from the values of the parts, null where they are
   * @param itself the column as the file holds it, or null
   */
  def join(from: Seq[Any], itself: Any, dataType: DataType): Any =
    if (from.forall(_ == null)) itself
    else if (from.contains(null)) throw damaged()
    else {
      val each = new Array[Array[Long]](parts.length)
      places.indices.foreach(i => each(places(i)) = Array(from(i).asInstanceOf[Number].longValue))
      val joined = new Array[Long](1)
      transformed.join(level, each, 1, joined)
      val bits = joined(0)
      dataType match {
        case DoubleType => java.lang.Double.longBitsToDouble(bits)
        case FloatType => java.lang.Float.intBitsToFloat(bits.toInt)
        case ByteType => bits.toByte
        case ShortType => bits.toShort
        case IntegerType | DateType => bits.toInt
        case _ => bits
      }
    }

  private def damaged() = new IOException(
    s"$path holds column '${held.name}' in columns that do not have their nulls in the same rows; the file is damaged:" +
      " hdfs mpsr verify tells which are, and hdfs mpsr rebuild writes them anew")
}
