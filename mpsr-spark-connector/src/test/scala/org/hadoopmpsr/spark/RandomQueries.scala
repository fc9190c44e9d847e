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

import scala.util.Random

import org.hadoopmpsr.core.schema.{Column, DecimalType}
import org.hadoopmpsr.core.schema.ColumnType._

/**
 * A query whose answer does not depend on the order of records.
 *
 * @param ordered whether the rows have a total order
 * @param useful whether each of its reads has a filter that another than the default group was made for
 * @param mayFail whether it has a condition that fails for some records
 */
final case class RandomQuery(sql: String, ordered: Boolean, useful: Boolean, mayFail: Boolean = false)

/** SQL over a dataset, through its views. */
final class RandomQueries(table: QueryTable, random: Random) {
  private val predicates = new RandomPredicates(table, random)
  import predicates.{narrow, predicate}

  private val key = table.key
  private val partition = table.partition

  def next(): RandomQuery = random.nextInt(13) match {
    case 0 | 1 | 2 => plain(useful = true)
    case 3 => plain(useful = false)
    case 4 => RandomQuery(join(), ordered = false, useful = false)
    case 5 => RandomQuery(subquery(), ordered = false, useful = false)
    case 6 => RandomQuery(sets(), ordered = false, useful = false)
    case 7 => RandomQuery(pruned(), ordered = false, useful = false)
    case 8 => RandomQuery(common(), ordered = false, useful = false)
    case 9 => counted()
    case 10 => aggregate(useful = random.nextBoolean())
    case 11 | 12 => failing()
  }

  /** A query that reads the dataset once, and data for its answer. */
  def single(): RandomQuery = random.nextInt(4) match {
    case 0 | 1 => plain(useful = true)
    case 2 => plain(useful = false)
    case 3 => aggregate(useful = random.nextBoolean())
  }

  private def where(alias: String, depth: Int, useful: Boolean): String =
    if (useful) s"${predicates.useful(alias)} AND ${predicate(alias, depth)}" else predicate(alias, depth)

  private def plain(useful: Boolean): RandomQuery = {
    val ofColumns = if (useful && random.nextBoolean()) predicates.useful("m") else where("m", 2, useful)
    val condition = predicates.nested.filter(_ => random.nextInt(3) == 0).fold(ofColumns) { nested =>
      val within = pick(Seq(nested.condition("m"), s"NOT (${nested.condition("m")})", s"(${nested.condition("m")} OR ${nested.condition("m")})"))
      s"($ofColumns) AND $within"
    }
    val from = s"FROM ${view()} m WHERE $condition"
    random.nextInt(6) match {
      case 0 => RandomQuery(s"SELECT * $from ORDER BY $key DESC LIMIT ${1 + random.nextInt(20)}", ordered = true, useful)
      case 1 => RandomQuery(s"SELECT ${columns("m")}, $key $from ORDER BY ${someColumn()}, $key", ordered = true, useful)
      case 2 => RandomQuery(s"SELECT DISTINCT ${columns("m")} $from", ordered = false, useful)
      case 3 =>
        val window = s"OVER (PARTITION BY ${someColumn()} ORDER BY $key)"
        RandomQuery(s"SELECT $key, row_number() $window, lag(${someColumn()}) $window $from", ordered = false, useful)
      case 4 if predicates.nested.isDefined =>
        val values = Seq.fill(1 + random.nextInt(3))(predicates.nested.get.value("m")).zipWithIndex.map { case (v, i) => s"$v AS v$i" }
        RandomQuery(s"SELECT $key, ${values.mkString(", ")} $from", ordered = false, useful)
      case _ => RandomQuery(s"SELECT * $from", ordered = false, useful)
    }
  }

