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

import java.time.{Duration, Instant}
import java.util.Random

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{DataFrame, Row, SaveMode}
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.awaitility.Awaitility.await
import org.hadoopmpsr.client.repair.RepairOptions
import org.hadoopmpsr.client.scrub.ScrubOptions
import org.hadoopmpsr.core.group.{ColumnTransforms, ReplicaGroups, WantedGroup}
import org.hadoopmpsr.core.schema.{ColumnType, Schema}
import org.hadoopmpsr.core.transform.{TransformName, TransformRegistry}
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture}
import org.hadoopmpsr.spark.jobs._
import org.hadoopmpsr.spark.degraded.DegradedReads
import org.hadoopmpsr.spark.relation.DecisionMetrics
import org.hadoopmpsr.spark.source.SparkTypes
import org.hadoopmpsr.testing.LostFiles
import org.junit.jupiter.api.{Tag, Test}
import org.junit.jupiter.api.Assertions.{assertEquals, assertTrue}

/** Groups with rounded values give them to queries that allow it, and to nobody else; nothing takes them for copies of the records. */
class LossyGroupsTest extends TransformedSuite(TestLossy) {
  import SparkFixture._
  import LossyGroupsTest._
  import TransformedSuite.Interpreted

  private def values(frame: DataFrame): Map[Long, (Any, Any)] =
    frame.collect().map(row => row.getLong(0) -> ((row.get(1), row.get(2)))).toMap

  private def exact(dataset: SinkDataset): Map[Long, (Any, Any)] = stock(values(read(dataset).select("id", "value", "small")))

  private def rounded(held: Any, transform: String): Any = {
    val bits = held match {
      case d: Double => java.lang.Double.doubleToRawLongBits(d)
      case f: Float => Integer.toUnsignedLong(java.lang.Float.floatToRawIntBits(f))
      case _ => 0L
    }
    val column = TransformRegistry.of(TransformName.parse(transform), if (held.isInstanceOf[Float]) ColumnType.FLOAT else ColumnType.DOUBLE)
    val all = Array(bits)
    column.round(all, 1)
    held match {
      case _: Double => java.lang.Double.longBitsToDouble(all(0))
      case _: Float => java.lang.Float.intBitsToFloat(all(0).toInt)
      case none => none
    }
  }

  /** What Spark without MPSR finds in the files of the group: the records' values, rounded once. */
  private def checkFiles(dataset: SinkDataset, group: String = "rough", value: String = "lossy:abs=0.01"): Unit = {
    val found = stock(values(session.read.parquet(files(dataset, group).map(uri): _*).select("id", "value", "small")))
    val expected = exact(dataset).map { case (id, (v, s)) => id -> ((rounded(v, value), rounded(s, "lossy:bits=9"))) }
    assertEquals(texts(expected), texts(found), s"seed $seed")
    assertTrue(found.exists { case (id, (v, _)) => text(v) != text(exact(dataset)(id)._1) }, "nothing is rounded")
  }

  private def texts(values: Map[Long, (Any, Any)]): Map[Long, (String, String)] = values.map { case (id, (v, s)) => id -> ((text(v), text(s))) }

  private def checkExact(dataset: SinkDataset): Unit = for (filter <- Filters) withConf(Interpreted: _*) {
    val expected = stock(rows(read(dataset).where(filter)).sorted)
    for (group <- Seq("", "signal", "rough", "packed")) {
      val asked = (if (group.isEmpty) read(dataset) else read(dataset).hint("mpsr", group)).where(filter)
      assertEquals(expected, rows(asked).sorted, s"seed $seed: $filter in '$group'")
      assertThat(explain(asked)).doesNotContain("parquet[mpsr rough").doesNotContain("parquet[mpsr packed")
    }
  }

