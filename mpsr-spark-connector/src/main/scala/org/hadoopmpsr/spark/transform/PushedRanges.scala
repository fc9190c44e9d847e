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
package org.hadoopmpsr.spark.transform

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.sources._
import org.apache.spark.sql.types.IntegerType
import org.hadoopmpsr.core.schema.Values

/**
 * Filters on a column as filters on the columns that hold it. Parquet's reader leaves out row groups and pages by them, in files that hold the column so.
 * Each passes all records that the filter passes, and maybe others.
 */
private[spark] final class PushedRanges(held: HeldColumn, caseSensitive: Boolean) {

  /** The filter on other columns; empty if nothing is known, or it does not look at the column. */
  def of(filter: Filter): Option[Filter] = if (filter.references.exists(isColumn)) translated(filter) else None

  private def translated(filter: Filter): Option[Filter] = filter match {
    case EqualTo(name, value) if isColumn(name) => ranges(value, value)
    case EqualNullSafe(name, value) if isColumn(name) && value != null => ranges(value, value)
    case GreaterThan(name, value) if isColumn(name) => ranges(value, null)
    case GreaterThanOrEqual(name, value) if isColumn(name) => ranges(value, null)
    case LessThan(name, value) if isColumn(name) => ranges(null, value)
    case LessThanOrEqual(name, value) if isColumn(name) => ranges(null, value)
    case In(name, values) if isColumn(name) => among(values.toSeq.filter(_ != null))
    case And(left, right) => Seq(left, right).flatMap(translated).reduceOption(And(_, _))
    case Or(left, right) => for (l <- translated(left); r <- translated(right)) yield Or(l, r)
    case other if !other.references.exists(isColumn) => Some(other)
    case _ => None
  }

  private def isColumn(name: String): Boolean = held.is(name, caseSensitive) || held.is(PushedRanges.unquoted(name), caseSensitive)

  private def among(values: Seq[Any]): Option[Filter] = {
    val known = values.flatMap(PushedRanges.value)
    if (values.isEmpty || known.size < values.size) None
    else {
      val sorted = known.sortWith((a, b) => Values.compare(a, b) < 0)
      between(sorted.head, sorted.last)
    }
  }

  /** @param least null for none, and so is `greatest` */
  private def ranges(least: Any, greatest: Any): Option[Filter] = {
    val (low, high) = (Option(least).map(PushedRanges.value), Option(greatest).map(PushedRanges.value))
    if (low.contains(None) || high.contains(None)) None else between(low.flatMap(v => v).orNull, high.flatMap(v => v).orNull)
  }

  private def between(least: AnyRef, greatest: AnyRef): Option[Filter] =
    held.transformed.ranges(least, greatest).asScala.toSeq.map { range =>
      val part = held.part(range.column)
      val name = PushedRanges.quoted(part.name)
      def literal(value: Long): Any = if (part.dataType == IntegerType) Int.box(value.toInt) else Long.box(value)
      And(GreaterThanOrEqual(name, literal(range.least)), LessThanOrEqual(name, literal(range.greatest))): Filter
    }.reduceOption(Or(_, _))
}

private[transform] object PushedRanges {

  /** A value of a filter as core has it; empty for another kind of value. */
  private def value(value: Any): Option[AnyRef] = value match {
    case v: java.lang.Double => Some(v)
    case v: java.lang.Float => Some(Double.box(v.doubleValue))
    case v: java.lang.Long => Some(v)
    case v: java.lang.Integer => Some(Long.box(v.longValue))
    case v: java.lang.Short => Some(Long.box(v.longValue))
    case v: java.lang.Byte => Some(Long.box(v.longValue))
    case _ => None
  }

  /** As filters have names. */
  private def quoted(name: String): String = if (name.matches("[a-zA-Z_][a-zA-Z0-9_]*")) name else s"`${name.replace("`", "``")}`"

  private def unquoted(name: String): String =
    if (name.length > 1 && name.startsWith("`") && name.endsWith("`")) name.substring(1, name.length - 1).replace("``", "`") else name
}
