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
package org.hadoopmpsr.spark.columns

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.{AnalysisException, DataFrame, SaveMode}
import org.apache.spark.sql.functions.{col, lit}
import org.apache.spark.sql.streaming.Trigger
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.client.{DatasetAlterations, MpsrClient}
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.client.delete.DeleteOptions
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestDirectories, TestRecords}
import org.hadoopmpsr.spark.jobs.{CompactDataset, DeleteRecords, VerifyDataset}
import org.hadoopmpsr.spark.relation.ConfKeys
import org.hadoopmpsr.spark.source.SparkTypes
import org.junit.jupiter.api.{AfterAll, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Columns that were renamed, moved and dropped are read and written under the names that the dataset shows. */
@TestInstance(Lifecycle.PER_CLASS)
class ShownColumnsTest {
  import SparkFixture._

  private var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(TestRecords.groups)
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  private def client[T](body: MpsrClient => T): T =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(body)

  /** A dataset of 150 records whose columns were altered after 100 of them. */
  private def altered(name: String)(alter: (DatasetAlterations, String) => Unit): SinkDataset = {
    val dataset = new SinkDataset(dfs, s"/cals/$name", TestRecords)
    dataset.commit(TestRecords.rows(seed, 0, 100))
    client(c => alter(c.alterations, dataset.root.toUri.getPath))
    dataset.commit(TestRecords.rows(seed, 1, 50))
    dataset
  }

  /** `value` is `amount`, and `reading` is `level` and the first column; `quality` is dropped, and `ok` is a new column. */
  private def other(name: String): SinkDataset = altered(name) { (columns, path) =>
    columns.renameColumn(path, null, "reading", "level")
    columns.renameColumn(path, null, "value", "amount")
    columns.moveColumn(path, null, "level", null)
    columns.dropColumn(path, null, "quality")
    columns.dropColumn(path, null, "ok")
    columns.addColumn(path, null, "ok string")
  }

  private val shown = Seq("level", "signal", "timestamp_ns", "amount", "label", "seen")
  private val stored = Seq("reading", "signal", "timestamp_ns", "value", "label", "seen")

  /** The records as stock Spark reads files, under the names that are shown. */
  private def expected(path: String, where: String): Seq[String] = stock {
    rows(session.read.parquet(path).select(stored.zip(shown).map { case (from, to) => col(from).as(to) }: _*).where(where))
  }

  private def check(read: => DataFrame, path: String): Unit =
    for (filter <- Seq("true", "signal = 'SIG3'", "level > 0 AND amount < 2", "amount IS NULL", "day > '2014-04-30' AND level = 1.5")) {
      val wanted = expected(path, filter.replace("day >", "date_from_unix_date(cast(floor(timestamp_ns / 86400000000000D) AS int)) >"))
      for (group <- "" +: TestRecords.groups.names.asScala.toSeq) withConf(ConfKeys.Group -> group) {
        assertThat(rows(read.where(filter).select(shown.map(col): _*)).asJava).as(s"seed $seed: $filter in '$group'").isEqualTo(wanted.asJava)
      }
    }

  @Test
  def columnsHaveTheNamesAndPlacesThatTheDatasetShows(): Unit = {
    val dataset = other("names")
    val path = dataset.root.toString
    def read = session.read.parquet(path)
    assertThat(read.columns.take(6).toSeq.asJava).isEqualTo(java.util.List.of("level", "signal", "device", "system", "timestamp_ns", "amount"))
    assertThat(read.columns.toSeq.asJava).doesNotContain("quality", "value", "reading")
    assertThat(read.columns.takeRight(1).toSeq.asJava).as("directories come last").containsExactly("day")
    check(read, path)
    assertThat(explain(read.where("signal = 'SIG3' AND amount > 1"))).contains("parquet[mpsr signal").contains("GreaterThan(value,1.0)")
    assertThat(explain(read.selectExpr("count(*)", "max(seen)"))).doesNotContain("FileScan")
    assertThat(rows(read.selectExpr("min(level)", "count(amount)")).asJava)
      .isEqualTo(stock(rows(session.read.parquet(path).selectExpr("min(reading)", "count(value)"))).asJava)
    assertThat(rows(read.as("a").join(read.as("b"), "timestamp_ns").where("a.level = b.level").selectExpr("count(*)")).asJava)
      .isEqualTo(stock(rows(session.read.parquet(path).where("reading = reading").selectExpr("count(*)"))).asJava)
    assertThat(session.sql(s"SELECT level FROM parquet.`$path` WHERE amount > 1").count())
      .isEqualTo(stock(session.read.parquet(path).where("value > 1").count()))
    withConf("spark.sql.sources.useV1SourceList" -> "") { check(session.read.parquet(path), path) }
    assertThat(read.select("_metadata.file_path").distinct().count()).isGreaterThan(1)
    assertThat(session.read.option(ConfKeys.ColumnsOption, "stored").parquet(path).columns.toSeq.asJava)
      .isEqualTo(stock(session.read.parquet(path).columns.toSeq).asJava)
    assertThatThrownBy(() => read.select("quality")).isInstanceOf(classOf[AnalysisException])
    withConf("spark.sql.caseSensitive" -> "true") {
      assertThatThrownBy(() => read.select("LEVEL")).isInstanceOf(classOf[AnalysisException])
      assertThat(read.select("level").count()).isEqualTo(150)
    }
  }

  @Test
  def aNameThatComesAgainIsAnotherColumn(): Unit = {
    val path = other("again").root.toString
    def read = session.read.schema("timestamp_ns bigint, ok string").parquet(path)
    assertThat(read.where("ok IS NOT NULL").count()).isZero
    session.read.parquet(path).limit(3).drop("day").withColumn("ok", lit("yes")).withColumn("timestamp_ns", col("timestamp_ns") + 1)
      .write.mode(SaveMode.Append).parquet(path)
    for (group <- TestRecords.groups.names.asScala) withConf(ConfKeys.Group -> group) {
      assertThat(rows(read.groupBy("ok").count()).asJava).as(group).isEqualTo(java.util.List.of("[null,150]", "[yes,3]"))
    }
    assertThat(client(_.untracked(path.replaceFirst("hdfs://[^/]*", "")))).isEmpty()
    assertThat(session.read.parquet(path).columns.toSeq.asJava).as("of a file with the new column or without it").contains("amount")
  }

  @Tag("long")
  @Test
  def statedColumnsAreThoseThatAreShown(): Unit = {
    val path = other("stated").root.toString
    val some = session.read.schema("amount double, timestamp_ns bigint, nobody int, level float").parquet(path)
    assertThat(some.columns.toSeq.asJava).isEqualTo(java.util.List.of("amount", "timestamp_ns", "nobody", "level", "day"))
    assertThat(rows(some.select("level", "amount", "timestamp_ns")).asJava)
      .isEqualTo(stock(rows(session.read.parquet(path).select("reading", "value", "timestamp_ns"))).asJava)
    val types = SparkTypes.structType(TestRecords.schema.columns.asScala.toSeq)
    val full = types.map(f => shown.zip(stored).collectFirst { case (name, f.name) => f.copy(name = name) }.getOrElse(f))
      .filterNot(f => f.name == "quality" || f.name == "ok")
    check(session.read.schema(org.apache.spark.sql.types.StructType(full)).parquet(path), path)
  }

  @Test
  def tablesKeepTheirColumns(): Unit = {
    val path = other("tables").root.toString
    session.sql(s"CREATE TABLE shown (signal string, timestamp_ns bigint, level float, amount double) USING parquet LOCATION '$path'")
    session.sql(s"CREATE TABLE old (signal string, timestamp_ns bigint, label string, value double, quality int) USING parquet LOCATION '$path'")
    try {
      assertThat(session.table("shown").columns.toSeq.asJava).isEqualTo(java.util.List.of("signal", "timestamp_ns", "level", "amount", "day"))
      for (group <- "" +: TestRecords.groups.names.asScala.toSeq) withConf(ConfKeys.Group -> group) {
        assertThat(rows(session.table("shown").select("level", "amount", "signal")).asJava).as(group)
          .isEqualTo(stock(rows(session.read.parquet(path).select("reading", "value", "signal"))).asJava)
        assertThat(rows(session.table("old").where("value > 0")).asJava).as(group)
          .isEqualTo(stock(rows(session.table("old").where("value > 0"))).asJava)
      }
      session.sql("INSERT INTO shown VALUES ('NEW', 1, 2.5, 3.5, DATE '1970-01-01')")
      assertThat(rows(session.table("shown").where("signal = 'NEW'")).asJava).isEqualTo(java.util.List.of("[NEW,1,2.5,3.5,1970-01-01]"))
      assertThat(stock(rows(session.read.schema("signal string, value double, reading float").parquet(path).where("signal = 'NEW'"))).asJava)
        .isEqualTo(java.util.List.of("[NEW,3.5,2.5,1970-01-01]"))
    } finally Seq("shown", "old").foreach(name => session.sql(s"DROP TABLE $name"))
  }

  @Tag("long")
  @Test
  def writesHaveTheNamesOfFiles(): Unit = {
    val path = other("writes").root.toString
    val some = session.read.parquet(path).where("signal = 'SIG3'")
    val own = some.withColumn("signal", lit("OWN")).cache()
    val count = own.count()
    own.drop("day").write.mode(SaveMode.Append).parquet(path)
    assertThat(client(_.untracked(path.replaceFirst("hdfs://[^/]*", "")))).as("in all groups").isEmpty()
    withConf(ConfKeys.Writes -> "false") {
      own.withColumn("signal", lit("PLAIN")).write.mode(SaveMode.Append).partitionBy("day").parquet(path)
    }
    for (signal <- Seq("OWN", "PLAIN"); group <- "" +: TestRecords.groups.names.asScala.toSeq) withConf(ConfKeys.Group -> group) {
      val written = session.read.parquet(path).where(s"signal = '$signal'")
      assertThat(rows(written.select("level", "amount", "label", "timestamp_ns")).asJava).as(s"$signal in '$group'").hasSize(count.toInt)
        .isEqualTo(rows(own.select("level", "amount", "label", "timestamp_ns")).asJava)
    }
    assertThat(client(_.untracked(path.replaceFirst("hdfs://[^/]*", "")))).as("the plain one").isNotEmpty()
    assertThat(rows(session.read.parquet(path).where("signal IN ('OWN', 'PLAIN')").selectExpr("count(amount)", "count(level)")).asJava)
      .isEqualTo(rows(own.union(own).selectExpr("count(amount)", "count(level)")).asJava)
  }

  @Test
  def streamsAndEarlierStates(): Unit = {
    val dataset = altered("past") { (columns, path) =>
      client(_.tag(path, null, "before", null))
      columns.renameColumn(path, null, "value", "reading_value")
    }
    val path = dataset.root.toString
    val earlier = session.read.option(ConfKeys.AsOfOption, "before").parquet(path)
    assertThat(earlier.columns.toSeq.asJava).contains("value").doesNotContain("reading_value")
    assertThat(earlier.where("value IS NOT NULL").count()).isEqualTo(TestRecords.rows(seed, 0, 100).count(!_.isNullAt(4)))
    assertThat(session.read.parquet(path).columns.toSeq.asJava).contains("reading_value").doesNotContain("value")

    val stream = session.readStream.schema("reading_value double, timestamp_ns bigint").parquet(path)
    val directory = TestDirectories.create("mpsr-shown")
    val query = stream.writeStream.format("memory").queryName("shown_stream").trigger(Trigger.AvailableNow())
      .option("checkpointLocation", directory.toString).start()
    query.awaitTermination()
    assertThat(rows(session.table("shown_stream").select("reading_value", "timestamp_ns")).asJava)
      .isEqualTo(stock(rows(session.read.parquet(path).select("value", "timestamp_ns"))).asJava)
  }

  @Test
  @Tag("long")
  def jobsTakeTheNamesThatAreShown(): Unit = {
    val dataset = other("jobs")
    val path = dataset.root.toString
    val left = expected(path, "NOT (amount > 1) OR amount IS NULL")
    val gone = new DeleteOptions(true, "amount > 1", null, null, false, false, 0, 0, null)
    assertThat(DeleteRecords.delete(session, path, gone, _ => ()).problem).isNull()
    assertThat(rows(session.read.parquet(path).select(shown.map(col): _*)).asJava).isEqualTo(left.asJava)
    val all = CompactionOptions.parse(java.util.List.of("--all"), new java.util.ArrayList)
    assertThat(CompactDataset.compact(session, path, all).problem).isNull()
    check(session.read.parquet(path), path)
    assertThat(VerifyDataset.verify(session, path).sound).as(s"seed $seed").isTrue
  }
}
