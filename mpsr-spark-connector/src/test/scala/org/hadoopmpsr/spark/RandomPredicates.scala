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

import java.time.ZoneOffset

import scala.util.Random

import org.hadoopmpsr.core.schema.{Column, ColumnType, DecimalType}
import org.hadoopmpsr.core.schema.ColumnType._
import org.hadoopmpsr.spark.versions.Scala213._

/** Conditions over a table's columns, in all forms that SQL has for them; but for those of [[fallible]] none fails, also in ANSI mode. */
final class RandomPredicates(table: QueryTable, random: Random) {

  /** Of a table with arrays, structs or maps. */
  val nested: Option[RandomNested] = Option.when(table.nested.nonEmpty)(new RandomNested(table.nested, random))

  /** A condition on the rows of `alias` of so many levels. */
  def predicate(alias: String, depth: Int): String = random.nextInt(if (depth == 0) 3 else 8) match {
    case 0 => narrow(alias)
    case 1 | 2 | 3 => leaf(alias)
    case 4 | 5 => s"(${predicate(alias, depth - 1)} AND ${predicate(alias, depth - 1)})"
    case 6 => s"(${predicate(alias, depth - 1)} OR ${predicate(alias, depth - 1)})"
    case 7 => s"NOT (${predicate(alias, depth - 1)})"
  }

  /** A condition that one group or another can prune well. */
  def narrow(alias: String): String = {
    val column = pick(table.divided :+ table.columns.find(_.name == table.partition).get)
    narrow(alias, column)
  }

  /** A condition that leaves few files of a group, and many of the default group. */
  def useful(alias: String): String = narrow(alias, pick(table.onlyDivided))

  /** A condition on the first partition column of the default group, in forms of which planning understands some. */
  def ofPartition(alias: String): String = {
    val column = table.columns.find(_.name == table.partition).get
    val c = s"$alias.${column.name}"
    def value = table.present(column, random)
    random.nextInt(6) match {
      case 0 => s"coalesce($c, $value) = $value"
      case 1 => s"cast($c AS string) = cast($value AS string)"
      case 2 => s"$c = (SELECT max(v) FROM ${table.dimension})"
      case 3 => s"$c IN (SELECT v FROM ${table.dimension} WHERE pick < 4)"
      case 4 => s"$c >= $value"
      case _ => narrow(alias, column)
    }
  }

  /** A condition that fails for some records, or with some settings. */
  def fallible(alias: String): String = {
    def some(types: ColumnType*) = s"$alias.${pick(table.columnsOf(types: _*)).name}"
    random.nextInt(9) match {
      case 0 | 1 => s"cast(${some(STRING)} AS int) ${comparison()} ${random.nextInt(3)}"
      case 2 => s"10 / ${some(INT)} ${comparison()} 1"
      case 3 => s"${some(INT)} + ${Int.MaxValue - 3} > 0"
      case 4 => s"cast(${some(STRING)} AS date) ${comparison()} date'2014-05-01'"
      case 5 => s"element_at(array(1, 2, 3), 1 + abs(${some(INT)})) = 1"
      case 6 => s"assert_true(${some(INT)} < ${random.nextInt(30)}) IS NULL"
      case 7 => s"raise_error('made up') IS NULL"
      case 8 => s"CASE WHEN ${some(INT)} > 2 THEN raise_error('made up') ELSE true END"
    }
  }

  private def narrow(t: String, column: Column): String = {
    val c = s"$t.${column.name}"
    def value = table.present(column, random)
    random.nextInt(6) match {
      case 0 => s"$c IN ($value, $value)"
      case 1 if column.`type` != BOOLEAN => val v = value; s"$c BETWEEN $v AND $v"
      case 2 => s"$value <=> $c"
      case _ => s"$c = $value"
    }
  }

  private def leaf(t: String): String = {
    val column = pick(if (table.paths.nonEmpty && random.nextInt(3) == 0) table.paths else table.columns)
    val c = s"$t.${column.name}"
    random.nextInt(3) match {
      case 0 => ofAnyType(t, c, column)
      case _ => ofType(t, c, column)
    }
  }

  /** A literal in the type of its column: Spark widens no decimals within a struct. */
  private def typed(column: Column, literal: String): String = column.`type` match {
    case decimal: DecimalType => s"cast($literal AS decimal(${decimal.precision}, ${decimal.scale}))"
    case _ => literal
  }

