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

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.aggregate.{ImperativeAggregate, TypedImperativeAggregate}
import org.apache.spark.sql.catalyst.trees.BinaryLike
import org.apache.spark.sql.catalyst.util.GenericArrayData
import org.apache.spark.sql.types._
import org.hadoopmpsr.core.reduction.{LineChart, PixelColumns, ValueOrder}

/**
 * The points that a line chart shows, as an array of structs in the order of time. Nulls and NaNs are left out.
 *
 * @param left the times
 * @param right the values, whole or floating-point numbers of 64 bits
 * @param begin the first time, in units
 * @param end the time behind the last one
 * @param width the columns of pixels
 */
private[reduction] final case class ChartAggregate(
    left: Expression,
    right: Expression,
    begin: Long,
    end: Long,
    width: Int,
    mutableAggBufferOffset: Int = 0,
    inputAggBufferOffset: Int = 0)
    extends TypedImperativeAggregate[LineChart]
    with BinaryLike[Expression] {

  @transient private lazy val columns = new PixelColumns(begin, end, width)

  override def prettyName: String = ReductionFunctions.Chart

  override def nullable: Boolean = false

  override lazy val dataType: ArrayType = ArrayType(
    new StructType().add("time", left.dataType, nullable = false).add("value", right.dataType, nullable = false),
    containsNull = false)

  override def createAggregationBuffer(): LineChart = new LineChart(columns)

  override def update(buffer: LineChart, input: InternalRow): LineChart = {
    val time = left.eval(input)
    if (time != null) {
      right.eval(input) match {
        case value: Long => buffer.add(ValueInput.units(time), value)
        case value: Double if !value.isNaN => buffer.add(ValueInput.units(time), ValueOrder.of(value))
        case _ =>
      }
    }
    buffer
  }

  override def merge(buffer: LineChart, other: LineChart): LineChart = {
    buffer.merge(other)
    buffer
  }

  override def eval(buffer: LineChart): GenericArrayData = new GenericArrayData(buffer.points.asScala.map { point =>
    val value: Any = if (right.dataType == LongType) point.value else ValueOrder.toDouble(point.value)
    InternalRow(ValueInput.ofUnits(point.time, left.dataType), value)
  }.toArray[Any])

  override def serialize(buffer: LineChart): Array[Byte] = buffer.toBytes

  override def deserialize(bytes: Array[Byte]): LineChart = LineChart.read(columns, ByteBuffer.wrap(bytes))

  override def withNewMutableAggBufferOffset(offset: Int): ImperativeAggregate = copy(mutableAggBufferOffset = offset)

  override def withNewInputAggBufferOffset(offset: Int): ImperativeAggregate = copy(inputAggBufferOffset = offset)

  override protected def withNewChildrenInternal(newLeft: Expression, newRight: Expression): ChartAggregate =
    copy(left = newLeft, right = newRight)
}