  /** One condition that fails for some records, before or after others; more would leave it to the order which of them fails. */
  private def failing(): RandomQuery = {
    val fallible = predicates.fallible("m")
    val others = Seq(predicates.ofPartition("m"), pick(Seq(narrow("m"), predicate("m", 0), "true")))
    val where = random.shuffle(fallible +: others.take(1 + random.nextInt(2))).mkString(" AND ")
    val sql = random.nextInt(4) match {
      case 0 => s"SELECT count(*), min(m.$key) FROM ${view()} m WHERE $where"
      case 1 => s"SELECT m.$key FROM ${view()} m JOIN ${table.dimension} d ON m.$partition = d.v WHERE d.pick < 3 AND $where"
      case 2 => s"SELECT m.$key, count(n.$key) FROM ${view()} m JOIN ${view()} n ON m.$key = n.$key WHERE $where GROUP BY m.$key"
      case 3 => s"SELECT m.$key, m.$partition FROM ${view()} m WHERE $where"
    }
    RandomQuery(sql, ordered = false, useful = false, mayFail = true)
  }

  /** What partitions and statistics may answer without data. */
  private def counted(): RandomQuery = {
    val filter = pick(Seq("true", s"m.$partition IS NOT NULL", narrow("m"), s"m.$partition >= ${
      table.present(table.columns.find(_.name == partition).get, random)}"))
    val select = pick(Seq("count(*)", s"count($partition), min($partition)", s"max($partition), count(DISTINCT $partition)"))
    val grouping = pick(Seq("", partition, pick(table.divided).name))
    val ofNested = if (random.nextInt(4) == 0) table.nested.map(c => s", count(m.${c.name})").mkString else ""
    val extremes = Seq.fill(random.nextInt(3))(extreme(pick(table.columns))).map(", " + _).mkString + ofNested
    RandomQuery(
      s"SELECT $select$extremes${if (grouping.isEmpty) "" else s", $grouping"} FROM ${view()} m WHERE $filter" +
        (if (grouping.isEmpty) "" else s" GROUP BY $grouping"),
      ordered = false,
      useful = false)
  }

  /** What statistics of files may answer; the sign of a zero, which depends on the order of records, is taken off. */
  private def extreme(column: Column): String = {
    val c = s"m.${column.name}"
    val bound = s"${pick(Seq("min", "max"))}($c)"
    pick(Seq(s"count($c)", if (column.`type` == DOUBLE || column.`type` == FLOAT) s"$bound + 0.0D" else bound))
  }

  private def aggregate(useful: Boolean): RandomQuery = {
    val group = someColumn()
    val having = if (random.nextInt(3) == 0) " HAVING count(*) > 1" else ""
    val grouping = random.nextInt(4) match {
      case 0 => s"GROUP BY ROLLUP ($group, $partition)$having"
      case 1 => s"GROUP BY $group, $partition$having"
      case 2 => s"GROUP BY CUBE ($group)$having"
      case 3 => ""
    }
    val keys = if (grouping.isEmpty) "" else s"$group, "
    RandomQuery(
      s"SELECT $keys${aggregates("m").mkString(", ")} FROM ${view()} m WHERE ${where("m", 2, useful)} $grouping",
      ordered = false,
      useful)
  }

  private def aggregates(t: String): Seq[String] = Seq(s"count(*)") ++ Seq.fill(3) {
    val column = pick(table.columns)
    val c = s"$t.${column.name}"
    column.`type` match {
      // which of 0.0 and -0.0 is the least depends on the order
      case DOUBLE | FLOAT => pick(Seq(s"min($c + 0.0D)", s"max($c + 0.0D)", s"count($c)", s"count(DISTINCT $c)"))
      case INT | LONG | TIMESTAMP_NS | TIME_NS => pick(Seq(s"sum($c % 1000)", s"min($c)", s"max($c)", s"count_if($c > 0)"))
      case TINYINT | SMALLINT => pick(Seq(s"sum($c)", s"min($c)", s"max($c)", s"count_if($c > 0)"))
      case decimal: DecimalType =>
        val sum = if (decimal.precision <= 18) s"sum($c)" else s"count($c)"
        pick(Seq(sum, s"min($c)", s"max($c)", s"count(DISTINCT $c)"))
      case BOOLEAN => pick(Seq(s"bool_and($c)", s"count($c)"))
      case _ => pick(Seq(s"min($c)", s"max($c)", s"count(DISTINCT $c)", s"sort_array(collect_set($c))"))
    }
  }

  private def join(): String = {
    val on = pick(table.columns.filterNot(c => c.`type` == DOUBLE || c.`type` == FLOAT)).name
    val kind = pick(Seq("JOIN", "LEFT JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN"))
    val both = !kind.contains("SEMI") && !kind.contains("ANTI")
    val more = if (random.nextInt(3) == 0) s" AND ${predicate("n", 0)}" else ""
    val where = if (both) s"${narrow("m")} AND ${pick(Seq("true", narrow("n"), predicate("n", 1)))}" else narrow("m")
    val left = if (random.nextInt(4) == 0) s"(SELECT * FROM ${view()} m WHERE ${narrow("m")})" else view()
    s"SELECT m.$on, ${if (both) s"count(n.$key)" else "count(*)"}, min(m.$key) " +
      s"FROM $left m $kind ${view()} n ON m.$on = n.$on$more WHERE $where GROUP BY m.$on"
  }

  private def subquery(): String = {
    val c = someColumn()
    def inner(columns: String) = s"SELECT $columns FROM ${view()} n WHERE ${narrow("n")}"
    val condition = random.nextInt(6) match {
      case 0 => s"m.$c IN (${inner(s"n.$c")})"
      case 1 => s"m.$c NOT IN (${inner(s"n.$c")} AND n.$c IS NOT NULL)"
      case 2 => s"EXISTS (${inner("1")} AND n.$c = m.$c AND n.$key <> m.$key)"
      case 3 => s"NOT EXISTS (${inner("1")} AND n.$c = m.$c AND ${predicate("n", 0)})"
      case 4 => s"m.$key > (${inner(s"min(n.$key)")})"
      case 5 => s"m.$key >= (${inner(s"max(n.$key)")} AND n.$c = m.$c)"
    }
    s"SELECT m.$key, m.$c FROM ${view()} m WHERE ${predicate("m", 1)} AND $condition"
  }

  private def sets(): String = {
    val list = columns("m")
    def part() = s"SELECT $list FROM ${view()} m WHERE ${predicate("m", 1)}"
    val operation = pick(Seq("UNION ALL", "UNION", "INTERSECT", "EXCEPT", "EXCEPT ALL", "INTERSECT ALL"))
    s"(${part()}) $operation (${part()})"
  }

  /** Partitions of the default group follow from a small table. */
  private def pruned(): String = {
    val small = s"d.pick < ${1 + random.nextInt(4)}"
    val filter = pick(Seq("true", narrow("m"), predicate("m", 1)))
    random.nextInt(3) match {
      case 0 =>
        s"SELECT m.$partition, count(*), min(m.$key) FROM ${view()} m JOIN ${table.dimension} d ON m.$partition = d.v " +
          s"WHERE $small AND $filter GROUP BY m.$partition"
      case 1 =>
        s"SELECT m.$key FROM ${view()} m WHERE $filter AND m.$partition IN (SELECT v FROM ${table.dimension} d WHERE $small)"
      case 2 =>
        s"SELECT m.$key, n.$key FROM ${view()} m JOIN ${view()} n ON m.$partition = n.$partition AND m.$key = n.$key " +
          s"WHERE $filter AND ${narrow("n")}"
    }
  }

  private def common(): String = {
    val c = someColumn()
    random.nextInt(3) match {
      case 0 =>
        s"WITH w AS (SELECT * FROM ${view()} m WHERE ${predicate("m", 1)}) SELECT a.$key, b.$c FROM w a JOIN w b " +
          s"ON a.$key = b.$key WHERE ${narrow("a")}"
      case 1 =>
        s"WITH w AS (SELECT $c, $key, $partition FROM ${view()}) SELECT $c, count(*) FROM w WHERE $key IN " +
          s"(SELECT $key FROM ${view()} m WHERE ${narrow("m")}) GROUP BY $c"
      case 2 =>
        s"SELECT x, count(*) FROM (SELECT $c AS x, named_struct('k', $key, 'p', $partition) AS s FROM ${view()} m " +
          s"WHERE ${predicate("m", 2)}) WHERE s.k IS NOT NULL AND s.p IS NOT NULL GROUP BY x"
    }
  }

  private def view(): String = pick(table.views)

  private def someColumn(): String = pick(table.columns).name

  private def columns(t: String): String =
    random.shuffle(table.columns).take(1 + random.nextInt(4)).map(c => s"$t.${c.name}").mkString(", ")

  private def pick[T](choices: Seq[T]): T = choices(random.nextInt(choices.size))
}
