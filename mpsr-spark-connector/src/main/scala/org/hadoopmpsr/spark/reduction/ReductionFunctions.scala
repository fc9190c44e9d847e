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

import org.apache.spark.sql.{classic, SparkSession, SparkSessionExtensions}
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.util.ArrayData
import org.apache.spark.sql.types._
import org.hadoopmpsr.core.reduction.PixelColumns

/**
 * The functions of SQL:
 *
 *  - `mpsr_statistics(value [, shares])`, an aggregate: records, nulls, NaNs, least, greatest, mean, deviation, and the quantiles
 *    of an array of shares from 0 to 1
 *  - `mpsr_chart(time, value, begin, end, width)`, an aggregate: the points that a line chart shows
 *  - `mpsr_interval(time, length [, origin])`: the begin of the interval of a time, where one begins at the origin
 *
 * Lengths, and begin, end and origin as numbers, are in units of the time's type: days of a date, microseconds of a timestamp, and
 * the number itself of a whole number.
 */
private[spark] object ReductionFunctions {
  val Statistics = "mpsr_statistics"
  val Chart = "mpsr_chart"
  val Interval = "mpsr_interval"

  private type Builder = Seq[Expression] => Expression

  private val all: Seq[(String, String, Builder)] = Seq(
    (Statistics, s"$Statistics(value [, shares]) - Statistics of a column of numbers, with quantiles of shares from 0 to 1.", statistics),
    (Chart, s"$Chart(time, value, begin, end, width) - The points that a line chart of this width shows.", chart),
    (Interval, s"$Interval(time, length [, origin]) - The begin of the interval that a time lies in.", interval))

  /** For the sessions with the extension. */
  def inject(extensions: SparkSessionExtensions): Unit = all.foreach { case (name, usage, builder) =>
    extensions.injectFunction((FunctionIdentifier(name), info(name, usage), builder))
  }

  /** For a session that may be without the extension. */
  def register(session: SparkSession): Unit = {
    val registry = session.asInstanceOf[classic.SparkSession].sessionState.functionRegistry
    all.foreach { case (name, usage, builder) =>
      if (!registry.functionExists(FunctionIdentifier(name))) {
        registry.registerFunction(FunctionIdentifier(name), info(name, usage), builder)
      }
    }
  }

  private def info(name: String, usage: String) = 
    new ExpressionInfo(getClass.getName, null, name, usage, "", "", "", "", "", "", "")

  private def statistics(arguments: Seq[Expression]): Expression = arguments match {
    case Seq(value) => SummaryAggregate(numbers(Statistics, value), Nil)
    case Seq(value, shares) => SummaryAggregate(numbers(Statistics, value), sharesOf(shares))
    case _ => refused(Statistics, s"it has ${arguments.size} arguments; give a value, and an array of shares for quantiles")
  }

  private def sharesOf(shares: Expression): Seq[Double] = {
    def wrong = refused(Statistics, s"$shares are no shares; give an array of constant numbers from 0 to 1, such as array(0.5, 0.99)")
    shares.dataType match {
      case ArrayType(_: NumericType, _) if shares.foldable =>
        Cast(shares, ArrayType(DoubleType)).eval() match {
          case found: ArrayData =>
            val nulls = (0 until found.numElements()).exists(found.isNullAt)
            if (nulls || found.toDoubleArray().exists(share => !(share >= 0 && share <= 1))) wrong
            found.toDoubleArray().toSeq
          case _ => wrong
        }
      case _ => wrong
    }
  }

  private def chart(arguments: Seq[Expression]): Expression = arguments match {
    case Seq(time, value, begin, end, width) =>
      val pixels = constant(Chart, "width", width, IntegerType).toInt
      val from = constant(Chart, "begin", begin, time.dataType)
      val to = constant(Chart, "end", end, time.dataType)
      try new PixelColumns(from, to, pixels)
      catch { case e: IllegalArgumentException => refused(Chart, e.getMessage) }
      ChartAggregate(times(Chart, time), numbers(Chart, value), from, to, pixels)
    case _ => refused(Chart, s"it has ${arguments.size} arguments; give time, value, begin, end and width")
  }

  private def interval(arguments: Seq[Expression]): Expression = arguments match {
    case Seq(time, length) => interval(time, length, 0)
    case Seq(time, length, origin) => interval(time, length, constant(Interval, "origin", origin, time.dataType))
    case _ => refused(Interval, s"it has ${arguments.size} arguments; give time and length, and an origin")
  }

  private def interval(time: Expression, length: Expression, origin: Long): Expression = {
    val units = constant(Interval, "length", length, LongType)
    if (units < 1) refused(Interval, s"the length is $units; give one from 1")
    val number = times(Interval, time).dataType match {
      case LongType => time
      case DateType => Cast(UnixDate(time), LongType)
      case timestamp => PreciseTimestampConversion(time, timestamp, LongType)
    }
    val since = if (origin == 0) number else new Subtract(number, Literal(origin))
    val begin = new Subtract(number, new Pmod(since, Literal(units)))
    time.dataType match {
      case LongType => begin
      case DateType => DateFromUnixDate(Cast(begin, IntegerType))
      case timestamp => PreciseTimestampConversion(begin, LongType, timestamp)
    }
  }

  private def numbers(function: String, value: Expression): Expression = ValueInput
    .numbers(value)
    .getOrElse(refused(function, s"the value ${value.sql} is of type ${value.dataType.sql}; give a column of numbers"))

  private def times(function: String, time: Expression): Expression =
    if (ValueInput.isTime(time.dataType)) time
    else refused(function, s"the time ${time.sql} is of type ${time.dataType.sql}; give a date, a timestamp or a bigint")

  /** A whole number, or a time of the type of the times. */
  private def constant(function: String, name: String, value: Expression, dataType: DataType): Long = {
    val fits = value.foldable && (value.dataType match {
      case ByteType | ShortType | IntegerType | LongType => true
      case other => other == dataType
    })
    val found = if (fits) value.eval() else null
    found match {
      case null =>
        refused(function, s"the $name ${value.sql} is no constant of type ${dataType.sql}; give one, or a whole number")
      case number: Number => number.longValue
    }
  }

  private def refused(function: String, problem: String) = throw new IllegalArgumentException(s"$function: $problem")
}
