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
package org.hadoopmpsr.spark.write

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.{DataFrame, Row, SaveMode}
import org.apache.spark.sql.functions.{col, udf}
import org.apache.spark.sql.streaming.Trigger
import org.assertj.core.api.Assertions.{assertThat, assertThatList}
import org.hadoopmpsr.spark.{SparkFixture, TestRecords}
import org.hadoopmpsr.spark.relation.{ConfKeys, DecisionMetrics}
import org.junit.jupiter.api.{Tag, Test}

/** What Spark overwrites in a dataset goes from all groups at the moment when the new records come. */
class OverwriteGroupsTest extends WrittenDataset {
  import SparkFixture._

  private def overwrite(frame: DataFrame): Unit = frame.write.mode(SaveMode.Overwrite).parquet(path)

  private def overwriteDays(frame: DataFrame): Unit =
    withConf("spark.sql.sources.partitionOverwriteMode" -> "dynamic") {
      withDay(frame).write.mode(SaveMode.Overwrite).partitionBy("day").parquet(path)
    }

  private def first: Seq[Row] = TestRecords.rows(seed, 0, 100)

  private val timestamp = TestRecords.schema.columns.asScala.indexWhere(_.name == "timestamp_ns")

  private def day(row: Row): Long = Math.floorDiv(row.getLong(timestamp), 86400000000000L)

  @Test
  def allRecordsAreOverwritten(): Unit = {
    append(frame(more(1)))
    inOneCommit(120)(overwrite(frame(more(2))))
    assertThat(segments.size).isEqualTo(1)
    checkAll(more(2))
    session.sql(s"CREATE TABLE overwritten USING parquet LOCATION '$path'")
    try {
      withDay(frame(more(3))).createOrReplaceTempView("fresh")
      inOneCommit(120)(session.sql("INSERT OVERWRITE overwritten SELECT * FROM fresh"))
      checkAll(more(3))
    } finally session.sql("DROP TABLE overwritten")
    dataset.commit(TestRecords.rows(seed, 4, 50))
    checkAll(more(3) ++ TestRecords.rows(seed, 4, 50))
  }

  /** Each day has a segment of its own, and days that get no record stay. */
  @Tag("long")
  @Test
  def singleDaysAreOverwritten(): Unit = {
    val byDay = more(1).groupBy(day).toSeq.sortBy(_._1).map(_._2)
    inOneCommit(byDay.head.size)(overwriteEverythingWith(byDay.head))
    byDay.tail.foreach(rows => append(frame(rows)))
    val (gone, kept) = byDay.splitAt(2)
    val fresh = more(2).filter(row => gone.map(rows => day(rows.head)).contains(day(row)))
    assertThat(fresh.map(day).distinct.size).isEqualTo(2)
    inOneCommit(fresh.size)(overwriteDays(frame(fresh)))
    checkAll(fresh ++ kept.flatten)
  }

  private def overwriteEverythingWith(rows: Seq[Row]): Unit = overwrite(frame(rows))

  /** What is committed while the rows are computed stays, and a merge of what goes does not matter. */
  @Test
  def whatComesMeanwhileStays(): Unit = {
    val meanwhile = TestRecords.rows(seed, 7, 30)
    OverwriteGroupsTest.once(() => dataset.commit(meanwhile))
    val slow = udf { (signal: String) => OverwriteGroupsTest.commit(); signal }.asNondeterministic()
    overwrite(frame(more(1)).coalesce(1).withColumn("signal", slow(col("signal"))))
    assertThatList(segments.map(_.content.count).asJava).containsExactlyInAnyOrder(120L, 30L)
    checkAll(more(1) ++ meanwhile)
  }

  /** Stock Spark and MPSR have the same records where an overwrite goes the ordinary way. */
  @Test
  def whatAreNoWholeSegmentsIsOverwrittenAsOnStock(): Unit = {
    val counted = DecisionMetrics.sum("writes.ordinary")
    val one = first.filter(row => day(row) == day(first.head)).take(3)
    overwriteDays(frame(one))
    assertThat(DecisionMetrics.sum("writes.ordinary")).isEqualTo(counted + 1)
    assertThat(untracked).isGreaterThan(0)
    def found = rows(read.select("timestamp_ns", "device", "day"))
    assertThat(read.count()).isEqualTo(first.count(row => day(row) != day(first.head)) + 3)
    assertThatList(found.asJava).isEqualTo(stock(found).asJava)
    overwriteDays(frame(one))
    assertThat(DecisionMetrics.sum("writes.ordinary")).as("a file of an ordinary writer").isEqualTo(counted + 2)
    assertThatList(found.asJava).isEqualTo(stock(found).asJava)
  }

  /** The records are new to a stream, unlike those of a merge. */
  @Test
  @Tag("long")
  def aStreamReadsWhatOverwritesOtherRecords(): Unit = {
    val (out, checkpoint) = (s"${dfs.getURI}/out${System.nanoTime()}", s"${dfs.getURI}/checkpoint${System.nanoTime()}")
    val schema = read.schema
    def run(): Long = {
      session.readStream.schema(schema).parquet(path).writeStream.format("parquet").option("checkpointLocation", checkpoint)
        .trigger(Trigger.AvailableNow()).start(out).awaitTermination()
      session.read.parquet(out).count()
    }
    assertThat(run()).isEqualTo(100)
    overwrite(frame(more(1)))
    assertThat(run()).isEqualTo(220)
    overwrite(frame(more(2)))
    append(frame(more(3)))
    assertThat(run()).isEqualTo(460)
  }

  @Test
  def aFailedOverwriteLeavesEverything(): Unit = {
    val fails = udf { (signal: String) => if (signal.nonEmpty) throw new IllegalStateException("no value") else signal }
    try overwrite(frame(more(1)).withColumn("signal", fails(col("signal"))))
    catch { case e: Exception => assertThat(e).hasStackTraceContaining("no value") }
    assertNothingStaged()
    checkAll(first)
  }

  /** The dataset stays, with what stock Spark writes in the place of all that was there. */
  @Test
  def stockSparkOverwritesTheDirectory(): Unit = {
    val id = client()(_.getDataset(dataset.root.toUri.getPath)).id
    withConf(ConfKeys.Writes -> "false")(withDay(frame(more(1))).write.mode(SaveMode.Overwrite).partitionBy("day").parquet(path))
    assertThat(client()(_.getDataset(dataset.root.toUri.getPath)).id).isEqualTo(id)
    assertThat(untracked).isGreaterThan(0)
    assertThat(read.count()).isEqualTo(120)
    dataset.commit(TestRecords.rows(seed, 4, 50))
    assertThat(read.count()).isEqualTo(170)
    assertThat(dfs.getFileSystem.exists(new Path(dataset.root, "_SUCCESS"))).isTrue
  }
}

/** What a task of a test does while it computes its first row. */
private object OverwriteGroupsTest {
  @volatile private var todo: () => Unit = () => ()

  def once(body: () => Unit): Unit = todo = body

  def commit(): Unit = synchronized {
    val now = todo
    todo = () => ()
    now()
  }
}
