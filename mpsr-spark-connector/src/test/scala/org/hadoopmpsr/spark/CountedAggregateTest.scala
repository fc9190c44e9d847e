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

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.{BeforeEach, Test}

/** Aggregates that partitions answer without reading data. */
class CountedAggregateTest {
  import SparkFixture._

  @BeforeEach
  def views(): Unit = {
    session.read.parquet(datasets.head.root.toString).createOrReplaceTempView("m")
    session.read.parquet(datasets(1).root.toString).createOrReplaceTempView("e")
  }

  private def check(query: String, answered: Boolean): Unit = {
    val expected = stock((session.sql(query).schema, rows(session.sql(query)).mkString("\n")))
    val before = DecisionMetrics.sum("answered")
    val frame = session.sql(query)
    val plan = explain(frame)
    if (answered) assertThat(plan).contains("LocalTableScan").doesNotContain("FileScan")
    else assertThat(plan).contains("FileScan parquet[mpsr ")
    assertThat(DecisionMetrics.sum("answered") - before).isEqualTo(if (answered) 1 else 0)
    assertThat(frame.schema).isEqualTo(expected._1)
    assertThat(rows(frame).mkString("\n")).isEqualTo(expected._2)
  }

  @Test
  def countsOfRecords(): Unit = {
    check("SELECT count(*) FROM m", answered = true)
    check("SELECT count(1), count(*) + 1, count(NULL) FROM m", answered = true)
    check("SELECT count(*) FROM m WHERE day = '2014-05-01'", answered = true)
    check("SELECT count(*) FROM m WHERE year(day) = 2014 AND (day < '2014-05-01' OR dayofweek(day) = 1)", answered = true)
    check("SELECT count(*), max(day) FROM m WHERE day > '2031-01-01'", answered = true)
  }

  @Test
  def groupsOfPartitions(): Unit = {
    check("SELECT day, count(*) FROM m GROUP BY day HAVING count(*) > 100", answered = true)
    check("SELECT min(day), max(day), count(day), count(DISTINCT day) FROM m", answered = true)
    check("SELECT DISTINCT month(day) FROM m", answered = true)
    check("SELECT system, device, count(*) FROM m GROUP BY system, device", answered = true)
    check("SELECT upper(device) d, count(*) FROM m WHERE system <> 'VAC' GROUP BY 1", answered = true)
  }

  @Test
  def partitionsWithoutAValue(): Unit = {
    check("SELECT region, kind, count(*), count(region) FROM e GROUP BY region, kind", answered = true)
    check("SELECT count(*), count(region), min(region), max(kind) FROM e WHERE region IS NULL OR kind = 1", answered = true)
    check("SELECT count(region, kind) FROM e", answered = true)
  }

  @Test
  def whatNeedsRecords(): Unit = {
    check("SELECT count(value) FROM m", answered = false)
    check("SELECT max(timestamp_ns) FROM m", answered = false)
    check("SELECT count(*) FROM m WHERE signal = 'SIG3'", answered = false)
    check("SELECT sum(day - date'2014-01-01') FROM m", answered = false)
    check("SELECT count(*) FILTER (WHERE day = '2014-05-01') FROM m", answered = false)
    check("SELECT count(*) FROM m WHERE day = '2014-05-01' AND quality > 0", answered = false)
  }

  @Test
  def inAJoinAndASubquery(): Unit = {
    val query = "SELECT a.day, a.n FROM (SELECT day, count(*) n FROM m GROUP BY day) a " +
      "WHERE a.n >= (SELECT count(*) FROM m WHERE day = '2014-05-01')"
    assertThat(rows(session.sql(query)).mkString("\n")).isEqualTo(stock(rows(session.sql(query))).mkString("\n"))
    assertThat(explain(query)).doesNotContain("FileScan")
  }

  @Test
  def theyMayBeSwitchedOff(): Unit =
    withConf(ConfKeys.Aggregates -> "false")(check("SELECT count(*) FROM m", answered = false))

  @Test
  def aListingOfAnotherGenerationIsRead(): Unit = {
    val day = new java.io.File(new java.net.URI(s"${dataset.root}/day=2014-05-01"))
    val file = day.listFiles().filter(_.getName.endsWith(".parquet")).head
    val copy = new java.io.File(day, "copy.parquet")
    java.nio.file.Files.copy(file.toPath, copy.toPath)
    try {
      session.read.parquet(dataset.root.toString).createOrReplaceTempView("m")
      check("SELECT count(*) FROM m", answered = false)
    } finally copy.delete()
  }
}
