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

import java.time.{LocalDate, ZoneOffset}

import scala.util.Random

/** SQL over two views `m` and `n` of the dataset whose result does not depend on the order of records. */
final class RandomQueries(random: Random) {

  def next(): String = random.nextInt(11) match {
    case 0 | 1 | 2 => s"SELECT * FROM m WHERE ${predicate("m", 3)}"
    case 3 =>
      s"SELECT count(*), sum(timestamp_ns % 1000), min(label), max(seen), count(value) FROM m WHERE ${predicate("m", 3)}"
    case 4 => s"SELECT system, day, count(*), max(quality) FROM m WHERE ${predicate("m", 2)} GROUP BY system, day"
    case 5 =>
      "SELECT m.signal, n.signal, m.day, count(*) FROM m JOIN n ON m.device = n.device AND m.quality = n.quality " +
        s"WHERE ${predicate("m", 2)} AND ${narrow("n")} GROUP BY m.signal, n.signal, m.day"
    case 6 =>
      s"SELECT signal, label, value FROM m WHERE ${predicate("m", 1)} AND day IN (SELECT day FROM n WHERE ${narrow("n")})"
    case 7 =>
      s"SELECT signal, value FROM m WHERE ${narrow("m")} UNION ALL SELECT signal, value FROM m WHERE ${predicate("m", 2)}"
    case 8 =>
      s"SELECT * FROM m WHERE ${predicate("m", 2)} AND timestamp_ns > " +
        s"(SELECT avg(timestamp_ns) FROM n WHERE ${narrow("n")})"
    case 9 => s"SELECT * FROM m WHERE ${predicate("m", 2)} ORDER BY timestamp_ns LIMIT ${random.nextInt(20)}"
    case 10 =>
      "SELECT signal, timestamp_ns, row_number() OVER (PARTITION BY signal ORDER BY timestamp_ns) r " +
        s"FROM m WHERE ${predicate("m", 2)}"
  }

  /** A predicate that one group or another can prune well. */
  private def narrow(table: String): String = random.nextInt(4) match {
    case 0 => s"$table.signal = ${signal()}"
    case 1 => s"$table.device = ${device()}"
    case 2 => s"$table.day = ${day()}"
    case 3 => s"$table.timestamp_ns BETWEEN ${nanos()} AND ${nanos()}"
  }

  private def predicate(table: String, depth: Int): String = random.nextInt(if (depth == 0) 4 else 8) match {
    case 0 | 1 => narrow(table)
    case 2 | 3 => leaf(table)
    case 4 | 5 => s"(${predicate(table, depth - 1)} AND ${predicate(table, depth - 1)})"
    case 6 => s"(${predicate(table, depth - 1)} OR ${predicate(table, depth - 1)})"
    case 7 => s"NOT (${predicate(table, depth - 1)})"
  }

  private def leaf(t: String): String = random.nextInt(20) match {
    case 0 => s"$t.signal IN (${signal()}, ${signal()}, ${signal()})"
    case 1 => s"$t.signal IN (${signal()}, NULL)"
    case 2 => s"$t.signal LIKE 'SIG1%'"
    case 3 => s"$t.signal LIKE 'S_G1'"
    case 4 => s"$t.system = ${pick("'CRYO'", "'VAC'", "'POWER'", "'cryo'")}"
    case 5 => s"$t.value ${comparison()} ${double()}"
    case 6 => s"$t.value <=> ${pick("NULL", double())}"
    case 7 => s"$t.reading ${comparison()} ${double()}"
    case 8 => s"$t.quality ${comparison()} ${random.nextInt(12) - 6}"
    case 9 => s"$t.quality <=> ${pick("NULL", "3", "100")}"
    case 10 => s"$t.quality IN (1, 2, NULL)"
    case 11 => s"$t.label ${comparison()} ${pick("''", "'ä'", "'żółw'", "'水'", "'🐘'", "'zzz'", "'%'")}"
    case 12 => s"$t.label IS ${pick("", "NOT ")}NULL"
    case 13 => pick(s"$t.ok", s"$t.ok = false", s"$t.ok IS NULL", s"$t.ok <=> true")
    case 14 => s"$t.seen ${comparison()} timestamp'1970-01-01 ${10 + random.nextInt(14)}:00:00.5'"
    case 15 => s"cast($t.seen AS date) = date'1970-01-0${1 + random.nextInt(3)}'"
    case 16 => s"$t.installed ${comparison()} date'1970-01-0${1 + random.nextInt(9)}'"
    case 17 => s"year($t.day) = 2014 AND month($t.day) = ${4 + random.nextInt(2)}"
    case 18 => s"$t.timestamp_ns ${comparison()} ${nanos()}"
    case 19 => s"cast($t.quality AS string) = '${random.nextInt(5)}'"
  }

  private def comparison(): String = pick("=", "<", "<=", ">", ">=", "<>")
  private def signal(): String = s"'SIG${random.nextInt(22)}'"
  private def device(): String = pick((TestRecords.devices :+ "NONE").map(d => s"'$d'"): _*)
  private def date(): LocalDate = LocalDate.parse("2014-04-28").plusDays(random.nextInt(8))
  private def day(): String = s"date'${date()}'"

  private def nanos(): String = {
    val midnight = date().atStartOfDay().toEpochSecond(ZoneOffset.UTC) * 1_000_000_000L
    (midnight + pick("-1", "0", "1", "43200000000000").toLong).toString
  }

  private def double(): String =
    pick("0.0D", "-0.0D", "1.25D", "-3.5D", "double('NaN')", "double('Infinity')", "double('-Infinity')", "2", "0.25")

  private def pick(choices: String*): String = choices(random.nextInt(choices.size))
}