  private def checkApproximate(dataset: SinkDataset): Unit = {
    val all = exact(dataset)
    for ((group, vectorized) <- Seq("rough" -> "true", "rough" -> "false", "packed" -> "true", "packed" -> "false")) {
      withConf("spark.sql.parquet.enableVectorizedReader" -> vectorized) {
        val asked = read(dataset).hint("mpsr", group).selectExpr("id", "mpsr_approx(value, 0.01)", "NULL")
        assertThat(explain(asked)).contains(s"parquet[mpsr $group: ").contains("approximate, error ≤ 0.01 in value")
        val found = values(asked)
        assertEquals(all.keySet, found.keySet)
        all.foreach { case (id, (v, _)) => assertTrue(isWithin(found(id)._1, v, 0.01), s"seed $seed: ${found(id)._1} for $v in $group") }
        assertTrue(all.exists { case (id, (v, _)) => text(v) != text(found(id)._1) })
      }
    }
  }

  @Test
  def onlyWhoAllowsItGetsRoundedValues(): Unit = {
    val dataset = committed("/cals/lossy")
    val of = footer(files(dataset, "rough").head).getFileMetaData
    assertThat(of.getKeyValueMetaData).containsEntry("mpsr.transform.value", "lossy:abs=0.01;v=1")
    assertThat(of.getSchema.getFields.asScala.map(_.getName).asJava).contains("value", "small")
    checkFiles(dataset)
    checkExact(dataset)
    checkApproximate(dataset)
    val before = DecisionMetrics.sum("approximate")
    def rough = read(dataset).hint("mpsr", "rough")
    rough.selectExpr("sum(mpsr_approx(value, 0.5))").collect()
    assertThat(DecisionMetrics.sum("approximate")).isGreaterThan(before)
    for (asked <- Seq(
        rough.selectExpr("value"),
        rough.selectExpr("mpsr_approx(value, 0.009)"),
        rough.selectExpr("mpsr_approx(value, 'rel=0.5')"),
        rough.selectExpr("mpsr_approx(value, 0.5)", "value + 1"),
        rough.where("value > 1").selectExpr("mpsr_approx(value, 0.5)"),
        rough.selectExpr("mpsr_approx(value, 0.5)", "small"))) {
      assertThat(explain(asked)).doesNotContain("parquet[mpsr rough")
      assertThat(explain(asked)).contains("has rounded values in column")
    }
    val untouched = rough.where("signal <> 'S1'").selectExpr("id", "signal")
    assertThat(explain(untouched)).contains("parquet[mpsr rough: ").doesNotContain("approximate,")
    assertEquals(stock(rows(untouched)).sorted, rows(untouched).sorted)
    val both = rough.selectExpr("id", "mpsr_approx(value, 0.5) AS v", "mpsr_approx(small, 'bits=8') AS s")
    assertThat(explain(both)).contains("error ≤ 0.01 in value").contains("error ≤ 0.001953125 of the value in small")
  }

  @Test
  def statisticsOfRoundedValuesAnswerNothing(): Unit = {
    val dataset = committed("/cals/bounds", 2)
    def rough = read(dataset).hint("mpsr", "rough")
    for (query <- Seq(Seq("min(level)"), Seq("max(level)"), Seq("count(level)", "max(level)"))) {
      assertEquals(stock(rows(read(dataset).selectExpr(query: _*))), rows(rough.selectExpr(query: _*)), query.toString)
    }
    withConf("spark.mpsr.accuracy.level" -> "abs=1") {
      // the bounds of an exact group are within each limit
      val most = rough.selectExpr("max(level)")
      assertThat(explain(most)).contains("max(level) of ").doesNotContain(" of rough")
      assertEquals(stock(rows(read(dataset).selectExpr("max(level)"))), rows(most))
      val sum = rough.selectExpr("sum(level)")
      assertThat(explain(sum)).contains("approximate, error ≤ 0.125 in level").contains("FileScan")
      assertTrue(isWithin(sum.collect().head.get(0), stock(read(dataset).selectExpr("sum(level)").collect().head.get(0)), 1200 * 0.125))
    }
    assertEquals(1200L, rough.count())
    checkSound(dataset)
  }

