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
package org.hadoopmpsr.spark.write

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.{DataFrame, Row, SaveMode}
import org.apache.spark.sql.functions.{col, expr}
import org.assertj.core.api.Assertions.{assertThat, assertThatList}
import org.hadoopmpsr.client.{MpsrClient, Segments}
import org.hadoopmpsr.spark.{QueriedDataset, SinkDataset, SparkFixture, TestClusters, TestRecords, TestTable}
import org.hadoopmpsr.spark.jobs.VerifyDataset
import org.hadoopmpsr.spark.relation.{ConfKeys, DecisionMetrics}
import org.hadoopmpsr.spark.source.SparkTypes
import org.junit.jupiter.api.{AfterAll, BeforeAll, BeforeEach, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** A new dataset for each test, with a commit of 100 records, and what a write of Spark is to do with it. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class WrittenDataset {
  import SparkFixture._

  protected var dfs: MiniDFSCluster = _
  protected var dataset: SinkDataset = _

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(TestRecords.groups)
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  @BeforeEach
  def commit(): Unit = {
    dataset = new SinkDataset(dfs, s"/cals/spark${System.nanoTime()}", TestRecords)
    dataset.commit(TestRecords.rows(seed, 0, 100))
  }

  protected def path: String = dataset.root.toString

  protected def read: DataFrame = session.read.parquet(path)

  protected def client[T](cluster: MiniDFSCluster = dfs)(body: MpsrClient => T): T =
    Using.resource(MpsrClient.create(new Configuration(cluster.getConfiguration(0)), cluster.getURI))(body)

  protected def segments: Seq[Segments.Info] = client()(_.segments(dataset.root.toUri.getPath)).segments.asScala.toSeq

  protected def untracked: Int = client()(_.untracked(dataset.root.toUri.getPath)).size

  protected def more(commit: Int): Seq[Row] = TestRecords.rows(seed, commit, 120)

  /** The columns of the schema, in two tasks. */
  protected def frame(table: TestTable, rows: Seq[Row]): DataFrame =
    session.createDataFrame(rows.asJava, SparkTypes.structType(table.schema.columns.asScala.toSeq)).repartition(2)

  protected def frame(rows: Seq[Row]): DataFrame = frame(TestRecords, rows)

  protected def withDay(frame: DataFrame): DataFrame =
    frame.withColumn("day", expr("date_from_unix_date(cast(floor(timestamp_ns / 86400000000000D) AS int))"))

  protected def append(frame: DataFrame, options: (String, String)*): Unit =
    frame.write.mode(SaveMode.Append).options(options.toMap).parquet(path)

  /** Whether each group alone has exactly these records, and stock Spark reads them too. */
  protected def checkAll(all: Seq[Row], of: QueriedDataset = dataset): Unit = {
    val columns = of.logical.map(_.name)
    val schema = SparkTypes.structType(of.logical)
    val expected = rows(session.createDataFrame(all.map(row => Row.fromSeq(columns.map(of.value(row, _)))).asJava, schema))
    def found(frame: DataFrame) = rows(frame.select(columns.map(col): _*))
    def all_ = session.read.parquet(of.root.toString)
    assertThatList(stock(found(all_)).asJava).as(s"seed $seed: stock").isEqualTo(expected.asJava)
    of.table.groups.names.asScala.foreach { group =>
      withConf(ConfKeys.Group -> group) {
        val plan: String = explain(all_)
        assertThat(plan).contains(s"parquet[mpsr $group: ")
        assertThat(plan).doesNotContain("files that came without a commit")
        assertThatList(found(all_).asJava).as(s"seed $seed: $group").isEqualTo(expected.asJava)
      }
    }
    val report = VerifyDataset.verify(session, of.root.toString)
    assertThat(if (report.sound) "" else report.toString).isEqualTo("")
  }

  /** Whether a write made one commit, and no file of an ordinary writer. */
  protected def inOneCommit(records: Int)(write: => Unit): Unit = {
    val (before, counted) = (segments.map(_.id), DecisionMetrics.sum("writes.groups"))
    write
    val added = segments.filterNot(s => before.contains(s.id))
    assertThatList(added.map(_.content.count).asJava).containsExactly(records.toLong)
    assertThat(untracked).isZero()
    assertThat(DecisionMetrics.sum("writes.groups")).isEqualTo(counted + 1)
    assertNothingStaged()
  }

  protected def assertNothingStaged(): Unit = {
    val staging = new Path(s"/.mpsr/datasets/${client()(_.getDataset(dataset.root.toUri.getPath)).id}/staging")
    val fs = dfs.getFileSystem
    assertThatList(if (fs.exists(staging)) fs.listStatus(staging).map(_.getPath.getName).toSeq.asJava else Nil.asJava).isEmpty()
  }
}
