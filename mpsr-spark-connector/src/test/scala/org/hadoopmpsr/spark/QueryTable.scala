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

import java.math.{BigDecimal => JBigDecimal, BigInteger}
import java.time.{Instant, LocalDate, LocalDateTime}

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.spark.sql.Row
import org.hadoopmpsr.core.schema.{Column, ColumnName, ColumnPath, ColumnType, NestedType}

/**
 * A dataset as queries see it. Names of columns are as SQL has them, in backticks where they are not plain.
 *
 * @param views names in SQL under which all its columns can be read
 * @param dimension a small table with a column `v` for [[partition]] and a column `pick` of 0 to 9
 */
final class QueryTable(val dataset: QueriedDataset, rows: Seq[Row], val views: Seq[String], val dimension: String) {
  import dataset.table

  /** Those without values within: maps are neither compared nor grouped by. */
  val columns: Seq[Column] = dataset.logical.filterNot(_.`type`.isInstanceOf[NestedType]).map(inSql)

  /** Arrays, structs and maps. */
  val nested: Seq[Column] = dataset.logical.filter(_.`type`.isInstanceOf[NestedType]).map(inSql)
  val key: String = ColumnName.text(table.key)
  val name: String = table.name

  /** The first partition column of the default group. */
  val partition: String = ColumnName.text(table.groups.defaultGroup.partitionFields(table.schema).get(0).name)

  /** Values within columns that groups are partitioned or sorted by. */
  val paths: Seq[Column] = table.groups.groups.asScala.toSeq.flatMap(_.paths(table.schema).asScala).distinct.map(inSql)

  /** The columns that the other groups are partitioned by first. */
  val divided: Seq[Column] = table.groups.groups.asScala.toSeq
    .filter(_.name != table.groups.defaultName)
    .map(g => inSql(table.schema.find(g.predicates.get(0).column).get))

  /** Whether equality with a value leaves out partitions of another group only. */
  val onlyDivided: Seq[Column] = {
    val own = table.groups.defaultGroup.predicates.asScala.map(p => ColumnName.text(p.column)).toSet
    divided.filterNot(c => own.contains(c.name))
  }

  private def inSql(column: Column): Column = new Column(ColumnName.text(column.name), column.`type`, column.nullable)

  private def someValue(column: Column, random: Random): Any =
    dataset.value(rows(random.nextInt(rows.size)), ColumnPath.parse(column.name))

  def columnsOf(types: ColumnType*): Seq[Column] = columns.filter(c => types.contains(c.`type`))

  /** A value that the column has in some record, or close to one, or none; as a literal in SQL. */
  def literal(column: Column, random: Random): String = {
    val value = someValue(column, random)
    SqlLiteral.of(if (random.nextInt(4) == 0) SqlLiteral.near(value, random) else value)
  }

  /** As [[literal]], never NULL. */
  def present(column: Column, random: Random): String =
    Iterator.continually(literal(column, random)).find(_ != "NULL").get

  /** Some text that a value begins with. */
  def prefix(column: Column, random: Random): String = {
    val text = Option(someValue(column, random)).map(_.toString).getOrElse("")
    text.substring(0, text.offsetByCodePoints(0, random.nextInt(text.codePointCount(0, text.length) + 1)))
  }

  /** Whether the default group has a column for the predicate already, as `month` in `2014-05`. */
  def derived: Boolean = table.groups.defaultGroup.predicates.asScala.exists(!_.isColumn)
}

object SqlLiteral {
  def of(value: Any): String = value match {
    case null => "NULL"
    case s: String => text(s)
    case d: Double => if (d.isNaN || d.isInfinite) s"double('$d')" else s"${d}D"
    case f: Float => s"float('$f')"
    case Long.MinValue => s"(${Long.MinValue + 1}L - 1L)"
    case l: Long => s"${l}L"
    case b: Byte => s"cast($b AS tinyint)"
    case s: Short => s"cast($s AS smallint)"
    case d: JBigDecimal => s"cast('${d.toPlainString}' AS decimal(${math.max(d.precision, d.scale)}, ${d.scale}))"
    case t: LocalDateTime => s"timestamp_ntz'${t.toString.replace('T', ' ')}'"
    case bytes: Array[Byte] => bytes.map(b => f"$b%02X").mkString("X'", "", "'")
    case d: LocalDate => s"date'$d'"
    case i: Instant => s"timestamp'${i.toString.replace('T', ' ')}'"
    case v => v.toString
  }

  def text(s: String): String = "'" + s.replace("\\", "\\\\").replace("'", "\\'") + "'"

  /** A value beside one. */
  def near(value: Any, random: Random): Any = value match {
    case s: String => if (random.nextBoolean()) s + "a" else s.dropRight(1)
    case b: Byte => (b + random.nextInt(3) - 1).toByte
    case s: Short => (s + random.nextInt(3) - 1).toShort
    case d: JBigDecimal =>
      val beside = d.unscaledValue.add(BigInteger.valueOf(random.nextInt(3) - 1L))
      if (beside.abs.toString.length > 38) d else new JBigDecimal(beside, d.scale)
    case bytes: Array[Byte] => if (random.nextBoolean()) bytes :+ 0.toByte else bytes.dropRight(1)
    case t: LocalDateTime => t.plusNanos((random.nextInt(3) - 1) * 1000L)
    case n: Int => n + random.nextInt(3) - 1
    case n: Long => n + random.nextInt(3) - 1
    case d: Double => if (random.nextBoolean()) -d else d / 2
    case d: LocalDate => d.plusDays(random.nextInt(3) - 1L)
    case i: Instant => i.plusNanos((random.nextInt(3) - 1) * 1000L)
    case v => v
  }
}
