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

import org.apache.spark.sql.catalyst.expressions.GenericInternalRow
import org.apache.spark.sql.catalyst.util.{ArrayBasedMapData, GenericArrayData}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.hadoopmpsr.core.nested.NestedReader

/** Nested values as Spark has them in rows. */
private[run] object NestedValue {

  /** Reads the next value of a form, which is null or of the type. */
  def of(dataType: DataType, form: NestedReader): Any = if (form.takeNull()) null else present(dataType, form)

  private def present(dataType: DataType, form: NestedReader): Any = dataType match {
    case struct: StructType =>
      val fields = new Array[Any](struct.size)
      (0 until form.readStruct()).foreach { _ =>
        val position = form.readField()
        fields(position) = of(struct(position).dataType, form)
      }
      new GenericInternalRow(fields)
    case ArrayType(element, _) => new GenericArrayData(Array.fill[Any](form.readList())(of(element, form)))
    case MapType(key, value, _) =>
      val entries = Array.fill(form.readMap())((of(key, form), of(value, form)))
      new ArrayBasedMapData(new GenericArrayData(entries.map(_._1)), new GenericArrayData(entries.map(_._2)))
    case BooleanType => form.readBoolean()
    case FloatType => form.readDouble().toFloat
    case DoubleType => form.readDouble()
    case ByteType => form.readLong().toByte
    case ShortType => form.readLong().toShort
    case IntegerType | DateType => form.readLong().toInt
    case StringType =>
      form.readBytes()
      UTF8String.fromBytes(Arrays.copyOfRange(form.bytes, form.start, form.start + form.length))
    case BinaryType =>
      form.readBytes()
      Arrays.copyOfRange(form.bytes, form.start, form.start + form.length)
    case t: DecimalType => Decimal(BigDecimal(BigInt(form.readDecimal()), t.scale), t.precision, t.scale)
    case _ => form.readLong()
  }
}
