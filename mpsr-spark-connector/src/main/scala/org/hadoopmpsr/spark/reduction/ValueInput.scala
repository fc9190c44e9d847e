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

import org.apache.spark.sql.catalyst.expressions.{Cast, Expression}
import org.apache.spark.sql.types._

/** Columns of numbers and of times as reductions take them. */
private[reduction] object ValueInput {

  /** Whole numbers as 64 bits, other numbers as floating-point ones; empty for what is no number. */
  def numbers(value: Expression): Option[Expression] = value.dataType match {
    case LongType | DoubleType => Some(value)
    case ByteType | ShortType | IntegerType => Some(Cast(value, LongType))
    case FloatType | NullType | _: DecimalType => Some(Cast(value, DoubleType))
    case _ => None
  }

  /** Whether a type has times, in rows as whole numbers of a unit: nanoseconds or any other unit, microseconds, or days. */
  def isTime(dataType: DataType): Boolean = dataType match {
    case LongType | TimestampType | TimestampNTZType | DateType => true
    case _ => false
  }

  /** A time of a row in units of its type. */
  def units(value: Any): Long = value match {
    case days: Int => days.toLong
    case units: Long => units
  }

  /** A time in units as rows of the type have it. */
  def ofUnits(units: Long, dataType: DataType): Any = if (dataType == DateType) units.toInt else units
}