  private def ofAnyType(t: String, c: String, column: Column): String = {
    def value = table.literal(column, random)
    def present = table.present(column, random)
    random.nextInt(18) match {
      case 0 | 1 => s"$c ${comparison()} $value"
      case 2 => s"$value ${comparison()} $c"
      case 3 => s"$c <=> $value"
      case 4 => s"$c ${not()}IN ($value, $present, $value)"
      case 5 => s"$c ${not()}IN (${Seq.fill(12)(present).mkString(", ")})"
      case 6 => s"$c ${not()}BETWEEN $value AND $value"
      case 7 => s"$c IS ${not()}NULL"
      case 8 =>
        val other = pick(column +: table.columnsOf(column.`type`)).name
        s"$c ${pick(Seq("=", "<", "<=>", ">="))} $t.$other"
      case 9 => s"coalesce($c, $present) ${comparison()} $value"
      case 10 => s"CASE WHEN $c = $value THEN $c > $value WHEN $c IS NULL THEN true ELSE ${predicate(t, 0)} END"
      case 11 => s"nullif($c, $present) ${comparison()} $present"
      case 12 => s"if($c < $present, 'l', 'g') = ${pick(Seq("'l'", "'g'"))}"
      case 13 =>
        val other = pick(table.columns)
        def pair = s"(${typed(column, present)}, ${typed(other, table.present(other, random))})"
        s"($c, $t.${other.name}) IN ($pair, $pair)"
      case 14 => s"struct($c AS a, 1 AS b) = struct($present AS a, 1 AS b)"
      case 15 => s"array_contains(array($c, $present), $present)"
      case 16 => s"map('k', $c)['k'] ${comparison()} $present"
      case 17 => s"($c = $value) IS ${not()}${pick(Seq("TRUE", "FALSE", "UNKNOWN"))}"
    }
  }

  private def ofType(t: String, c: String, column: Column): String = column.`type` match {
    case STRING => ofString(c, column)
    case INT | LONG | TIME_NS => ofInteger(c, column)
    case TINYINT | SMALLINT => ofSmall(c, column)
    case decimal: DecimalType => ofDecimal(c, column, decimal)
    case BINARY => ofBytes(c, column)
    case TIMESTAMP_NTZ => ofLocalTime(c, column)
    case TIMESTAMP_NS => ofNanoseconds(c, column)
    case DOUBLE | FLOAT => ofFraction(c, column)
    case BOOLEAN => pick(Seq(c, s"NOT $c", s"$c = false", s"$c <> true", s"cast($c AS int) = 1", s"$c OR ${predicate(t, 0)}"))
    case DATE => ofDate(c, column)
    case TIMESTAMP => ofTimestamp(c, column)
    case other => throw new IllegalArgumentException(s"no conditions on columns of type ${other.ddl}")
  }

  private def ofString(c: String, column: Column): String = {
    def value = table.present(column, random)
    val prefix = table.prefix(column, random)
    def pattern = prefix.replaceAll("([!%_])", "!$1")
    random.nextInt(13) match {
      case 0 | 1 => s"$c ${not()}LIKE ${SqlLiteral.text(pattern + "%")} ESCAPE '!'"
      case 2 => s"$c LIKE ${SqlLiteral.text("%" + pattern)} ESCAPE '!'"
      case 3 => s"$c LIKE ${SqlLiteral.text(pattern + "_%")} ESCAPE '!'"
      case 4 => s"${pick(Seq("startswith", "contains", "endswith"))}($c, ${SqlLiteral.text(prefix)})"
      case 5 => s"${pick(Seq("upper", "lower", "trim", "reverse"))}($c) = $value"
      case 6 => s"substr($c, 1, ${1 + random.nextInt(4)}) ${comparison()} $value"
      case 7 => s"length($c) ${comparison()} ${random.nextInt(6)}"
      case 8 => s"concat($c, 'a') ${comparison()} $value"
      case 9 => s"cast($c AS binary) ${comparison()} cast($value AS binary)"
      case 10 => s"$c COLLATE UTF8_LCASE = $value"
      case 11 => s"$c RLIKE '^[A-Sa-s]'"
      case 12 => s"try_cast($c AS int) ${comparison()} ${random.nextInt(20)}"
    }
  }

