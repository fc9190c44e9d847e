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

import java.time.Instant
import java.time.temporal.ChronoUnit

import scala.jdk.CollectionConverters._
import scala.util.Try

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.util.DateTimeUtils
import org.apache.spark.sql.types.{DateType, LongType, TimestampType}
import org.hadoopmpsr.core.plan.{Filter => CoreFilter}
import org.hadoopmpsr.core.plan.Filter.Operator

/**
 * Ranges of days or times that follow from comparisons of their years, months and the like with constants. The functions do
 * not fall: Spark's own evaluation tells from which value on they reach a constant.
 *
 * @param names the name of a column by its id
 */
private[spark] final class CalendarRanges(names: ExprId => Option[String]) {
  import CalendarRanges._

  /** The values for which a function of a column compares so with a constant; empty where the function is not known. */
  def range(operator: Operator, function: Expression, constant: Literal): Option[CoreFilter] =
    for {
      column <- source(function)
      if constant.value != null && constant.dataType == function.dataType
      search <- Try(new Search(function, column)).toOption
      limit <- number(constant.value)
      bounds <- Try(search.bounds(operator, limit)).toOption
    } yield new CoreFilter.And(bounds.map { case (bound, value) =>
      new CoreFilter.Compare(bound, names(column.exprId).get, Long.box(value)): CoreFilter
    }.asJava)

  /** What follows from conjuncts on the year and the month of one column together. */
  def months(conjuncts: Seq[Expression]): Seq[CoreFilter] = conjuncts.collect {
    case EqualTo(Year(day), Literal(year: Int, _)) if source(day).isDefined => monthsOf(day, year, conjuncts)
  }.flatten

  private def monthsOf(day: Expression, year: Int, conjuncts: Seq[Expression]): Option[CoreFilter] = {
    def isMonth(e: Expression) = e match { case Month(of) => of.semanticEquals(day); case _ => false }
    val ofMonth = conjuncts.filter(c => c.exists(isMonth) && c.references.subsetOf(day.references))
    val passing = (1 to 12).filter { month =>
      ofMonth.forall { c =>
        val known = c.transform { case e if isMonth(e) => Literal(month) }
        known.references.nonEmpty || Try(known.eval()).toOption.forall(_ == true)
      }
    }
    val ranges = passing.map { month =>
      val first = java.time.LocalDate.of(year, month, 1).toEpochDay.toInt
      range(Operator.EQ, TruncDate(day, Literal("MM")), Literal(first, DateType))
    }
    if (ofMonth.isEmpty || ranges.exists(_.isEmpty)) None else Some(new CoreFilter.Or(ranges.flatten.asJava))
  }

  /** The column of a function that does not fall. */
  private def source(function: Expression): Option[AttributeReference] = function match {
    case a: AttributeReference if names(a.exprId).isDefined && isTime(a) => Some(a)
    case cast: Cast if isTime(cast) && isTime(cast.child) => source(cast.child)
    case Year(child) => source(child)
    case TruncDate(child, _: Literal) => source(child)
    case TruncTimestamp(_: Literal, child, _) => source(child)
    case MicrosToTimestamp(Ticks(a, _)) if names(a.exprId).isDefined => Some(a)
    case _ => None
  }
}

private object CalendarRanges {
  /** Days of the years 1 to 9999, where no function overflows. */
  private val FirstDay = -719162L
  private val LastDay = 2932896L
  private val MicrosOfDay = 86400000000L

  private def isTime(e: Expression): Boolean = e.dataType == DateType || e.dataType == TimestampType

  private def number(value: Any): Option[Long] = value match {
    case v: Int => Some(v.toLong)
    case v: Long => Some(v)
    case _ => None
  }

  /** Microseconds of a column that counts so many parts of each. */
  private object Ticks {
    def unapply(e: Expression): Option[(AttributeReference, Long)] = e match {
      case a: AttributeReference if a.dataType == LongType => Some(a -> 1)
      case IntegralDivide(a: AttributeReference, Literal(parts: Long, _), _) if a.dataType == LongType && parts > 0 =>
        Some(a -> parts)
      case _ => None
    }
  }

  /** Looks for the least value of a column of which a function reaches a limit. */
  private final class Search(function: Expression, column: AttributeReference) {
    private val isDay = column.dataType == DateType
    private val bound = BindReferences.bindReference(function, AttributeSeq(Seq(column)))
    private val partsOfMicro = function.collectFirst { case MicrosToTimestamp(Ticks(_, parts)) => parts }.getOrElse(1L)
    private val (first, last) =
      if (isDay) (FirstDay, LastDay)
      else (atMost(FirstDay * MicrosOfDay), atMost((LastDay + 1) * MicrosOfDay - 1))

    private def atMost(micros: Long): Long =
      if (Math.multiplyHigh(micros, partsOfMicro) == micros * partsOfMicro >> 63) micros * partsOfMicro
      else if (micros < 0) Long.MinValue
      else Long.MaxValue

    def bounds(operator: Operator, limit: Long): Seq[(Operator, Long)] = {
      def from = least(_ >= limit)
      def beyond = least(_ > limit)
      operator match {
        case Operator.EQ => above(from) ++ below(beyond)
        case Operator.GE => above(from)
        case Operator.GT => above(beyond)
        case Operator.LT => below(from)
        case Operator.LE => below(beyond)
      }
    }

    /** Values before the first are not looked at. */
    private def above(value: Option[Long]): Seq[(Operator, Long)] = value match {
      case Some(v) => if (v <= first + margin(v)) Nil else Seq(Operator.GE -> (v - margin(v)))
      case None => Seq(Operator.GT -> last)
    }

    private def below(value: Option[Long]): Seq[(Operator, Long)] =
      value.filter(v => v <= last - margin(v)).map(v => Operator.LT -> (v + margin(v))).toSeq

    private def least(reaches: Long => Boolean): Option[Long] = {
      var (low, high) = (first, last)
      if (!reaches(at(last))) None
      else {
        while (low < high) {
          val middle = low + (high - low >>> 1)
          if (reaches(at(middle))) high = middle else low = middle + 1
        }
        Some(low)
      }
    }

    private def at(value: Long): Long =
      number(bound.eval(InternalRow(internal(value)))).getOrElse(throw new IllegalArgumentException("no value"))

    private def internal(value: Long): Any = if (isDay) Int.box(value.toInt) else Long.box(value)

    /** Where clocks are set back, a later time may have an earlier day. */
    private def margin(value: Long): Long = {
      val clocksChange = !isDay && function.exists {
        case e: TimeZoneAwareExpression =>
          val twoDaysBefore = Instant.EPOCH.plus(value / partsOfMicro, ChronoUnit.MICROS).minus(2, ChronoUnit.DAYS)
          val next = DateTimeUtils.getZoneId(e.timeZoneId.get).getRules.nextTransition(twoDaysBefore)
          next != null && next.getInstant.isBefore(twoDaysBefore.plus(4, ChronoUnit.DAYS))
        case _ => false
      }
      if (clocksChange) 2 * MicrosOfDay * partsOfMicro else 0
    }
  }
}
