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
package org.hadoopmpsr.spark.jobs.repair

import java.nio.charset.StandardCharsets
import java.util.Arrays

import scala.collection.mutable

import com.fasterxml.jackson.databind.JsonNode
import com.fasterxml.jackson.databind.node.JsonNodeFactory
import org.hadoopmpsr.columnar.buffer.ByteDictionary
import org.hadoopmpsr.core.nested.NestedReader
import org.hadoopmpsr.core.schema.{ColumnType, DecimalType, ListType, MapType, StructType}

/** Nested values as JSON. A map is a list of objects with `key` and `value`, because a key may come twice. */
private[repair] object NestedText {
  private val nodes = JsonNodeFactory.instance

  /** A value of a dictionary of forms. */
  def of(columnType: ColumnType, forms: ByteDictionary, id: Int): JsonNode = {
    val form = new NestedReader
    form.start(forms.bytes, forms.start(id))
    value(columnType, form)
  }

  private def value(columnType: ColumnType, form: NestedReader): JsonNode = columnType match {
    case list: ListType =>
      val array = nodes.arrayNode()
      (0 until form.readList()).foreach(_ => array.add(nullable(list.element, form)))
      array
    case struct: StructType =>
      val present = mutable.HashMap.empty[Int, JsonNode]
      (0 until form.readStruct()).foreach { _ =>
        val position = form.readField()
        present += position -> value(struct.fields.get(position).`type`, form)
      }
      val json = nodes.objectNode()
      (0 until struct.fields.size).foreach { position =>
        json.set[JsonNode](struct.fields.get(position).name, present.getOrElse(position, nodes.nullNode))
      }
      json
    case map: MapType =>
      val array = nodes.arrayNode()
      (0 until form.readMap()).foreach { _ =>
        val entry = nodes.objectNode()
        entry.set[JsonNode]("key", value(map.key, form))
        entry.set[JsonNode]("value", nullable(map.value, form))
        array.add(entry)
      }
      array
    case ColumnType.BOOLEAN => nodes.booleanNode(form.readBoolean())
    case ColumnType.FLOAT | ColumnType.DOUBLE => nodes.numberNode(form.readDouble())
    case ColumnType.STRING =>
      form.readBytes()
      nodes.textNode(new String(form.bytes, form.start, form.length, StandardCharsets.UTF_8))
    case ColumnType.BINARY =>
      form.readBytes()
      nodes.binaryNode(Arrays.copyOfRange(form.bytes, form.start, form.start + form.length))
    case decimal: DecimalType => nodes.numberNode(RecordText.decimal(form.readDecimal(), decimal))
    case _ => RecordText.whole(form.readLong(), columnType)
  }

  private def nullable(columnType: ColumnType, form: NestedReader): JsonNode =
    if (form.takeNull()) nodes.nullNode else value(columnType, form)
}
