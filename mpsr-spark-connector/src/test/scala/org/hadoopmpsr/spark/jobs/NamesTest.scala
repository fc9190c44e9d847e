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
import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.{AnalysisException, DataFrame, Row, SaveMode}
import org.apache.spark.sql.functions.{col, expr}
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.adopt.{AdoptOptions, SurveyOptions}
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.client.delete.DeleteOptions
import org.hadoopmpsr.client.repair.RepairOptions
import org.hadoopmpsr.client.repair.RepairOptions.Deed
import org.hadoopmpsr.core.schema.{ColumnName, NestedType, DatasetColumns}
import org.hadoopmpsr.spark.jobs.delete.DeleteCondition
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestNames}
import org.hadoopmpsr.spark.source.SparkTypes
import org.junit.jupiter.api.{AfterAll, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Columns with names of any spelling are read, written, changed and adopted as others are. */
@TestInstance(Lifecycle.PER_CLASS)
class NamesTest {
  import NamesTest._
  import SparkFixture._

  private var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(TestNames.groups)
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  private def client[T](body: MpsrClient => T): T =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(body)

  private def frame(rows: Seq[Row]): DataFrame =
    session.createDataFrame(rows.asJava, SparkTypes.structType(TestNames.schema.columns.asScala.toSeq))

  private def withFields(frame: DataFrame): DataFrame = frame.withColumn("day", expr("to_date(`time stamp`)"))

  private var checks = 0

  /** Whether queries have the same answer as without MPSR, each in the cheapest group and in another one each time. */
  private def check(read: => DataFrame, queries: Seq[DataFrame => DataFrame]): Unit = withConf(Interpreted: _*) {
    val groups = TestNames.groups.names.asScala
    queries.foreach { query =>
      checks += 1
      val group = groups(checks % groups.size)
      val expected = stock(rows(query(read)))
      assertThat(rows(query(read)).asJava).as(s"seed $seed: check $checks").isEqualTo(expected.asJava)
      assertThat(rows(query(read.hint("mpsr", group))).asJava).as(s"seed $seed: check $checks in $group").isEqualTo(expected.asJava)
    }
  }

  /** Every third filter, another third each time. */
  private def checkSome(read: => DataFrame): Unit = {
    checks += 1
    def some(queries: Seq[DataFrame => DataFrame]) = queries.zipWithIndex.collect { case (query, i) if (i + checks) % 3 == 0 => query }
    check(read, some(Filters))
    withoutPushdown(check(read, some(OfSharedPaths)))
  }

  /** Stock Spark may lose records by filters that it hands to Parquet's reader, which takes a column for a field of another one. */
  private def withoutPushdown(body: => Unit): Unit = withConf("spark.sql.parquet.filterPushdown" -> "false")(body)

  @Tag("long")
  @Test
  def queriesAnswerAsStock(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/names", TestNames)
    (0 until 2).foreach(i => dataset.commit(TestNames.rows(seed, i, 120)))
    def read = session.read.parquet(dataset.root.toString)
    assertThat(stock(read.count())).isEqualTo(240)
    assertThat(dfs.getFileSystem.globStatus(new Path(dataset.root, "day=2024-03-01/a%3Db%2Fc=f%2Fg%3Dh")).length).isEqualTo(1)
    check(read, Filters ++ Queries)
    withoutPushdown(check(read, OfSharedPaths))
    check(read, OfSharedPaths.take(1))
    assertThat(explain(read.where("`a.b` > 2"))).contains("mpsr stock: Parquet's reader takes two values of the path a.b for each other")
    assertThat(explain(read.where("`s.t`.x.y > 2"))).contains("two values of the path s.t.x.y")
    withConf("spark.sql.sources.useV1SourceList" -> "")(check(read, Queries.take(2)))
    assertThat(explain(read.where("`signal name` = 'S 1'"))).contains("parquet[mpsr signal: ")
    assertThat(explain(read.where("`a``b` = 'ac'"))).contains("parquet[mpsr text: ")
    withoutPushdown {
      val all = frame((0 until 2).flatMap(i => TestNames.rows(seed, i, 120)))
      Seq("a.b > 4", "`a.b` > 4", "`s.t`.`x.y` = 3 AND `s.t`.x.y = 1").foreach { filter =>
        assertThat(read.where(filter).count()).as(filter).isEqualTo(all.where(filter).count()).isGreaterThan(0)
        assertThat(explain(read.where(s"$filter AND `a``b` = 'ac'"))).contains("parquet[mpsr text: ")
      }
    }

    session.sql(s"CREATE TABLE names_table USING parquet LOCATION '${dataset.root}'")
    try {
      session.sql("MSCK REPAIR TABLE names_table")
      stock(read.select("`a=b/c`").distinct().where("`a=b/c` > 'e'").write.saveAsTable("names_dimension"))
      check(session.table("names_table"), Queries.take(3))
      val pruned = "SELECT t.* FROM names_table t JOIN names_dimension d ON t.`a=b/c` = d.`a=b/c` WHERE `1st` > 50"
      assertThat(rows(session.sql(pruned)).asJava).isEqualTo(stock(rows(session.sql(pruned))).asJava)
      assertThat(explain(session.sql("SELECT * FROM names_table WHERE `Signal Name` = 'S 1'"))).contains("parquet[mpsr signal: ")
    } finally Seq("names_table", "names_dimension").foreach(table => session.sql(s"DROP TABLE IF EXISTS $table"))

    check(read, Seq(_.where("`GRÖße` = 3 AND `SIGNAL NAME` = 'S 1'")))
    withConf("spark.sql.caseSensitive" -> "true") {
      check(read, Queries.take(1))
      def other = read.where("`GRÖße` = 3").collect()
      assertThatThrownBy(() => stock(other)).isInstanceOf(classOf[AnalysisException])
      assertThatThrownBy(() => other).isInstanceOf(classOf[AnalysisException])
    }
  }

  @Test
  @Tag("long")
  def changesKeepTheRecords(): Unit = {
    val dataset = new SinkDataset(dfs, "/cals/changed", TestNames)
    val (root, path) = (dataset.root.toString, dataset.root.toUri.getPath)
    def read = session.read.parquet(root)
    dataset.commit(TestNames.rows(seed, 0, 80))
    frame(TestNames.rows(seed, 1, 80)).write.mode(SaveMode.Append).parquet(root)
    withFields(frame(TestNames.rows(seed, 2, 80))).write.mode(SaveMode.Append).partitionBy("day", "a=b/c").parquet(root)
    assertThat(client(_.untracked(path)).size).as("files of ordinary writers").isZero
    assertThat(client(_.segments(path)).segments.size).isEqualTo(3)
    val all = (0 until 3).flatMap(i => TestNames.rows(seed, i, 80))
    val columns = TestNames.schema.columns.asScala.map(c => col(ColumnName.text(c.name))).toSeq
    assertThat(rows(read.select(columns: _*)).asJava).isEqualTo(rows(frame(all)).asJava)
    checkSome(read)

    assertThat(DeleteCondition.before(TestNames.groups, DatasetColumns.of(TestNames.schema), "Time Stamp", 0)).isEqualTo("`time stamp` < TIMESTAMP '1970-01-01T00:00:00Z'")
    val gone = "`a.b` > 4 OR a.b > 4 OR `s.t`.`x.y` = 1"
    val left = stock(rows(read.where(s"NOT coalesce($gone, false)")))
    assertThat(DeleteRecords.delete(session, root, new DeleteOptions(true, gone, null, null, false, false, 0, 0, null), _ => ()).problem).isNull()
    assertThat(rows(read).asJava).isEqualTo(left.asJava)
    checkSome(read)

    val deleted = dfs.getFileSystem.globStatus(new Path(dataset.root, "day=*/a%3Db%2Fc=e/*.parquet")).head.getPath
    assertThat(dfs.getFileSystem.delete(deleted, false)).isTrue
    def repair(deed: Deed) = new RepairOptions(deed, java.util.List.of(), RepairOptions.EXAMPLES, 0, 0, null)
    val found = RepairDataset.differences(session, root, repair(Deed.DRY_RUN)).differences
    assertThat(found.flatMap(_.examples).map(_.text).mkString("\n")).contains("\"signal name\":\"", "\"a.b\":")
    assertThat(RepairDataset.repair(session, root, repair(Deed.EXECUTE)).problem).isNull()
    assertThat(CompactDataset.compact(session, root, CompactionOptions.parse(java.util.List.of("--all"), new java.util.ArrayList)).problem).isNull()
    assertThat(VerifyDataset.verify(session, root).sound).as(s"seed $seed").isTrue
    assertThat(stock(rows(read)).asJava).isEqualTo(left.asJava)
    checkSome(read)
  }

  @Test
  @Tag("long")
  def archivesAreAdopted(): Unit = {
    val root = s"${dfs.getURI}/archive/names"
    def write(rows: Seq[Row]): Unit = stock(withFields(frame(rows)).write.mode(SaveMode.Append).partitionBy("day", "a=b/c").parquet(root))
    write(TestNames.rows(seed, 3, 60))
    val twins = frame(TestNames.rows(seed, 4, 1))
    withConf("spark.sql.caseSensitive" -> "true") {
      stock(withFields(twins.withColumn("GRÖße", col("größe"))).write.mode(SaveMode.Append).partitionBy("day", "a=b/c").parquet(root))
    }
    val schema = TestNames.schema.columns.asScala.toSeq.filter(_.`type`.isInstanceOf[NestedType]).map(_.ddl)
    val options = new SurveyOptions(true, (schema :+ "`a=b/c` string").mkString(", "), 0, new AdoptOptions(true, 0, 0, null))
    val found = AdoptDirectory.survey(session, root, options)
    assertThat(found.problems.asJava).isEmpty()
    assertThat(found.schema.get).contains("`signal name` string", "`温度, °C` float")
    assertThat(found.unfit.map(_.reason).asJava).hasSize(1)
    assertThat(found.unfit.head.reason).isEqualTo("it has the column 'GRÖße', and the dataset has no such column, but 'größe'; write it without the column")
    dfs.getFileSystem.delete(new Path(found.unfit.head.path), false)

    assertThat(AdoptDirectory.adopt(session, root, options).problem).isNull()
    def read = session.read.parquet(root)
    assertThat(read.count()).isEqualTo(60)
    checkSome(read)
    write(TestNames.rows(seed, 5, 20))
    checkSome(read)
    val gone = new DeleteOptions(true, "`1st` >= 5000000", null, null, false, false, 0, 0, null)
    assertThatThrownBy(() => DeleteRecords.delete(session, root, gone, _ => ())).hasMessageContaining("untracked")
    assertThat(AdoptDataset.adopt(session, root, new AdoptOptions(true, 0, 0, null)).problem).isNull()
    assertThat(client(_.untracked("/archive/names")).size).isZero
    checkSome(read)
    assertThat(VerifyDataset.verify(session, root).sound).as(s"seed $seed").isTrue
  }
}

private object NamesTest {

  /** Compiling takes longer than these queries. */
  private val Interpreted = Seq("spark.sql.codegen.wholeStage" -> "false", "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")

  private val Filters: Seq[DataFrame => DataFrame] = Seq(
    "`signal name` = 'S 1' AND `größe` IN (1, 7)",
    "`a=b/c` = 'f/g=h' OR `a``b` = '`'",
    "day = '2024-03-01' AND `温度, °C` < 20.5",
    "a.`c d` LIKE 'x%' AND `a``b` LIKE 'a%'",
    "`time stamp` < timestamp'2024-03-01 12:00:00' AND `größe` IS NULL").map(filter => (_: DataFrame).where(filter))

  /** A column and a field of another one, whose paths have one text. */
  private val OfSharedPaths: Seq[DataFrame => DataFrame] = Seq(
    "`a.b` > 2",
    "a.b > 2",
    "`a.b` > 0 AND a.b < 0",
    "`s.t`.`x.y` = 1 OR `s.t`.x.y = 2",
    "`a.b` IS NULL AND a.b > 1").map(filter => (_: DataFrame).where(filter))

  private val Queries = Seq[DataFrame => DataFrame](
    _.selectExpr("a.b", "`a.b`", "`s.t`.`x.y`", "`s.t`.x"),
    _.selectExpr("count(*)", "min(`a.b`)", "max(a.b)", "count(a.b)", "count(`a.b`)", "max(`größe`)", "min(`a=b/c`)", "count(`s.t`)"),
    _.groupBy("`a=b/c`", "day").agg(expr("count(*)"), expr("max(`größe`)")),
    _.groupBy("`signal name`").agg(expr("sum(`温度, °C`)"), expr("max(a.b)")),
    frame => frame.as("l").join(frame.as("r"), expr("l.`1st` = r.`1st` AND l.`signal name` = 'S=3'")).selectExpr("l.`a.b`", "r.a.b"),
    _.where("`größe` = 3").selectExpr("`a``b`", "length(`a``b`)"))
}
