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

import scala.collection.mutable

import org.apache.spark.sql.{classic, DataFrame}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, BoundReference, JoinedRow, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.mpsr.Frames
import org.apache.spark.sql.types._
import org.hadoopmpsr.core.reduction.{ValuePattern, WindowMatch, WindowRun}
import org.hadoopmpsr.core.text.Backticks

/** Finds the windows of series that are similar to a pattern. Series are sorted by Spark; each task looks at a run of records. */
private[reduction] final class SimilarWindows(pattern: ValuePattern, limit: Int) {
  import SimilarWindows._

  def of(frame: classic.DataFrame, time: String, value: String, by: Seq[String]): DataFrame = {
    val names = (by ++ Seq(time, value)).map(name => col(Backticks.around(name)))
    val chosen = frame.where(col(Backticks.around(time)).isNotNull).select(names.init :+ names.last.cast(DoubleType).as("_value"): _*)
    val timeType = chosen.schema(by.size).dataType
    if (!ValueInput.isTime(timeType)) {
      throw new IllegalArgumentException(
        s"the column '$time' is of type ${timeType.sql}, which has no times; name one of dates, timestamps or bigint")
    }
    val sorted = chosen.orderBy(names.init :+ col("_value"): _*).asInstanceOf[classic.DataFrame]
    val types = sorted.schema.take(by.size).map(_.dataType)
    val (wanted, most) = (pattern, limit)
    val runs = sorted.queryExecution.toRdd.mapPartitions(runsOf(_, types, timeType, wanted, most)).collect()
    val output = (sorted.schema.take(by.size) ++
      Seq(StructField("begin", timeType, nullable = false), StructField("end", timeType, nullable = false), StructField("distance", DoubleType, nullable = false)))
      .map(field => AttributeReference(field.name, field.dataType, field.nullable)())
    val rows = merged(runs.toSeq).map { case (series, found) =>
      val window =
        InternalRow(ValueInput.ofUnits(found.begin, timeType), ValueInput.ofUnits(found.end, timeType), found.distance)
      new JoinedRow(series, window)
    }
    val projection = UnsafeProjection.create(output.map(_.dataType).toArray)
    Frames.of(frame.sparkSession, LocalRelation(output, rows.map(row => projection(row).copy())))
  }

  /** The most similar windows of all series. Runs of one series follow each other. */
  private def merged(runs: Seq[(UnsafeRow, WindowRun)]): Seq[(UnsafeRow, WindowMatch)] = {
    val series = mutable.LinkedHashMap.empty[UnsafeRow, WindowRun]
    runs.foreach { case (key, run) => series.getOrElseUpdate(key, new WindowRun(pattern, limit)).merge(run) }
    val found = series.toSeq.flatMap { case (key, run) =>
      val matches = run.matches
      (0 until matches.size).map(i => key -> matches.get(i))
    }
    found.sortWith((a, b) => a._2.compareTo(b._2) < 0).take(limit)
  }
}

private object SimilarWindows {

  /**
   * The runs of the series of a sorted partition. Of those that neither begin nor end the partition nothing follows elsewhere: they
   * are handed on only where they have a match.
   *
   * @param types of the columns that name the series
   */
  private def runsOf(
      rows: Iterator[InternalRow],
      types: Seq[DataType],
      timeType: DataType,
      pattern: ValuePattern,
      limit: Int): Iterator[(UnsafeRow, WindowRun)] = {
    val keyOf = UnsafeProjection.create(types.zipWithIndex.map { case (dataType, i) => BoundReference(i, dataType, nullable = true) })
    val runs = mutable.ArrayBuffer.empty[(UnsafeRow, WindowRun)]
    rows.foreach { row =>
      val key = keyOf(row)
      if (runs.isEmpty || runs.last._1 != key) {
        if (runs.size > 1 && !runs.last._2.hasMatches) {
          runs.remove(runs.size - 1)
        }
        runs += key.copy() -> new WindowRun(pattern, limit)
      }
      val at = types.size
      runs.last._2.add(ValueInput.units(row.get(at, timeType)), if (row.isNullAt(at + 1)) Double.NaN else row.getDouble(at + 1))
    }
    runs.iterator
  }
}
