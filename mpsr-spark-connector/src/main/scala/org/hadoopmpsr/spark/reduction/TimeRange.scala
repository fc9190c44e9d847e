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

import java.time.{DateTimeException, Instant, LocalDate, LocalDateTime, ZoneOffset}

import org.apache.spark.sql.{Column, DataFrame}
import org.apache.spark.sql.functions.{col, lit}
import org.apache.spark.sql.types._
import org.hadoopmpsr.core.text.Backticks

/** Ranges of times as conditions that planning understands. */
private[spark] object TimeRange {
  private val Micros = 1000000L

  /**
   * The records with a time from begin on, and before end, where these are given.
   *
   * @param begin in units of the time's type
   * @throws IllegalArgumentException if the column has no times, with a message for the user
   */
  def of(frame: DataFrame, time: String, begin: Option[Long], end: Option[Long]): DataFrame = {
    val column = col(Backticks.around(time))
    val found = frame.select(column).schema.head.dataType
    if (!ValueInput.isTime(found)) {
      throw new IllegalArgumentException(
        s"the column '$time' is of type ${found.sql}, which has no times; name one of dates, timestamps or bigint")
    }
    val conditions = begin.map(column >= literal(_, found)) ++ end.map(column < literal(_, found))
    conditions.foldLeft(frame)(_.where(_))
  }

  private def literal(units: Long, dataType: DataType): Column =
    try dataType match {
        case DateType => lit(LocalDate.ofEpochDay(units))
        case TimestampType => lit(Instant.ofEpochSecond(Math.floorDiv(units, Micros), Math.floorMod(units, Micros) * 1000))
        case TimestampNTZType =>
          lit(LocalDateTime.ofEpochSecond(Math.floorDiv(units, Micros), Math.floorMod(units, Micros).toInt * 1000, ZoneOffset.UTC))
        case _ => lit(units)
      }
    catch {
      case _: DateTimeException | _: ArithmeticException =>
        throw new IllegalArgumentException(s"the time $units is beyond all ${dataType.sql} values; give one within them")
    }
}
