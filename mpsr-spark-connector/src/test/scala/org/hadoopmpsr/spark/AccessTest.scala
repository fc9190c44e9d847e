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

import java.util.UUID

import org.apache.spark.sql.DataFrame
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.spark.relation.DecisionMetrics
import org.junit.jupiter.api.{AfterEach, BeforeEach, Tag, Test}

/** The ways in which a job gets at a dataset. */
class AccessTest {
  import SparkFixture._

  private val filter = "signal = 'SIG3'"
  private val redirected = "parquet[mpsr signal: "

  @BeforeEach
  def table(): Unit = {
    session.sql(s"CREATE TABLE t USING parquet LOCATION '${dataset.root}'")
    session.sql("MSCK REPAIR TABLE t")
  }

  @AfterEach
  def drop(): Unit = session.sql("DROP TABLE IF EXISTS t")

  private def read: DataFrame = session.read.parquet(dataset.root.toString)

  private def check(query: => DataFrame, shown: String): Unit = {
    val expected = stock(rows(query))
    assertThat(explain(query)).contains(shown)
    assertThat(rows(query).mkString("\n")).isEqualTo(expected.mkString("\n"))
  }

  @Test
  def aTable(): Unit = {
    check(session.sql(s"SELECT * FROM t WHERE $filter"), redirected)
    check(session.table("t").where("day = '2014-05-01'"), "parquet[mpsr time: ")
    check(session.sql(s"SELECT * FROM parquet.`${dataset.root}` WHERE $filter"), redirected)
  }

  @Test
  def aTableThatIsNotPartitionedInTheCatalog(): Unit =
    withConf("spark.sql.hive.manageFilesourcePartitions" -> "false") {
      session.sql(s"CREATE TABLE t2 USING parquet LOCATION '${dataset.root}'")
      try check(session.sql(s"SELECT * FROM t2 WHERE $filter"), redirected)
      finally session.sql("DROP TABLE t2")
    }

  @Test
  def aTableThatLacksPartitions(): Unit = {
    session.sql("ALTER TABLE t DROP PARTITION (day = '2014-05-01')")
    check(session.sql(s"SELECT * FROM t WHERE $filter"), "parquet[mpsr stock: the listing of ")
    check(session.sql("SELECT * FROM t WHERE day <= '2014-05-01'"), "parquet[mpsr stock: the listing of the table lacks ")
    check(session.sql("SELECT * FROM t WHERE day > '2014-05-01'"), "parquet[mpsr time: ")
  }

  @Tag("long")
  @Test
  def aTableWithAPartitionElsewhere(): Unit = {
    session.sql(s"ALTER TABLE t PARTITION (day = '2014-05-01') SET LOCATION '${dataset.root}/day=2014-05-02'")
    val lies = "parquet[mpsr stock: the table's partition day=2014-05-01 lies in "
    check(session.sql(s"SELECT * FROM t WHERE $filter"), lies)
    check(session.sql("SELECT * FROM t WHERE day < '2014-05-02'"), lies)
    check(session.sql("SELECT * FROM t WHERE day = '2014-05-02'"), "parquet[mpsr time: ")
  }

  @Test
  def aTableWithFilesThatAreNotTheDatasets(): Unit = {
    val day = new java.io.File(new java.net.URI(s"${dataset.root}/day=2014-05-01"))
    val file = day.listFiles().filter(_.getName.endsWith(".parquet")).head
    val copy = new java.io.File(day, "copy.parquet")
    val (query, time) = ("SELECT * FROM t WHERE day = '2014-05-01'", file.lastModified)
    def stockReason(name: String) = s"parquet\\[mpsr stock: the listing of .* in 1 partitions is of another generation: .*/$name"
    def checkStock(name: String): Unit = {
      session.sql("REFRESH TABLE t")
      assertThat(explain(query)).containsPattern(stockReason(name))
      check(session.sql(query), "parquet[mpsr stock: ")
      check(session.sql("SELECT * FROM t WHERE day = '2014-05-02'"), "parquet[mpsr time: ")
    }
    java.nio.file.Files.copy(file.toPath, copy.toPath)
    try checkStock(copy.getName)
    finally copy.delete()
    file.setLastModified(time + 10000)
    try checkStock(file.getName)
    finally file.setLastModified(time)
    session.sql("REFRESH TABLE t")
    check(session.sql(query), "parquet[mpsr time: ")
  }

  @Test
  def aTableWithOptions(): Unit = {
    session.sql(s"CREATE TABLE t2 USING parquet OPTIONS (mergeSchema 'true') LOCATION '${dataset.root}'")
    try {
      session.sql("MSCK REPAIR TABLE t2")
      check(session.sql(s"SELECT * FROM t2 WHERE $filter"), "parquet[mpsr stock: read options mergeSchema")
    } finally session.sql("DROP TABLE t2")
  }

