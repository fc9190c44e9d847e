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
import org.apache.hadoop.fs.{FileUtil, Path}
import org.apache.hadoop.hdfs.{DFSTestUtil, InProcessFileSystem, MiniDFSCluster}
import org.apache.spark.sql.Row
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.repair.RepairOptions
import org.hadoopmpsr.client.repair.RepairOptions.Deed
import org.hadoopmpsr.client.run.RunRecord.State
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestRecords}
import org.hadoopmpsr.spark.jobs.repair.Difference
import org.hadoopmpsr.spark.relation.ConfKeys
import org.junit.jupiter.api.{AfterAll, AfterEach, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** What somebody does to the files of a dataset is told record for record, and undone. */
@TestInstance(Lifecycle.PER_CLASS)
class RepairDatasetTest {
  import SparkFixture._

  private var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(TestRecords.groups)
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  @AfterEach
  def reset(): Unit = session.conf.unset(ConfKeys.Enabled)

  private def fs = dfs.getFileSystem

  private def path(dataset: SinkDataset): String = dataset.root.toUri.getPath

  private def client[T](body: MpsrClient => T): T =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(body)

  private def files(dataset: SinkDataset, group: String, segment: String): Seq[String] =
    client(_.segmentFiles(path(dataset), group, java.util.List.of(segment))).asScala.map(_.path).toSeq

  private def options(deed: Deed, groups: String*): RepairOptions =
    new RepairOptions(deed, groups.asJava, RepairOptions.EXAMPLES, 0, 0, null)

  private def differences(dataset: SinkDataset): Seq[Difference] =
    RepairDataset.differences(session, dataset.root.toString, options(Deed.DRY_RUN)).differences

  private def answer(dataset: SinkDataset): Seq[String] = rows(session.read.parquet(dataset.root.toString))

  private def committed(name: String): (SinkDataset, Seq[String], Seq[String]) = {
    val dataset = new SinkDataset(dfs, s"/cals/$name", TestRecords)
    val segments = (0 until 2).map(i => dataset.commit(TestRecords.rows(seed, i, 80)))
    (dataset, segments, answer(dataset))
  }

  /** Writes other records over a file of the default group, as Spark without MPSR would. */
  private def overwrite(file: String)(change: Seq[Row] => Seq[Row]): Unit =
    withConf(ConfKeys.Enabled -> "false", "spark.sql.parquet.outputTimestampType" -> "TIMESTAMP_MICROS") {
    val read = session.read.parquet(s"${dfs.getURI}$file")
    val changed = change(read.collect().toSeq)
    val scratch = s"${dfs.getURI}/scratch"
    session.createDataFrame(changed.asJava, read.schema).coalesce(1).write.mode("overwrite").parquet(scratch)
    val written = fs.listStatus(new Path(scratch)).map(_.getPath).find(_.getName.endsWith(".parquet")).get
    assertThat(FileUtil.copy(fs, written, fs, new Path(file), false, true, dfs.getConfiguration(0))).isTrue
  }

  private def checkRepaired(dataset: SinkDataset, before: Seq[String]): Unit = {
    val run = RepairDataset.repair(session, dataset.root.toString, options(Deed.EXECUTE))
    assertThat(run.problem).isNull()
    assertThat(run.state).isEqualTo(State.DONE)
    assertThat(differences(dataset).asJava).isEmpty()
    assertThat(client(_.getDataset(path(dataset))).representations.asScala.map(_.unusable).filter(_ != null).asJava).isEmpty()
    assertThat(answer(dataset).asJava).isEqualTo(before.asJava)
    assertThat(stock(answer(dataset)).asJava).isEqualTo(before.asJava)
    assertThat(VerifyDataset.verify(session, dataset.root.toString).sound).isTrue
  }

  @Test
  def aFileThatSomebodyWroteOverIsToldAndReplaced(): Unit = {
    val (dataset, segments, before) = committed("over")
    val file = files(dataset, "time", segments(0)).head
    var gone = 0
    overwrite(file) { rows =>
      gone = rows.size - 1
      rows.take(1) ++ rows.take(1).map(row => Row.fromSeq("ODD" +: row.toSeq.tail))
    }
    assertThat(stock(answer(dataset)).size).isEqualTo(before.size - gone + 1)
    val found = differences(dataset)
    assertThat(found.map(d => s"${d.damage.segment} ${d.damage.group}").asJava).containsExactly(s"${segments(0)} time")
    val difference = found.head.found.get
    assertThat(difference.lacks).as(s"seed $seed: ${found.head.examples.map(_.text)}").isEqualTo(gone)
    assertThat(difference.extra).isEqualTo(1)
    assertThat(difference.misplaced).isZero
    assertThat(found.head.byHand.map(f => s"${f.file.path} ${f.foreign}").asJava).containsExactly(s"$file true")
    val examples = found.head.examples
    assertThat(examples.filterNot(_.hash.wanted).map(_.text.take(15)).asJava).containsExactly("{\"signal\":\"ODD\"")
    assertThat(examples.count(_.hash.wanted)).isEqualTo(math.min(gone, RepairOptions.EXAMPLES))
    checkRepaired(dataset, before)
  }

  @Test
  def whatIsChangedOrDeletedInEachGroupIsToldAndRestored(): Unit = {
    val (dataset, segments, before) = committed("each")
    val pastMpsr = InProcessFileSystem.of(dfs.getNameNode, dfs.getURI, dfs.getConfiguration(0))
    DFSTestUtil.appendFile(fs, new Path(files(dataset, "time", segments(0)).head), 10)
    val deleted = files(dataset, "time", segments(1)).head
    val lost = client(_.segmentFiles(path(dataset), "time", java.util.List.of(segments(1)))).asScala.head.statistics.rows
    assertThat(fs.delete(new Path(deleted), false)).isTrue
    val garbage = files(dataset, "signal", segments(1)).head
    Using.resource(pastMpsr.create(new Path(garbage), true))(_.write(Array[Byte](1, 2, 3)))
    val found = differences(dataset)
    assertThat(found.map(d => s"${d.damage.segment} ${d.damage.group}").toSet.asJava)
      .isEqualTo(Set(s"${segments(0)} time", s"${segments(1)} time", s"${segments(1)} signal").asJava)
    val byPlace = found.map(d => (d.damage.segment, d.damage.group) -> d).toMap
    assertThat(byPlace((segments(1), "time")).found.get.lacks).isEqualTo(lost)
    assertThat(byPlace((segments(1), "time")).damage.deleted).isTrue
    assertThat(byPlace((segments(1), "signal")).unreadable.map(_.path).asJava).containsExactly(garbage)
    assertThat(byPlace((segments(0), "time")).unreadable.size).isEqualTo(1)
    checkRepaired(dataset, before)
  }

  @Test
  @Tag("long")
  def aFileOfAnotherWriterStays(): Unit = {
    val (dataset, segments, before) = committed("other")
    val file = files(dataset, "time", segments(0)).head
    val other = new Path(new Path(file).getParent, "part-of-somebody.parquet")
    assertThat(FileUtil.copy(fs, new Path(file), fs, other, false, dfs.getConfiguration(0))).isTrue
    assertThat(differences(dataset).asJava).isEmpty()
    assertThat(RepairDataset.repair(session, dataset.root.toString, options(Deed.EXECUTE)).done.changes).isZero
    assertThat(fs.exists(other)).isTrue
    assertThat(fs.delete(other, false)).isTrue
    assertThat(answer(dataset).asJava).isEqualTo(before.asJava)
  }

  private def checkAccepted(dataset: SinkDataset, group: String, wanted: Seq[String]): Unit = {
    val run = RepairDataset.repair(session, dataset.root.toString, options(Deed.ACCEPT, group))
    assertThat(run.problem).isNull()
    assertThat(run.state).isEqualTo(State.DONE)
    assertThat(differences(dataset).asJava).isEmpty()
    assertThat(client(_.getDataset(path(dataset))).representations.asScala.map(_.unusable).filter(_ != null).asJava).isEmpty()
    for (read <- TestRecords.groups.names.asScala) {
      val found = rows(session.read.parquet(dataset.root.toString).hint("mpsr", read))
      assertThat(found.asJava).as(read).isEqualTo(wanted.asJava)
    }
    assertThat(stock(answer(dataset)).asJava).isEqualTo(wanted.asJava)
    assertThat(VerifyDataset.verify(session, dataset.root.toString).sound).isTrue
    assertThat(RepairDataset.repair(session, dataset.root.toString, options(Deed.ACCEPT, group)).done.changes).isZero
  }

  @Test
  def whatSomebodyWroteIsAcceptedInAllGroups(): Unit = {
    val (dataset, segments, before) = committed("accepted")
    val written = files(dataset, "time", segments(0))
    overwrite(written.head)(rows => rows.tail.map(row => Row.fromSeq("NEW" +: row.toSeq.tail)))
    assertThat(fs.delete(new Path(written.last), false)).isTrue
    val wanted = stock(answer(dataset))
    assertThat(wanted.exists(_.startsWith("[NEW"))).isTrue
    assertThat(wanted.size).isLessThan(before.size - 1)
    checkAccepted(dataset, "time", wanted)
  }

  @Test
  @Tag("long")
  def aSegmentOfWhichSomebodyDeletedEverythingIsGoneFromAllGroups(): Unit = {
    val (dataset, segments, _) = committed("emptied")
    files(dataset, "time", segments(1)).foreach(file => assertThat(fs.delete(new Path(file), false)).isTrue)
    val wanted = stock(answer(dataset))
    assertThat(wanted.size).isEqualTo(80)
    checkAccepted(dataset, "time", wanted)
    dataset.commit(TestRecords.rows(seed, 7, 40))
    assertThat(answer(dataset).size).isEqualTo(120)
    assertThat(VerifyDataset.verify(session, dataset.root.toString).sound).isTrue
  }

  @Test
  @Tag("long")
  def whatAnotherGroupHasIsAcceptedInTheDefaultGroup(): Unit = {
    val (dataset, segments, before) = committed("group")
    val pastMpsr = InProcessFileSystem.of(dfs.getNameNode, dfs.getURI, dfs.getConfiguration(0))
    val file = files(dataset, "signal", segments(0)).head
    val lost = client(_.segmentFiles(path(dataset), "signal", java.util.List.of(segments(0)))).asScala.find(_.path == file).get
    assertThat(pastMpsr.delete(new Path(file), false)).isTrue
    val run = RepairDataset.repair(session, dataset.root.toString, options(Deed.ACCEPT, "signal"))
    assertThat(run.problem).isNull()
    assertThat(answer(dataset).size).isEqualTo(before.size - lost.statistics.rows)
    checkAccepted(dataset, "signal", answer(dataset))
  }

  @Test
  @Tag("long")
  def aRecordInTheDirectoryOfAnotherPartitionIsNotAccepted(): Unit = {
    val (dataset, segments, before) = committed("misplaced")
    val written = files(dataset, "time", segments(0))
    assertThat(FileUtil.copy(fs, new Path(written.last), fs, new Path(written.head), false, true, dfs.getConfiguration(0))).isTrue
    assertThat(differences(dataset).head.found.get.misplaced).isPositive
    val run = RepairDataset.repair(session, dataset.root.toString, options(Deed.ACCEPT))
    assertThat(run.problem).startsWith(s"segment ${segments(0)} is not accepted and stays as it is: ")
    assertThat(run.problem).contains(s"${written.head} of group time has records of the partition ")
    checkRepaired(dataset, before)
  }
}