  @Test
  @Tag("long")
  def changesRoundOnce(): Unit = {
    val dataset = committed("/cals/lossychanges")
    val written = session.createDataFrame(TestLossy.rows(seed, 3, 200).asJava, SparkTypes.structType(TestLossy.schema.columns.asScala.toSeq))
    written.write.mode(SaveMode.Append).parquet(dataset.root.toString)
    checkFiles(dataset)
    writeAsStock(dataset, written.selectExpr("id + 5000000 AS id", "at", "signal", "value", "small", "level", "n", "CAST(at AS DATE) AS day"))
    adopt(dataset)
    checkFiles(dataset)
    assertThatThrownBy(() => delete(dataset, "value > 3 OR signal = 'S2'"))
      .hasMessageContaining("looks at column 'value', of which group 'rough' has rounded values (lossy:abs=0.01)")
    assertThat(delete(dataset, "signal = 'S2' OR id % 7 = 0").problem).isNull()
    checkFiles(dataset)
    checkSound(dataset)
    compact(dataset)
    checkFiles(dataset)
    checkExact(dataset)
    checkApproximate(dataset)
    checkSound(dataset)
  }

  @Test
  @Tag("long")
  def lostFilesAreWrittenAnewFromExactGroupsAlone(): Unit = {
    val dataset = committed("/cals/lossylost")
    for (group <- Seq("rough", "packed", "signal")) {
      LostFiles.lose(dfs, files(dataset, group).head)
      awaitDamage(dataset)
      val damages = client(_.damage(path(dataset), 1000)).damages.asScala
      damages.foreach { damage =>
        assertEquals(group, damage.group)
        assertTrue(!damage.sources.isEmpty && damage.sources.keySet.asScala.forall(s => s != "rough" && s != "packed"), damage.toString)
      }
      checkExact(dataset)
      rebuild(dataset)
      checkFiles(dataset)
      checkSound(dataset)
    }
    checkApproximate(dataset)
  }

  @Test
  @Tag("long")
  def lostFilesAreReadAroundWithTheValuesThatTheyHeld(): Unit = for (group <- Seq("rough", "packed")) {
    val dataset = committed(s"/cals/lossyaround_$group", 2)
    val plans = Seq("true", "false").map(vectorized => withConf("spark.sql.parquet.enableVectorizedReader" -> vectorized) {
      val asked = read(dataset).hint("mpsr", group).selectExpr("id", "mpsr_approx(value, 0.01)", "n")
      assertThat(explain(asked)).contains(s"parquet[mpsr $group: ")
      asked
    })
    val expected = texts(values(plans.head))
    val lost = files(dataset, group)
    lost.foreach(LostFiles.lose(dfs, _))
    await().atMost(Duration.ofSeconds(60)).until(() => lost.forall(LostFiles.isLost(dfs, _)))
    val before = DegradedReads.counter(session.sparkContext).sum
    plans.foreach(asked => assertEquals(expected, texts(values(asked)), s"seed $seed: $group"))
    assertThat(DegradedReads.counter(session.sparkContext).sum - before).isGreaterThanOrEqualTo(lost.size.toLong)
  }

  @Test
  @Tag("long")
  def falseValuesAreFoundAndWrittenAnew(): Unit = {
    val dataset = committed("/cals/lossyscrub", 1)
    val some = TestLossy.rows(seed, 1, 300)
    val flipped = some.updated(7, Row.fromSeq(some(7).toSeq.updated(3, 123.456)))
    dataset.commitFalsely(some, Map("rough" -> flipped))
    assertTrue(!VerifyDataset.verify(session, dataset.root.toString).sound)
    val options = ScrubOptions.parse(java.util.List.of[String]("--all"), new java.util.ArrayList)
    val run = ScrubDataset.scrub(session, dataset.root.toString, options)
    assertThat(run.problem).isNull()
    assertThat(run.done.changes).isPositive
    checkFiles(dataset)
    checkSound(dataset)
    assertThat(ScrubDataset.scrub(session, dataset.root.toString, options).done.changes).isZero
  }

