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
package org.hadoopmpsr.spark.aggregate

import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.spark.{SparkFixture, TestDataset, TestDirectories, TestExtremes}
import org.hadoopmpsr.spark.relation.{ConfKeys, DecisionMetrics}
import org.junit.jupiter.api.{BeforeEach, Test}

/** Aggregates that partitions and statistics of files answer without reading data. */
class CountedAggregateTest {
  import SparkFixture._

  @BeforeEach
  def views(): Unit = {
    session.read.parquet(datasets.head.root.toString).createOrReplaceTempView("m")
    session.read.parquet(datasets(1).root.toString).createOrReplaceTempView("e")
    session.read.parquet(CountedAggregateTest.extremes.root.toString).createOrReplaceTempView("x")
  }

  /** Compiling takes longer than these queries. */
  private val interpreted = Seq("spark.sql.codegen.wholeStage" -> "false", "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")

  private def check(query: String, answered: Boolean): Unit = withConf(interpreted: _*) {
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
    check("SELECT count(value, quality) FROM m", answered = false)
    check("SELECT count(DISTINCT quality) FROM m", answered = false)
    check("SELECT max(quality + 1) FROM m", answered = false)
    check("SELECT quality, max(timestamp_ns) FROM m GROUP BY quality", answered = false)
    check("SELECT max(timestamp_ns) FROM m WHERE dayofweek(day) > quality", answered = false)
    check("SELECT count(*) FROM m WHERE signal = 'SIG3'", answered = false)
    check("SELECT sum(day - date'2014-01-01') FROM m", answered = false)
    check("SELECT count(*) FILTER (WHERE day = '2014-05-01') FROM m", answered = false)
    check("SELECT count(*) FROM m WHERE day = '2014-05-01' AND quality > 0", answered = false)
  }

  @Test
  def leastAndGreatestValues(): Unit = {
    check("SELECT min(timestamp_ns), max(timestamp_ns), count(value) FROM m", answered = true)
    check("SELECT min(quality) + 1, max(ok), max(seen), min(installed), max(label) FROM m", answered = true)
    check("SELECT day, min(timestamp_ns), max(quality), count(label) FROM m GROUP BY day", answered = true)
    check("SELECT device, bool_and(ok), min(DISTINCT signal) FROM m GROUP BY device ORDER BY max(day)", answered = true)
    check("SELECT max(q) FROM (SELECT quality AS q, day FROM m WHERE year(day) = 2014 AND dayofweek(day) > 3)", answered = true)
    check("SELECT max(timestamp_ns) FROM m WHERE day > '2031-01-01'", answered = true)
  }

  @Test
  def whatIsHardToTell(): Unit = {
    def columns(names: String*): String = names.map(c => s"min($c), max($c), count($c)").mkString(", ")
    check(s"SELECT ${columns("x", "y", "n", "s", "ok", "d", "t", "u")} FROM x WHERE k = 'plain'", answered = true)
    check(s"SELECT ${columns("x", "y", "n", "s", "ok", "d", "t", "u")} FROM x WHERE k = 'nulls'", answered = true)
    check(s"SELECT ${columns("x", "y", "n", "s")} FROM x WHERE k IN ('infinite', 'some')", answered = true)
    check(s"SELECT k, ${columns("n", "ok", "d", "t", "u")}, count(x) FROM x GROUP BY k", answered = true)
    Seq("x", "y").foreach { c =>
      check(s"SELECT min($c) FROM x WHERE k = 'nan'", answered = false)
      check(s"SELECT max($c) FROM x WHERE k = 'nan'", answered = false)
      check(s"SELECT count($c) FROM x WHERE k = 'nan'", answered = true)
      check(s"SELECT min($c) FROM x WHERE k = 'zeros'", answered = true)
    }
    // which of both zeros it is depends on the order
    Seq("x", "y").foreach(c => assertThat(explain(s"SELECT max($c) FROM x WHERE k = 'zeros'")).contains("FileScan"))
    check("SELECT min(x), max(x) FROM x WHERE k = 'zero'", answered = true)
    check("SELECT min(y), max(y) FROM x WHERE k = 'zero'", answered = true)
    check("SELECT min(s) FROM x WHERE k = 'texts'", answered = false)
    check("SELECT count(s) FROM x WHERE k = 'texts'", answered = true)
    check("SELECT min(s) FROM x WHERE k = 'tall'", answered = true)
    check("SELECT max(s) FROM x WHERE k = 'tall'", answered = false)
  }

