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
package org.hadoopmpsr.spark.transform

import java.time.Instant
import java.util.Random

import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.{classic, DataFrame, Row}
import org.apache.spark.sql.functions.expr
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.assertj.core.data.Offset.offset
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestDirectories}
import org.hadoopmpsr.spark.relation.{DecidedParquetFormat, DecisionMetrics, FileRelation}
import org.junit.jupiter.api.{AfterAll, BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.Assertions.{assertEquals, assertTrue}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Reads that let values be off read fewer columns of files, and give values within what they let. Everything else is exact. */
@TestInstance(Lifecycle.PER_CLASS)
class ApproximateReadsTest {
  import SparkFixture._

  private var dfs: MiniDFSCluster = _
  private var dataset: SinkDataset = _

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(TestApproximates.groups)
    dataset = new SinkDataset(dfs, "/cals/approximate", TestApproximates)
    (0 until 3).foreach(i => dataset.commit(TestApproximates.rows(seed, i, 2000)))
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  private def group(group: String): DataFrame = session.read.parquet(dataset.root.toString).hint("mpsr", group)

  private def values(frame: DataFrame): Map[Long, Row] = frame.collect().map(row => row.getLong(0) -> row).toMap

  private lazy val exact: Map[Long, Row] = stock(values(session.read.parquet(dataset.root.toString).select("id", "value", "small")))

  private def isApproximate(frame: DataFrame): Boolean = explain(frame).contains("approximate, error ≤ ")

  private def isWithin(found: Any, exact: Any, limit: Double => Double): Boolean = (found, exact) match {
    case (null, null) => true
    case (f: Number, e: Number) =>
      val (a, b) = (f.doubleValue, e.doubleValue)
      if (b.isNaN || b.isInfinite) java.lang.Double.compare(a, b) == 0 else math.abs(a - b) <= limit(math.abs(b))
    case _ => false
  }

  private def checkWithin(frame: DataFrame, limit: Double => Double, column: String = "value"): Unit = {
    val found = values(frame)
    assertEquals(exact.keySet, found.keySet)
    val place = if (column == "value") 1 else 2
    exact.foreach { case (id, row) =>
      val value = found(id).get(1)
      assertTrue(isWithin(value, row.get(place), limit), s"seed $seed: $value for ${row.get(place)} of record $id\n${explain(frame)}")
    }
    assertTrue(found.exists { case (id, row) => !java.util.Objects.equals(row.get(1), exact(id).get(place)) }, "all values are exact")
  }

  private def checkExact(frame: DataFrame): Unit = {
    def texts(rows: Map[Long, Row]) = rows.map { case (id, row) => id -> text(row.get(1)) }
    assertEquals(texts(exact), texts(values(frame)))
  }

  @Test
  def valuesAreWithinTheLimits(): Unit = for (vectorized <- Seq("true", "false")) {
    withConf("spark.sql.parquet.enableVectorizedReader" -> vectorized) {
      def approximated(group: String, limit: String, column: String = "value") =
        this.group(group).selectExpr("id", s"mpsr_approx($column, $limit) AS v")
      for ((limit, error) <- Seq("'rel=0.04'" -> 0.04, "'bits=5'" -> 1.0 / 32, "'rel=1e-6'" -> 1e-6)) {
        val frame = approximated("planes", limit)
        assertTrue(isApproximate(frame), explain(frame))
        checkWithin(frame, _ * error + java.lang.Double.MIN_NORMAL)
      }
      val small = approximated("planes", "'rel=0.01'", "small")
      assertTrue(isApproximate(small), explain(small))
      checkWithin(small, _ * 0.01 + java.lang.Float.MIN_NORMAL, "small")
      val companion = approximated("companion", "0.01")
      assertTrue(explain(companion).contains("approximate, error ≤ 0.01 in value"), explain(companion))
      if (vectorized == "true") checkWithin(companion, _ => 0.01) else checkExact(companion)
      // a companion's error is not good enough, or not known as a part of the value
      for ((group, limit) <- Seq("companion" -> "0.001", "companion" -> "'rel=0.5'", "planes" -> "'rel=1e-12'", "time" -> "100")) {
        val frame = approximated(group, limit)
        assertTrue(!isApproximate(frame), explain(frame))
        checkExact(frame)
      }
    }
  }

  @Test
  def greatestValuesTellWhatARelativeErrorComesTo(): Unit = {
    // 'level' lies between 100 and 200, and a leading plane is 2^-5 of it off at most, of which the greatest is 6.25
    val wide = group("planes").selectExpr("id", "mpsr_approx(level, 6.3) AS v")
    assertTrue(explain(wide).contains("approximate, error ≤ 0.03125 of the value in level"), explain(wide))
    val narrow = group("planes").selectExpr("id", "mpsr_approx(level, 6) AS v")
    assertTrue(explain(narrow).contains("approximate, error ≤ 4.76837158203125E-7 of the value in level"), explain(narrow))
  }

  @Test
  def whatLooksAtTheColumnElsewhereIsExact(): Unit = {
    group("companion").createOrReplaceTempView("beside")
    def ask(query: String) = session.sql(query)
    val approximates = Seq(
      "SELECT avg(mpsr_approx(level, 0.5)) FROM beside",
      "SELECT signal, max(mpsr_approx(level, 0.5)) FROM beside WHERE signal <> 'S1' GROUP BY signal",
      "SELECT mpsr_approx(v, 0.5) FROM (SELECT level AS v, id FROM beside) WHERE id > 5",
      "SELECT count(*) FROM beside WHERE mpsr_approx(level, 0.5) > 150",
      "SELECT sum(mpsr_approx(a.level, 0.5)) FROM beside a JOIN beside b ON a.id = b.id")
    approximates.foreach(query => assertTrue(isApproximate(ask(query)), query + explain(ask(query))))
    val exacts = Seq(
      "SELECT level, mpsr_approx(level, 0.5) FROM beside",
      "SELECT max(mpsr_approx(level, 0.5)) FROM beside WHERE level > 150",
      "SELECT count(mpsr_approx(v, 0.5)) FROM (SELECT DISTINCT level AS v FROM beside)",
      "SELECT mpsr_approx(a.level, 0.5) FROM beside a JOIN beside b ON a.level = b.level",
      "SELECT level, count(mpsr_approx(level, 0.5)) FROM beside GROUP BY level",
      "SELECT mpsr_approx(level, 0.5), max(level) OVER (PARTITION BY signal) FROM beside")
    exacts.foreach { query =>
      assertTrue(!ask(query).queryExecution.executedPlan.toString.contains("level$approx") && !isApproximate(ask(query)), query + explain(ask(query)))
      assertEquals(stock(rows(ask(query))).sorted, rows(ask(query)).sorted, query)
    }
    // one read of a query is approximate, and the other one is not
    val both = ask("SELECT * FROM (SELECT sum(mpsr_approx(level, 0.5)) FROM beside) CROSS JOIN (SELECT sum(level) FROM beside)").collect().head
    val sum = stock(ask("SELECT sum(level) FROM beside")).collect().head.getDouble(0)
    assertThat(both.getDouble(1)).isCloseTo(sum, offset(Double.box(1e-6)))
    assertThat(both.getDouble(0)).isNotEqualTo(both.getDouble(1)).isCloseTo(sum, offset(Double.box(0.5 * 6000)))
  }

  @Test
  def aSessionOrAReadSaysHowFarOffValuesMayBe(): Unit = {
    def table = group("companion")
    val before = DecisionMetrics.sum("approximate")
    withConf("spark.mpsr.accuracy.Level" -> "abs=0.5") {
      val listed = table.select("id", "level")
      assertTrue(isApproximate(listed), explain(listed))
      listed.collect()
      assertThat(DecisionMetrics.sum("approximate")).isGreaterThan(before)
      assertTrue(isApproximate(table.groupBy("signal").agg(expr("avg(level)"))))
      // conditions decide by exact values
      for (asked <- Seq(table.where("level > 150").select("level"), table.select("level").distinct(), table.orderBy("level").select("id"))) {
        assertTrue(!isApproximate(asked), explain(asked))
      }
      assertTrue(!isApproximate(table.select("value")))
    }
    val option = session.read.option("mpsr.accuracy.level", "abs=0.5").parquet(dataset.root.toString).hint("mpsr", "companion").select("id", "level")
    assertTrue(isApproximate(option), explain(option))
    assertTrue(!isApproximate(table.select("id", "level")))
    withConf("spark.mpsr.accuracy.level" -> "roughly") {
      assertThatThrownBy(() => table.collect()).hasMessageContaining("'roughly' is no accuracy: write abs=0.01")
    }
    for (wrong <- Seq("mpsr_approx(level)", "mpsr_approx(level, -1)", "mpsr_approx(level, id)", "mpsr_approx(signal, 1)", "mpsr_approx(level, 'x')")) {
      assertThatThrownBy(() => table.selectExpr(wrong)).as(wrong).hasMessageContaining("mpsr_approx")
    }
  }

  @Test
  def whatIsCachedWithErrorsIsNoAnswerToOthers(): Unit = {
    def frame = group("companion").select("id", "level")
    val cached = withConf("spark.mpsr.accuracy.level" -> "abs=0.5") {
      val frame = group("companion").select("id", "level").cache()
      frame.count()
      frame
    }
    try assertEquals(stock(rows(frame)).sorted, rows(frame).sorted)
    finally cached.unpersist(blocking = true)
  }

  @Test
  def whatIsWrittenIsExact(): Unit = withConf("spark.mpsr.accuracy.level" -> "abs=0.5") {
    val target = new Path(dfs.getURI.toString, "/written").toString
    group("companion").select("id", "level").write.parquet(target)
    val written = withConf("spark.mpsr.enabled" -> "false")(rows(session.read.parquet(target)).sorted)
    assertEquals(stock(rows(group("companion").select("id", "level"))).sorted, written)
  }

  /** All files of a group have the column. One that lacks it would be taken for one of nulls. */
  @Test
  def aFileWithoutWhatIsBesideTheColumnEndsTheRead(): Unit = {
    val directory = TestDirectories.create("mpsr-lacking").resolve("files").toUri.toString
    session.range(5).selectExpr("id", "CAST(id AS double) AS value").write.parquet(directory)
    val found = session.read.parquet(directory).asInstanceOf[classic.DataFrame].queryExecution.analyzed
      .collectFirst { case FileRelation(relation) => relation }.get
    def read(transforms: ReadTransforms) = found.sparkSession
      .baseRelationToDataFrame(found.copy(fileFormat = new DecidedParquetFormat("", None, None, Nil, transforms))(found.sparkSession))
      .select("id", "value")
    val beside = ReadTransforms(Seq(HeldColumn("value double", "approximate:abs=0.01;v=1", 0)))
    assertThatThrownBy(() => read(beside).collect()).hasStackTraceContaining("value$approx-0.01")
    assertEquals(5, read(beside.exact).where("value >= 0").count())
    withConf("spark.sql.parquet.enableVectorizedReader" -> "false")(assertEquals(5, read(beside).where("value >= 0").count()))
  }

  @Test
  def fewerBytesAreRead(): Unit = {
    def read = FileSystem.getGlobalStorageStatistics.get("hdfs").getLong("bytesRead").longValue
    def bytes(frame: DataFrame) = {
      val planned = frame.asInstanceOf[classic.DataFrame].queryExecution
      planned.executedPlan
      val before = read
      planned.toRdd.foreachPartition((rows: Iterator[_]) => rows.foreach(_ => ()))
      read - before
    }
    val exact = bytes(group("planes").selectExpr("sum(value)"))
    val levels = Seq("'rel=0.04'", "'rel=1e-6'").map(limit => bytes(group("planes").selectExpr(s"sum(mpsr_approx(value, $limit))")))
    println(s"bytes: planes $exact, levels ${levels.mkString(", ")}")
    assertThat(levels.head).isLessThan(levels(1))
    assertThat(levels(1)).isLessThan(exact)
  }
}

/** Groups with values in planes, and with whole numbers beside the values. */
object TestApproximates extends TransformedTable {
  override val name = "approximates"
  override val schema: Schema =
    Schema.parse("id bigint not null, at timestamp not null, signal string not null, value double, small float, level double not null")
  override val groups: ReplicaGroups =
    new ReplicaGroups(
      java.util.List.of(
        group("time", "day(at)"),
        group("planes", "bucket(3, signal)", "value=planes:16,16,32", "small=planes:16,16", "level=planes:16,16,32"),
        group("companion", "truncate(1, signal)", "value=approximate:abs=0.01", "level=approximate:abs=0.1")),
      "time")
  override val key = "id"

  private val Odd = Seq(0L, Long.MinValue, 0x7ff0000000000000L, 0xfff0000000000000L, 0x7ff8000000000000L, 1L, 0x7fefffffffffffffL)

  override def rows(seed: Long, commit: Int, count: Int): Seq[Row] = {
    val random = new Random(seed * 43 + commit)
    Seq.tabulate(count) { i =>
      Row(
        commit * 1000000L + i,
        Instant.ofEpochSecond(1398902400L + random.nextInt(3 * 86400)),
        s"S${random.nextInt(6)}",
        sometimesNull(random,
          if (random.nextInt(20) == 0) java.lang.Double.longBitsToDouble(Odd(random.nextInt(Odd.size))) else random.nextGaussian() * 20),
        sometimesNull(random, random.nextGaussian().toFloat),
        100 + 100 * random.nextDouble())
    }
  }
}