  @Test
  @Tag("long")
  def groupsAreSetToRoundedValuesBesideTwoExactOnes(): Unit = {
    val dataset = committed("/cals/lossyset", 2)
    def wanted(group: String, transforms: String*) =
      new WantedGroup(group, java.util.List.of(), java.util.List.of(), null, ColumnTransforms.parse(transforms.asJava))
    def set(group: String, transforms: String*) = client(_.alterations.set(path(dataset), null, wanted(group, transforms: _*)))
    assertThatThrownBy(() => set("signal", "value=lossy:abs=1"))
      .hasMessageContaining("only [time] holds the values themselves; have two other groups without 'lossy'")
    assertThatThrownBy(() => client(_.alterations.drop(path(dataset), null, "signal")))
      .hasMessageContaining("the dataset would have one copy of its records")
    assertThatThrownBy(() => set("rough", "id=lossy:abs=1")).hasMessageContaining("for columns of type double or float, not bigint")
    assertThatThrownBy(() => set("rough", "value=lossy:0.01")).hasMessageContaining("is no greatest error: write abs=")
    set("rough", "value=lossy:abs=1", "small=lossy:bits=9")
    rebuild(dataset)
    awaitAlterations(dataset)
    checkFiles(dataset, "rough.2", "lossy:abs=1")
    client(_.alterations.drop(path(dataset), null, "packed"))
    dataset.commit(TestLossy.rows(seed, 5, 100))
    checkFiles(dataset, "rough.2", "lossy:abs=1")
    checkSound(dataset)
    set("rough", "value=identity")
    rebuild(dataset)
    awaitAlterations(dataset)
    val exactAgain = stock(values(session.read.parquet(files(dataset, "rough.3").map(uri): _*).select("id", "value", "small")))
    assertEquals(texts(exact(dataset)), texts(exactAgain))
    checkSound(dataset)
    val accept = RepairOptions.parse(java.util.List.of("--accept", "--group", "rough"), new java.util.ArrayList)
    assertThatThrownBy(() => RepairDataset.repair(session, committed("/cals/lossyaccept", 1).root.toString, accept))
      .hasMessageContaining("group 'rough' has rounded values (level=lossy:abs=0.125, small=lossy:bits=9, value=lossy:abs=0.01)")
  }
}

private object LossyGroupsTest {

  private val Filters = Seq(
    "true",
    "value > 2",
    "value <= -1.5 AND signal = 'S1'",
    "value IN (0.0D, double('NaN'))",
    "value BETWEEN -1 AND 1 AND small IS NOT NULL",
    "small > 0.1 AND NOT (value < 0)")

  private def isWithin(found: Any, exact: Any, limit: Double): Boolean = (found, exact) match {
    case (null, null) => true
    case (a: Double, b: Double) =>
      if (b.isNaN || b.isInfinite) java.lang.Double.compare(a, b) == 0 else math.abs(a - b) <= limit
    case _ => false
  }
}

/** Two groups have rounded values, one of them under the columns' names. */
object TestLossy extends TransformedTable {
  override val name = "lossy"
  override val schema: Schema =
    Schema.parse("id bigint not null, at timestamp not null, signal string not null, value double, small float, level double not null, n int")
  override val groups: ReplicaGroups =
    new ReplicaGroups(
      java.util.List.of(
        group("time", "day(at)"),
        group("signal", "bucket(3, signal)"),
        group("rough", "truncate(1, signal)", "value=lossy:abs=0.01", "small=lossy:bits=9", "level=lossy:abs=0.125"),
        group("packed", "bucket(2, signal)", "value=lossy:abs=0.01,packed")),
      "time")
  override val key = "id"

  private val Odd = Seq(0L, Long.MinValue, 0x7ff0000000000000L, 0xfff0000000000000L, 0x7ff8000000000000L, 0x7ff80000deadbeefL, 1L,
    0x800fffffffffffffL, 0x7fefffffffffffffL)

  override def rows(seed: Long, commit: Int, count: Int): Seq[Row] = {
    val random = new Random(seed * 47 + commit)
    Seq.tabulate(count) { i =>
      Row(
        commit * 1000000L + i,
        Instant.ofEpochSecond(1398902400L + random.nextInt(3 * 86400)),
        s"S${random.nextInt(6)}",
        sometimesNull(random,
          if (random.nextInt(10) == 0) java.lang.Double.longBitsToDouble(Odd(random.nextInt(Odd.size))) else random.nextGaussian() * 3),
        sometimesNull(random, if (random.nextInt(8) == 0) -0.0f else random.nextGaussian().toFloat),
        100 + 100 * random.nextDouble(),
        sometimesNull(random, random.nextInt(20) - 2))
    }
  }
}
