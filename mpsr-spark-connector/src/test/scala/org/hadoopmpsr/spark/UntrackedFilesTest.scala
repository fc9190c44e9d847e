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
package org.hadoopmpsr.spark

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.{FileUtil, Path}
import org.apache.spark.sql.{DataFrame, SaveMode}
import org.apache.spark.sql.functions.{col, lit}
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.spark.relation.DecisionMetrics
import org.junit.jupiter.api.{AfterAll, BeforeAll, BeforeEach, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Files that ordinary writers put into the directory of a dataset. */
@TestInstance(Lifecycle.PER_CLASS)
class UntrackedFilesTest {
  import SparkFixture._

  private var cluster: TestCluster = _

  private var dataset: SinkDataset = _

  @BeforeAll
  def start(): Unit = cluster = TestCluster.withDataset()

  @AfterAll
  def stop(): Unit = if (cluster != null) cluster.close()

  @BeforeEach
  def commit(): Unit = {
    dataset = new SinkDataset(cluster.dfs, s"/cals/written${System.nanoTime()}", TestRecords)
    (0 until 2).foreach(i => dataset.commit(TestRecords.rows(seed, i, 200)))
  }

  private def path: String = dataset.root.toString

  private def read: DataFrame = session.read.parquet(path)

  /** Records as those of the dataset, told apart by their quality. */
  private def more(day: String, quality: Int): DataFrame =
    stock(read.where("signal IN ('SIG3', 'SIG4')").withColumn("quality", lit(quality)).withColumn("day", lit(day).cast("date")))

  private def append(frame: DataFrame): Unit =
    stock(frame.write.mode(SaveMode.Append).partitionBy("day").parquet(path))

  private def check(frame: => DataFrame, shown: String*): Unit = {
    val expected = stock((frame.schema, rows(frame)))
    val text = explain(frame)
    assertThat(shown.filterNot(text.contains).asJava).as(text).isEmpty()
    assertThat(frame.schema).isEqualTo(expected._1)
    assertThat(rows(frame).asJava).as(text).isEqualTo(expected._2.asJava)
  }

  private val besides = "files that came without a commit"

  @Test
  def whatIsAppendedIsReadBesidesTheCheapestGroup(): Unit = {
    val early = read
    def before = early.where("signal = 'SIG3'")
    val listed = stock(rows(before))
    append(more("2014-05-01", 1001))
    append(more("2031-01-01", 1002))
    check(read.where("signal = 'SIG3'"), "parquet[mpsr part from signal, ", besides)
    check(read.where("signal = 'SIG3' AND quality > 1000"), besides)
    check(read.where("device = 'VAC2' AND day > '2014-04-30'"), "parquet[mpsr part from device, ", besides)
    check(read.where("day = '2014-05-01'"), "parquet[mpsr time: ", besides)
    check(read.where("day = '2031-01-01'"), besides)
    check(read.as("a").join(read.as("b"), col("a.signal") === col("b.signal")).where("a.signal = 'SIG4' AND b.quality > 1000").select("a.value"))
    withConf("spark.sql.sources.useV1SourceList" -> "")(check(read.where("signal = 'SIG3'"), "parquet[mpsr part from signal, ", besides))
    assertThat(rows(before).asJava).as("of an earlier listing").isEqualTo(listed.asJava)
    assertThat(explain(before)).contains("parquet[mpsr signal: ").doesNotContain(besides)
  }

  /** What is known of published files is not all. */
  @Tag("long")
  @Test
  def aggregatesCountWhatIsAppended(): Unit = {
    append(more("2031-01-01", 1002))
    val answered = DecisionMetrics.sum("answered")
    Seq("count(*)", "max(quality)", "max(day)", "count(DISTINCT signal)").foreach { aggregate =>
      check(read.selectExpr(aggregate))
      check(read.groupBy("day").agg(Map("quality" -> "max")))
    }
    assertThat(DecisionMetrics.sum("answered")).isEqualTo(answered)
  }

  @Test
  @Tag("long")
  def partitionsOfTablesAreReadWithWhatIsAppended(): Unit = {
    append(more("2014-05-01", 1001))
    session.sql(s"CREATE TABLE written USING parquet LOCATION '$path'")
    try {
      session.sql("MSCK REPAIR TABLE written")
      check(session.table("written").where("signal = 'SIG3'"), "parquet[mpsr part from signal, ", besides)
      check(session.table("written").where("signal = 'SIG3' AND day = '2014-05-01'"), besides)
      session.sql("INSERT INTO written PARTITION (day = '2014-05-01') SELECT * EXCEPT (day) FROM written WHERE signal = 'SIG4'")
      check(session.table("written").where("signal = 'SIG4'"), besides)
      check(session.table("written").where("signal = 'SIG4' AND day = '2014-05-01'"), besides)
    } finally session.sql("DROP TABLE written")
  }

  @Test
  def aCommitAndADeletionAfterwardsAreSeen(): Unit = {
    append(more("2014-05-01", 1001))
    check(read.where("signal = 'SIG3'"), besides)
    dataset.commit(TestRecords.rows(seed, 2, 200))
    check(read.where("signal = 'SIG3'"), "parquet[mpsr part from signal, ", besides)
    val added = cluster.dfs.getFileSystem.listStatus(new Path(dataset.root, "day=2014-05-01")).map(_.getPath).filter(_.getName.startsWith("part-"))
    added.foreach(cluster.dfs.getFileSystem.delete(_, false))
    check(read.where("signal = 'SIG3'"), "parquet[mpsr signal: ")
    assertThat(explain(read.where("signal = 'SIG3'"))).doesNotContain(besides)
  }

  /** What other groups have of a segment is not read where a part of it was deleted from the default group. */
  @Tag("long")
  @Test
  def whatIsOverwrittenIsGone(): Unit = {
    withConf("spark.sql.sources.partitionOverwriteMode" -> "dynamic") {
      stock(more("2014-05-01", 1003).localCheckpoint().write.mode(SaveMode.Overwrite).partitionBy("day").parquet(path))
    }
    check(read.where("signal = 'SIG3'"), "parquet[mpsr time: ", besides)
    check(read.where("day = '2014-05-01'"), besides)
    check(read.groupBy("day").agg(Map("quality" -> "max", "*" -> "count")))
    dataset.commit(TestRecords.rows(seed, 2, 200))
    check(read.where("signal = 'SIG3'"), "parquet[mpsr part from signal, ", "records were deleted from the default group", besides)
    check(read.selectExpr("count(*)", "min(day)", "max(timestamp_ns)"))
    cluster.dfs.getFileSystem.delete(new Path(dataset.root, "day=2014-05-01"), true)
    check(read.where("signal = 'SIG3'"), "parquet[mpsr time: ", "records were deleted from the default group")
    check(read.where("day = '2014-05-01'"))
    check(read.selectExpr("count(*)", "count(DISTINCT signal)"))
  }

  /** A file with the name of a published one is another file. */
  @Test
  @Tag("long")
  def whatIsWrittenOverIsReadAsItIs(): Unit = {
    val fs = cluster.dfs.getFileSystem
    val Seq(first, second) = stock(read.inputFiles).take(2).map(new Path(_)).toSeq
    fs.delete(first, false)
    FileUtil.copy(fs, second, fs, first, false, fs.getConf)
    check(read.where("signal = 'SIG3'"), besides)
    check(read.selectExpr("count(*)", "max(timestamp_ns)"))
  }

  /** A file of another schema fails or not as on stock. */
  @Tag("long")
  @Test
  def filesOfOtherSchemasAreReadAsOnStock(): Unit = {
    append(more("2014-05-01", 1001).drop("label").withColumn("another", lit(1)))
    check(read.where("signal = 'SIG3'"))
    check(read.where("label IS NULL"))
    check(read.selectExpr("count(label)", "count(*)"))
  }
}
