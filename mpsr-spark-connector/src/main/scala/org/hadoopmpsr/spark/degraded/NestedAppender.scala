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

import java.util.Arrays

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.execution.vectorized.WritableColumnVector
import org.apache.spark.sql.types.{StructType => SparkStruct}
import org.hadoopmpsr.columnar.buffer.ByteDictionary
import org.hadoopmpsr.core.nested.NestedReader
import org.hadoopmpsr.core.schema.{ColumnType, DecimalType, ListType, MapType, StructType}

/**
 * Appends nested values to a vector of Spark, whose type may have fewer fields of structs. For one thread.
 *
 * @param columnType as the dataset has it
 */
private[degraded] final class NestedAppender(columnType: ColumnType, to: WritableColumnVector) {
  import NestedAppender.appendNull

  private val form = new NestedReader
  private val appendNext = appender(columnType, to)

  /** Appends a value of a dictionary of forms. */
  def append(forms: ByteDictionary, id: Int): Unit = {
    form.start(forms.bytes, forms.start(id))
    appendNext()
  }

  private def appender(own: ColumnType, vector: WritableColumnVector): () => Unit = own match {
    case struct: StructType => ofStruct(struct, vector)
    case list: ListType =>
      val element = nullable(list.element, vector.arrayData)
      () => {
        val count = form.readList()
        vector.appendArray(count)
        times(count)(element())
      }
    case map: MapType =>
      val key = appender(map.key, vector.getChild(0))
      val value = nullable(map.value, vector.getChild(1))
      () => {
        val count = form.readMap()
        vector.appendArray(count)
        times(count) {
          key()
          value()
        }
      }
    case ColumnType.BOOLEAN => () => vector.appendBoolean(form.readBoolean())
    case ColumnType.FLOAT => () => vector.appendFloat(form.readDouble().toFloat)
    case ColumnType.DOUBLE => () => vector.appendDouble(form.readDouble())
    case ColumnType.TINYINT => () => vector.appendByte(form.readLong().toByte)
    case ColumnType.SMALLINT => () => vector.appendShort(form.readLong().toShort)
    case ColumnType.STRING | ColumnType.BINARY =>
      () => {
        form.readBytes()
        vector.appendByteArray(form.bytes, form.start, form.length)
      }
    case decimal: DecimalType if decimal.isWideDecimal =>
      () => {
        val digits = form.readDecimal().toByteArray
        vector.appendByteArray(digits, 0, digits.length)
      }
    case narrow if narrow.isInt32 => () => vector.appendInt(form.readLong().toInt)
    case _ => () => vector.appendLong(form.readLong())
  }

  private def nullable(own: ColumnType, vector: WritableColumnVector): () => Unit = {
    val append = appender(own, vector)
    () => if (form.takeNull()) appendNull(vector) else append()
  }

  private def ofStruct(struct: StructType, vector: WritableColumnVector): () => Unit = {
    val names = vector.dataType.asInstanceOf[SparkStruct].fieldNames
    // by position in the dataset's type: the place in Spark's, or -1
    val places = struct.fields.asScala.map(f => names.indexOf(f.name)).toArray
    val appenders = struct.fields.asScala.toSeq.zip(places).map { case (field, place) =>
      if (place < 0) () => form.skip() else appender(field.`type`, vector.getChild(place))
    }.toArray
    val isSet = new Array[Boolean](names.length)
    () => {
      vector.appendStruct(false)
      Arrays.fill(isSet, false)
      times(form.readStruct()) {
        val position = form.readField()
        if (places(position) >= 0) isSet(places(position)) = true
        appenders(position)()
      }
      names.indices.foreach(place => if (!isSet(place)) appendNull(vector.getChild(place)))
    }
  }

  private def times(count: Int)(body: => Unit): Unit = {
    var left = count
    while (left > 0) {
      body
      left -= 1
    }
  }
}

private[degraded] object NestedAppender {

  /** Appends null; the fields of a struct that is null are null too. */
  def appendNull(vector: WritableColumnVector): Unit = vector.dataType match {
    case _: SparkStruct => vector.appendStruct(true)
    case _ => vector.appendNull()
  }
}
