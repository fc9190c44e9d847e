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
package org.hadoopmpsr.spark.reduction

import scala.util.Random

import org.apache.spark.sql.{DataFrame, Row}
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.core.reduction.{PixelColumns, ValuePattern}
import org.hadoopmpsr.spark.SparkFixture
import org.junit.jupiter.api.{BeforeEach, Tag, Test}
import org.junit.jupiter.api.Assertions.{assertEquals, assertTrue}

/** Reductions of the cheapest group's records equal what Spark's own SQL makes of the default group's, for random ones. */
class MpsrReductionsTest {
  import MpsrReductionsTest._
  import SparkFixture._

  /** Compiling takes longer than these queries. */
  private val interpreted = Seq("spark.sql.codegen.wholeStage" -> "false", "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")

  @BeforeEach
  def view(): Unit = session.read.parquet(dataset.root.toString).createOrReplaceTempView("m")

  private def forAll(property: Random => Unit): Unit = withConf(interpreted: _*) {
    val only = Option(java.lang.Long.getLong("mpsr.seed")).map(_.longValue)
    only.fold((0L until Runs.toLong).toList)(List(_)).foreach { run =>
      try property(new Random(run * 31 + seed))
      catch {
        case e @ (_: AssertionError | _: Exception) =>
          throw new AssertionError(s"run $run of seed $seed (-Dmpsr.test.seed=$seed -Dmpsr.seed=$run): ${e.getMessage}", e)
      }
    }
  }

  private def redirected(frame: DataFrame): DataFrame = {
    assertThat(explain(frame)).containsAnyOf("FileScan parquet[mpsr ", "LocalTableScan")
    frame
  }

  /** Of the records without MPSR: a row for each key, with the text of its values. */
  private def expected(query: String): Map[String, Row] = stock(session.sql(query).collect()).map(row => text(row.get(0)) -> row).toMap

  private def byKey(frame: DataFrame, keys: Int): Map[String, Row] =
    redirected(frame).collect().map(row => text(Row.fromSeq(row.toSeq.take(keys))) -> row).toMap

  /** @param greatest the greatest magnitude of what was added up: sums in another order differ by its last digits, also where they are near to zero */
  private def assertNear(found: Any, wanted: Any, what: String, greatest: Double = 0): Unit = (found, wanted) match {
    case (null, null) =>
    case (a: Double, b: Double) if a.isNaN || b.isNaN || a.isInfinite || b.isInfinite => assertEquals(b, a, what)
    case (a: Double, b: Double) => assertEquals(b, a, 1e-9 * (1 + Math.abs(b)) + 1e-13 * greatest, what)
    case _ => assertEquals(wanted, found, what)
  }

  private def checkStatistics(random: Random, frame: DataFrame, value: String, by: Seq[String], keySql: Seq[String], where: String): Unit = {
    val number = s"CASE WHEN NOT isnan($value) THEN $value + 0 END"
    val wanted = expected(
      s"SELECT struct(${keySql.mkString(", ")}), count(*), count_if($value IS NULL), count_if(isnan($value)), min($number), max($number), " +
        s"avg(cast($number AS double)), stddev(cast($number AS double)), sort_array(collect_list(cast($number AS double))) " +
        s"FROM m WHERE $where ${if (keySql.isEmpty) "" else keySql.mkString("GROUP BY ", ", ", "")}")
    val found = byKey(frame, by.size)
    assertThat(found.keySet).isEqualTo(wanted.keySet)
    found.foreach { case (key, row) =>
      val right = wanted(key)
      def field(name: String) = row.get(row.fieldIndex(name))
      val numbers = right.getSeq[Double](8)
      val finite = numbers.forall(v => !v.isInfinite)
      val greatest = if (finite) numbers.foldLeft(0.0)((most, v) => Math.max(most, Math.abs(v))) else 0
      assertEquals(right.get(1), field("records"), key)
      assertEquals(right.get(2), field("nulls"), key)
      assertEquals(right.get(3), field("nans"), key)
      assertNear(asDouble(field("min")), asDouble(right.get(4)), s"min of $key")
      assertNear(asDouble(field("max")), asDouble(right.get(5)), s"max of $key")
      assertNear(field("mean"), right.get(6), s"mean of $key", greatest)
      if (finite) assertNear(field("deviation"), right.get(7), s"deviation of $key", greatest)
      if (numbers.isEmpty) assertThat(field("quantiles")).isNull()
      else {
        // the stated error holds in 99 of 100 cases, and these are many
        val error = 3 * field("rank_error").asInstanceOf[Double] * numbers.size + 1
        row.getSeq[Double](row.fieldIndex("quantiles")).zip(Shares).foreach { case (quantile, share) =>
          val rank = share * numbers.size
          assertTrue(numbers.count(_ < quantile) <= rank + error, s"quantile $share of $key is $quantile")
          assertTrue(numbers.count(_ <= quantile) >= rank - error, s"quantile $share of $key is $quantile")
        }
      }
    }
  }

