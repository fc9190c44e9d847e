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
package org.hadoopmpsr.spark.check

import scala.util.Try

import org.apache.spark.sql.catalyst.expressions.{Expression, InSet, Literal}
import org.apache.spark.sql.catalyst.util.DateTimeUtils
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{DataType, DateType, TimestampType}
import org.hadoopmpsr.spark.relation.{StockCause, StockReason}

/**
 * Days and times that Spark turns into others when it hands a filter to Parquet's reader. It does so by way of `java.sql.Date`
 * and `java.sql.Timestamp`, whose calendar lacks the days from 1582-10-05 to 1582-10-14. Which records are lost by that
 * depends on the files that are read.
 */
private[spark] object PushedTimes {

  /** Why a read with these filters must be as on stock, if it must. */
  def reason(filters: Seq[Expression], conf: SQLConf): Option[StockReason] =
    if (filters.forall(isExact(_, conf))) None
    else Some(StockCause.OtherCalendar())

  /** Whether the filter's days and times reach the reader as they are. */
  def isExact(filter: Expression, conf: SQLConf): Boolean = conf.datetimeJava8ApiEnabled || !filter.exists {
    case Literal(value, dataType) => isChanged(value, dataType)
    case InSet(child, values) => values.exists(isChanged(_, child.dataType))
    case _ => false
  }

  private def isChanged(value: Any, dataType: DataType): Boolean = (value, dataType) match {
    case (day: Int, DateType) => !Try(DateTimeUtils.fromJavaDate(DateTimeUtils.toJavaDate(day))).toOption.contains(day)
    case (micros: Long, TimestampType) =>
      !Try(DateTimeUtils.fromJavaTimestamp(DateTimeUtils.toJavaTimestamp(micros))).toOption.contains(micros)
    case _ => false
  }
}
