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

import org.apache.spark.sql.DataFrame
import org.assertj.core.api.Assertions.{assertThat, assertThatList}
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.jobs.VerifyDataset
import org.hadoopmpsr.spark.relation.DecisionMetrics
import org.junit.jupiter.api.{AfterAll, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.TestInstance.Lifecycle

/** The extension against a NameNode with MPSR and one without. */
@TestInstance(Lifecycle.PER_CLASS)
class HdfsReadTest {
  import SparkFixture._

  private var cluster: TestCluster = _

  @BeforeAll
  def publish(): Unit = cluster = TestCluster.withDataset()

  @AfterAll
  def stop(): Unit = if (cluster != null) cluster.close()

  private def url: String = cluster.url

  private def read: DataFrame = session.read.parquet(url)

  @Test
  def queriesReadTheCheapestGroup(): Unit = {
    val cases = Seq(
      "signal = 'SIG3'" -> "parquet[mpsr signal: 2 files",
      "device = 'VAC2' AND day > '2014-04-30'" -> "parquet[mpsr device: 2 files",
      "day = '2014-05-01'" -> "parquet[mpsr time: 2 files",
      "true" -> "parquet[mpsr ")
    cases.foreach { case (filter, shown) =>
      val frame = read.where(filter)
      assertThat(explain(frame)).contains(shown)
      assertThatList(rows(frame).asJava).isNotEmpty.isEqualTo(stock(rows(read.where(filter))).asJava)
    }
    assertThat(explain(read.where("signal = 'SIG3'"))).contains("/.mpsr/datasets/")
  }

  @Test
  def theReaderMayNameTheGroup(): Unit = {
    val filter = "signal = 'SIG3'"
    assertThat(explain(read.hint("mpsr", "device").where(filter))).contains("parquet[mpsr device: ")
    assertThat(explain(read.hint("mpsr", "nonesuch").where(filter)))
      .contains("parquet[mpsr signal: ", "there is no replica group 'nonesuch', only time, signal, device")
  }

  @Test
  def partitionsAnswerCounts(): Unit =
    Seq("day", "device").foreach { column =>
      val expected = stock(rows(read.groupBy(column).count()))
      assertThat(explain(read.groupBy(column).count())).contains("LocalTableScan").doesNotContain("FileScan")
      assertThatList(rows(read.groupBy(column).count()).asJava).isEqualTo(expected.asJava)
    }

  @Test
  def statisticsAnswerLeastAndGreatest(): Unit = {
    def frame = read.where("day >= '2014-04-30'").groupBy("day").agg("timestamp_ns" -> "max", "quality" -> "min", "label" -> "count")
    val expected = stock(rows(frame))
    assertThat(explain(frame)).contains("LocalTableScan", "max(timestamp_ns) of ").doesNotContain("FileScan")
    assertThatList(rows(frame).asJava).isNotEmpty.isEqualTo(expected.asJava)
  }

  /** The fixture's files are of a stock writer, with timestamps of twelve bytes. */
  @Test
  def filesOfAStockWriterAreSound(): Unit = {
    val report = VerifyDataset.verify(session, url)
    assertTrue(report.sound, report.toString)
  }

  /** A type that only stock readers read is told. */
  @Test
  def aTypeThatIsNotReadIsTold(): Unit = {
    val schema = Schema.parse(TestRecords.schema.ddl.replace("quality int", "quality smallint"))
    cluster.publish("/cals/unread", schema)
    val report = VerifyDataset.verify(session, s"${cluster.dfs.getURI}/cals/unread")
    assertThat(report.sound).isFalse
    assertThat(report.equal).as("what is not read is not equal").isFalse
    assertThat(report.unreadFiles).isPositive
    assertThat(report.lines.last).contains("files were not read, so that not all records of the groups are compared")
    assertThatList(report.falseFiles.asJava).anyMatch(_.problem.contains("as 'optional int32 quality', and that does not fit"))
  }

  /** As stock Spark, which reads the files that it has listed, however old the listing. */
  @Tag("long")
  @Test
  def whatWasListedBeforeACommitIsReadFromTheCheapestGroupToo(): Unit = {
    val dataset = new SinkDataset(cluster.dfs, "/cals/live", TestRecords)
    val path = dataset.root.toString
    (0 until 2).foreach(i => dataset.commit(TestRecords.rows(seed, i, 200)))
    val frame = session.read.parquet(path)
    session.sql(s"CREATE TABLE live USING parquet LOCATION '$path'")
    session.sql("MSCK REPAIR TABLE live")
    def queries = Seq(frame.where("signal = 'SIG3'"), session.table("live").where("signal = 'SIG3'"), frame.where("day > '2014-05-02'"))
    val before = queries.map(q => stock(rows(q)))
    val counts = queries.map(q => rows(q.selectExpr("count(*)", "min(signal)")))
    def check(note: String): Unit = {
      val now = queries.map(q => (explain(q), rows(q)))
      now.foreach { case (text, _) => assertThat(text).doesNotContain("mpsr stock") }
      now.take(2).foreach { case (text, _) => assertThat(text).contains("parquet[mpsr signal: ", note) }
      assertThatList(now.map(_._2).asJava).isEqualTo(before.asJava)
      assertThatList(queries.map(q => rows(q.selectExpr("count(*)", "min(signal)"))).asJava).isEqualTo(counts.asJava)
    }
    check("cheapest at")
    dataset.commit(TestRecords.rows(seed, 2, 200))
    check("commits left out since the listing: 1")
    dataset.commit(TestRecords.rows(seed, 3, 200))
    check("commits left out since the listing: 2")
    assertThat(rows(session.read.parquet(path).where("signal = 'SIG3'")).size).isGreaterThan(before.head.size)
    session.sql("REFRESH TABLE live")
    session.sql("MSCK REPAIR TABLE live")
    assertThat(rows(queries(1)).size).isGreaterThan(before.head.size)
    session.sql("DROP TABLE live")
  }

  @Tag("long")
  @Test
  def aStreamGivesTheRecordsOfEachCommitOnce(): Unit = {
    val commits = (0 until 3).map(TestRecords.rows(seed, _, 200))
    val dataset = new SinkDataset(cluster.dfs, "/cals/stream", TestRecords)
    dataset.commit(commits.head)
    def frame = session.read.parquet(dataset.root.toString).where("signal = 'SIG3'")
    val stream = session.readStream.schema(frame.schema).parquet(dataset.root.toString).where("signal = 'SIG3'")
    val plans = DecisionMetrics.sum("plans")
    val query = stream.writeStream.format("memory").queryName("commits").start()
    try {
      query.processAllAvailable()
      commits.tail.foreach { rows =>
        dataset.commit(rows)
        query.processAllAvailable()
      }
    } finally query.stop()
    assertThat(DecisionMetrics.sum("plans")).isEqualTo(plans)
    assertThatList(rows(session.table("commits")).asJava).isNotEmpty.isEqualTo(stock(rows(frame)).asJava).isEqualTo(rows(frame).asJava)
  }

  @Test
  def whatIsNoDatasetIsLeftAlone(): Unit = {
    val other = s"${cluster.dfs.getURI}/other"
    session.range(10).write.parquet(other)
    assertThat(explain(session.read.parquet(other).where("id > 3"))).doesNotContain("[mpsr")
  }

  @Test
  def aNameNodeWithoutMpsrIsLeftAlone(): Unit = {
    val plain = TestClusters.plain()
    try {
      val (failures, unavailable) = (DecisionMetrics.sum("failures"), DecisionMetrics.sum("unavailable"))
      val path = s"${plain.getURI}/other"
      session.range(10).write.parquet(path)
      assertThat(session.read.parquet(path).where("id > 3").count()).isEqualTo(6)
      assertThat(explain(session.read.parquet(path).where("id > 3"))).doesNotContain("[mpsr")
      assertThat(DecisionMetrics.sum("failures")).isEqualTo(failures)
      assertThat(DecisionMetrics.sum("unavailable")).isEqualTo(unavailable + 2)
    } finally plain.shutdown(true)
  }
}
