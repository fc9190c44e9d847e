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

import org.apache.spark.sql.{classic, DataFrame}
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.datasources.FileScanRDD
import org.assertj.core.api.Assertions.{assertThat, assertThatList}
import org.hadoopmpsr.spark.relation.{ConfKeys, DecisionMetrics}
import org.junit.jupiter.api.{BeforeEach, Test}

class ReadRuleTest {
  import SparkFixture._

  private val oneSignal = "SELECT * FROM m WHERE signal = 'SIG3'"

  @BeforeEach
  def view(): Unit = {
    source.failure = None
    read.createOrReplaceTempView("m")
  }

  private def read: DataFrame = session.read.parquet(dataset.root.toString)

  /** Same answer as stock, and what EXPLAIN says of the one or more scans. */
  private def check(query: => DataFrame, shown: String*): Unit = {
    val expected = stock(rows(query))
    val frame = query
    val plan = explain(frame)
    shown.foreach(text => assertThat(plan).contains(text))
    assertThat(rows(frame).mkString("\n")).isEqualTo(expected.mkString("\n"))
  }

  @Test
  def explainTellsTheChoiceInEveryMode(): Unit = {
    val text = explain(oneSignal)
    assertThat(text).containsPattern(
      "FileScan parquet\\[mpsr signal: 2 files, \\d+ bytes, [\\d.]+ ms; time: \\d+ files, \\d+ bytes, [\\d.]+ ms; " +
        "device: \\d+ files, \\d+ bytes, [\\d.]+ ms; cheapest at [\\d.]+ ms\\]")
    assertThat(text).contains("Location: GroupFileIndex(1 paths)", "PushedFilters: [IsNotNull(signal), EqualTo(signal,SIG3)]", "Batched: true")
    val formatted = session.sql(s"EXPLAIN FORMATTED $oneSignal").collect().mkString
    assertThat(formatted).contains("Scan parquet[mpsr signal: ")
  }

  @Test
  def eachGroupIsChosenWhereItIsCheapest(): Unit = {
    check(session.sql(oneSignal), "parquet[mpsr signal: ")
    check(session.sql("SELECT * FROM m WHERE device = 'VAC2'"), "parquet[mpsr device: ")
    check(session.sql("SELECT * FROM m WHERE day = '2014-05-01'"), "parquet[mpsr time: ", "PartitionFilters: [isnotnull(day")
  }

  @Test
  def ofTheDefaultGroupOnlyThePlannedFilesAreRead(): Unit = {
    val first = stock(session.sql("SELECT min(timestamp_ns) FROM m").collect().head.getLong(0))
    val query = s"SELECT * FROM m WHERE timestamp_ns <= $first"
    check(session.sql(query), "parquet[mpsr time: ", "Location: PrunedListing(1 paths)")
    assertThat(filesRead(session.sql(query))).isBetween(1, stock(filesRead(session.sql(query))) - 1)
  }

  @Test
  def dictionariesAreNotAskedForValuesThatFillPages(): Unit = {
    val key = "parquet.filter.dictionary.enabled"
    def asked(condition: String): Option[String] =
      read.where(condition).asInstanceOf[classic.DataFrame].queryExecution.executedPlan
        .collectFirst { case s: FileSourceScanExec => s.relation.options.get(key) }.get
    assertThat(asked("signal = 'SIG3'")).isEqualTo(None)
    try {
      source.leadRows = Some(50000)
      assertThat(asked("signal = 'SIG3'")).isEqualTo(Some("false"))
      assertThat(asked("signal IN ('SIG3', 'SIG4') AND value > 0")).isEqualTo(Some("false"))
      assertThat(asked("signal > 'SIG3'")).isEqualTo(None)
      assertThat(asked("day = '2014-05-01'")).isEqualTo(None)
      withConf(key -> "true")(assertThat(asked("signal = 'SIG3'")).isEqualTo(None))
    } finally source.leadRows = None
  }

  private def filesRead(frame: DataFrame): Int = {
    val plan = frame.asInstanceOf[classic.DataFrame].queryExecution.executedPlan
    plan.collectFirst { case s: FileSourceScanExec => s.inputRDD }.get
      .asInstanceOf[FileScanRDD].filePartitions.flatMap(_.files.map(_.filePath)).distinct.size
  }

