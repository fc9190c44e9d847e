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
package org.hadoopmpsr.spark.jobs.rebuild

import java.util.{List => JList}

import scala.jdk.CollectionConverters._

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.Row
import org.apache.spark.sql.functions.{col, udf}
import org.apache.spark.util.SerializableConfiguration
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.client.{Dataset, MpsrClient, StagedFile}
import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.core.group.{LeadingBits, ReplicaGroups}
import org.hadoopmpsr.core.hash.{ContentHash, HashKind}
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.core.stats.{DataFile, FileStatistics}
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestEvents, TestTable}
import org.hadoopmpsr.spark.jobs.run.{BegunChange, DatasetText, JobException, SparkTasks}
import org.junit.jupiter.api.{AfterAll, BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Files that are derived from any group hold what the sink has written to the other one, sorted and sized. */
@TestInstance(Lifecycle.PER_CLASS)
class SparkDeriverTest {
  import SparkFixture._

  /** With groups that are sorted by bits: of a number first, and behind a column. */
  private object Events extends TestTable {
    override val name: String = TestEvents.name
    override val schema: Schema = TestEvents.schema
    override val key: String = TestEvents.key
    override val groups: ReplicaGroups = groupsOf(
      ("place", Seq("region", "kind"), ""),
      ("hour", Seq("hour(at)"), "bits(13, amount), id"),
      ("name", Seq("truncate(2, name)", "bucket(3, id)"), "ok, bits(9, n), id"),
      ("amount", Seq("range(n, -50, 0, 50)", "year(at)"), ""))
    override def rows(seed: Long, commit: Int, count: Int): Seq[Row] = TestEvents.rows(seed, commit, count)
  }

  private var dfs: MiniDFSCluster = _
  private var dataset: Dataset = _
  private var segments: Seq[String] = Nil

  /** By group. */
  private var files: Map[String, Seq[DataFile]] = Map.empty
  private var changes = 0

  @BeforeAll
  def commit(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(Events.groups)
    val sink = new SinkDataset(dfs, "/cals/derived", Events)
    segments = (0 until 2).map(i => sink.commit(TestEvents.rows(seed, i, 1500)))
    val client = MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI)
    try {
      dataset = client.getDataset("/cals/derived")
      files = dataset.groups.names.asScala
        .map(group => group -> client.segmentFiles(dataset.path, group, segments.asJava).asScala.toSeq)
        .toMap
    } finally client.close()
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  private def deriver(fileBytes: Long): Deriver = new SparkDeriver(
    session,
    DatasetText.of(dataset),
    dfs.getURI,
    session.sparkContext.broadcast(new SerializableConfiguration(dfs.getConfiguration(0))),
    new SparkTasks(session.sparkContext, 3, 0),
    fileBytes)

  private def derive(derivation: Derivation, fileBytes: Long = 1L << 27): (BegunChange, Seq[DerivedPart]) = {
    changes += 1
    val change = BegunChange(s"rebuild-$changes", s"/derived/$changes", 1000)
    var told = 0
    val parts = deriver(fileBytes).derive(derivation, change, _ => synchronized(told += 1), () => ())
    assertThat(told).isEqualTo(parts.size)
    (change, parts)
  }

  private def from(group: String, file: DataFile): SegmentFile = new SegmentFile(
    file.statistics.commitId,
    group,
    "",
    file.statistics.partition,
    file.path,
    file.length,
    file.statistics.content)

  private def sources(group: String): Seq[DerivedFrom] =
    files(group).map(file => DerivedFrom(from(group, file), subtracted = false))

  private def targets(group: String): Seq[Target] = files(group).map { file =>
    val its = file.statistics
    Target(its.commitId, new java.util.ArrayList(its.partition), HashKind.CURRENT, its.rows, file.length, 1)
  }

  private def contents(files: Seq[FileStatistics]): Map[(String, JList[AnyRef]), ContentHash] =
    files.groupMapReduce(f => (f.commitId, f.partition: JList[AnyRef]))(_.content)(_.plus(_))

  /** The files' rows are sorted as the group says. */
  private def checkOrder(change: BegunChange, file: StagedFile): Unit = {
    val group = dataset.groups.find(file.group).get
    val sort = group.sortWithinFiles(dataset.schema).asScala.toSeq.map { key =>
      val column = col(key.column)
      if (key.isColumn) column
      else {
        val count = key.bits.count
        udf((value: java.lang.Double) => Option(value).map(new LeadingBits(count).of(_))).apply(column.cast("double"))
      }
    }
    val path = s"${dfs.getURI}${change.stagingDir}/${file.group}/${file.relativePath}"
    val read = session.read.option("basePath", new Path(path).getParent.toString).parquet(path).select(sort: _*)
    val found = read.collect().toSeq.map(_.toString)
    // -0.0 and 0.0 are equal in the order, and of different texts
    assertThat(found.map(_.replace("-0.0", "0.0")).asJava)
      .as(s"seed $seed: ${file.relativePath}")
      .isEqualTo(read.sort(sort: _*).collect().toSeq.map(_.toString.replace("-0.0", "0.0")).asJava)
    assertThat(found.size.toLong).isEqualTo(file.statistics.rows)
  }

  @Test
  def everyGroupComesFromEveryOther(): Unit = for {
    source <- dataset.groups.names.asScala
    target <- dataset.groups.names.asScala
    if source != target
  } {
    val (change, parts) = derive(Derivation(target, sources(source), targets(target)))
    val staged = parts.flatMap(_.files)
    assertThat(contents(staged.map(_.statistics)).asJava)
      .as(s"seed $seed: $target from $source")
      .isEqualTo(contents(files(target).map(_.statistics)).asJava)
    staged.foreach { file =>
      assertThat(file.group).isEqualTo(target)
      val name = new Path(file.relativePath).getName
      assertThat(name).startsWith(s"${file.statistics.commitId}-${change.id}-")
      // the statistics are those of the sink's file
      val its = files(target).map(_.statistics).filter(_.commitId == file.statistics.commitId).find(_.partition == file.statistics.partition).get
      its.columns.asScala.foreach { case (column, values) =>
        assertThat(file.statistics.column(column).min).isEqualTo(values.min)
        assertThat(file.statistics.column(column).max).isEqualTo(values.max)
        assertThat(file.statistics.column(column).nullCount).isEqualTo(values.nullCount)
      }
    }
    checkOrder(change, staged.maxBy(_.statistics.rows))
  }

  @Test
  def onlyWhatIsWantedIsWritten(): Unit = {
    val wanted = targets("name").take(2)
    val (_, parts) = derive(Derivation("name", sources("place"), wanted))
    val expected = files("name").map(_.statistics).filter(f =>
      wanted.exists(t => t.segment == f.commitId && t.partition == f.partition))
    assertThat(contents(parts.flatMap(_.files).map(_.statistics)).asJava).isEqualTo(contents(expected).asJava)
  }

  @Test
  def filesAreOfEvenLengthAndWhatIsThereIsSubtracted(): Unit = {
    val whole = targets("hour").maxBy(_.rows)
    val (change, parts) = derive(Derivation("hour", sources("place"), Seq(whole)), whole.bytes / 4)
    val pieces = parts.flatMap(_.files)
    assertThat(pieces.size).isEqualTo(4)
    pieces.foreach(piece => assertThat(piece.statistics.rows).isBetween(whole.rows / 4 - whole.rows / 16, whole.rows / 4 + whole.rows / 16))
    val sound = pieces.take(3).map { piece =>
      val path = s"${change.stagingDir}/hour/${piece.relativePath}"
      val its = piece.statistics
      DerivedFrom(new SegmentFile(its.commitId, "hour", "", its.partition, path, piece.length, its.content), subtracted = true)
    }
    val (_, rest) = derive(Derivation("hour", sources("name") ++ sound, Seq(whole)))
    assertThat(rest.flatMap(_.files).map(_.statistics.content).asJava).containsExactly(pieces.last.statistics.content)
    // twice the same file is more than the source has
    assertThatThrownBy(() => derive(Derivation("hour", sources("name") ++ sound ++ sound.take(1), Seq(whole))))
      .isInstanceOf(classOf[JobException])
      .hasMessageContaining("holds a record that the group which is read lacks")
  }

  @Test
  def aSourceThatDoesNotHoldWhatIsStatedFails(): Unit = {
    val wrong = sources("place").map(f =>
      if (f == sources("place").head) f.copy(file = new SegmentFile(
        f.file.segment, f.file.group, "", f.file.partition, f.file.path, f.file.length, new ContentHash(f.file.content.kind, f.file.content.count, 1, 2)))
      else f)
    assertThatThrownBy(() => derive(Derivation("name", wrong, targets("name"))))
      .isInstanceOf(classOf[JobException])
      .hasMessageContaining("are stated of it")
  }

  @Test
  def recordsAreCountedByPartition(): Unit = {
    val segment = segments.head
    val counts = deriver(1).count("name", files("amount").filter(_.statistics.commitId == segment).map(from("amount", _)), () => ())
    val expected = files("name").map(_.statistics).filter(_.commitId == segment).groupMapReduce(f => f.partition: JList[AnyRef])(_.rows)(_ + _)
    assertThat(counts.asJava).isEqualTo(expected.asJava)
  }
}
