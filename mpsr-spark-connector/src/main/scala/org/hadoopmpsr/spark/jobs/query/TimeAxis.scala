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
package org.hadoopmpsr.spark.jobs.query

import java.math.BigInteger
import java.time._
import java.time.format.DateTimeParseException

import org.hadoopmpsr.core.schema.ColumnType
import org.hadoopmpsr.spark.jobs.run.JobException

/**
 * A column of times, and how people write its times: in UTC, or as whole numbers of its unit.
 *
 * @param name of the column
 */
private[query] final case class TimeAxis(name: String, columnType: ColumnType) {
  import TimeAxis._

  /** Of a whole number nothing is known of the unit. */
  private val nanosOfUnit: Option[Long] = columnType match {
    case ColumnType.TIMESTAMP_NS => Some(1L)
    case ColumnType.TIMESTAMP | ColumnType.TIMESTAMP_NTZ => Some(1000L)
    case ColumnType.DATE => Some(NanosOfDay)
    case _ => None
  }

  /**
   * The first unit that is not before a time.
   *
   * @param option the name of the option that has the time
   * @throws JobException if it is no time of this column
   */
  def units(option: String, text: String): Long = {
    def wrong = throw new JobException(
      s"the option $option has the value '$text', which is no time of the column '$name'; give a " +
        nanosOfUnit.fold("")(_ => "day such as 2014-05-01, a time in UTC such as 2014-05-01T06:00:00, or a ") + "whole number of its unit")
    try {
      if (Whole.findFirstIn(text).isDefined) text.toLong
      else nanosOfUnit.fold(wrong)(rounded(instant(text), _))
    } catch { case _: DateTimeParseException | _: ArithmeticException | _: NumberFormatException => wrong }
  }

  private def instant(text: String): Instant =
    if (!text.contains('T')) LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant
    else if (columnType != ColumnType.TIMESTAMP_NTZ && Zone.findFirstIn(text).isDefined) OffsetDateTime.parse(text).toInstant
    else LocalDateTime.parse(text).toInstant(ZoneOffset.UTC)

  private def rounded(time: Instant, unit: Long): Long = {
    val nanos = BigInteger.valueOf(time.getEpochSecond).multiply(BigInteger.valueOf(NanosOfSecond)).add(BigInteger.valueOf(time.getNano.toLong))
    val Array(whole, rest) = nanos.divideAndRemainder(BigInteger.valueOf(unit))
    (if (rest.signum > 0) whole.add(BigInteger.ONE) else whole).longValueExact
  }

  /**
   * The length of an interval in units.
   *
   * @throws JobException if it is none of this column
   */
  def length(text: String): Long = {
    def wrong = throw new JobException(
      s"the option --interval has the value '$text', which is no length of time of the column '$name'; give " +
        nanosOfUnit.fold("")(_ => "one such as 10m, 1h or 7d (ns, us, ms, s, m, h, d) of whole units, or ") + "a whole number of its unit from 1")
    try {
      val found = text match {
        case Length(count, unit) =>
          val Array(units, rest) = new BigInteger(count)
            .multiply(BigInteger.valueOf(Lengths(unit)))
            .divideAndRemainder(BigInteger.valueOf(nanosOfUnit.getOrElse(wrong)))
          if (rest.signum != 0) wrong
          units.longValueExact
        case _ => text.toLong
      }
      if (found < 1) wrong
      found
    } catch { case _: ArithmeticException | _: NumberFormatException => wrong }
  }

  /** A time of a row as text that [[units]] reads. */
  def text(time: Any): String = time match {
    case units: Long if columnType == ColumnType.TIMESTAMP_NS =>
      Instant.ofEpochSecond(Math.floorDiv(units, NanosOfSecond), Math.floorMod(units, NanosOfSecond)).toString
    case other => String.valueOf(other)
  }
}

private[query] object TimeAxis {
  /** The types of columns that have times. */
  val Types: Set[ColumnType] = Set(ColumnType.DATE, ColumnType.TIMESTAMP, ColumnType.TIMESTAMP_NTZ, ColumnType.TIMESTAMP_NS)

  private val NanosOfSecond = 1000000000L
  private val NanosOfDay = 86400 * NanosOfSecond
  private val Whole = "^[+-]?\\d+$".r
  private val Zone = "(Z|[+-]\\d\\d(:?\\d\\d)?)$".r
  private val Length = "(\\d{1,18})(ns|us|ms|s|m|h|d)".r
  private val Lengths = Map(
    "ns" -> 1L,
    "us" -> 1000L,
    "ms" -> 1000000L,
    "s" -> NanosOfSecond,
    "m" -> 60 * NanosOfSecond,
    "h" -> 3600 * NanosOfSecond,
    "d" -> NanosOfDay)
}