  private def ofInteger(c: String, column: Column): String = {
    def value = table.present(column, random)
    random.nextInt(8) match {
      case 0 => s"cast($c AS double) ${comparison()} cast($value AS double)"
      case 1 => s"cast($c AS decimal(22, 2)) ${comparison()} cast($value AS decimal(22, 2))"
      case 2 => s"cast($c AS string) = cast($value AS string)"
      case 3 => s"cast($c AS bigint) ${comparison()} $value"
      case 4 => s"$c % ${2 + random.nextInt(3)} = 1"
      case 5 => s"$c + 1 ${comparison()} $value"
      case 6 => s"$c ${comparison()} ${random.nextInt(10)}.5"
      case 7 => s"abs($c) < $value"
    }
  }

  private def ofNanoseconds(c: String, column: Column): String = {
    val micros = s"timestamp_micros($c div 1000)"
    def day = table.present(column, random)
    random.nextInt(5) match {
      case 0 => s"to_date($micros) = to_date(timestamp_micros($day div 1000))"
      case 1 => s"date_trunc('HOUR', $micros) ${comparison()} timestamp_micros($day div 1000)"
      case 2 => s"hour($micros) ${comparison()} ${random.nextInt(24)}"
      case _ => s"$c ${comparison()} ${midnight()}"
    }
  }

  private def midnight(): Long =
    java.time.LocalDate.parse("2014-04-29").plusDays(random.nextInt(7)).atStartOfDay.toEpochSecond(ZoneOffset.UTC) *
      1000000000L + pick(Seq(-1L, 0L, 1L, 43200000000000L))

  private def ofSmall(c: String, column: Column): String = {
    def value = table.present(column, random)
    random.nextInt(6) match {
      case 0 => s"$c ${comparison()} ${random.nextInt(70000) - 35000}"
      case 1 => s"cast($c AS bigint) ${comparison()} cast($value AS int)"
      case 2 => s"$c ${comparison()} ${random.nextInt(300) - 150}.5D"
      case 3 => s"$c ${comparison()} '${random.nextInt(300) - 150}'"
      case 4 => s"$c IN (1, 2L, $value, -129, 40000)"
      case 5 => s"cast($c AS string) = cast($value AS string)"
    }
  }

  /** Literals have more and fewer digits than the column, and values that it cannot hold. */
  private def ofDecimal(c: String, column: Column, decimal: DecimalType): String = {
    def value = table.present(column, random)
    random.nextInt(9) match {
      case 0 => s"$c ${comparison()} ${random.nextInt(9) - 4}"
      case 1 => s"$c ${comparison()} ${random.nextInt(9) - 4}.5"
      case 2 => s"$c ${comparison()} ${random.nextInt(9) - 4}.1234567890123"
      case 3 => s"$c ${comparison()} ${pick(Seq("-", ""))}${"9" * 30}"
      case 4 => s"cast($c AS double) ${comparison()} cast($value AS double)"
      case 5 => s"$c ${comparison()} '${random.nextInt(9) - 4}.50'"
      case 6 => s"$c IN (0, -0.0, 1.50, $value)"
      case 7 => s"try_cast($c AS decimal(${math.max(2, decimal.precision - 1)}, 1)) ${comparison()} 0.5"
      case 8 => s"abs($c) ${comparison()} abs($value)"
    }
  }

  private def ofBytes(c: String, column: Column): String = {
    def value = table.present(column, random)
    random.nextInt(5) match {
      case 0 => s"length($c) ${comparison()} ${random.nextInt(6)}"
      case 1 => s"hex($c) ${comparison()} hex($value)"
      case 2 => s"$c ${comparison()} X'${pick(Seq("", "00", "7F", "80", "FF", "FFFF"))}'"
      case 3 => s"substring($c, 1, 1) = substring($value, 1, 1)"
      case 4 => s"startswith($c, substring($value, 1, 1))"
    }
  }

  private def ofLocalTime(c: String, column: Column): String = {
    def value = table.present(column, random)
    random.nextInt(9) match {
      case 0 => s"to_date($c) ${comparison()} to_date($value)"
      case 1 => s"date_trunc('${pick(Seq("HOUR", "DAY", "MONTH"))}', $c) ${comparison()} $value"
      case 2 => s"year($c) ${comparison()} year($value)"
      case 3 => s"hour($c) ${comparison()} ${random.nextInt(24)}"
      case 4 => s"$c ${comparison()} timestamp'2024-03-10 02:30:00'"
      case 5 => s"$c ${comparison()} timestamp_ntz'2024-03-10 0${random.nextInt(5)}:30:00'"
      case 6 => s"$c + INTERVAL '1' HOUR ${comparison()} $value"
      case 7 => s"cast($c AS string) ${comparison()} cast($value AS string)"
      case 8 => s"$c ${comparison()} date'2024-03-${10 + random.nextInt(3)}'"
    }
  }