  @Test
  def statisticsAreThoseOfSparksFunctions(): Unit = forAll { random =>
    val value = pick(random, Values)
    val by = pick(random, Keys)
    val where = pick(random, Conditions)
    val frame = MpsrReductions.statistics(session.table("m").where(where), value, by, Shares)
    checkStatistics(random, frame, value, by, by, where)
  }

  @Test
  def intervalsAreThoseOfIntegerDivision(): Unit = forAll { random =>
    val value = pick(random, Values)
    val by = pick(random, Keys)
    val where = pick(random, Conditions)
    val axis = pick(random, Axes)
    val length = pick(random, axis.lengths)
    val origin = (random.nextInt(2000) - 1000) * length / 7
    val frame = MpsrReductions.intervals(session.table("m").where(where), axis.name, value, length, origin, by, Shares)
    val begin = s"${axis.units} - pmod(${axis.units} - ($origin), $length)"
    val keys = by :+ axis.ofUnits(begin)
    checkStatistics(random, frame, value, by :+ axis.name, keys, s"($where) AND ${axis.name} IS NOT NULL")
  }

  /** The query of the paper on M4, with four aggregates for each column of pixels. */
  @Test
  def chartsAreThoseOfThePapersQuery(): Unit = forAll { random =>
    val value = pick(random, Values)
    val where = pick(random, Conditions)
    val by = pick(random, Keys)
    val axis = pick(random, Axes)
    val (begin, end) = axis.range(random)
    val width = 1 + random.nextInt(60)
    val columns = new PixelColumns(begin, end, width)
    val frame = MpsrReductions.chart(session.table("m").where(where), axis.name, value, begin, end, width, by)
    val found = redirected(frame).collect().toSeq.groupBy(row => text(Row.fromSeq(row.toSeq.take(by.size)))).map { case (key, rows) =>
      key -> rows.map(row => (text(row.get(by.size)), asDouble(row.get(by.size + 1))))
    }
    val cells = stock(session.sql(
      s"""SELECT struct(${by.mkString(", ")}), (u - ($begin)) div ${columns.unit} AS cell, array_sort(array_distinct(array(
         | min(struct(u, v)), max(struct(u, v)),
         | struct(min(struct(v, u)).u AS u, min(struct(v, u)).v AS v), struct(max(struct(v, u)).u AS u, max(struct(v, u)).v AS v)))) AS points
         |FROM (SELECT *, ${axis.units} AS u, $value + 0 AS v FROM m WHERE $where)
         |WHERE u >= $begin AND u < $end AND v IS NOT NULL AND NOT isnan(v)
         |GROUP BY ${(by :+ "cell").mkString(", ")} ORDER BY cell""".stripMargin).collect())
    val wanted = cells.toSeq.groupBy(row => text(row.get(0))).map { case (key, rows) =>
      key -> rows.flatMap(_.getSeq[Row](2)).map(point => (point.getLong(0), asDouble(point.get(1))))
    }
    val shown = wanted.map { case (key, points) => key -> points.map { case (u, v) => (text(axis.value(u)), v) } }
    // a series without points has a chart without points
    assertThat(found).isEqualTo(shown)
  }

