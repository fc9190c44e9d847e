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
package org.hadoopmpsr.spark.degraded

import java.time.Duration

import scala.jdk.CollectionConverters._
import scala.util.{Random, Using}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.{DFSTestUtil, MiniDFSCluster}
import org.apache.spark.sql.DataFrame
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.awaitility.Awaitility.await
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.degraded.SilentNodes
import org.hadoopmpsr.client.rebuild.RebuildOptions
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestRecords}
import org.hadoopmpsr.spark.jobs.RebuildDataset
import org.hadoopmpsr.spark.relation.{ConfKeys, DecisionMetrics}
import org.hadoopmpsr.testing.LostFiles
import org.junit.jupiter.api.{AfterAll, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Files that are lost after a query was planned: the query answers as before, with the records of other groups. */
@TestInstance(Lifecycle.PER_CLASS)
class DegradedReadsTest {
  import SparkFixture._

  /** Stock waits some seconds before it asks again for a block that nobody has. */
  private val Retries = "dfs.client.retry.window.base"
  private val random = new Random(seed)
  private val readers = Seq(
    Seq("spark.sql.parquet.enableVectorizedReader" -> "true"),
    Seq("spark.sql.parquet.enableVectorizedReader" -> "false"),
    // version 2 of data sources
    Seq("spark.sql.sources.useV1SourceList" -> "avro"),
    Seq("spark.sql.columnVector.offheap.enabled" -> "true"),
    Seq("spark.sql.codegen.wholeStage" -> "false"))
  private var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = {
    println(s"losses of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(TestRecords.groups, 1, "dfs.namenode.heartbeat.recheck-interval" -> "500", Retries -> "10")
    session.sparkContext.hadoopConfiguration.setInt(Retries, 10)
  }

  @AfterAll
  def stop(): Unit = {
    session.sparkContext.hadoopConfiguration.unset(Retries)
    if (dfs != null) dfs.shutdown(true)
  }

  private def client[T](body: MpsrClient => T): T =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(body)

  private def files(dataset: SinkDataset, group: String): Seq[String] = client { c =>
    val path = dataset.root.toUri.getPath
    val segments = c.segments(path).segments.asScala.map(_.id).toSeq
    c.segmentFiles(path, group, segments.asJava).asScala.map(_.path).toSeq
  }

  private def published(path: String): SinkDataset = {
    val dataset = new SinkDataset(dfs, path, TestRecords)
    (0 until 2).foreach(i => dataset.commit(TestRecords.rows(seed, i, 150)))
    dataset
  }

  /** Queries of the group's files, with names of columns in several forms, partition fields, none at all, and joins. */
  private def queries(dataset: SinkDataset, group: String): Seq[DataFrame] = {
    val view = s"degraded_${dataset.root.getName}"
    session.read.parquet(dataset.root.toString).createOrReplaceTempView(view)
    session.range(1).selectExpr("DATE'2014-05-01' AS d").createOrReplaceTempView("one_day")
    Seq(
      s"SELECT /*+ MPSR($group) */ * FROM $view",
      s"SELECT /*+ MPSR($group) */ count(*) FROM $view WHERE reading > 0 OR reading IS NULL",
      s"SELECT /*+ MPSR($group) */ count(1) FROM $view WHERE ok OR NOT ok OR ok IS NULL",
      s"SELECT /*+ MPSR($group) */ pos.x, pos.parts.name, samples, tags FROM $view WHERE pos.y > 3 OR pos IS NULL",
      s"SELECT /*+ MPSR($group) */ label, count(*), sum(quality), max(installed), min(seen) FROM $view GROUP BY label",
      s"SELECT /*+ MPSR($group) */ day, system, value FROM $view WHERE signal IN ('SIG3', 'SIG7') AND value > -1",
      s"SELECT /*+ MPSR($group) */ SIGNAL, Reading, m.day FROM $view m JOIN one_day ON m.day = d WHERE device = 'CRYO1'",
      s"SELECT a.signal, b.label FROM $view a JOIN (SELECT /*+ MPSR($group) */ * FROM $view) b " +
        "ON a.timestamp_ns = b.timestamp_ns AND a.signal = b.signal").map(session.sql)
  }

  /** Plans the queries for each of some readers, runs them after the loss, and compares with what they gave before. */
  private def check(dataset: SinkDataset, group: String, readers: Seq[Seq[(String, String)]])(lose: => Unit): Unit = {
    val expected = stock(queries(dataset, group).map(rows(_).mkString("\n")))
    val planned = readers.map(reader => withConf(reader: _*) {
      val all = queries(dataset, group)
      all.foreach(q => assertThat(explain(q)).contains(s"parquet[mpsr $group: "))
      all
    })
    lose
    for ((reader, all) <- readers.zip(planned); ((query, answer), number) <- all.zip(expected).zipWithIndex) {
      withConf(reader: _*) {
        assertThat(rows(query).mkString("\n")).as(s"seed $seed: query $number of group $group with $reader").isEqualTo(answer)
      }
    }
  }

  private def degraded: Long = DegradedReads.counter(session.sparkContext).sum

  private def lose(paths: Seq[String]): Unit = {
    paths.foreach(LostFiles.lose(dfs, _))
    await().atMost(Duration.ofSeconds(60)).until(() => paths.forall(LostFiles.isLost(dfs, _)))
  }

  @Test
  def blocksThatAreGone(): Unit = for ((group, reader) <- TestRecords.groups.names.asScala.zip(readers)) {
    val dataset = published(s"/cals/gone_$group")
    val before = degraded
    check(dataset, group, Seq(reader))(lose(files(dataset, group)))
    assertThat(degraded - before).isGreaterThanOrEqualTo(files(dataset, group).size.toLong)
  }

  @Test
  @Tag("long")
  def blocksThatAreCorruptAndASecondGroupThatIsLost(): Unit = {
    val Seq(group, second, _) = random.shuffle(TestRecords.groups.names.asScala.toSeq)
    val dataset = published("/cals/corrupt")
    check(dataset, group, random.shuffle(readers).take(2)) {
      files(dataset, group).foreach { path =>
        val block = DFSTestUtil.getFirstBlock(dfs.getFileSystem, new Path(path))
        assertThat(dfs.corruptBlockOnDataNodes(block)).isEqualTo(1)
      }
      lose(files(dataset, second))
    }
  }

  /** What the executor knows of the other groups is old then. */
  @Test
  @Tag("long")
  def groupsThatWereRebuiltAfterAQueryReadAroundThem(): Unit = {
    val dataset = published("/cals/rebuilt")
    lose(files(dataset, "signal"))
    check(dataset, "time", readers.take(1))(lose(files(dataset, "time")))
    RebuildDataset.rebuild(session, dataset.root.toString, RebuildOptions.DEFAULT)
    check(dataset, "device", readers.take(1))(lose(files(dataset, "device")))
  }

  @Tag("long")
  @Test
  def dataNodesThatDidNotAnswerAreAskedLast(): Unit = {
    val Seq(group, silent, other) = random.shuffle(TestRecords.groups.names.asScala.toSeq)
    val dataset = published("/cals/silent")
    val nodes = files(dataset, silent)
      .flatMap(path => dfs.getFileSystem.getFileBlockLocations(new Path(path), 0, Long.MaxValue).toSeq.flatMap(_.getNames.toSeq))
    def learn(): Unit =
      SilentNodes.learn(nodes.map(_ -> java.lang.Long.valueOf(System.currentTimeMillis + 1000)).toMap.asJava)
    check(dataset, group, readers.take(1)) {
      lose(files(dataset, group))
      learn()
    }
    check(dataset, silent, readers.take(1)) {
      // nobody else has the records
      lose(files(dataset, other))
      learn()
    }
  }

  @Test
  def aDataNodeThatDiesUnderAQuery(): Unit = {
    val group = random.shuffle(TestRecords.groups.names.asScala.toSeq).head
    val dataset = published("/cals/died")
    val host = dfs.getFileSystem.getFileBlockLocations(new Path(files(dataset, group).head), 0, 1)(0).getNames()(0)
    val began = System.nanoTime()
    var died: MiniDFSCluster.DataNodeProperties = null
    try check(dataset, group, readers.take(2)) { died = dfs.stopDataNode(host) }
    finally {
      assertThat(dfs.restartDataNode(died, true)).isTrue
      dfs.waitActive()
    }
    println(s"planning and queries around a DataNode that died took ${(System.nanoTime() - began) / 1000000} ms")
  }

  /** Each query of each reader answers after the loss as stock did before. */
  private def checkStock(
      dataset: SinkDataset,
      queries: Seq[(Seq[(String, String)], DataFrame)],
      shown: String = "parquet[mpsr stock: "): Unit = {
    val planned = queries.map { case (reader, query) =>
      withConf(reader: _*) {
        assertThat(explain(query)).contains(shown)
        (reader, query, stock(rows(query.select("*"))))
      }
    }
    lose(files(dataset, "time"))
    val before = degraded
    for ((reader, query, expected) <- planned) withConf(reader: _*) {
      assertThat(rows(query).mkString("\n")).as(s"seed $seed, $reader: ${query.queryExecution.logical}").isEqualTo(expected.mkString("\n"))
    }
    assertThat(degraded - before).isGreaterThanOrEqualTo(files(dataset, "time").size.toLong)
  }

  @Tag("long")
  @Test
  def stockReadsWhoseAnswerIsInTheRecords(): Unit = {
    val dataset = published("/cals/stock")
    def read = session.read.parquet(dataset.root.toString)
    val queries = readers.flatMap(reader => withConf(reader: _*) {
      Seq(
        reader -> read.where("reading > 0").selectExpr("input_file_name()", "signal", "day", "value"),
        reader -> read.where("10 / (1e9 + quality) > -5 AND signal IN ('SIG3', 'SIG7')").selectExpr("signal", "day", "value"))
    })
    val metadata = readers.take(2).map(_ -> read.where("reading > 0").selectExpr("_metadata.file_path", "_metadata.file_size", "*"))
    val failing = Seq(
      read.selectExpr("_metadata.row_index", "signal"),
      read.selectExpr("monotonically_increasing_id()", "input_file_name()", "signal"),
      read.sample(0.5, 1),
      session.read.schema("signal STRING, value DOUBLE, other INT").parquet(dataset.root.toString))
    failing.foreach(frame => assertThat(explain(frame)).contains("parquet[mpsr stock: "))
    checkStock(dataset, queries ++ metadata)
    failing.foreach { frame =>
      assertThatThrownBy(() => frame.collect()).rootCause().isInstanceOf(classOf[org.apache.hadoop.hdfs.BlockMissingException])
    }
  }

  /** What came without a commit is read besides what is planned, whatever is lost of that. */
  @Test
  def readsBesidesFilesThatCameWithoutACommit(): Unit = {
    val dataset = published("/cals/foreign")
    val fs = dfs.getFileSystem
    val file = new Path(files(dataset, "time").head)
    org.apache.hadoop.fs.FileUtil.copy(fs, file, fs, new Path(file.getParent, "foreign.parquet"), false, fs.getConf)
    val queries = readers.take(3).map(reader => withConf(reader: _*) {
      reader -> session.read.parquet(dataset.root.toString).hint("mpsr", "time").where("reading > 0")
    })
    checkStock(dataset, queries, "and 1 files that came without a commit")
  }

  @Test
  def whatNoGroupHasFailsAsOnStock(): Unit = {
    val dataset = published("/cals/all")
    val query = queries(dataset, "signal").head
    assertThat(explain(query)).contains("parquet[mpsr signal: ")
    val gone = DecisionMetrics.sum("gone")
    TestRecords.groups.names.asScala.foreach(group => lose(files(dataset, group)))
    assertThatThrownBy(() => query.collect()).rootCause().isInstanceOf(classOf[org.apache.hadoop.hdfs.BlockMissingException])
    await().untilAsserted(() => assertThat(DecisionMetrics.sum("gone")).isGreaterThan(gone))
  }

  @Test
  def withoutDegradedReadsAQueryFailsAsOnStock(): Unit = withConf(ConfKeys.Degraded -> "false") {
    val dataset = published("/cals/off")
    val query = queries(dataset, "signal").head
    explain(query)
    lose(files(dataset, "signal"))
    assertThatThrownBy(() => query.collect()).rootCause().isInstanceOf(classOf[org.apache.hadoop.hdfs.BlockMissingException])
  }
}
