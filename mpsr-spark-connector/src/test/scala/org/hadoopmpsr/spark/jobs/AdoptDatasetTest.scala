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

import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration._
import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileUtil, Path}
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.{DataFrame, SaveMode}
import org.apache.spark.sql.functions.{col, explode, expr, lit, sequence}
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.adopt.AdoptOptions
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.client.run.RunRecord
import org.hadoopmpsr.client.run.RunRecord.State
import org.hadoopmpsr.core.adopt.UntrackedFile
import org.hadoopmpsr.core.stats.StatisticsCodec
import org.hadoopmpsr.namenode.store.Attributes
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestRecords}
import org.junit.jupiter.api.{AfterAll, BeforeAll, BeforeEach, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Files of ordinary writers become segments of all groups, and queries do not see it. */
@TestInstance(Lifecycle.PER_CLASS)
class AdoptDatasetTest {
  import SparkFixture._

  private var dfs: MiniDFSCluster = _
  private var dataset: SinkDataset = _

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(TestRecords.groups)
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  @BeforeEach
  def commit(): Unit = {
    dataset = new SinkDataset(dfs, s"/cals/adopted${System.nanoTime()}", TestRecords)
    (0 until 2).foreach(i => dataset.commit(TestRecords.rows(seed, i, 200)))
  }

  private def fs = dfs.getFileSystem

  private def path: String = dataset.root.toString

  private def read: DataFrame = session.read.parquet(path)

  private def client[T](body: MpsrClient => T): T =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(body)

  private def untracked: Seq[UntrackedFile] = client(_.untracked(dataset.root.toUri.getPath)).asScala.toSeq

  private def adopt(): RunRecord = AdoptDataset.adopt(session, path, new AdoptOptions(true, 0, 0, null))

  /** Records as those of the dataset, told apart by their quality. */
  private def more(quality: Int): DataFrame = read.where("signal IN ('SIG3', 'SIG4', 'SIG5')").withColumn("quality", lit(quality))

  /** As Spark writes by default, with timestamps of twelve bytes. */
  private def write(frame: => DataFrame, mode: SaveMode = SaveMode.Append): Unit =
    withConf("spark.sql.sources.partitionOverwriteMode" -> "dynamic") {
      stock(frame.localCheckpoint().write.mode(mode).partitionBy("day").parquet(path))
    }

  private val besides = "files that came without a commit"

  private def check(frame: => DataFrame, shown: String*): Unit = {
    val expected = stock(rows(frame))
    assertThat(rows(frame).asJava).as(s"seed $seed").isEqualTo(expected.asJava)
    val text = explain(frame)
    assertThat(shown.filterNot(text.contains).asJava).as(text).isEmpty()
    assertThat(text).doesNotContain(besides)
  }

  private def checkSome(): Unit = {
    check(read)
    check(read.where("signal = 'SIG3'"), "parquet[mpsr signal: ")
  }

  private def checkAll(): Unit = {
    val anyTime = stock(read.selectExpr("percentile_approx(seen, 0.5)").head().get(0))
    checkSome()
    check(read.where("signal = 'SIG4' AND quality > 1000"), "parquet[mpsr signal: ")
    check(read.where("device = 'VAC2' AND label = 'a'"))
    check(read.where("signal = 'SIG4' AND pos.y > 3 AND quality > 1000").selectExpr("pos.x", "samples", "tags['k0']"))
    check(read.where("day = '2014-05-01' AND value > 1"), "parquet[mpsr time: ")
    check(read.where(col("seen") >= anyTime))
    check(read.selectExpr("count(*)", "min(timestamp_ns)", "max(quality)", "count(label)"))
    check(read.groupBy("day").agg(Map("quality" -> "max", "*" -> "count")))
  }

  private def checkSound(): Unit = {
    val report = VerifyDataset.verify(session, path)
    assertThat(report.sound).as(s"seed $seed: $report").isTrue
  }

  @Test
  def whatIsAppendedBecomesASegmentOfAllGroups(): Unit = {
    write(more(1001))
    write(more(1002).where("day > '2014-05-01'").drop("label", "price")) // both are null then
    write(more(1003).where("day > '2014-05-01'").withColumn("pos", col("pos").dropFields("y")).drop("tags"))
    val files = untracked.map(_.path).toSet
    val early = read
    val earlyRows = stock(rows(early.where("signal = 'SIG3'")))
    val run = adopt()
    assertThat(run.problem).isNull()
    assertThat(run.state).isEqualTo(State.DONE)
    assertThat(run.done.files).isEqualTo(files.size.toLong)
    assertThat(untracked.asJava).isEmpty()
    assertThat(files.toSeq.filterNot(file => fs.exists(new Path(file))).asJava).as("they stay where they are").isEmpty()
    checkAll()
    assertThat(rows(early.where("signal = 'SIG3'")).asJava).as("of an earlier listing").isEqualTo(earlyRows.asJava)
    checkSound()
    assertThat(adopt().done.changes).isZero

    val all = CompactionOptions.parse(Seq("--all").asJava, new java.util.ArrayList)
    val merged = CompactDataset.compact(session, path, all)
    assertThat(merged.problem).isNull()
    assertThat(merged.done.segments).as("two commits and what was adopted").isEqualTo(3L)
    val listed = files.map(new Path(_).getParent).flatMap(fs.listStatus(_)).map(_.getPath.toUri.getPath)
    assertThat((files & listed).toSeq.asJava).as("replaced by the merge").isEmpty()
    checkSome()
  }

  @Test
  def planningKnowsWhichPagesOfThemTellValuesApart(): Unit = {
    val many = more(1004).withColumn("quality", explode(sequence(lit(1), lit(60)))).coalesce(1).sortWithinPartitions("day", "signal")
    withConf("parquet.page.row.count.limit" -> "100")(write(many))
    val files = untracked.map(_.path)
    assertThat(adopt().problem).isNull()
    val codec = new StatisticsCodec(TestRecords.schema)
    val shares = files.map { file =>
      val path = new Path(file)
      codec.file(path.getParent.toString, path.getName, 1, fs.getXAttr(path, Attributes.FILE)).statistics.column("signal").pageShare
    }
    assertThat(shares.count(share => share > 0 && share <= 0.75)).as(s"of $shares, seed $seed").isPositive()
    checkSome()
  }

  @Tag("long")
  @Test
  def whatDoesNotFitStaysWithTheReasonUntilItChanges(): Unit = {
    val day = new Path(dataset.root, "day=2014-05-01")
    val own = fs.listStatus(day).map(_.getPath).head
    def put(name: String)(frame: DataFrame): Path = {
      val scratch = s"${dfs.getURI}/scratch"
      withConf("spark.sql.parquet.outputTimestampType" -> "TIMESTAMP_MICROS") {
        stock(frame.coalesce(1).write.mode(SaveMode.Overwrite).parquet(scratch))
      }
      val written = fs.listStatus(new Path(scratch)).map(_.getPath).find(_.getName.endsWith(".parquet")).get
      val target = new Path(dataset.root, name)
      assertThat(FileUtil.copy(fs, written, fs, target, false, true, dfs.getConfiguration(0))).isTrue
      target
    }
    val inDay = more(1001).where("day = '2014-05-01'").drop("day")
    put("day=2014-05-01/extra.parquet")(inDay.withColumn("another", lit(1)))
    put("day=2014-05-01/field.parquet")(inDay.withColumn("day", lit("2014-05-01").cast("date")))
    put("day=2014-05-01/spelled.parquet")(inDay.withColumnRenamed("label", "Label"))
    put("day=2014-05-01/lacks.parquet")(inDay.drop("device"))
    put("day=2014-05-01/null.parquet")(inDay.withColumn("device", lit(null).cast("string")))
    put("day=2014-05-01/wider.parquet")(inDay.withColumn("quality", col("quality").cast("bigint")))
    put("day=2014-05-01/within.parquet")(inDay.withColumn("pos", col("pos").withField("z", lit(1))))
    put("day=2014-05-01/deeper.parquet")(inDay.withColumn(
      "pos",
      expr("named_struct('x', pos.x, 'y', pos.y, 'parts', transform(pos.parts, p -> named_struct('Name', p.name, 'n', p.n)))")))
    put("day=2014-05-01/element.parquet")(inDay.withColumn("samples", expr("cast(samples AS array<double>)")))
    put("day=2014-05-02/other.parquet")(inDay)
    put("day=2014-05-01/empty.parquet")(inDay.where("quality = 0"))
    put("root.parquet")(inDay)
    put("day=2014-05-01/deep/deep.parquet")(inDay)
    Using.resource(fs.create(new Path(day, "garbage.parquet")))(_.write(Array.fill[Byte](100)(7)))
    withConf("spark.sql.parquet.int96RebaseModeInWrite" -> "LEGACY") {
      stock(inDay.withColumn("seen", lit("1582-10-04 00:00:00").cast("timestamp")).coalesce(1).write.mode(SaveMode.Overwrite).parquet(s"${dfs.getURI}/int96"))
    }
    val int96 = fs.listStatus(new Path("/int96")).map(_.getPath).find(_.getName.endsWith(".parquet")).get
    assertThat(FileUtil.copy(fs, int96, fs, new Path(day, "int96.parquet"), false, true, dfs.getConfiguration(0))).isTrue
    val fits = put("day=2014-05-01/fits.parquet")(inDay)

    val run = adopt()
    assertThat(run.problem).isNull()
    assertThat(run.done.files).isEqualTo(1L)
    val reasons = untracked.map(file => new Path(file.path).getName -> file.unfit).toMap
    assertThat(reasons.keySet.contains(fits.getName)).isFalse
    Seq(
      "extra" -> "it has the column 'another', and the dataset has no such column; write it without the column",
      "field" -> "it has the column 'day', which is a directory of the dataset; write it without the column",
      "spelled" -> "it has the column 'Label', and the dataset has no such column, but 'label'; write it without the column",
      "lacks" -> "lacks the column 'device', which is not null",
      "null" -> "is not null, but the file has a record without a value for it",
      "wider" -> "holds the column 'quality', which is of type int, as",
      "within" -> "it has the field 'pos.z', and the dataset has no such field; write it without the field",
      "deeper" -> "it has the field 'pos.parts.Name', and the dataset has no such field, but 'pos.parts.name'",
      "element" -> "holds the column 'samples', which is of type array<float>, as",
      "other" -> "it has records of other partitions than that of its directory",
      "empty" -> "it has no records; delete it",
      "root" -> "it does not lie in a directory of a partition; write it to day=… below the dataset",
      "deep" -> "it does not lie in a directory of a partition",
      "garbage" -> "is not a Parquet file",
      "int96" -> "it has values of 'seen' before 1900, and does not say in which calendar; write it with Spark 3.1 or later").foreach { case (name, reason) =>
      assertThat(reasons(s"$name.parquet")).as(name).contains(reason)
    }
    assertThat(reasons.size).isEqualTo(15)
    assertThat(adopt().done.changes).as("nothing is read again").isZero

    val changed = new Path(day, "garbage.parquet")
    assertThat(FileUtil.copy(fs, fits, fs, changed, false, true, dfs.getConfiguration(0))).isTrue
    assertThat(adopt().done.files).isEqualTo(1L)
    untracked.foreach(file => fs.delete(new Path(file.path), false))
    fs.delete(new Path(day, "deep"), true)
    checkSome()
    checkSound()
    assertThat(fs.exists(own)).isTrue
  }

  /** Whatever writers do while files are adopted, nothing is lost and nothing is there twice. */
  @Test
  @Tag("long")
  def writersGoOn(): Unit = {
    write(more(1001))
    val adoptions = Future {
      (0 until 3).map(_ => adopt())
    }(ExecutionContext.global)
    (0 until 2).foreach { i =>
      write(more(1002 + i).where("quality > 0"))
      write(more(2000 + i).where("day = '2014-05-01'"), SaveMode.Overwrite)
      val expected = stock(rows(read.where("signal = 'SIG3'")))
      assertThat(rows(read.where("signal = 'SIG3'")).asJava).as(s"seed $seed").isEqualTo(expected.asJava)
    }
    val runs = Await.result(adoptions, 5.minutes)
    assertThat(runs.map(_.state).distinct.asJava).containsExactly(State.DONE)
    adopt()
    assertThat(untracked.asJava).isEmpty()
    Seq("signal = 'SIG3'", "quality > 1000", "day = '2014-05-01'", "true").foreach { condition =>
      val expected = stock(rows(read.where(condition)))
      assertThat(rows(read.where(condition)).asJava).as(s"seed $seed: $condition").isEqualTo(expected.asJava)
    }
  }
}
