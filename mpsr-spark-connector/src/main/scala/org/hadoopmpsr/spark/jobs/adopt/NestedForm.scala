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
package org.hadoopmpsr.spark.jobs.adopt

import scala.jdk.CollectionConverters._

import org.apache.parquet.schema.{GroupType, Type}
import org.hadoopmpsr.columnar.nested.ListLevels
import org.hadoopmpsr.core.schema.{ColumnType, ListType, MapType, StructType}

/** Which nested columns of files have no fields that the dataset lacks: Spark would show them, and other groups do not have them. */
private[adopt] object NestedForm {

  /**
   * What is wrong with the fields of structs in a column of a file. Nothing is said of types that do not fit: the reader of the file
   * compares them.
   *
   * @param path names the value in messages
   */
  def problem(columnType: ColumnType, ofFile: Type, path: String): Option[String] = columnType match {
    case struct: StructType if !ofFile.isPrimitive => ofStruct(struct, ofFile.asGroupType, path)
    case list: ListType => within(ofFile, 1).flatMap { fields =>
        val isElement = ListLevels.isElement(fields.head, ofFile.getName)
        val element = if (isElement) Some(fields.head) else within(fields.head, 1).map(_.head)
        element.flatMap(problem(list.element, _, path))
      }
    case map: MapType => within(ofFile, 1).flatMap(fields => within(fields.head, 2)).flatMap(entry => problem(map.value, entry(1), path))
    case _ => None
  }

  /** Whether an array, a struct or a map has dates or timestamps within, which calendars count differently. */
  def holdsTimes(columnType: ColumnType): Boolean = {
    def isTime(within: ColumnType) = within == ColumnType.DATE || within == ColumnType.TIMESTAMP || holdsTimes(within)
    columnType match {
      case list: ListType => isTime(list.element)
      case map: MapType => isTime(map.key) || isTime(map.value)
      case struct: StructType => struct.fields.asScala.exists(f => isTime(f.`type`))
      case _ => false
    }
  }

  /** The fields of a group, if there are so many. */
  private def within(ofFile: Type, count: Int): Option[Seq[Type]] =
    if (ofFile.isPrimitive || ofFile.asGroupType.getFieldCount != count) None
    else Some(ofFile.asGroupType.getFields.asScala.toSeq)

  private def ofStruct(struct: StructType, group: GroupType, path: String): Option[String] = {
    val names = struct.fields.asScala.map(f => f.name -> f.`type`).toMap
    val fields = group.getFields.asScala.toSeq
    fields.collectFirst {
      case field if !names.contains(field.getName) =>
        val alike = names.keys.find(_.equalsIgnoreCase(field.getName)).fold("")(other => s", but '$path.$other'")
        s"it has the field '$path.${field.getName}', and the dataset has no such field$alike; write it without the field"
    }.orElse(fields.flatMap(field => problem(names(field.getName), field, s"$path.${field.getName}")).headOption)
  }
}