  private def ofFraction(c: String, column: Column): String = {
    def value = table.present(column, random)
    random.nextInt(7) match {
      case 0 => s"isnan($c)"
      case 1 => s"try_cast($c AS decimal(10, 2)) ${comparison()} ${random.nextInt(5)}.25"
      case 2 => s"cast($c AS double) ${comparison()} ${table.present(pick(table.columnsOf(DOUBLE, FLOAT)), random)}"
      case 3 => s"$c * 2 ${comparison()} $value"
      case 4 => s"$c ${comparison()} ${random.nextInt(6) - 3}"
      case 5 => s"$c ${comparison()} ${pick(Seq("-0.0D", "0.0D", "double('NaN')", "float('NaN')", "double('Infinity')"))}"
      case 6 => s"abs($c) ${comparison()} 0.25"
    }
  }

  private def ofDate(c: String, column: Column): String = {
    def value = table.present(column, random)
    random.nextInt(12) match {
      case 0 => s"year($c) ${comparison()} year($value)"
      case 1 => s"year($c) = year($value) AND month($c) = month($value)"
      case 2 => s"date_sub($c, ${random.nextInt(4)}) ${comparison()} $value"
      case 3 => s"date_add($value, 2) ${comparison()} $c"
      case 4 => s"cast($c AS timestamp) ${comparison()} cast($value AS timestamp)"
      case 5 => s"trunc($c, 'MM') ${comparison()} $value"
      case 6 => s"datediff($c, $value) ${comparison()} ${random.nextInt(5) - 2}"
      case 7 => s"$c ${comparison()} cast($value AS string)"
      case 8 => s"date_format($c, 'yyyy-MM') = date_format($value, 'yyyy-MM')"
      case 9 => s"dayofweek($c) = ${1 + random.nextInt(7)}"
      case 10 => s"$c ${comparison()} $value + INTERVAL '1' DAY"
      case 11 => s"$c ${comparison()} ${instant()}"
    }
  }

  private def ofTimestamp(c: String, column: Column): String = {
    def value = table.present(column, random)
    random.nextInt(15) match {
      case 0 => s"to_date($c) ${comparison()} to_date($value)"
      case 1 => s"cast($c AS date) = cast($value AS date)"
      case 2 => s"date_trunc('${pick(Seq("HOUR", "DAY", "MONTH", "YEAR"))}', $c) ${comparison()} $value"
      case 3 => s"year($c) ${comparison()} year($value)"
      case 4 => s"hour($c) ${comparison()} ${random.nextInt(24)}"
      case 5 => s"unix_timestamp($c) ${comparison()} unix_timestamp($value)"
      case 6 => s"date_sub($c, 1) ${comparison()} to_date($value)"
      case 7 => s"cast($c AS timestamp_ntz) ${comparison()} cast($value AS timestamp_ntz)"
      case 8 => s"$c + INTERVAL '1' HOUR ${comparison()} $value"
      case 9 => s"cast($c AS string) LIKE concat(substr(cast($value AS string), 1, 10), '%')"
      case 10 => s"date_format($c, 'yyyy-MM-dd HH') = date_format($value, 'yyyy-MM-dd HH')"
      case 11 => s"from_utc_timestamp($c, 'Asia/Tokyo') ${comparison()} $value"
      case 12 => s"cast($c AS bigint) ${comparison()} cast($value AS bigint)"
      case 13 => s"$c ${comparison()} to_date($value)"
      case 14 => s"$c BETWEEN $value AND $value + INTERVAL '30' MINUTE"
    }
  }

  private def instant(): String = s"timestamp'2014-05-01 ${10 + random.nextInt(14)}:00:00'"

  private def comparison(): String = pick(Seq("=", "<", "<=", ">", ">=", "<>"))

  private def not(): String = if (random.nextInt(3) == 0) "NOT " else ""

  private def pick[T](choices: Seq[T]): T = choices(random.nextInt(choices.size))
}
