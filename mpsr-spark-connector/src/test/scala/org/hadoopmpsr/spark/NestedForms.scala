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
package org.hadoopmpsr.spark

import java.nio.charset.StandardCharsets

import org.apache.spark.sql.Row
import org.hadoopmpsr.core.nested.NestedWriter

/** The forms of nested values as rows of Spark have them. */
object NestedForms {
  def of(value: Any): NestedWriter = {
    val form = new NestedWriter
    put(value, form)
    form
  }

  private def put(value: Any, form: NestedWriter): Unit = value match {
    case null => form.putNull()
    case row: Row =>
      val place = form.beginStruct()
      val present = row.toSeq.zipWithIndex.filter(_._1 != null)
      present.foreach { case (field, position) =>
        form.field(position)
        put(field, form)
      }
      form.end(place, present.size)
    case list: collection.Seq[_] =>
      val place = form.beginList()
      list.foreach(put(_, form))
      form.end(place, list.size)
    case map: collection.Map[_, _] =>
      val place = form.beginMap()
      map.foreach { case (key, v) =>
        put(key, form)
        put(v, form)
      }
      form.end(place, map.size)
    case v: String =>
      val utf8 = v.getBytes(StandardCharsets.UTF_8)
      form.putBytes(utf8, 0, utf8.length)
    case v: Boolean => form.putBoolean(v)
    case v: Double => form.putDouble(v)
    case v: Float => form.putDouble(v)
    case v: Int => form.putLong(v)
    case v: Long => form.putLong(v)
    case v: java.math.BigDecimal => form.putDecimal(v.unscaledValue)
    case v => form.putLong(TestDataset.core(v).asInstanceOf[java.lang.Long])
  }
}