  @Test
  def aTableWithTheOptionsOfHive(): Unit = {
    session.sql("CREATE TABLE t2 USING parquet OPTIONS (mergeSchema 'false', `serialization.format` '1') " +
      s"LOCATION '${dataset.root}'")
    try {
      session.sql("MSCK REPAIR TABLE t2")
      check(session.sql(s"SELECT * FROM t2 WHERE $filter"), redirected)
    } finally session.sql("DROP TABLE t2")
  }

  @Test
  def aViewOfATable(): Unit = {
    session.sql("CREATE OR REPLACE VIEW v AS SELECT signal AS s, value * 2 AS d, day FROM t WHERE quality > 0")
    try check(session.sql("SELECT * FROM v WHERE s = 'SIG4'"), redirected)
    finally session.sql("DROP VIEW v")
  }

  @Test
  def theSecondVersionOfDataSources(): Unit =
    withConf("spark.sql.sources.useV1SourceList" -> "") {
      check(read.where(filter), redirected)
      check(read.where("day = '2014-05-01'").groupBy("device").count(), "parquet[mpsr time: ")
    }

  @Test
  def theSecondVersionOfDataSourcesShowsWhyItIsLeftAlone(): Unit =
    withConf("spark.sql.sources.useV1SourceList" -> "") {
      val plans = DecisionMetrics.sum("plans")
      def numbered = read.where(filter).selectExpr("monotonically_increasing_id()", "value")
      val frame = numbered
      val shown = explain(frame)
      assertThat(shown).contains(
        "BatchScan parquet[mpsr stock: the query has row numbers, random values or samples, which the order of records decides] file:")
      assertThat(DecisionMetrics.sum("plans")).isEqualTo(plans + 1)
      assertThat(rows(frame)).isEqualTo(stock(rows(numbered)))
      assertThat(shown.replaceAll("#\\d+L?", "").replaceAll("\\[mpsr .*?\\]", "")).isEqualTo(
        stock(explain(numbered)).replaceAll("#\\d+L?", ""))
    }

  /** Tasks read around lost files in the first version alone. */
  @Test
  def theSecondVersionIsReadAsTheFirstWhereLostFilesCanBeReplaced(): Unit =
    withConf("spark.sql.sources.useV1SourceList" -> "") {
      def named = read.where(filter).selectExpr("input_file_name()", "value")
      assertThat(explain(named)).contains("FileScan parquet[mpsr stock: the query asks which files records come from]")
      assertThat(rows(named)).isEqualTo(stock(rows(named)))
    }

  @Test
  def tablesMadeOfIt(): Unit = {
    val before = DecisionMetrics.sum("redirected.signal")
    try {
      session.sql(s"CREATE TABLE c USING parquet AS SELECT * FROM t WHERE $filter")
      assertThat(DecisionMetrics.sum("redirected.signal")).isEqualTo(before + 1)
      session.sql("INSERT INTO c SELECT * FROM t WHERE signal = 'SIG4'")
      assertThat(DecisionMetrics.sum("redirected.signal")).isEqualTo(before + 2)
      assertThat(rows(session.sql("SELECT * FROM c")).mkString("\n"))
        .isEqualTo(stock(rows(session.sql("SELECT * FROM t WHERE signal IN ('SIG3', 'SIG4')"))).mkString("\n"))
    } finally session.sql("DROP TABLE IF EXISTS c")
  }

  @Test
  def aCachedTable(): Unit = {
    session.sql(s"CACHE TABLE cached AS SELECT * FROM t WHERE $filter")
    try {
      assertThat(explain("SELECT * FROM cached WHERE day = '2014-05-01'")).contains("InMemoryRelation", redirected)
      check(session.sql("SELECT * FROM cached WHERE day = '2014-05-01'"), "InMemoryRelation")
    } finally session.sql("UNCACHE TABLE cached")
  }

  @Test
  def aStream(): Unit = {
    val name = "s" + UUID.randomUUID.toString.replace("-", "")
    val plans = DecisionMetrics.sum("plans")
    val stream = session.readStream.schema(read.schema).parquet(dataset.root.toString).where(filter)
    val query = stream.writeStream.format("memory").queryName(name).start()
    try query.processAllAvailable()
    finally query.stop()
    assertThat(DecisionMetrics.sum("plans")).isEqualTo(plans)
    assertThat(rows(session.table(name)).mkString("\n")).isEqualTo(stock(rows(read.where(filter))).mkString("\n"))
  }
}