  @Test
  def filtersThatAllRecordsOfAFilePass(): Unit = {
    check("SELECT max(n), count(*) FROM x WHERE k = 'plain' AND n IS NOT NULL AND n >= -9 AND s < '🐘🐘'", answered = true)
    check("SELECT max(s) FROM x WHERE k = 'plain' AND NOT (x <= -3.5 OR y = 100)", answered = true)
    check("SELECT count(*) FROM x WHERE n BETWEEN -2000 AND 2000 AND k IN ('plain', 'zero')", answered = true)
    check("SELECT max(n) FROM x WHERE k = 'plain' AND n > 100", answered = true)
    check("SELECT max(n), min(t) FROM x WHERE n IS NULL AND k = 'nulls'", answered = true)
    check("SELECT max(n) FROM x WHERE k = 'plain' AND n >= -8", answered = false)
    check("SELECT max(n) FROM x WHERE k = 'some' AND n IS NOT NULL", answered = false)
    check("SELECT max(n) FROM x WHERE k = 'some' AND n >= 5", answered = false)
    check("SELECT count(*) FROM x WHERE k = 'nan' AND x > 0", answered = false)
    check("SELECT max(n) FROM x WHERE k = 'plain' AND n % 2 = 1", answered = false)
    val subquery = "SELECT max(n) FROM x WHERE k = 'plain' AND n < (SELECT max(n) FROM x WHERE k = 'some')"
    assertThat(rows(session.sql(subquery)).mkString("\n")).isEqualTo(stock(rows(session.sql(subquery))).mkString("\n"))
    assertThat(explain(subquery)).contains("FileScan")
  }

  @Test
  def bothVersionsOfReadersInAnyTimeZone(): Unit =
    withConf("spark.sql.sources.useV1SourceList" -> "", "spark.sql.session.timeZone" -> "America/New_York") {
      session.read.parquet(CountedAggregateTest.extremes.root.toString).createOrReplaceTempView("x")
      check("SELECT k, min(t), max(t), max(d), count(s) FROM x GROUP BY k", answered = true)
      check("SELECT min(x) FROM x", answered = false)
    }

  @Test
  def explainNamesWhatIsKnown(): Unit =
    assertThat(explain("SELECT max(n), count(s) FROM x WHERE k = 'plain'"))
      .contains("max(n) of 2 files of kind", "count(s) of 2 files of kind")

  @Test
  def aNameNodeThatSaysNothingOfColumns(): Unit = {
    source.silent = true
    try {
      check("SELECT max(n) FROM x", answered = false)
      check("SELECT count(*) FROM x WHERE n > -10 AND k = 'plain'", answered = false)
      check("SELECT k, count(*) FROM x GROUP BY k", answered = true)
    } finally source.silent = false
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
    withConf(ConfKeys.Aggregates -> "false") {
      check("SELECT count(*) FROM m", answered = false)
      check("SELECT max(timestamp_ns) FROM m", answered = false)
    }

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

object CountedAggregateTest {
  import SparkFixture._

  private lazy val extremes: TestDataset = {
    val dataset = new TestDataset(session, TestDirectories.create("mpsr-extremes"), TestExtremes)
    (0 until 2).foreach(commit => dataset.write(TestExtremes.rows(seed, commit, 0)))
    source.publish(dataset)
    dataset
  }
}
