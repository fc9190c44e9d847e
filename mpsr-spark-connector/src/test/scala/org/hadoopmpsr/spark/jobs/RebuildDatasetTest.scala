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

import java.io.IOException
import java.time.Duration
import java.util.concurrent.atomic.AtomicBoolean

import java.util.Collections.singletonList

import scala.collection.mutable
import scala.concurrent.{Await, Future}
import scala.concurrent.ExecutionContext.Implicits.global
import scala.concurrent.duration.DurationInt
import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{BlockLocation, Path}
import org.apache.hadoop.hdfs.{InProcessFileSystem, MiniDFSCluster}
import org.apache.spark.sql.SparkSession
import org.assertj.core.api.Assertions.{assertThat, assertThatList, assertThatThrownBy}
import org.awaitility.Awaitility.await
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.client.delete.DeleteOptions
import org.hadoopmpsr.client.rebuild.RebuildOptions
import org.hadoopmpsr.client.repair.RepairOptions
import org.hadoopmpsr.client.run.{JobKind, RunRecord}
import org.hadoopmpsr.client.run.RunRecord.State
import org.hadoopmpsr.core.group.{Predicate, WantedGroup}
import org.hadoopmpsr.core.rebuild.Damage
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestRecords}
import org.hadoopmpsr.spark.jobs.run.DatasetJob
import org.hadoopmpsr.spark.relation.ConfKeys
import org.hadoopmpsr.testing.LostFiles
import org.junit.jupiter.api.{AfterAll, AfterEach, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** What a cluster loses is written anew from other groups, and every answer stays. Each group has two DataNodes. */
@TestInstance(Lifecycle.PER_CLASS)
class RebuildDatasetTest {
  import SparkFixture._

  private val filters = Seq("true", "signal = 'SIG3'", "day = '2014-05-01' AND value > 1", "label = 'żółw' OR ok IS NULL")
  private var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    // a DataNode is dead after 2 x 500 ms + 10 x 200 ms
    dfs = TestClusters.of(TestRecords.groups, 2, "dfs.namenode.heartbeat.recheck-interval" -> "500")
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  @AfterEach
  def reset(): Unit = session.conf.unset(ConfKeys.Enabled)

  private def client[T](body: MpsrClient => T): T =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(body)

  private def path(dataset: SinkDataset): String = dataset.root.toUri.getPath

  private def damages(dataset: SinkDataset): Seq[Damage] = client(_.damage(path(dataset), 1000)).damages.asScala.toSeq

  private def files(dataset: SinkDataset, group: String): Seq[String] = client { c =>
    val segments = c.segments(path(dataset)).segments.asScala.map(_.id).toSeq
    c.segmentFiles(path(dataset), group, segments.asJava).asScala.map(_.path).toSeq
  }

  private def awaitDamage(dataset: SinkDataset): Unit =
    await().atMost(Duration.ofSeconds(60)).until(() => damages(dataset).nonEmpty)

  private def rebuild(dataset: SinkDataset): RunRecord =
    RebuildDataset.rebuild(session, dataset.root.toString, RebuildOptions.DEFAULT)

  private def answers(dataset: SinkDataset): Seq[Seq[String]] =
    filters.map(filter => rows(session.read.parquet(dataset.root.toString).where(filter)))

  private def locations(file: String): Seq[BlockLocation] =
    dfs.getFileSystem.getFileBlockLocations(new Path(file), 0, Long.MaxValue).toSeq

  /** The DataNode of a file, as the cluster names it. */
  private def hostOf(file: String): String = locations(file).head.getNames()(0)

  /** Every answer of other sessions stays meanwhile. */
  private def whileQuerying(dataset: SinkDataset, before: Seq[Seq[String]])(body: => Unit): Unit = {
    val ended = new AtomicBoolean
    val queries = Future {
      while ({ assertThatList(answers(dataset).asJava).as(s"seed $seed").isEqualTo(before.asJava); !ended.get }) {}
    }
    try body
    finally ended.set(true)
    Await.result(queries, 60.seconds)
  }

  private def checkWhole(dataset: SinkDataset, before: Seq[Seq[String]]): Unit = {
    assertThatList(damages(dataset).asJava).isEmpty()
    for (group <- TestRecords.groups.names.asScala; (filter, expected) <- filters.zip(before)) {
      val found = rows(session.read.parquet(dataset.root.toString).hint("mpsr", group).where(filter))
      assertThatList(found.asJava).as(s"seed $seed: $filter in $group").isEqualTo(expected.asJava)
    }
    assertThatList(stock(answers(dataset)).asJava).isEqualTo(before.asJava)
    assertThat(VerifyDataset.verify(session, dataset.root.toString).sound).isTrue
  }

  @Test
  def whatADeadDataNodeHeldIsWrittenAnew(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/died", TestRecords)
    (0 until 3).foreach(i => dataset.commit(TestRecords.rows(seed, i, 80)))
    val before = answers(dataset)
    val died = dfs.stopDataNode(hostOf(files(dataset, "signal").head))
    awaitDamage(dataset)
    val damaged = damages(dataset)
    assertThatList(damaged.map(_.group).distinct.asJava).containsExactly("signal")
    assertThatList(answers(dataset).asJava).isEqualTo(before.asJava)
    val run = rebuild(dataset)
    assertThat(run.problem).isNull()
    assertThat(run.state).isEqualTo(State.DONE)
    assertThat(run.done.segments).isEqualTo(damaged.size)
    assertThat(run.done.files).isEqualTo(damaged.map(_.files.size).sum)
    checkWhole(dataset, before)
    assertThat(rebuild(dataset).done.changes).isZero
    assertThat(dfs.restartDataNode(died, true)).isTrue
    dfs.waitActive()
    checkWhole(dataset, before)
  }

  @Test
  @Tag("long")
  def aGroupThatIsSetIsWrittenWhileItIsQueried(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/altered", TestRecords)
    (0 until 3).foreach(i => dataset.commit(TestRecords.rows(seed, i, 80)))
    val root = dataset.root.toString
    val wanted = new WantedGroup("signal", singletonList(Predicate.parse("bucket(3, device)")), java.util.List.of(), null)
    client(_.alterations.set(path(dataset), null, wanted))
    // the other jobs leave the group out until it is complete
    assertThat(RepairDataset.differences(session, root, RepairOptions.parse(singletonList("--dry-run"), new java.util.ArrayList)).isEmpty).isTrue
    val gone = new DeleteOptions(true, "device = 'VAC2'", null, null, false, false, 0, 0, null)
    assertThat(DeleteRecords.delete(session, root, gone, _ => ()).problem).isNull()
    val all = CompactionOptions.parse(singletonList("--all"), new java.util.ArrayList)
    assertThat(CompactDataset.compact(session, root, all).problem).isNull()
    val before = answers(dataset)
    whileQuerying(dataset, before) {
      assertThat(rebuild(dataset).problem).isNull()
      await().atMost(Duration.ofSeconds(60)).until(() => client(_.getDataset(path(dataset))).alterations.isEmpty)
    }
    checkWhole(dataset, before)
    val ofDevice = session.read.parquet(root).where("device = 'VAC1'")
    assertThat(explain(ofDevice)).contains("signal.2")
    assertThatList(rows(ofDevice).asJava).isEqualTo(stock(rows(session.read.parquet(root).where("device = 'VAC1'"))).asJava)
    dataset.commit(TestRecords.rows(seed, 3, 80))
    checkWhole(dataset, answers(dataset))
  }

  /** A job reads its groups once, and one of them may go when another one is complete. */
  @Test
  @Tag("long")
  def aJobBeginsAnewWhereGroupsWereAltered(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/anew", TestRecords)
    dataset.commit(TestRecords.rows(seed, 0, 20))
    val seen = mutable.Buffer.empty[Seq[String]]
    class Job extends DatasetJob[RebuildOptions](JobKind.REBUILD) {
      override protected def usage = ""
      override protected def parse(arguments: java.util.List[String], datasets: java.util.List[String]) = RebuildOptions.DEFAULT
      override protected def run(session: SparkSession, path: String, options: RebuildOptions): RunRecord = null
      override protected def text(done: RunRecord.Progress) = ""

      def work(alterations: Int): Int = within(session, dataset.root.toString, null) { job =>
        seen += job.dataset.groups.names.asScala.toSeq
        if (seen.size <= alterations) client(_.alterations.addColumn(path(dataset), null, s"more${seen.size} int"))
        if (seen.size == 1 && alterations > 0) client(_.alterations.drop(path(dataset), null, "signal"))
        if (seen.size <= 2) throw new IOException("there is no replica group 'signal'")
        seen.size
      }
    }
    assertThat(new Job().work(2)).isEqualTo(3)
    assertThatList(seen.head.asJava).containsExactly("time", "signal", "device")
    assertThatList(seen.last.asJava).containsExactly("time", "device")
    seen.clear()
    assertThatThrownBy(() => new Job().work(0)).hasMessage("there is no replica group 'signal'")
    assertThat(seen.size).isEqualTo(1)
  }

  @Test
  @Tag("long")
  def whatSomebodyDeletedAndABlockThatIsLostAreRestored(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/changed", TestRecords)
    (0 until 2).foreach(i => dataset.commit(TestRecords.rows(seed, i, 80)))
    val before = answers(dataset)
    val fs = dfs.getFileSystem
    assertThat(fs.delete(new Path(files(dataset, "time").head), false)).isTrue
    val signal = files(dataset, "signal").head
    LostFiles.lose(dfs, signal)
    await().atMost(Duration.ofSeconds(60)).until(() => LostFiles.isLost(dfs, signal))
    await().atMost(Duration.ofSeconds(60)).until(() => damages(dataset).map(_.group).toSet == Set("signal", "time"))
    val run = rebuild(dataset)
    assertThat(run.problem).isNull()
    checkWhole(dataset, before)
  }

  @Test
  @Tag("long")
  def twoDeadDataNodesOfDifferentGroups(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/two", TestRecords)
    (0 until 3).foreach(i => dataset.commit(TestRecords.rows(seed, i, 80)))
    val before = answers(dataset)
    val died = Seq("signal", "device").map(group => dfs.stopDataNode(hostOf(files(dataset, group).head)))
    await().atMost(Duration.ofSeconds(60)).until(() => damages(dataset).map(_.group).toSet == Set("signal", "device"))
    whileQuerying(dataset, before)(assertThat(rebuild(dataset).problem).isNull())
    checkWhole(dataset, before)
    died.foreach(node => assertThat(dfs.restartDataNode(node, true)).isTrue)
    dfs.waitActive()
    checkWhole(dataset, before)
    await().atMost(Duration.ofSeconds(60)).untilAsserted(() => {
      val replicas = TestRecords.groups.names.asScala.toSeq.flatMap(files(dataset, _)).flatMap(locations).map(_.getHosts.length)
      assertThatList(replicas.distinct.asJava).as("replicas of each block").containsExactly(1)
    })
  }

  @Test
  @Tag("long")
  def aWholeGroupIsWrittenAnew(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/group", TestRecords)
    (0 until 2).foreach(i => dataset.commit(TestRecords.rows(seed, i, 80)))
    val before = answers(dataset)
    val all = files(dataset, "device")
    all.foreach(LostFiles.lose(dfs, _))
    await().atMost(Duration.ofSeconds(60)).until(() => damages(dataset).map(_.files.size).sum == all.size)
    whileQuerying(dataset, before)(assertThat(rebuild(dataset).done.files).isEqualTo(all.size))
    checkWhole(dataset, before)
  }

  @Test
  @Tag("long")
  def aFileThatSomebodyOverwroteInTheStoreIsReplaced(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/overwritten", TestRecords)
    (0 until 2).foreach(i => dataset.commit(TestRecords.rows(seed, i, 80)))
    val before = answers(dataset)
    val file = files(dataset, "signal").head
    val pastMpsr = InProcessFileSystem.of(dfs.getNameNode, dfs.getURI, dfs.getConfiguration(0))
    Using.resource(pastMpsr.create(new Path(file), true))(_.write(Array[Byte](1, 2, 3)))
    awaitDamage(dataset)
    assertThatList(answers(dataset).asJava).isEqualTo(before.asJava)
    whileQuerying(dataset, before)(assertThat(rebuild(dataset).problem).isNull())
    checkWhole(dataset, before)
    assertThat(pastMpsr.exists(new Path(file))).isFalse
  }
}
