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
package org.hadoopmpsr.spark.jobs.verify

import java.util.BitSet

import org.apache.spark.unsafe.types.UTF8String
import org.hadoopmpsr.columnar.buffer.{BooleanVector, ColumnVector, DoubleVector, LongVector, NestedVector}
import org.hadoopmpsr.columnar.buffer.{StringVector, WideDecimalVector}
import org.hadoopmpsr.core.schema.ColumnType
import org.hadoopmpsr.spark.versions.Utf8Order

/**
 * The values of one column in a file, as read from the records.
 *
 * @param min the least value that is neither null nor NaN, as [[ColumnType]] has it; null without one. -0.0 is less than 0.0.
 *            Null for arrays, structs and maps, which have no bounds
 * @param texts the first few different strings; none of another type
 */
private[jobs] final case class ColumnValues(nulls: Long, nans: Long, min: AnyRef, max: AnyRef, texts: Set[String])

private[jobs] object ColumnValues {
  /** So many different strings of a column are kept: more than a filter of values has. */
  val Texts = 9

  /** The order of bounds: that of queries, and -0.0 before 0.0. */
  def compare(a: AnyRef, b: AnyRef): Int = (a, b) match {
    case (x: java.lang.Double, y: java.lang.Double) => java.lang.Double.compare(x, y)
    case _ => org.hadoopmpsr.core.schema.Values.compare(a, b)
  }

  /** Collects the values of a column. */
  final class Collector(columnType: ColumnType) {
    private var nulls = 0L
    private var nans = 0L
    private var any = false
    private var (least, greatest) = (Long.MaxValue, Long.MinValue)
    private var (low, high) = (Double.PositiveInfinity, Double.NegativeInfinity)
    private var first: UTF8String = _
    private var last: UTF8String = _
    private val texts = scala.collection.mutable.HashSet.empty[UTF8String]

    /** Adds the first rows of a vector. */
    def add(vector: ColumnVector, rows: Int): Unit = vector match {
      case nested: NestedVector => each(nested, rows)(_ => ())
      case strings: StringVector =>
        val seen = new BitSet
        each(vector, rows)(row => seen.set(strings.ids()(row)))
        val all = strings.dictionary
        seen.stream.forEach(id => add(UTF8String.fromBytes(all.bytes, all.start(id), all.length(id))))
      case longs: LongVector => each(vector, rows)(row => add(longs.values()(row)))
      case doubles: DoubleVector => each(vector, rows)(row => add(doubles.values()(row)))
      case booleans: BooleanVector => each(vector, rows)(row => add(if (booleans.values()(row)) 1L else 0L))
    }

    private def each(vector: ColumnVector, rows: Int)(value: Int => Unit): Unit = {
      var row = 0
      while (row < rows) {
        if (vector.isNull(row)) nulls += 1 else value(row)
        row += 1
      }
    }

    private def add(value: Long): Unit = {
      any = true
      least = math.min(least, value)
      greatest = math.max(greatest, value)
    }

    private def add(value: Double): Unit =
      if (value.isNaN) nans += 1
      else {
        if (!any || java.lang.Double.compare(value, low) < 0) low = value
        if (!any || java.lang.Double.compare(value, high) > 0) high = value
        any = true
      }

    private def add(value: UTF8String): Unit = {
      if (!any || Utf8Order.compare(value, first) < 0) first = value.copy()
      if (!any || Utf8Order.compare(value, last) > 0) last = value.copy()
      any = true
      if (texts.size < Texts && !texts.contains(value)) texts += value.copy()
    }

    def result: ColumnValues = ColumnValues(
      nulls,
      nans,
      if (any) bound(least, low, first) else null,
      if (any) bound(greatest, high, last) else null,
      if (columnType == ColumnType.STRING) texts.iterator.map(_.toString).toSet else Set.empty)

    private def bound(whole: Long, number: Double, bytes: UTF8String): AnyRef = columnType match {
      case ColumnType.STRING => bytes.toString
      case ColumnType.BINARY => bytes.getBytes
      case ColumnType.FLOAT | ColumnType.DOUBLE => Double.box(number)
      case ColumnType.BOOLEAN => Boolean.box(whole == 1)
      case wide if wide.isWideDecimal => WideDecimalVector.digits(bytes.getBytes)
      case _ => Long.box(whole)
    }
  }
}
