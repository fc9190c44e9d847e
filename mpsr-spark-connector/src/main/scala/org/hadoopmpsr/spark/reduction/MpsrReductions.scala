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

import org.apache.spark.sql.{classic, DataFrame}
import org.apache.spark.sql.functions.{col, count, explode, expr, lit, max, min}
import org.hadoopmpsr.core.reduction.{PixelColumns, ValuePattern}
import org.hadoopmpsr.core.text.Backticks
import org.hadoopmpsr.spark.reduction.answer.{KeptRead, KeptReduction}

/**
 * Reductions of frames: few rows in place of many records. A frame of a dataset is read from the replica group that gives the
 * reduction's columns and conditions with the least work, and executors hand on partial results, not records. The outcome is a
 * frame, so that one reduction may follow another one.
 *
 * Names are those of columns as they are, without backticks. Times are dates, timestamps or whole numbers (`bigint`, such as
 * nanoseconds); begin, end and lengths are in units of their type: days, microseconds, or the number itself. Records outside of
 * begin (included) and end (excluded) do not take part, nor do those without a time.
 *
 * Where the session keeps answers of files (`spark.mpsr.answers.bytes`), statistics, intervals, charts and heat maps are computed
 * when they are called, and read only the files of which no answer is kept.
 */
object MpsrReductions extends Reductions(_ => ())

/** @param told is told what a reduction reads whose answers are kept, before it is read */
private[spark] class Reductions(told: KeptRead => Unit) {
  private val kept = new KeptReduction(told)

  private def name(column: String): String = Backticks.around(column)

  /**
   * Statistics of a column: a row for each combination of values of some columns.
   *
   * @param by the columns that are told apart; none for one row
   * @param shares of which quantiles are asked, from 0 to 1
   * @return `by`, and the fields of `mpsr_statistics`
   */
  def statistics(frame: DataFrame, value: String, by: Seq[String], shares: Seq[Double]): DataFrame = {
    ReductionFunctions.register(frame.sparkSession)
    val quantiles = if (shares.isEmpty) "" else shares.map(share => s"${share}D").mkString(", array(", ", ", ")")
    val reduced = expr(s"${ReductionFunctions.Statistics}(${name(value)}$quantiles)").as("_statistics")
    kept.of(frame.groupBy(by.map(column => col(name(column))): _*).agg(reduced)).select(by.map(column => col(name(column))) :+ col("_statistics.*"): _*)
  }

  /**
   * How many records there are, how many have no value, and the least and the greatest value. Nothing is read where the statistics of
   * files tell this. As Spark's `min` and `max` have it, NaN is the greatest value.
   *
   * @param by the columns that are told apart; none for one row
   * @return `by`, `records`, `nulls`, `min` and `max`
   */
  def bounds(frame: DataFrame, value: String, by: Seq[String]): DataFrame = {
    val column = col(name(value))
    frame
      .groupBy(by.map(each => col(name(each))): _*)
      .agg(
        count(lit(1)).as("records"),
        (count(lit(1)) - count(column)).as("nulls"),
        min(column).as("min"),
        max(column).as("max"))
  }

  /**
   * Statistics of a column in intervals of time. Intervals without records have no row.
   *
   * @param length of an interval, from 1
   * @param origin a time at which an interval begins
   * @return `by`, the begin of each interval under the name of the time, and the fields of `mpsr_statistics`
   */
  def intervals(
      frame: DataFrame,
      time: String,
      value: String,
      length: Long,
      origin: Long,
      by: Seq[String],
      shares: Seq[Double]): DataFrame = {
    ReductionFunctions.register(frame.sparkSession)
    val begin = expr(s"${ReductionFunctions.Interval}(${name(time)}, ${number(length)}, ${number(origin)})").as(time)
    val wanted = by.map(column => col(name(column))) ++ Seq(begin, col(name(value)).as("_value"))
    statistics(frame.where(col(name(time)).isNotNull).select(wanted: _*), "_value", by :+ time, shares)
  }

  /**
   * The points that a line chart shows.
   *
   * @param width the columns of pixels
   * @param by columns of which each combination of values has a chart of its own
   * @return `by`, `time` and `value`; points of a chart follow each other in the order of time
   * @throws IllegalArgumentException if the range or the width makes no sense, with a message for the user
   */
  def chart(frame: DataFrame, time: String, value: String, begin: Long, end: Long, width: Int, by: Seq[String]): DataFrame = {
    ReductionFunctions.register(frame.sparkSession)
    new PixelColumns(begin, end, width)
    val points = expr(
      s"${ReductionFunctions.Chart}(${name(time)}, ${name(value)}, ${number(begin)}, ${number(end)}, $width)").as("_points")
    val columns = by.map(column => col(name(column)))
    val grouped = TimeRange.of(frame, time, Some(begin), Some(end)).groupBy(columns: _*).agg(points)
    kept.elementsOf(grouped).getOrElse(
      grouped
        .select(columns :+ explode(col("_points")).as("_point"): _*)
        .select(columns ++ Seq(col("_point.time").as("time"), col("_point.value").as("value")): _*))
  }

  /**
   * A heat map: statistics of a column for each value of another one, and each column of pixels. Cells without records have no
   * row.
   *
   * @param by the column of the rows of cells, such as a device
   * @param width the most columns of cells
   * @return `by`, the begin of each cell under the name of the time, and the fields of `mpsr_statistics`
   * @throws IllegalArgumentException if the range or the width makes no sense, with a message for the user
   */
  def heatMap(frame: DataFrame, time: String, value: String, by: String, begin: Long, end: Long, width: Int): DataFrame = {
    val unit = new PixelColumns(begin, end, width).unit
    if (end - begin < 0 || unit < 0) {
      throw new IllegalArgumentException(s"the range from $begin to $end is longer than ${Long.MaxValue}; give a shorter one")
    }
    intervals(TimeRange.of(frame, time, Some(begin), Some(end)), time, value, unit, begin, Seq(by), Nil)
  }

  /**
   * Windows of records that are similar to a pattern. A window has as many records, which follow each other in time. Reads the
   * records at once, and sorts them by time.
   *
   * @param by columns of which each combination of values is a series of its own
   * @param limit how many of the most similar windows are wanted, at least one
   * @return `by`, `begin` and `end`, the times of the first and the last record of a window, and its `distance`; the most similar
   *   one first
   */
  def similar(frame: DataFrame, time: String, value: String, pattern: ValuePattern, limit: Int, by: Seq[String]): DataFrame =
    new SimilarWindows(pattern, limit).of(frame.asInstanceOf[classic.DataFrame], time, value, by)

  /** Long.MinValue has no literal. */
  private def number(value: Long): String = if (value == Long.MinValue) s"(${value + 1}L - 1L)" else s"(${value}L)"
}
