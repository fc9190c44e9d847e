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
package org.hadoopmpsr.spark.jobs

import scala.jdk.CollectionConverters._
import scala.util.{Random, Using}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.Row
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.core.stats.{ColumnStatistics, FileStatistics}
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestRecords}
import org.hadoopmpsr.spark.relation.ConfKeys
import org.junit.jupiter.api.{AfterAll, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** A hostile writer publishes beside an honest one: queries find every honest record, and verify names the hostile files. */
@TestInstance(Lifecycle.PER_CLASS)
class FalseStatisticsTest {
  import SparkFixture._

  private val label = TestRecords.schema.indexOf("label").getAsInt
  private val honest = "coalesce(label, '') <> 'hostile'"
  private var dfs: MiniDFSCluster = _

  /** What is stated of files, each time of at least one column of every file falsely. */
  private val lies: Seq[Map[String, ColumnStatistics]] = Seq(
    Map("signal" -> ColumnStatistics.of("T", "T", 0), "quality" -> ColumnStatistics.of(null, null, -1)),
    Map("timestamp_ns" -> ColumnStatistics.of(Long.box(Long.MinValue), Long.box(Long.MinValue), 0)),
    Map("device" -> new ColumnStatistics("A", "A", 0), "system" -> new ColumnStatistics("A", "A", 0)),
    Map("label" -> new ColumnStatistics(null, "0", -1), "ok" -> new ColumnStatistics(null, null, -1)),
    Map("timestamp_ns" -> new ColumnStatistics(Long.box(Long.MaxValue), null, -1)))

  @BeforeAll
  def start(): Unit = dfs = TestClusters.of(TestRecords.groups)

  @AfterAll
  def stop(): Unit = {
    if (dfs != null) dfs.shutdown(true)
    session.conf.unset(ConfKeys.Enabled)
  }

  private def hostile(row: Row): Row = Row.fromSeq(row.toSeq.updated(label, "hostile"))

  private def stating(columns: Map[String, ColumnStatistics])(right: FileStatistics): FileStatistics = new FileStatistics(
    right.commitId,
    right.content,
    right.partition,
    (right.columns.asScala ++ columns).asJava)

  private def allFiles(dataset: SinkDataset): Seq[String] =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI)) { client =>
      val path = dataset.root.toUri.getPath
      val segments = client.segments(path).segments.asScala.map(_.id).asJava
      TestRecords.groups.names.asScala.toSeq.flatMap(client.segmentFiles(path, _, segments).asScala.map(_.path))
    }

  @Tag("long")
  @Test
  def onlyTheirWritersRecordsAreHidden(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/hostile", TestRecords)
    val random = new Random(seed)
    val hostileIds = random.shuffle(lies).zipWithIndex.map { case (columns, i) =>
      dataset.commit(TestRecords.rows(seed, i, 100))
      dataset.commit(TestRecords.rows(seed, 50 + i, 60).map(hostile), stating(columns))
    }
    def frame(group: Option[String], filter: String) = {
      val all = session.read.parquet(dataset.root.toString)
      group.fold(all)(all.hint("mpsr", _)).where(filter).where(honest)
    }
    for {
      (filter, expected) <- Seq(
        "signal = 'SIG3'",
        "device = 'VAC2' AND quality = 2",
        "system IN ('CRYO', 'POWER') AND quality IS NULL",
        "day = '2014-05-01' AND value > 1",
        "timestamp_ns > 1398900000000000000",
        "label = 'żółw' OR ok IS NULL").map(filter => filter -> stock(rows(frame(None, filter))))
      group <- TestRecords.groups.names.asScala
    } {
      val query = frame(Some(group), filter)
      assertThat(explain(query)).as(s"seed $seed: $filter").contains(s"parquet[mpsr $group: ")
      assertThat(rows(query).asJava).as(s"seed $seed: $filter in $group").isNotEmpty
        .isEqualTo(expected.asJava)
    }

    val report = VerifyDataset.verify(session, dataset.root.toString)
    val files = allFiles(dataset).filter(path => hostileIds.exists(id => path.contains(s"/$id-")))
    assertThat(report.falseFiles.map(_.path).sorted.asJava).isNotEmpty.isEqualTo(files.sorted.asJava)
    assertThat(report.equal).isTrue
    assertThat(report.sound).isFalse
    assertThat(report.json).contains("\"sound\" : false", "\"problem\" : \"states the minimum")
    session.conf.unset(ConfKeys.Enabled)
  }
}
