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

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.Row
import org.assertj.core.api.Assertions.{assertThat, assertThatCollection, assertThatList}
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.client.run.RunRecord
import org.hadoopmpsr.client.run.RunRecord.State
import org.hadoopmpsr.core.hash.HashKind
import org.hadoopmpsr.core.stats.FileStatistics
import org.hadoopmpsr.spark.versions.Scala213._
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestDataset, TestRecords}
import org.hadoopmpsr.spark.relation.ConfKeys
import org.junit.jupiter.api.{AfterAll, AfterEach, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Commits of the sink are merged on a cluster, and every answer stays. */
@TestInstance(Lifecycle.PER_CLASS)
class CompactDatasetTest {
  import SparkFixture._

  private val filters = Seq(
    "true",
    "signal = 'SIG3'",
    "device = 'VAC2' AND quality = 2",
    "day = '2014-05-01' AND value > 1",
    "timestamp_ns > 1398900000000000000",
    "label = 'żółw' OR ok IS NULL")
  private var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = dfs = TestClusters.of(TestRecords.groups)

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  @AfterEach
  def reset(): Unit = session.conf.unset(ConfKeys.Enabled)

  private def compact(dataset: SinkDataset, arguments: String*): RunRecord = {
    val options = CompactionOptions.parse(arguments.asJava, new java.util.ArrayList)
    CompactDataset.compact(session, dataset.root.toString, options)
  }

  private def files(dataset: SinkDataset): Map[String, Long] = {
    val client = MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI)
    try client.getDataset(dataset.root.toUri.getPath).representations.asScala.map(r => r.group -> r.files).toMap
    finally client.close()
  }

  private def answers(dataset: SinkDataset): Seq[Seq[String]] = for {
    filter <- filters
    expected = stock(rows(session.read.parquet(dataset.root.toString).where(filter)))
    group <- TestRecords.groups.names.asScala.toSeq
  } yield {
    val all = session.read.parquet(dataset.root.toString)
    val found = rows(all.hint("mpsr", group).where(filter))
    assertThatList(found.asJava).as(s"seed $seed: $filter in $group").isEqualTo(expected.asJava)
    found
  }

  @Test
  def everyAnswerStays(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/merged", TestRecords)
    (0 until 6).foreach(i => dataset.commit(TestRecords.rows(seed, i, 80)))
    val (before, filesBefore) = (answers(dataset), files(dataset))
    val run = compact(dataset, "--parallelism", "2", "--bandwidth", "104857600")
    assertThat(run.state).isEqualTo(State.DONE)
    assertThat(run.problem).isNull()
    assertThat(run.done.changes).isEqualTo(1)
    assertThat(run.done.segments).isEqualTo(6)
    assertThat(run.done.files).isEqualTo(filesBefore.values.sum)
    val filesAfter = files(dataset)
    assertThat(run.done.filesWritten).isEqualTo(filesAfter.values.sum)
    assertThatCollection(filesBefore.keys.filter(group => filesAfter(group) >= filesBefore(group)).asJavaCollection).isEmpty()
    assertThatList(answers(dataset).asJava).isEqualTo(before.asJava)
    assertThat(VerifyDataset.verify(session, dataset.root.toString).sound).isTrue
  }

  /** An older version hashed in another way. Each of its commits has one file here, whose hash is that of the commit. */
  @Test
  @Tag("long")
  def recordsOfAnOlderVersionAreMerged(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/older", TestRecords)
    TestRecords.rows(seed, 0, 3).foreach { row =>
      val content = TestDataset.hash(Seq(row), HashKind.SHA_256)
      dataset.commit(Seq(row), s => new FileStatistics(s.commitId, content, s.partition, s.columns))
    }
    (1 until 4).foreach(i => dataset.commit(TestRecords.rows(seed, i, 40)))
    val before = answers(dataset)
    val run = compact(dataset, "--all")
    assertThat(run.problem).isNull()
    assertThat(run.done.segments).isEqualTo(6)
    assertThatList(answers(dataset).asJava).isEqualTo(before.asJava)
    assertThat(VerifyDataset.verify(session, dataset.root.toString).sound).isTrue
  }

  @Tag("long")
  @Test
  def oneRecordOfEachKeyStays(): Unit = {
    val keys = Seq("signal", "device", "system", "timestamp_ns")
    val dataset = new SinkDataset(dfs, "/cals/keys", TestRecords, keys)
    val key = keys.map(TestRecords.schema.indexOf(_).getAsInt)
    val place = TestRecords.schema.indexOf("value").getAsInt
    def withValue(row: Row, value: Double): Row = Row.fromSeq(row.toSeq.updated(place, value))
    val commits = (0 until 4).map { i =>
      val own = TestRecords.rows(seed, i, 80)
      val ofCommitBefore = if (i == 0) Nil else TestRecords.rows(seed, i - 1, 80).take(30)
      own ++ ofCommitBefore.map(withValue(_, -1000 - i)) ++ own.slice(10, 40).map(withValue(_, 2000)) ++
        own.slice(20, 60).map(withValue(_, 1000))
    }
    commits.foreach(dataset.commit(_))
    // of the last commit that has the key, the greatest value; null is least, and NaN greatest
    val values: Ordering[Any] = (a, b) =>
      if (a == null || b == null) java.lang.Boolean.compare(a != null, b != null)
      else java.lang.Double.compare(a.asInstanceOf[Double], b.asInstanceOf[Double])
    val kept = commits.map(_.groupBy(row => key.map(row.get)).view.mapValues(_.map(_.get(place)).max(values)).toMap)
      .reduce(_ ++ _).view.mapValues(String.valueOf).toMap
    val run = compact(dataset, "--all")
    assertThat(run.problem).isNull()
    assertThat(run.done.duplicates).as(s"seed $seed").isEqualTo(commits.map(_.size).sum - kept.size).isPositive
    val all = session.read.parquet(dataset.root.toString)
    TestRecords.groups.names.forEach { group =>
      val found = all.hint("mpsr", group).select((keys :+ "value").map(all(_)): _*).collect()
      assertThat(found.length).as(s"seed $seed, $group").isEqualTo(kept.size)
      val stayed = found.map(row => keys.indices.map(row.get) -> String.valueOf(row.get(keys.size))).toMap
      assertThat(stayed.asJava).as(s"seed $seed, $group").isEqualTo(kept.asJava)
    }
    assertThat(VerifyDataset.verify(session, dataset.root.toString).sound).isTrue
    // what comes later stays until it is merged
    dataset.commit(commits.last)
    assertThat(session.read.parquet(dataset.root.toString).count()).isEqualTo(kept.size + commits.last.size)
    assertThat(compact(dataset, "--all").done.duplicates).as(s"seed $seed").isEqualTo(commits.last.size)
  }

  @Test
  @Tag("long")
  def laterCommitsAndMergesGoOn(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/later", TestRecords)
    (0 until 6).foreach(i => dataset.commit(TestRecords.rows(seed, i, 50)))
    assertThat(compact(dataset).done.segments).isEqualTo(6)
    // nothing is due, nor is one small segment more worth it
    assertThat(compact(dataset).done.changes).isZero
    dataset.commit(TestRecords.rows(seed, 6, 10))
    assertThat(compact(dataset).done.changes).isZero
    val before = answers(dataset)
    assertThat(compact(dataset, "--all").done.segments).isEqualTo(2)
    assertThatList(answers(dataset).asJava).isEqualTo(before.asJava)
    assertThat(VerifyDataset.verify(session, dataset.root.toString).sound).isTrue
  }
}
