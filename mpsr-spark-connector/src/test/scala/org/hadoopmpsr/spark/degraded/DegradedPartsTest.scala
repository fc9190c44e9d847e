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
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.Row
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.scrub.ScrubOptions
import org.hadoopmpsr.core.group.Predicate
import org.hadoopmpsr.core.schema.ColumnType
import org.hadoopmpsr.core.stats.{DataFile, FileStatistics, RowGroup}
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestRecords}
import org.hadoopmpsr.spark.jobs.{ScrubDataset, VerifyDataset}
import org.hadoopmpsr.testing.LostFiles
import org.junit.jupiter.api.{AfterAll, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** A file that is lost after some of its parts were read from it. */
@TestInstance(Lifecycle.PER_CLASS)
class DegradedPartsTest {
  import SparkFixture._

  private val random = new Random(seed)
  private val inParts = Seq(
    "spark.sql.files.maxPartitionBytes" -> "700000",
    "spark.sql.files.openCostInBytes" -> "0",
    "spark.sql.files.minPartitionNum" -> "1")
  private val all = ScrubOptions.parse(java.util.List.of("--all"), new java.util.ArrayList[String])
  private var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = dfs = TestClusters.of(TestRecords.groups)

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  /** Signals of one bucket: their records lie in one file, and each has a row group of its own. */
  private val signals: Seq[String] = {
    val bucket = Predicate.parse("bucket(4, signal)").transform
    (0 until 100).map(i => s"SIG$i").groupBy(bucket.apply(ColumnType.STRING, _)).values.head.take(3)
  }

  private def records: Seq[Row] = TestRecords.rows(seed, 0, 66000).zipWithIndex.map { case (row, i) =>
    Row.fromSeq(signals(i % 3) +: row.toSeq.slice(1, 7) :+ random.alphanumeric.take(100).mkString :++ row.toSeq.drop(8))
  }

  @Test
  @Tag("long")
  def eachPartHasTheRecordsOfItsRowGroups(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/parts", TestRecords)
    dataset.commit(records)
    val file = largest(dataset)
    assertThat(file.statistics.rowGroups.size).isGreaterThanOrEqualTo(3)
    session.read.parquet(dataset.root.toString).createOrReplaceTempView("parts")
    val query = "SELECT /*+ MPSR(signal) */ signal, timestamp_ns, label, value, day FROM parts"
    val expected = stock(rows(session.sql(query)))
    val before = DegradedReads.counter(session.sparkContext).sum
    val (first, rest) = withConf(inParts: _*) {
      val read = session.sql(query)
      assertThat(read.rdd.getNumPartitions).isGreaterThan(4)
      // the parts are read one after the other
      val all = read.toLocalIterator()
      val first = all.next().toString
      LostFiles.lose(dfs, file.path)
      await().atMost(Duration.ofSeconds(30)).until(() => LostFiles.isLost(dfs, file.path))
      (first, all.asScala.map(_.toString).toList)
    }
    assertThat((first +: rest).sorted.asJava).isEqualTo(expected.asJava)
    assertThat(DegradedReads.counter(session.sparkContext).sum - before).isGreaterThan(1)
    withConf((inParts :+ ("spark.sql.parquet.enableVectorizedReader" -> "false")): _*) {
      assertThat(rows(session.sql(query)).asJava).isEqualTo(expected.asJava)
    }
  }

  @Test
  @Tag("long")
  def aFileThatStatesOtherRowGroupsIsFalse(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/false", TestRecords)
    dataset.commit(records, otherRowGroups)
    val file = largest(dataset)
    val report = VerifyDataset.verify(session, dataset.root.toString)
    assertThat(report.falseFiles.map(_.path).asJava).as(s"seed $seed").contains(file.path)
    report.falseFiles.foreach(f => assertThat(f.problem).matches("states \\d+ records around byte \\d+ as row group 0, which is .*"))
    assertThat(ScrubDataset.scrub(session, dataset.root.toString, all).problem).isNull()
    val healed = VerifyDataset.verify(session, dataset.root.toString)
    assertThat(healed.sound).as(healed.lines.mkString("; ")).isTrue
    assertThat(largest(dataset).statistics.rowGroups.size).isGreaterThanOrEqualTo(3)
  }

  /** A record of the second row group is said to be of the first one. */
  private def otherRowGroups(right: FileStatistics): FileStatistics = right.rowGroups.asScala.toList match {
    case first :: second :: rest =>
      val others = new RowGroup(first.middle, first.rows + 1) :: new RowGroup(second.middle, second.rows - 1) :: rest
      new FileStatistics(right.commitId, right.content, right.partition, right.columns, others.asJava)
    case _ => right
  }

  private def largest(dataset: SinkDataset): DataFile =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI)) { client =>
      val path = dataset.root.toUri.getPath
      val segments = client.segments(path).segments.asScala.map(_.id).toSeq
      client.segmentFiles(path, "signal", segments.asJava).asScala.maxBy(_.length)
    }
}
