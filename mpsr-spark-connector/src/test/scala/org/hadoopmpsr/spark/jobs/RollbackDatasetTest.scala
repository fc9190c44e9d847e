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
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.streaming.Trigger
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.client.delete.DeleteOptions
import org.hadoopmpsr.client.history.PlannedRollback
import org.hadoopmpsr.client.rollback.{RollbackOptions, RollbackReport}
import org.hadoopmpsr.client.run.RunRecord.State
import org.hadoopmpsr.core.hash.ContentHashes
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestDirectories, TestRecords}
import org.junit.jupiter.api.{AfterAll, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Earlier states come back in all groups, and every answer is stock's. */
@Tag("long")
@TestInstance(Lifecycle.PER_CLASS)
class RollbackDatasetTest {
  import SparkFixture._

  private var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(TestRecords.groups)
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  private def path(dataset: SinkDataset): String = dataset.root.toUri.getPath

  private def client[T](body: MpsrClient => T): T =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(body)

  private def committed(name: String, commits: Int): SinkDataset = {
    val dataset = new SinkDataset(dfs, s"/back/$name", TestRecords)
    (0 until commits).foreach(i => dataset.commit(TestRecords.rows(seed, i, 60)))
    client(_.tag(path(dataset), null, "start", null))
    dataset
  }

  private def answer(dataset: SinkDataset): Seq[String] = rows(session.read.parquet(dataset.root.toString))

  private def content(dataset: SinkDataset): ContentHashes = {
    val representations = client(_.getDataset(path(dataset))).representations.asScala
    representations.foreach { r =>
      assertThat(r.unusable).as(s"seed $seed").isNull()
      assertThat(r.content).as(s"seed $seed").isEqualTo(representations.head.content)
    }
    representations.head.content
  }

  private def rollback(dataset: SinkDataset, to: String): RollbackReport = {
    val (run, report) = RollbackDataset.rollback(session, dataset.root.toString, new RollbackOptions(to, 0, 0, null))
    assertThat(run.state).isEqualTo(State.DONE)
    report.get
  }

  private def delete(dataset: SinkDataset, where: String): Unit = {
    val options = new DeleteOptions(true, where, null, null, false, false, 0, 0, null)
    assertThat(DeleteRecords.delete(session, dataset.root.toString, options, _ => ()).state).isEqualTo(State.DONE)
  }

  /** Each group has these records, and each reader gets them. */
  private def check(dataset: SinkDataset, wanted: Seq[String], held: ContentHashes): Unit = {
    assertThat(content(dataset)).as(s"seed $seed").isEqualTo(held)
    assertThat(stock(answer(dataset)).mkString("\n")).as(s"seed $seed").isEqualTo(wanted.mkString("\n"))
    for (group <- TestRecords.groups.names.asScala) {
      val found = rows(session.read.parquet(dataset.root.toString).hint("mpsr", group))
      assertThat(found.mkString("\n")).as(s"seed $seed: in $group").isEqualTo(wanted.mkString("\n"))
    }
    assertThat(client(_.damage(path(dataset), 10)).damages).isEmpty()
  }

  @Test
  def aStateComesBackAndGoesAgain(): Unit = {
    val dataset = committed("all", 3)
    val first = client(_.segments(path(dataset)).segments).asScala.map(_.id)
    val (past, held) = (stock(answer(dataset)), content(dataset))
    delete(dataset, "signal IN ('SIG1', 'SIG2') OR device = 'VAC1'")
    dataset.commit(TestRecords.rows(seed, 3, 40))
    val (now, heldNow) = (stock(answer(dataset)), content(dataset))
    client(_.tag(path(dataset), null, "now", null))
    val offsets = client(_.getDataset(path(dataset))).offsets

    val report = rollback(dataset, "start")
    check(dataset, past, held)
    assertThat(report.change.sequence).isEqualTo(3)
    assertThat(PlannedRollback.records(report.plan.restores)).isEqualTo(past.size)
    assertThat(report.plan.restoredIds).containsExactlyInAnyOrderElementsOf(first.asJava)
    assertThat(report.lines.get(1)).isEqualTo(s"  change ${report.change.id}, number 3")
    assertThat(client(_.getDataset(path(dataset))).offsets).isEqualTo(offsets)
    // nothing differs now
    assertThat(rollback(dataset, "start").change).isNull()
    assertThat(client(_.history(path(dataset), 10)).last).isEqualTo(3)

    rollback(dataset, "now")
    check(dataset, now, heldNow)
    // merged segments have the same records, and what has come since goes without that a file is written
    CompactDataset.compact(session, dataset.root.toString, CompactionOptions.DEFAULT)
    dataset.commit(TestRecords.rows(seed, 4, 40))
    val removing = rollback(dataset, "now")
    assertThat(removing.plan.removes.size).isEqualTo(1)
    assertThat(removing.plan.restores).isEmpty()
    check(dataset, now, heldNow)
  }

  @Test
  @Tag("long")
  def aGroupThatLacksFilesRefusesIt(): Unit = {
    val dataset = committed("lacking", 1)
    delete(dataset, "signal = 'SIG1'")
    val held = content(dataset)
    client(_.purgeReplaced(path(dataset), null))
    assertThatThrownBy(() => rollback(dataset, "start")).hasMessageContaining("the dataset has no tags")
    assertThatThrownBy(() => rollback(dataset, "0")).hasMessageContaining("cannot roll").hasMessageContaining("begins with change 1")
    assertThat(content(dataset)).isEqualTo(held)
  }

  @Test
  @Tag("long")
  def aStreamEndsWhereRecordsComeBackThatItMayHaveRead(): Unit = {
    val dataset = committed("streamed", 1)
    val out = TestDirectories.create("mpsr-rollback").resolve("out").toUri.toString
    def read(): Unit = session.readStream
      .schema(stock(session.read.parquet(dataset.root.toString)).schema)
      .parquet(dataset.root.toString)
      .writeStream
      .option("checkpointLocation", s"$out-checkpoint")
      .trigger(Trigger.AvailableNow())
      .start(out)
      .awaitTermination()
    read()
    dataset.commit(TestRecords.rows(seed, 1, 20))
    rollback(dataset, "start")
    read()
    val seen = rows(session.read.parquet(out).select(stock(session.read.parquet(dataset.root.toString)).columns.map(col).toIndexedSeq: _*))
    assertThat(seen.asJava).as(s"seed $seed: a commit that went before it was read").isEqualTo(answer(dataset).asJava)
    delete(dataset, "true")
    rollback(dataset, "start")
    assertThatThrownBy(() => read()).hasMessageContaining("has brought back in")
  }
}
