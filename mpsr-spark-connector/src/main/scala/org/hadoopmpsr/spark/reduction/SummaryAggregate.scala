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
package org.hadoopmpsr.spark.reduction

import java.nio.ByteBuffer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.aggregate.{ImperativeAggregate, TypedImperativeAggregate}
import org.apache.spark.sql.catalyst.trees.UnaryLike
import org.apache.spark.sql.catalyst.util.GenericArrayData
import org.apache.spark.sql.types._
import org.hadoopmpsr.core.reduction.{ValueOrder, ValueSummary}

/** The partial result of statistics. */
private[reduction] final class SummaryBuffer(val summary: ValueSummary, val quantiles: Option[Quantiles])

/**
 * Statistics of a column of numbers, as a struct: partial results are made where the records are read, and are merged as those
 * of Spark's own aggregates.
 *
 * @param child of whole or of floating-point numbers of 64 bits
 * @param shares of which quantiles are asked
 */
private[reduction] final case class SummaryAggregate(
    child: Expression,
    shares: Seq[Double],
    mutableAggBufferOffset: Int = 0,
    inputAggBufferOffset: Int = 0)
    extends TypedImperativeAggregate[SummaryBuffer]
    with UnaryLike[Expression] {

  private def whole = child.dataType == LongType

  override def prettyName: String = ReductionFunctions.Statistics

  override def nullable: Boolean = false

  override lazy val dataType: StructType = {
    val known = new StructType()
      .add("records", LongType, nullable = false)
      .add("nulls", LongType, nullable = false)
      .add("nans", LongType, nullable = false)
      .add("min", child.dataType)
      .add("max", child.dataType)
      .add("mean", DoubleType)
      .add("deviation", DoubleType)
    if (shares.isEmpty) known
    else known.add("quantiles", ArrayType(DoubleType, containsNull = false)).add("rank_error", DoubleType)
  }

  override def createAggregationBuffer(): SummaryBuffer =
    new SummaryBuffer(new ValueSummary, if (shares.isEmpty) None else Some(Quantiles.empty))

  override def update(buffer: SummaryBuffer, input: InternalRow): SummaryBuffer = {
    child.eval(input) match {
      case null => buffer.summary.addNull()
      case value: Long =>
        buffer.summary.addWhole(value)
        buffer.quantiles.foreach(_.add(value.toDouble))
      case value: Double =>
        buffer.summary.add(value)
        buffer.quantiles.foreach(_.add(value))
    }
    buffer
  }

  override def merge(buffer: SummaryBuffer, other: SummaryBuffer): SummaryBuffer = {
    buffer.summary.merge(other.summary)
    buffer.quantiles.foreach(_.merge(other.quantiles.get))
    buffer
  }

  override def eval(buffer: SummaryBuffer): InternalRow = {
    val summary = buffer.summary
    def bound(number: => Long): Any =
      if (summary.numbers == 0) null else if (whole) number else ValueOrder.toDouble(number)
    def known(value: java.util.OptionalDouble): Any = if (value.isPresent) value.getAsDouble else null
    val values = Seq[Any](
      summary.records,
      summary.nulls,
      summary.nans,
      bound(summary.least),
      bound(summary.greatest),
      known(summary.mean),
      known(summary.deviation))
    val ofSketch = buffer.quantiles.toSeq.flatMap { quantiles =>
      if (summary.numbers == 0) Seq(null, null)
      else Seq(new GenericArrayData(shares.map(share => quantiles.at(share): Any).toArray), quantiles.error)
    }
    InternalRow.fromSeq(values ++ ofSketch)
  }

  override def serialize(buffer: SummaryBuffer): Array[Byte] =
    buffer.summary.toBytes ++ buffer.quantiles.fold(Array.emptyByteArray)(_.toBytes)

  override def deserialize(bytes: Array[Byte]): SummaryBuffer = {
    val in = ByteBuffer.wrap(bytes)
    val summary = ValueSummary.read(in)
    val quantiles = if (shares.isEmpty) None else Some(Quantiles.read(bytes.drop(in.position())))
    new SummaryBuffer(summary, quantiles)
  }

  override def withNewMutableAggBufferOffset(offset: Int): ImperativeAggregate = copy(mutableAggBufferOffset = offset)

  override def withNewInputAggBufferOffset(offset: Int): ImperativeAggregate = copy(inputAggBufferOffset = offset)

  override protected def withNewChildInternal(newChild: Expression): SummaryAggregate = copy(child = newChild)
}
