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
package org.hadoopmpsr.spark.source

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.core.hash.ContentHash
import org.hadoopmpsr.core.plan.Pruner
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.core.stats.{ColumnStatistics, FileStatistics}
import org.hadoopmpsr.spark.SparkFixture
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.Test

class CalendarRangesTest {
  private val day = AttributeReference("day", DateType)()
  private val at = AttributeReference("at", TimestampType)()
  private val columns = Seq(day, at)
  private val pruner = new Pruner(Schema.parse("day date, at timestamp"), java.util.List.of())

  private def date(text: String): Int = java.time.LocalDate.parse(text).toEpochDay.toInt

  private def micros(text: String): Long = java.time.Instant.parse(text).getEpochSecond * 1000000L

  private def translated(filters: Expression*): String = new FilterTranslation(columns).translate(filters).toString

  private def dayOf(zone: String): Expression = Cast(at, DateType, Some(zone))

  @Test
  def functionsOfDays(): Unit = {
    assertThat(translated(EqualTo(Year(day), Literal(2015))))
      .isEqualTo(s"((day >= ${date("2015-01-01")} AND day < ${date("2016-01-01")}) AND ?)")
    assertThat(translated(GreaterThan(Literal(2015), Year(day)))).isEqualTo(s"((day < ${date("2015-01-01")}) AND ?)")
    assertThat(translated(LessThanOrEqual(TruncDate(day, Literal("MM")), Literal(date("2015-02-03"), DateType))))
      .isEqualTo(s"((day < ${date("2015-03-01")}) AND ?)")
    assertThat(translated(In(Year(day), Seq(Literal(2014), Literal(2016))))).startsWith("(((day >= ").contains(" OR ")
    assertThat(translated(EqualTo(Year(day), Literal(null, IntegerType)))).isEqualTo("?")
    assertThat(translated(EqualTo(Month(day), Literal(5)))).isEqualTo("?")
  }

  @Test
  def functionsOfTimes(): Unit = {
    assertThat(translated(EqualTo(Year(dayOf("UTC")), Literal(2015))))
      .isEqualTo(s"((at >= ${micros("2015-01-01T00:00:00Z")} AND at < ${micros("2016-01-01T00:00:00Z")}) AND ?)")
    assertThat(translated(EqualTo(Year(dayOf("Asia/Kolkata")), Literal(2015))))
      .isEqualTo(s"((at >= ${micros("2014-12-31T18:30:00Z")} AND at < ${micros("2015-12-31T18:30:00Z")}) AND ?)")
    val start = Literal(micros("2015-05-01T00:00:00Z"), TimestampType)
    assertThat(translated(EqualTo(TruncTimestamp(Literal("month"), at, Some("UTC")), start)))
      .isEqualTo(s"((at >= ${start.value} AND at < ${micros("2015-06-01T00:00:00Z")}) AND ?)")
  }

  /** Clocks are set back on that day: two days more are read. */
  @Test
  def daysOnWhichClocksChange(): Unit =
    assertThat(translated(EqualTo(dayOf("America/New_York"), Literal(date("2015-11-01"), DateType))))
      .isEqualTo(s"((at >= ${micros("2015-10-30T04:00:00Z")} AND at < ${micros("2015-11-04T05:00:00Z")}) AND ?)")

  @Test
  def yearAndMonthTogether(): Unit = {
    assertThat(translated(EqualTo(Year(day), Literal(2015)), EqualTo(Month(day), Literal(12))))
      .contains(" AND ?) AND ? AND ((", s"day >= ${date("2015-12-01")} AND day < ${date("2016-01-01")}")
    assertThat(translated(And(EqualTo(Year(day), Literal(2015)), GreaterThan(Month(day), Literal(10)))))
      .contains(s"day >= ${date("2015-11-01")} AND day < ${date("2015-12-01")}", s" OR ")
  }

  /** A file of one record is never dropped when the record passes Spark's filter. */
  @Test
  def whatPassesIsRead(): Unit = {
    val seed = SparkFixture.seed
    println(s"calendar conditions of seed $seed (-Dmpsr.test.seed)")
    val random = new Random(seed)
    def pick[T](choices: T*): T = choices(random.nextInt(choices.size))
    def days: Int = pick(date("0001-01-01"), date("1582-10-10"), date("1969-12-31"), date("2011-12-30"), date("2014-12-31"),
      date("2015-11-01"), date("9999-12-31")) + pick(-1, 0)
    def time: Long = days * 86400000000L + pick(0L, 1L, 18000000000L, 39600000000L, 86399999999L)
    def zone = Some(pick("UTC", "America/New_York", "Pacific/Apia", "America/Sao_Paulo", "Asia/Kolkata", "Asia/Manila"))
    def ofDay(of: Expression): Expression = pick(of, TruncDate(of, Literal(pick("MM", "YEAR", "WEEK", "QUARTER"))))
    def function: Expression = random.nextInt(4) match {
      case 0 => Year(pick[Expression](day, Cast(at, DateType, zone)))
      case 1 => ofDay(pick[Expression](day, Cast(at, DateType, zone)))
      case 2 => TruncTimestamp(Literal(pick("DAY", "MONTH", "HOUR", "YEAR", "WEEK")), at, zone)
      case 3 => Month(pick[Expression](day, Cast(at, DateType, zone)))
    }
    def compared(f: Expression, value: Any): Expression = {
      val literal = Literal(value, f.dataType)
      pick(EqualTo(f, literal), LessThan(f, literal), LessThanOrEqual(f, literal), GreaterThan(literal, f),
        GreaterThanOrEqual(f, literal), In(f, Seq(literal, literal)))
    }
    var dropped = 0
    (1 to 4000).foreach { i =>
      val row = InternalRow(if (random.nextInt(9) == 0) null else days, if (random.nextInt(9) == 0) null else time)
      val samples = InternalRow(days, time)
      def condition = {
        val f = function
        compared(f, BindReferences.bindReference(f, AttributeSeq(columns)).eval(samples))
      }
      val shared = Cast(at, DateType, zone)
      val filter = random.nextInt(4) match {
        case 0 => And(condition, condition)
        case 1 => Or(condition, Not(condition))
        case 2 => And(EqualTo(Year(shared), Literal(2014)), compared(Month(shared), pick(1, 11, 12)))
        case 3 => condition
      }
      val passes = BindReferences.bindReference(filter, AttributeSeq(columns)).eval(row) == true
      val translated = new FilterTranslation(columns).translate(Seq(filter))
      val statistics = columns.zipWithIndex.map { case (c, index) =>
        val value = if (row.isNullAt(index)) null else Long.box(row.get(index, c.dataType).asInstanceOf[Number].longValue)
        c.name -> new ColumnStatistics(value, value, if (value == null) 1 else 0)
      }
      val file = new FileStatistics("c", new ContentHash(1, 0, 0), java.util.List.of[AnyRef](), statistics.toMap.asJava)
      val read = pruner.mayMatch(translated, file)
      assertTrue(read || !passes, s"condition $i of seed $seed: $filter of $row became $translated")
      dropped += (if (read) 0 else 1)
    }
    assertThat(dropped).isGreaterThan(500)
  }
}
