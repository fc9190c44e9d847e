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
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.{DataFrame, Row, SaveMode}
import org.apache.spark.sql.functions.expr
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.adopt.{AdoptOptions, SurveyOptions}
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.client.delete.DeleteOptions
import org.hadoopmpsr.client.rebuild.RebuildOptions
import org.hadoopmpsr.client.repair.RepairOptions
import org.hadoopmpsr.client.repair.RepairOptions.Deed
import org.hadoopmpsr.core.group.{Predicate, SortKey, WantedGroup}
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestPlaces}
import org.hadoopmpsr.spark.relation.DecisionMetrics
import org.hadoopmpsr.spark.source.SparkTypes
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.{AfterAll, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Groups by values within structs are read, written, changed and adopted as others are. */
@Tag("long")
@TestInstance(Lifecycle.PER_CLASS)
class ValuesWithinTest {
  import SparkFixture._
  import ValuesWithinTest._

  private var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(TestPlaces.groups)
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  private def client[T](body: MpsrClient => T): T =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(body)

  private def frame(rows: Seq[Row]): DataFrame =
    session.createDataFrame(rows.asJava, SparkTypes.structType(TestPlaces.schema.columns.asScala.toSeq))

  private def withName(frame: DataFrame): DataFrame = frame.withColumn("pos_name", expr("pos.name"))

  private var checks = 0

  /** Whether queries have the same answer as without MPSR, each in the cheapest group and in another one each time. */
  private def check(read: => DataFrame, filters: Seq[String] = Filters): Unit = withConf(Interpreted: _*) {
    val groups = TestPlaces.groups.names.asScala
    filters.foreach { filter =>
      checks += 1
      val group = groups(checks % groups.size)
      val expected = stock(rows(read.where(filter)))
      assertThat(rows(read.where(filter)).asJava).as(s"seed $seed: $filter").isEqualTo(expected.asJava)
      assertThat(rows(read.hint("mpsr", group).where(filter)).asJava).as(s"seed $seed: $filter in $group").isEqualTo(expected.asJava)
    }
  }

  /** Every third filter, another third each time. */
  private def checkSome(read: => DataFrame): Unit = {
    checks += 1
    check(read, Filters.zipWithIndex.collect { case (filter, i) if (i + checks) % 3 == 0 => filter })
  }

  private def checkSound(root: String): Unit = assertTrue(VerifyDataset.verify(session, root).sound, s"seed $seed")

  /** What ordinary writers add. Timestamps of twelve bytes within a nested column keep a file out of datasets. */
  private def write(rows: Seq[Row], root: String): Unit = withConf("spark.sql.parquet.outputTimestampType" -> "TIMESTAMP_MICROS") {
    stock(withName(frame(rows)).write.mode(SaveMode.Append).partitionBy("pos_name").parquet(root))
  }

  @Test
  def filtersOnFieldsLeaveOutFiles(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/places", TestPlaces)
    (0 until 2).foreach(i => dataset.commit(TestPlaces.rows(seed, i, 300)))
    val root = dataset.root.toString
    def read = session.read.parquet(root)
    assertThat(stock(read).columns.toSeq.asJava).endsWith("pos", "also", "pos_name")
    assertThat(dfs.getFileSystem.globStatus(new Path(dataset.root, "pos_name=x%2Fy%3D1%25/*.parquet")).length).isEqualTo(2)
    check(read)
    withConf("spark.sql.sources.useV1SourceList" -> "")(check(read))
    def group(filter: String): String = explain(read.where(filter))
    assertThat(group("pos.name = 'ab'")).contains("parquet[mpsr place: 2 files, ")
    assertThat(group("pos.y = 7")).contains("parquet[mpsr level: 2 files, ")
    assertThat(group("pos.`in it`.at = timestamp'2014-05-01 23:00:00' AND pos.`in it`.ok")).contains("parquet[mpsr time: 2 files, ")
    assertThat(group("to_date(pos.`in it`.at) = date'2014-05-01' AND NOT pos.`in it`.ok")).contains("parquet[mpsr time: 2 files, ")
    assertThat(group("pos.`in it`.n IN (3, 3)")).contains("parquet[mpsr number: 2 files, ")
    assertThat(group("pos.name = 'other'")).contains(": 0 files, ")
    checkSound(root)
  }

  @Tag("long")
  @Test
  def changesKeepTheRecords(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/changed", TestPlaces)
    val (root, path) = (dataset.root.toString, dataset.root.toUri.getPath)
    def read = session.read.parquet(root)
    dataset.commit(TestPlaces.rows(seed, 0, 150))
    frame(TestPlaces.rows(seed, 1, 150)).write.mode(SaveMode.Append).parquet(root)
    withName(frame(TestPlaces.rows(seed, 2, 150))).write.mode(SaveMode.Append).partitionBy("pos_name").parquet(root)
    assertThat(client(_.untracked(path)).size).as("files of ordinary writers").isZero
    assertThat(client(_.segments(path)).segments.size).isEqualTo(3)
    val all = (0 until 3).flatMap(i => TestPlaces.rows(seed, i, 150))
    assertThat(rows(read).asJava).isEqualTo(rows(withName(frame(all))).asJava)
    checkSome(read)

    write(TestPlaces.rows(seed, 3, 150), root)
    checkSome(read)
    assertThat(AdoptDataset.adopt(session, root, new AdoptOptions(true, 0, 0, null)).problem).isNull()
    assertThat(client(_.untracked(path)).size).isZero
    checkSome(read)

    val gone = "pos.y > 8 OR pos.`in it`.price < -1 OR pos_name = 'zz'"
    val left = stock(rows(read.where(s"NOT coalesce($gone, false)")))
    assertThat(DeleteRecords.delete(session, root, new DeleteOptions(true, gone, null, null, false, false, 0, 0, null), _ => ()).problem).isNull()
    assertThat(rows(read).asJava).isEqualTo(left.asJava)
    checkSome(read)

    val deleted = dfs.getFileSystem.globStatus(new Path(dataset.root, "pos_name=ab/*.parquet")).head.getPath
    assertTrue(dfs.getFileSystem.delete(deleted, false))
    def repair(deed: Deed) = new RepairOptions(deed, java.util.List.of(), RepairOptions.EXAMPLES, 0, 0, null)
    assertThat(RepairDataset.differences(session, root, repair(Deed.DRY_RUN)).differences.asJava).isNotEmpty()
    assertThat(RepairDataset.repair(session, root, repair(Deed.EXECUTE)).problem).isNull()
    checkSome(read)
    val wanted = new WantedGroup("number", java.util.List.of(Predicate.parse("range(pos.x, -1, 0.5)")), SortKey.parseList("also.y, pos.x"), null)
    client(_.alterations.set(path, null, wanted))
    checkSome(read)
    assertThat(RebuildDataset.rebuild(session, root, RebuildOptions.DEFAULT).problem).isNull()
    await().atMost(Duration.ofSeconds(60)).until(() => client(_.getDataset(path)).alterations.isEmpty)
    checkSome(read)

    assertThat(CompactDataset.compact(session, root, CompactionOptions.parse(java.util.List.of("--all"), new java.util.ArrayList)).problem).isNull()
    checkSound(root)
    assertThat(stock(rows(read)).asJava).isEqualTo(left.asJava)
    checkSome(read)
  }

  @Test
  def aRecordInTheDirectoryOfAnotherValueIsNotWrittenToAllGroups(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/misplaced", TestPlaces)
    val other = frame(TestPlaces.rows(seed, 4, 20)).withColumn("pos_name", expr("'a'"))
    val counted = DecisionMetrics.sum("writes.ordinary")
    other.write.mode(SaveMode.Append).partitionBy("pos_name").parquet(dataset.root.toString)
    assertThat(DecisionMetrics.sum("writes.ordinary")).isEqualTo(counted + 1)
    assertThat(client(_.untracked(dataset.root.toUri.getPath)).size).isGreaterThan(0)
  }

  @Test
  @Tag("long")
  def archivesAreAdopted(): Unit = {
    val root = s"${dfs.getURI}/archive/places"
    write(TestPlaces.rows(seed, 5, 200), root)
    val options = new SurveyOptions(true, TestPlaces.schema.ddl, 0, new AdoptOptions(true, 0, 0, null))
    val found = AdoptDirectory.survey(session, root, options)
    assertThat(found.problems.asJava).isEmpty()
    assertThat(found.unfit.asJava).isEmpty()
    assertThat(AdoptDirectory.adopt(session, root, options).problem).isNull()
    def read = session.read.parquet(root)
    assertThat(read.count()).isEqualTo(200)
    check(read)
    assertThat(explain(read.where("pos.y = 7"))).contains("parquet[mpsr level: 1 files, ")
    checkSound(root)
  }
}

private object ValuesWithinTest {

  /** Compiling takes longer than these queries. */
  private val Interpreted = Seq("spark.sql.codegen.wholeStage" -> "false", "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")

  private val Filters = Seq(
    "pos.name = 'ab' AND pos.x > 0.5",
    "pos.y BETWEEN 3 AND 5 OR pos.`in it`.n = 4",
    "pos.`in it`.at < timestamp'2014-05-01 12:00:00' AND pos.`in it`.ok",
    "pos.name LIKE 'a%' OR pos.y IS NULL",
    "pos_name = 'Ä b' AND also.y >= 2")
}
