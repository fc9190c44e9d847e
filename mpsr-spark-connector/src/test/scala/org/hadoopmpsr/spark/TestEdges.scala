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

import java.time.{Instant, LocalDate}

import scala.util.Random

import org.apache.spark.sql.Row
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.schema.Schema

/**
 * Days and times at the edges of calendars and types, and texts of which some are numbers. On the days after 1970 all texts are
 * numbers and no number is 0, so conditions fail for the records of some partitions only.
 */
object TestEdges extends TestTable {
  override val name = "edges"
  override val schema: Schema =
    Schema.parse("id bigint not null, at timestamp not null, d date, name string not null, txt string, n int not null, x double")
  override val groups: ReplicaGroups = groups(
    "day" -> Seq("day(at)"),
    "name" -> Seq("name"),
    "month" -> Seq("month(d)", "bucket(2, id)"),
    "text" -> Seq("truncate(1, txt)"))
  override val key = "id"

  private val days = Seq("0001-01-01", "1000-02-28", "1582-10-04", "1582-10-05", "1582-10-10", "1582-10-14", "1582-10-15",
    "1582-12-31", "1883-11-18", "1899-12-31", "1900-01-01", "1969-12-31", "1970-01-01", "2011-12-30", "2014-03-30",
    "9999-12-30").map(LocalDate.parse(_))
  private val numbers = Seq("1", "2", "-7", "30", "2147483647")
  private val texts = Seq("x", "", " 7 ", "1e400", "0x1F", "\u0663", "99999999999", "NaN", "\u0001", null)

  override def rows(seed: Long, commit: Int, count: Int): Seq[Row] = {
    val random = new Random(seed * 43 + commit)
    def pick[T](values: Seq[T]): T = values(random.nextInt(values.size))
    Seq.tabulate(count) { i =>
      val day = pick(days)
      val isLate = day.getYear >= 1970
      val second = pick(Seq(0, 1, 3600, 43200, 86399))
      Row(
        commit * 1000000L + i,
        Instant.ofEpochSecond(day.toEpochDay * 86400L + second, pick(Seq(0L, 1000L, 999999000L))),
        sometimesNull(random, pick(days)),
        pick(Seq("a", "b", "c", "d'e", "f%")),
        if (isLate || random.nextInt(4) > 0) pick(numbers) else pick(texts),
        if (isLate) 1 + random.nextInt(40) else random.nextInt(3) - 1,
        TestRecords.doubles(random))
    }
  }
}