  @Test
  def heatMapsCountEachRecordOnce(): Unit = forAll { random =>
    val value = pick(random, Values)
    val where = pick(random, Conditions)
    val axis = pick(random, Axes)
    val by = pick(random, Seq("device", "signal", "quality"))
    val (begin, end) = axis.range(random)
    val columns = new PixelColumns(begin, end, 1 + random.nextInt(30))
    val frame = MpsrReductions.heatMap(session.table("m").where(where), axis.name, value, by, begin, end, columns.width)
    val cell = s"($begin) + ((${axis.units} - ($begin)) div ${columns.unit}) * ${columns.unit}"
    val number = s"CASE WHEN NOT isnan($value) THEN $value + 0 END"
    val wanted = expected(
      s"SELECT struct($by, ${axis.ofUnits(cell)}), count(*), avg(cast($number AS double)), max($number), max(abs(cast($number AS double))) FROM m " +
        s"WHERE ($where) AND ${axis.units} >= $begin AND ${axis.units} < $end GROUP BY $by, ${axis.ofUnits(cell)}")
    val found = byKey(frame, 2)
    assertThat(found.keySet).isEqualTo(wanted.keySet)
    found.foreach { case (key, row) =>
      assertEquals(wanted(key).get(1), row.getAs[Any]("records"), key)
      assertNear(row.getAs[Any]("mean"), wanted(key).get(2), key, Option(wanted(key).get(4)).map(asDouble(_).asInstanceOf[Double]).filterNot(_.isInfinite).getOrElse(0.0))
      assertNear(asDouble(row.getAs[Any]("max")), asDouble(wanted(key).get(3)), key)
    }
  }

  @Tag("long")
  @Test
  def similarWindowsAreThoseOfAllWindows(): Unit = forAll { random =>
    val value = pick(random, Values)
    val where = pick(random, Conditions)
    val by = pick(random, Keys)
    val axis = pick(random, Axes)
    val normalized = random.nextBoolean()
    val pattern = new ValuePattern(Array.fill(2 + random.nextInt(5))(random.nextInt(9) - 4.0), normalized, random.nextInt(12) / 2.0)
    val limit = 1 + random.nextInt(50)
    val frame = MpsrReductions.similar(session.table("m").where(where), axis.name, value, pattern, limit, by)
    val found = frame.collect().toSeq
    val series = stock(session.sql(
      s"SELECT struct(${by.mkString(", ")}), ${axis.units} AS u, cast($value AS double) AS v FROM m WHERE ($where) AND ${axis.name} IS NOT NULL " +
        s"ORDER BY ${(by ++ Seq("u", "v")).mkString(", ")}").collect()).toSeq.groupBy(row => text(row.get(0)))
    val all = series.toSeq.flatMap { case (key, rows) =>
      val values = rows.map(row => if (row.isNullAt(2)) Double.NaN else row.getDouble(2)).toArray
      (0 to rows.size - pattern.length).map(i => (key, rows(i).getLong(1), pattern.distance(values, i))).filter(!_._3.isNaN)
    }
    val distances = all.map(_._3).sorted.take(limit)
    assertThat(found.map(_.getAs[Double]("distance"))).isEqualTo(distances)
    val windows = all.map { case (key, begin, distance) => (key, text(axis.value(begin)), distance) }.toSet
    found.foreach { row =>
      val key = text(Row.fromSeq(row.toSeq.take(by.size)))
      assertTrue(windows.contains((key, text(row.getAs[Any]("begin")), row.getAs[Double]("distance"))), text(row))
    }
  }

  @Test
  def oneReductionFollowsAnother(): Unit = {
    val hours = MpsrReductions.intervals(session.table("m").where("device = 'CRYO1'"), "timestamp_ns", "quality", 3600000000000L, 0, Nil, Nil)
    val chart = MpsrReductions.chart(hours, "timestamp_ns", "max", 1398729600000000000L, 1399248000000000000L, 1000, Nil)
    val wanted = stock(rows(session.sql(
      "SELECT timestamp_ns div 3600000000000 * 3600000000000, max(quality) FROM m WHERE device = 'CRYO1' GROUP BY 1 HAVING max(quality) IS NOT NULL")))
    assertThat(rows(redirected(chart))).isEqualTo(wanted)
    val similar = MpsrReductions.similar(hours, "timestamp_ns", "mean", new ValuePattern(Array(1.0, -1.0, 1.0), true, 0.5), 3, Nil)
    assertThat(similar.count()).isGreaterThan(0)
  }

