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
package org.hadoopmpsr.spark.check

import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.spark.SparkFixture
import org.junit.jupiter.api.{BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Days and times that are others in the calendar of `java.sql.Date`, as a session without Java 8's types pushes them to readers. */
@TestInstance(Lifecycle.PER_CLASS)
class PushedTimesTest {
  import SparkFixture._

  private val changed = "mpsr stock: Spark hands Parquet's reader another day or time than the filter has"

  @BeforeAll
  def views(): Unit = session.read.parquet(edges.root.toString).createOrReplaceTempView("edges_m")

  /** Compiling takes longer than these queries. */
  private val interpreted = Seq("spark.sql.codegen.wholeStage" -> "false", "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")

  private def check(condition: String, shown: String, java8: Boolean = false): Unit =
    for (zone <- Seq("UTC", "America/New_York", "Pacific/Apia")) {
      val settings = Seq("spark.sql.datetime.java8API.enabled" -> java8.toString, "spark.sql.session.timeZone" -> zone)
      withConf(settings ++ interpreted: _*) {
        // the rows themselves would be changed on their way out
        def query = session.sql(s"SELECT count(*), sum(id) FROM edges_m WHERE $condition")
        val expected = stock(rows(query)).mkString
        for (group <- Seq("name", "month", "text", "day")) withConf("spark.mpsr.group" -> group) {
          val ours = query
          assertThat(explain(ours)).as(s"$condition from $group in $zone").contains(shown.replace("GROUP", group))
          assertThat(rows(ours).mkString).as(s"$condition from $group in $zone").isEqualTo(expected)
        }
      }
    }

  @Test
  @Tag("long")
  def daysThatTheOtherCalendarLacks(): Unit =
    Seq("1582-10-05", "1582-10-10", "1582-10-14").foreach { day =>
      check(s"d = DATE'$day'", changed)
      check(s"day = DATE'$day'", changed)
      check(s"d IN (DATE'$day', DATE'2014-03-30') AND id > 0", changed)
      check(s"cast(at AS date) = DATE'$day'", changed)
      check(s"d = DATE'$day'", "parquet[mpsr GROUP", java8 = true)
    }

  @Tag("long")
  @Test
  def daysBeforeAndAfter(): Unit =
    Seq("0001-01-01", "1582-10-04", "1582-10-15").foreach { day =>
      check(s"d = DATE'$day'", "parquet[mpsr GROUP")
      check(s"d >= DATE'$day' AND id >= 0", "parquet[mpsr GROUP")
      check(s"at >= TIMESTAMP'$day 00:00:00'", "parquet[mpsr ")
    }

  /** Their days are not written down in the filter, but evaluated for partitions. */
  @Test
  @Tag("long")
  def daysThatAConditionLeaves(): Unit = {
    check("year(day) = 1582 AND month(day) = 10", "parquet[mpsr GROUP")
    check("date_format(day, 'yyyyMMdd') = '15821010'", "parquet[mpsr GROUP")
    check("day = (SELECT max(d) FROM edges_m WHERE d < '1582-10-05')", "parquet[mpsr ")
  }
}
