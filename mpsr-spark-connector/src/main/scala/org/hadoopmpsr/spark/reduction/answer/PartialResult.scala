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
package org.hadoopmpsr.spark.reduction.answer

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.catalyst.expressions.aggregate.{ImperativeAggregate, TypedImperativeAggregate}
import org.apache.spark.sql.types.{BinaryType, DataType}

/**
 * The partial result of an aggregate as bytes.
 *
 * @param of the aggregate, whose arguments are the children of this
 */
private[answer] final case class PartialResult[T](
    of: TypedImperativeAggregate[T],
    mutableAggBufferOffset: Int = 0,
    inputAggBufferOffset: Int = 0)
    extends TypedImperativeAggregate[T] {

  override def children: Seq[Expression] = of.children

  override def prettyName: String = s"partial_${of.prettyName}"

  override def nullable: Boolean = false

  override def dataType: DataType = BinaryType

  override def createAggregationBuffer(): T = of.createAggregationBuffer()

  override def update(buffer: T, input: InternalRow): T = of.update(buffer, input)

  override def merge(buffer: T, other: T): T = of.merge(buffer, other)

  override def eval(buffer: T): Any = of.serialize(buffer)

  override def serialize(buffer: T): Array[Byte] = of.serialize(buffer)

  override def deserialize(bytes: Array[Byte]): T = of.deserialize(bytes)

  override def withNewMutableAggBufferOffset(offset: Int): ImperativeAggregate = copy(mutableAggBufferOffset = offset)

  override def withNewInputAggBufferOffset(offset: Int): ImperativeAggregate = copy(inputAggBufferOffset = offset)

  override protected def withNewChildrenInternal(newChildren: IndexedSeq[Expression]): PartialResult[T] =
    copy(of = of.withNewChildren(newChildren).asInstanceOf[TypedImperativeAggregate[T]])
}