  @Test
  def theCheapestGroupIsRead(): Unit = {
    val one = MpsrReductions.statistics(session.table("m").where("signal = 'SIG3'"), "value", Nil, Nil)
    assertThat(explain(one)).contains("FileScan parquet[mpsr signal")
    val device = MpsrReductions.heatMap(session.table("m").where("device = 'VAC1'"), "timestamp_ns", "value", "system", 0, Long.MaxValue, 10)
    assertThat(explain(device)).contains("FileScan parquet[mpsr device")
    val day = MpsrReductions.chart(session.table("m"), "timestamp_ns", "value", 1398729600000000000L, 1398816000000000000L, 10, Nil)
    assertThat(explain(day)).contains("FileScan parquet[mpsr time")
  }

  @Test
  def functionsOfSql(): Unit = {
    assertThat(rows(session.sql("SELECT mpsr_statistics(v) FROM VALUES (1), (3), (NULL) t(v)"))).isEqualTo(Seq("[[3,1,0,1,3,2.0,1.4142135623730951]]"))
    assertThat(rows(session.sql("SELECT mpsr_statistics(v, array(0, 0.5, 1)).quantiles FROM VALUES (1D), (3D), (double('NaN')), (-2D) t(v)")))
      .isEqualTo(Seq("[(-2.0, 1.0, 3.0)]"))
    assertThat(rows(session.sql("SELECT mpsr_statistics(v) FROM VALUES (1D) t(v) WHERE v > 1"))).isEqualTo(Seq("[[0,0,0,null,null,null,null]]"))
    assertThat(rows(session.sql("SELECT mpsr_chart(t, v, DATE'2020-01-01', DATE'2020-01-03', 1) FROM VALUES (DATE'2020-01-01', 1), (DATE'2020-01-02', NULL), (DATE'2020-01-03', 2) s(t, v)")))
      .isEqualTo(Seq("[([2020-01-01,1])]"))
    assertThat(rows(session.sql("SELECT mpsr_chart(t, v, 0, 10, 5) FROM VALUES (1L, double('NaN')) s(t, v)"))).isEqualTo(Seq("[()]"))
    assertThat(rows(session.sql("SELECT mpsr_interval(TIMESTAMP_NTZ'1969-12-31 23:59:59.5', 1000000), mpsr_interval(DATE'2020-01-05', 7), mpsr_interval(-1L, 10, 3)")))
      .isEqualTo(Seq("[1969-12-31T23:59:59,2020-01-02,-7]"))
    // as the page on reductions has them
    assertThat(session.sql("SELECT device, s.* FROM (SELECT device, mpsr_statistics(value, array(0.5, 0.99)) AS s FROM m WHERE signal = 'SIG3' GROUP BY device)").columns.mkString(" "))
      .isEqualTo("device records nulls nans min max mean deviation quantiles rank_error")
    assertThat(rows(session.sql("SELECT mpsr_interval(seen, 3600000000) AS hour, mpsr_statistics(quality).mean FROM m WHERE seen IS NOT NULL AND quality IS NOT NULL GROUP BY 1 ORDER BY 1")).size)
      .isEqualTo(stock(session.sql("SELECT DISTINCT date_trunc('HOUR', seen) FROM m WHERE seen IS NOT NULL AND quality IS NOT NULL").count()).toInt)
    assertThat(rows(session.sql("SELECT inline(mpsr_chart(seen, quality, TIMESTAMP'1970-01-01', TIMESTAMP'1970-01-02', 100000)) FROM m WHERE signal = 'SIG3'")))
      .isEqualTo(stock(rows(session.sql("SELECT DISTINCT seen, quality FROM m WHERE signal = 'SIG3' AND seen < TIMESTAMP'1970-01-02' AND quality IS NOT NULL"))))
    assertThat(session.sql("DESCRIBE FUNCTION mpsr_chart").collect().mkString).contains("mpsr_chart(time, value, begin, end, width)")
  }

