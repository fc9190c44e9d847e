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

import java.time.Duration

import scala.jdk.CollectionConverters._
import scala.util.{Random, Using}
import scala.util.control.ControlThrowable

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.Row
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.run.{JobKind, RunRecord, RunRecords}
import org.hadoopmpsr.client.scrub.{ScrubOptions, ScrubRecords}
import org.hadoopmpsr.core.scrub.ScrubState
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestRecords}
import org.hadoopmpsr.spark.relation.ConfKeys
import org.hadoopmpsr.testing.FalseBlocks
import org.junit.jupiter.api.{AfterAll, AfterEach, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/**
 * What is wrong in a group and cannot be seen by HDFS is found and healed. `-Dmpsr.seeds=100` makes a hundred tries instead of
 * nine.
 */
@TestInstance(Lifecycle.PER_CLASS)
class ScrubDatasetTest {
  import SparkFixture._

  private val label = TestRecords.schema.indexOf("label").getAsInt
  private val groups = TestRecords.groups.names.asScala.toSeq
  private val tries = Integer.getInteger("mpsr.seeds", 9).intValue
  private val all = options(all = true, Long.MaxValue)
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

  private def options(all: Boolean, maxBytes: Long) =
    new ScrubOptions(all, java.util.List.of(), 30, maxBytes, 0, 0, null)

  private def client[T](body: MpsrClient => T): T =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(body)

  private def path(dataset: SinkDataset): String = dataset.root.toUri.getPath

  private def scrub(dataset: SinkDataset): RunRecord = ScrubDataset.scrub(session, dataset.root.toString, all)

  private def state(dataset: SinkDataset): ScrubState =
    new ScrubRecords(dfs.getFileSystem, dfs.getConfiguration(0), null).read(client(_.getDataset(path(dataset)).id))

  private def files(dataset: SinkDataset): Set[String] = client { c =>
    val segments = c.segments(path(dataset)).segments.asScala.map(_.id).asJava
    groups.flatMap(c.segmentFiles(path(dataset), _, segments).asScala.map(_.path)).toSet
  }

  private def answers(dataset: SinkDataset): Seq[Seq[String]] =
    groups.map(group => rows(session.read.parquet(dataset.root.toString).hint("mpsr", group)))

  private def labelled(row: Row, text: String): Row = Row.fromSeq(row.toSeq.updated(label, text))

  /** One record is flipped, missing or doubled in one group, while the statistics say that all is well. */
  @Test
  def oneWrongRecordInAnyGroupIsFoundAndHealed(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/scrubbed", TestRecords)
    val random = new Random(seed)
    val kinds = (0 until tries).map { i =>
      val some = TestRecords.rows(seed, i, 12)
      val record = some(random.nextInt(some.size))
      // with a twin, so that no directory is empty without the record
      val rows = some :+ labelled(record, "twin")
      val (kind, others) = i % 3 match {
        case 0 => ("flipped", rows.map(row => if (row eq record) labelled(record, "flipped") else row))
        case 1 => ("missing", rows.filterNot(_ eq record))
        case _ => ("doubled", rows :+ record)
      }
      val group = groups(random.nextInt(groups.size))
      dataset.commitFalsely(rows, Map(group -> others))
      s"$kind in $group"
    }
    println(s"seed $seed, tries: " + kinds.groupMapReduce(identity)(_ => 1)(_ + _).toSeq.sorted.mkString(", "))
    assertThat(VerifyDataset.verify(session, dataset.root.toString).falseSegments.size).as(s"seed $seed").isEqualTo(tries)
    val run = scrub(dataset)
    assertThat(run.problem).as(s"seed $seed").isNull()
    assertThat(run.done.segments).as(s"seed $seed").isEqualTo(tries)
    assertThat(state(dataset).found).isEqualTo(tries)
    assertThat(state(dataset).healed).isEqualTo(tries)
    val report = VerifyDataset.verify(session, dataset.root.toString)
    assertThat(report.sound).as(s"seed $seed: ${report.lines.mkString("; ")}").isTrue
    val found = answers(dataset)
    assertThat(found.distinct.size).as(s"seed $seed").isEqualTo(1)
    assertThat(found.head.size).isEqualTo(tries * 13)
    assertThat(scrub(dataset).done.changes).isZero
  }

  /** Files lie in directories of other partitions, also of partitions that have no other files. */
  @Test
  @Tag("long")
  def recordsInFilesOfOtherPartitionsAreMovedToTheirOwn(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/misplaced", TestRecords)
    val rows = groups.indices.flatMap { i =>
      val two = TestRecords.rows(seed, 2 * i, 40)
      val more = TestRecords.rows(seed, 2 * i + 1, 40)
      dataset.commitMisplaced(two, groups(i), swapped = true)
      dataset.commitMisplaced(more, groups(i), swapped = false)
      two ++ more
    }
    val right = new SinkDataset(dfs, "/cals/placed", TestRecords)
    right.commit(rows)
    val report = VerifyDataset.verify(session, dataset.root.toString)
    assertThat(report.falseFiles.size).as(s"seed $seed: ${report.lines.mkString("; ")}").isEqualTo(3 * groups.size)
    val run = scrub(dataset)
    assertThat(run.problem).as(s"seed $seed").isNull()
    assertThat(state(dataset).healed).as(s"seed $seed").isEqualTo(2 * groups.size)
    val healed = VerifyDataset.verify(session, dataset.root.toString)
    assertThat(healed.sound).as(s"seed $seed: ${healed.lines.mkString("; ")}").isTrue
    answers(dataset).foreach(found => assertThat(found.asJava).as(s"seed $seed").isEqualTo(answers(right).head.asJava))
    assertThat(scrub(dataset).done.changes).isZero
  }

  @Test
  def bytesThatChangeBelowHdfsAreHealed(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/flipped", TestRecords)
    (0 until 3).foreach(i => dataset.commit(TestRecords.rows(seed, i, 60)))
    val before = answers(dataset)
    val random = new Random(seed)
    val changed = client(_.segments(path(dataset))).segments.asScala.toSeq.map { segment =>
      val group = groups(random.nextInt(groups.size))
      val its = client(_.segmentFiles(path(dataset), group, java.util.List.of(segment.id)))
      val file = its.get(random.nextInt(its.size)).path
      // where the pages of the first columns are
      FalseBlocks.change(dfs, file, bytes => (20 until 90).foreach(i => bytes(i) = random.nextInt().toByte))
      file
    }
    val run = scrub(dataset)
    assertThat(run.problem).as(s"seed $seed: $changed").isNull()
    assertThat(run.done.files).as(s"seed $seed: $changed").isEqualTo(changed.size)
    assertThat(changed.exists(files(dataset))).as(s"seed $seed").isFalse
    assertThat(VerifyDataset.verify(session, dataset.root.toString).sound).as(s"seed $seed").isTrue
    assertThat(answers(dataset).asJava).isEqualTo(before.asJava)
  }

  @Test
  @Tag("long")
  def whereNoGroupHoldsWhatIsRecordedNothingIsChanged(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/undecided", TestRecords)
    val records = TestRecords.rows(seed, 0, 30)
    val others = groups.zipWithIndex.map { case (group, i) =>
      group -> records.zipWithIndex.map { case (row, at) => if (at == i) labelled(row, "flipped") else row }
    }
    val id = dataset.commitFalsely(records, others.toMap)
    val before = files(dataset)
    val run = scrub(dataset)
    assertThat(run.problem).contains(s"segment $id in group ", "nothing was changed")
    assertThat(run.done.changes).isZero
    assertThat(files(dataset).asJava).isEqualTo(before.asJava)
    assertThat(state(dataset).problems.asScala.map(_.group).sorted.asJava).isEqualTo(groups.sorted.asJava)
    val newest = client(_.segments(path(dataset))).segments.get(0).newestFile
    assertThat(state(dataset).read(id).newestFile).as("it is read again at once when there is a newer one").isEqualTo(newest)
    assertThat(state(dataset).healed).isZero
  }

  /** Each run reads one segment, and the next one goes on. */
  @Test
  @Tag("long")
  def runsGoOnWhereTheLastOneEnded(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/resumed", TestRecords)
    val ids = (0 until 3).map(i => dataset.commit(TestRecords.rows(seed, i, 20)))
    val later = System.currentTimeMillis() + Duration.ofDays(31).toMillis
    def next(): Set[String] = {
      ScrubDataset.scrub(session, dataset.root.toString, options(all = false, 1), () => later)
      ids.filter(state(dataset).read(_).checkedMs == later).toSet
    }
    val read = Seq.fill(4)(next())
    assertThat(read.map(_.size).asJava).isEqualTo(java.util.List.of(1, 2, 3, 3))
    val idle = ScrubDataset.scrub(session, dataset.root.toString, options(all = false, 1), () => later)
    assertThat(idle.done.bytes).isZero
  }

  /** The driver is lost before a healing, after it, and in between two segments; what it had kept by then counts. */
  @Test
  @Tag("long")
  def whatWasReadBeforeARunIsKilledStaysRead(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/killed", TestRecords)
    val records = (0 until 3).map(i => TestRecords.rows(seed, i, 20))
    val ids = records.zipWithIndex.map { case (some, i) =>
      if (i != 1) dataset.commit(some)
      else dataset.commitFalsely(some, Map("signal" -> (labelled(some.head, "flipped") +: some.tail)))
    }
    val later = System.currentTimeMillis() + Duration.ofDays(31).toMillis
    def wrong = VerifyDataset.verify(session, dataset.root.toString).falseSegments.map(_.segment).toSet
    def run(asks: Int): Unit = {
      val left = Iterator.range(0, asks)
      def clock(): Long = if (left.nextOption().isDefined) later else throw Killed
      ScrubDataset.scrub(session, dataset.root.toString, options(all = false, Long.MaxValue), () => clock(), portionBytes = 1)
    }
    def killed(): (Set[Int], Boolean) = {
      assertThatThrownBy(() => run(2)).isSameAs(Killed)
      forgetDriver(dataset)
      (ids.indices.filter(i => state(dataset).read(ids(i)).checkedMs == later).toSet, wrong.isEmpty)
    }
    assertThat(killed()).as("before the second one is healed").isEqualTo((Set(0), false))
    assertThat(killed()).as("when it is healed, and not kept as read").isEqualTo((Set(0), true))
    assertThat(killed()).as("before the healed one, which was written last, is kept as read").isEqualTo((Set(0, 2), true))
    run(Int.MaxValue)
    assertThat(ids.map(state(dataset).read(_).checkedMs).toSet.asJava).containsExactly(later)
    assertThat((state(dataset).found, state(dataset).healed)).isEqualTo((1L, 1L))
    assertThat(answers(dataset).distinct.size).isEqualTo(1)
    assertThat(VerifyDataset.verify(session, dataset.root.toString).sound).isTrue
  }

  /** A run counts as alive for some minutes after its last word. */
  private def forgetDriver(dataset: SinkDataset): Unit = {
    val runs = new RunRecords(JobKind.SCRUB, dfs.getFileSystem, dfs.getConfiguration(0), null)
    val id = client(_.getDataset(path(dataset)).id)
    val last = runs.read(id).get
    assertThat(last.state).isEqualTo(RunRecord.State.RUNNING)
    runs.write(
      id,
      new RunRecord(last.dataset, last.application, last.user, last.state, 0, 0, last.change, last.done, last.planned, null))
  }

  /** Nobody catches it, as nobody catches the end of a process. */
  private object Killed extends ControlThrowable
}
