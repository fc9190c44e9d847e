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

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.hadoopmpsr.core.schema.{Column, ColumnName, ColumnType, ListType, MapType, StructType}

/**
 * Values within arrays, structs and maps, and conditions on them. None fails, also in ANSI mode.
 *
 * @param columns those of nested types; at least one
 */
final class RandomNested(columns: Seq[Column], random: Random) {

  /** A value within a column of `alias`, of a type that is compared. */
  def value(alias: String): String = part(alias)._1

  /** A condition on such a value, or on the column. */
  def condition(alias: String): String = {
    val (value, columnType) = part(alias)
    def number = random.nextInt(20) - 4
    random.nextInt(6) match {
      case 0 => s"$value IS ${pick(Seq("", "NOT "))}NULL"
      case 1 => s"$alias.${pick(columns).name} IS ${pick(Seq("", "NOT "))}NULL"
      case _ => columnType match {
          case ColumnType.STRING => s"$value ${comparison()} '${pick(Seq("", "a", "A", "żółw", "zz"))}'"
          case ColumnType.FLOAT | ColumnType.DOUBLE => s"$value ${comparison()} ${number / 4.0}D"
          case _ => s"$value ${comparison()} $number"
        }
    }
  }

  private def part(alias: String): (String, ColumnType) = {
    val column = pick(columns)
    within(s"$alias.${column.name}", column.`type`)
  }

  private def within(value: String, columnType: ColumnType): (String, ColumnType) = columnType match {
    case struct: StructType =>
      val field = pick(struct.fields.asScala.toSeq)
      within(s"$value.${ColumnName.text(field.name)}", field.`type`)
    case list: ListType if random.nextInt(3) > 0 => within(s"get($value, ${random.nextInt(3)})", list.element)
    case map: MapType if map.key == ColumnType.STRING && random.nextInt(3) > 0 =>
      within(s"try_element_at($value, 'k${random.nextInt(3)}')", map.value)
    case _: ListType | _: MapType => (s"size($value)", ColumnType.INT)
    case other => (value, other)
  }

  private def comparison(): String = pick(Seq("=", "<", ">", "<=", ">=", "<>", "<=>"))

  private def pick[T](choices: Seq[T]): T = choices(random.nextInt(choices.size))
}
