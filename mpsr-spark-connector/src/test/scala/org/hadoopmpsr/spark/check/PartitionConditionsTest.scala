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
import org.hadoopmpsr.spark.{SparkFixture, TestDirectories}
import org.junit.jupiter.api.{BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Conditions on partition columns that only Spark evaluates leave out files of each group before costs are compared. */
@TestInstance(Lifecycle.PER_CLASS)
class PartitionConditionsTest {
  import SparkFixture._

  @BeforeAll
  def views(): Unit = {
    session.read.parquet(dataset.root.toString).createOrReplaceTempView("m")
    datasets
    session.read.parquet(datasets(1).root.toString).createOrReplaceTempView("events_m")
    val days = TestDirectories.create("mpsr-some-days").resolve("days").toString
    session.sql("SELECT explode(sequence(date'2014-04-29', date'2014-05-04')) AS day").selectExpr("day", "dayofmonth(day) AS n")
      .write.parquet(days)
    session.read.parquet(days).createOrReplaceTempView("some_days")
  }

  /** The files of each group that the plan has. */
  private def files(query: String): Map[String, Int] = {
    "([a-z]+): (?:at least )?(\\d+) files".r.findAllMatchIn(explain(query)).map(m => m.group(1) -> m.group(2).toInt).toMap
  }

  private def equal(query: String): Unit =
    assertThat(rows(session.sql(query)).mkString("\n")).isEqualTo(stock(rows(session.sql(query))).mkString("\n"))

  /** Whether both conditions leave the same files in each group. */
  private def alike(strange: String, plain: String, from: String = "m"): Unit = {
    val (first, second) = (s"SELECT * FROM $from WHERE $strange", s"SELECT * FROM $from WHERE $plain")
    assertThat(explain(first)).contains("parquet[mpsr ").doesNotContain("mpsr stock")
    assertThat(files(first).toString).as(strange).isEqualTo(files(second).toString)
    equal(first)
  }

  @Test
  def functionsOfPartitionColumns(): Unit = {
    alike("year(day) = 2014 AND month(day) = 4", "day IN ('2014-04-29', '2014-04-30')")
    alike("date_format(day, 'MMdd') = '0502'", "day = '2014-05-02'")
    alike("dayofweek(day) = 5 AND signal = 'SIG3'", "day = '2014-05-01' AND signal = 'SIG3'")
    alike("upper(region) = 'EU'", "region = 'eu'", "events_m")
    alike("concat(region, kind) = 'us1' AND name = 'abc'", "region = 'us' AND kind = 1 AND name = 'abc'", "events_m")
    alike("coalesce(region, 'none') = 'none'", "region IS NULL", "events_m")
    alike("(upper(region) = 'EU' AND n > 3) OR (upper(region) = 'EU' AND n < 0)", "region = 'eu' AND (n > 3 OR n < 0)", "events_m")
  }

  @Test
  def nothingIsLeft(): Unit = {
    val query = "SELECT * FROM m WHERE month(day) = 7"
    assertThat(files(query).values.max).isZero
    equal(query)
  }

  @Test
  def oneValueOfASubquery(): Unit = {
    val query = "SELECT * FROM m WHERE day = (SELECT max(day) FROM some_days)"
    assertThat(explain(query)).contains("parquet[mpsr time: ", "partitions of time are pruned by day when the query runs")
    equal(query)
    val other = "SELECT * FROM m WHERE day = (SELECT max(day) FROM some_days) AND signal = 'SIG3'"
    assertThat(explain(other)).contains("day when the query runs")
    equal(other)
  }

  @Test
  def severalValuesOfASubquery(): Unit = {
    val query = "SELECT * FROM m WHERE day IN (SELECT day FROM some_days WHERE n > 28)"
    assertThat(explain(query)).contains("parquet[mpsr time: ")
    equal(query)
  }

  @Test
  def plainQueriesAskOnce(): Unit = {
    val before = source.asked
    explain("SELECT * FROM m WHERE day = '2014-05-01' AND signal = 'SIG3'")
    assertThat(source.asked).isEqualTo(before + 1)
    explain("SELECT * FROM m WHERE year(day) = 2014 AND signal = 'SIG3'")
    assertThat(source.asked).isEqualTo(before + 2)
  }
}