  @Test
  def argumentsThatMakeNoSenseAreNamed(): Unit = {
    def refused(call: String, message: String): Unit =
      assertThatThrownBy(() => session.sql(s"SELECT $call FROM m").collect()).hasMessageContaining(message)
    refused("mpsr_statistics(signal)", "mpsr_statistics: the value m.signal is of type STRING; give a column of numbers")
    refused("mpsr_statistics(value, array(0.5, 1.5))", "give an array of constant numbers from 0 to 1")
    refused("mpsr_statistics(value, 0.5)", "give an array of constant numbers from 0 to 1")
    refused("mpsr_statistics()", "it has 0 arguments")
    refused("mpsr_chart(signal, value, 0, 1, 1)", "mpsr_chart: the time m.signal is of type STRING; give a date, a timestamp or a bigint")
    refused("mpsr_chart(timestamp_ns, value, 5, 5, 1)", "mpsr_chart: the range begins at 5 and ends at 5, so that no time is in it; give a later end")
    refused("mpsr_chart(timestamp_ns, value, 0, 5, 0)", "the width is 0; give one from 1 to 100000")
    refused("mpsr_chart(seen, value, 0, quality, 10)", "the end m.quality is no constant of type TIMESTAMP; give one, or a whole number")
    refused("mpsr_interval(seen, 0)", "the length is 0; give one from 1")
    assertThatThrownBy(() => MpsrReductions.chart(session.table("m"), "signal", "value", 0, 1, 1, Nil)).hasMessageContaining("is of type STRING")
    assertThatThrownBy(() => MpsrReductions.heatMap(session.table("m"), "timestamp_ns", "value", "device", Long.MinValue, Long.MaxValue, 1))
      .hasMessageContaining("give a shorter one")
  }
}

private object MpsrReductionsTest {
  private val Runs = Integer.getInteger("mpsr.reductions", 20)
  private val Shares = Seq(0.0, 0.01, 0.5, 0.99, 1.0)
  private val Values = Seq("value", "quality", "reading", "grade", "turn", "price", "total")
  private val Keys = Seq(Nil, Nil, Seq("device"), Seq("system", "ok"), Seq("quality"))
  private val Conditions = Seq(
    "true",
    "signal = 'SIG3'",
    "device IN ('VAC1', 'CRYO1')",
    "timestamp_ns >= 1398902400000000000 AND timestamp_ns < 1398988800000000000",
    "signal = 'none'",
    "quality > 0 OR label IS NULL",
    "device = 'POWER' AND value > -1")

  /**
   * A column of times.
   *
   * @param units SQL of a time in its units
   * @param first the units of an early time
   * @param span the units from there to a late time
   */
  private final case class Axis(name: String, units: String, ofUnits: String => String, value: Long => Any, first: Long, span: Long, lengths: Seq[Long]) {
    def range(random: Random): (Long, Long) = {
      def some = first + (random.nextDouble() * 1.4 * span - 0.2 * span).toLong
      val Seq(begin, end) = Seq(some, some).sorted
      (begin, Math.max(end, begin + 1))
    }
  }

  private val Day = 86400L * 1000000
  private val FirstDay = 16189L
  private val Axes = Seq(
    Axis("timestamp_ns", "timestamp_ns", identity, identity[Long], FirstDay * Day * 1000, 6 * Day * 1000, Seq(3600000000000L, 86400000000000L, 7777777777777L)),
    Axis("seen", "unix_micros(seen)", sql => s"timestamp_micros($sql)", u => java.time.Instant.EPOCH.plusNanos(u * 1000), 0, 100000L * 1000000, Seq(3600000000L, 12345678901L)),
    Axis("local", "unix_micros(timestamp(local))", sql => s"cast(timestamp_micros($sql) AS timestamp_ntz)", u => java.time.LocalDateTime.ofInstant(java.time.Instant.EPOCH.plusNanos(u * 1000), java.time.ZoneOffset.UTC), FirstDay * Day, 6 * Day, Seq(Day, 1800000000L)),
    Axis("installed", "bigint(unix_date(installed))", sql => s"date_from_unix_date(int($sql))", u => java.time.LocalDate.ofEpochDay(u), -4, 9, Seq(1L, 3L)))

  private def pick[T](random: Random, from: Seq[T]): T = from(random.nextInt(from.size))

  private def asDouble(value: Any): Any = value match {
    case number: Number => number.doubleValue
    case other => other
  }
}