  @Test
  def columnsArePrunedAsInStock(): Unit = {
    val query = "SELECT value FROM m WHERE signal = 'SIG3' AND day > '2014-05-01'"
    check(session.sql(query), "parquet[mpsr signal: ", "ReadSchema: struct<signal:string,value:double,day:date>")
  }

  @Test
  def theSessionMayForceAGroupOrSwitchOff(): Unit = {
    withConf(ConfKeys.Group -> "device")(check(session.sql(oneSignal), "parquet[mpsr device: ", "the reader asked for it"))
    withConf(ConfKeys.Enabled -> "false")(assertThat(explain(oneSignal)).doesNotContain("mpsr "))
  }

  @Test
  def joinsReadEachSideFromItsOwnGroup(): Unit =
    check(
      session.sql(
        "SELECT a.signal, b.device, count(*) FROM m a JOIN m b ON a.day = b.day " +
          "WHERE a.signal = 'SIG3' AND b.device = 'VAC2' GROUP BY a.signal, b.device"),
      "parquet[mpsr signal: ",
      "parquet[mpsr device: ")

  @Test
  def aUnionOfOneFrameDecidesForEachOccurrence(): Unit = {
    val frame = read
    check(
      frame.where("signal = 'SIG3'").union(frame.where("device = 'VAC2'")),
      "parquet[mpsr signal: ",
      "parquet[mpsr device: ")
  }

  @Test
  def equalScansAreReused(): Unit = {
    val half = "(SELECT signal, max(timestamp_ns) t FROM m WHERE signal = 'SIG3' GROUP BY signal)"
    withConf("spark.sql.adaptive.enabled" -> "false", "spark.sql.autoBroadcastJoinThreshold" -> "-1") {
      assertThat(explain(s"SELECT * FROM $half a JOIN $half b ON a.t = b.t")).contains("ReusedExchange")
    }
  }

  @Test
  def viewsAndSubqueriesAreReached(): Unit = {
    session.sql("CREATE OR REPLACE TEMPORARY VIEW v AS SELECT signal AS s, value * 2 AS d, day FROM m")
    check(session.sql("SELECT * FROM v WHERE s = 'SIG4'"), "parquet[mpsr signal: ")
    check(
      session.sql("SELECT signal FROM m WHERE device = 'VAC1' AND " +
        "timestamp_ns < (SELECT max(timestamp_ns) FROM m WHERE signal = 'SIG3')"),
      "parquet[mpsr device: ",
      "parquet[mpsr signal: ")
  }

  @Test
  def aCachedFrameAnswersTheSame(): Unit = {
    val cached = read.where("device = 'VAC1'").cache()
    try {
      assertThat(explain(cached)).contains("parquet[mpsr device: ")
      check(cached.where("signal = 'SIG3'"))
    } finally cached.unpersist(true)
  }

  @Test
  def inputFilesAreThoseOfStock(): Unit = {
    val expected = stock(read.where("signal = 'SIG3'").inputFiles.sorted.toSeq)
    assertThat(read.where("signal = 'SIG3'").inputFiles.sorted.toSeq).isEqualTo(expected)
  }

  @Test
  def theLocalityOfBlocksReachesTheScan(): Unit = {
    val plan = session.sql(oneSignal).asInstanceOf[classic.DataFrame].queryExecution.executedPlan
    val scan = plan.collectFirst { case s: FileSourceScanExec => s }.get.inputRDD
    val hosts = scan.partitions.toSeq.flatMap(scan.preferredLocations(_))
    assertThatList(hosts.asJava).containsOnly("host1")
  }

  @Test
  def writingAnAnswerReadsTheCheapestToo(): Unit = {
    val before = DecisionMetrics.sum("redirected.signal")
    val target = TestDirectories.create("mpsr-out").resolve("out").toString
    session.sql(oneSignal).write.parquet(target)
    assertThat(DecisionMetrics.sum("redirected.signal")).isEqualTo(before + 1)
    assertThat(session.read.parquet(target).count()).isEqualTo(session.sql(oneSignal).count())
  }
}
