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

import java.util.Arrays

import scala.jdk.CollectionConverters._
import scala.util.Try

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.UTF8String
import org.hadoopmpsr.core.plan.{Filter => CoreFilter}
import org.hadoopmpsr.core.plan.Filter.Operator
import org.hadoopmpsr.core.schema.Values

/**
 * Translates Spark's filters on the columns of a relation, and on fields of structs, to MPSR's filters. For each record, the translation is true, false
 * or null exactly if Spark's filter is. A part that cannot be expressed becomes `Unknown`.
 *
 * @param columns the relation's output
 */
private[spark] final class FilterTranslation(columns: Seq[Attribute]) {
  import FilterTranslation._

  private val fields = new StructFields(columns)

  /** The names of the columns, and of the fields of structs that have been found in filters. */
  private def names(id: ExprId): Option[String] = fields.name(id)

  private val calendar = new CalendarRanges(names)

  /** The conjunction of filters. */
  def translate(conjuncts: Seq[Expression]): CoreFilter =
    conjunction(conjuncts.map(fields.asColumns), 0)

  private def conjunction(parts: Seq[Expression], depth: Int): CoreFilter =
    and(parts.map(c => if (c.deterministic) filter(c, depth) else unknown) ++ calendar.months(parts))

  private def filter(e: Expression, depth: Int): CoreFilter = e match {
    case _ if depth > MaxDepth => unknown
    case And(_, _) => conjunction(flattenAnd(e), depth + 1)
    case Or(_, _) => or(flattenOr(e).map(filter(_, depth + 1)))
    case Not(part) => new CoreFilter.Not(filter(part, depth + 1))
    case Literal(true, BooleanType) => CoreFilter.ALL
    case Literal(false, BooleanType) => or(Nil)
    case Column(name, BooleanType) => new CoreFilter.Compare(Operator.EQ, name, true)
    case IsNull(Column(name, _)) => new CoreFilter.IsNull(name)
    case IsNotNull(Column(name, _)) => new CoreFilter.Not(new CoreFilter.IsNull(name))
    case StartsWith(Column(name, StringType), Literal(prefix: UTF8String, StringType)) =>
      text(prefix).map(p => new CoreFilter.StartsWith(name, p)).getOrElse(unknown)
    case Like(Column(name, StringType), Literal(pattern: UTF8String, StringType), escape) =>
      text(pattern).flatMap(likePrefix(_, escape)).map { case (prefix, isMore) =>
        // a string with further characters after the prefix is greater than the prefix
        val longer = if (isMore) Seq(new CoreFilter.Compare(Operator.GT, name, prefix)) else Nil
        and(new CoreFilter.StartsWith(name, prefix) +: longer :+ unknown)
      }.getOrElse(unknown)
    case In(Column(name, dataType), list) if list.forall(_.isInstanceOf[Literal]) =>
      in(name, dataType, list.map { case Literal(value, _) => value })
    case InSet(Column(name, dataType), values) => in(name, dataType, values.toSeq)
    case In(function, list) if list.size <= MaxRanges && list.forall(_.isInstanceOf[Literal]) =>
      val ranges = list.collect { case literal: Literal => ranged(Operator.EQ, function, literal) }
      if (ranges.contains(unknown)) unknown else or(ranges)
    case comparison: BinaryComparison => compare(comparison)
    case _ => unknown
  }

  private def compare(e: BinaryComparison): CoreFilter = e match {
    case EqualNullSafe(Column(name, dataType), literal: Literal) => equalNullSafe(name, dataType, literal)
    case EqualNullSafe(literal: Literal, Column(name, dataType)) => equalNullSafe(name, dataType, literal)
    case EqualTo(left, right) => compare(Operator.EQ, Operator.EQ, left, right)
    case LessThan(left, right) => compare(Operator.LT, Operator.GT, left, right)
    case LessThanOrEqual(left, right) => compare(Operator.LE, Operator.GE, left, right)
    case GreaterThan(left, right) => compare(Operator.GT, Operator.LT, left, right)
    case GreaterThanOrEqual(left, right) => compare(Operator.GE, Operator.LE, left, right)
    case _ => unknown
  }

  private def compare(operator: Operator, flipped: Operator, left: Expression, right: Expression): CoreFilter =
    (left, right) match {
      case (Column(name, dataType), literal: Literal) => compare(operator, name, dataType, literal.value)
      case (literal: Literal, Column(name, dataType)) => compare(flipped, name, dataType, literal.value)
      case (function, literal: Literal) => ranged(operator, function, literal)
      case (literal: Literal, function) => ranged(flipped, function, literal)
      case _ => unknown
    }

  /** The range that the comparison implies. The function may have another value within the range too. */
  private def ranged(operator: Operator, function: Expression, literal: Literal): CoreFilter =
    calendar.range(operator, function, literal).map(range => and(Seq(range, unknown))).getOrElse(unknown)

  private def compare(operator: Operator, name: String, dataType: DataType, literal: Any): CoreFilter =
    if (literal == null) nothing(name)
    else value(dataType, literal).map(v => new CoreFilter.Compare(operator, name, v)).getOrElse(unknown)

  /** The translation of `<=>`, which is never null: `null <=> 1` is false. */
  private def equalNullSafe(name: String, dataType: DataType, literal: Literal): CoreFilter = {
    val isNull = new CoreFilter.IsNull(name)
    if (literal.value == null) isNull
    else and(Seq(new CoreFilter.Not(isNull), compare(Operator.EQ, name, dataType, literal.value)))
  }

  private def in(name: String, dataType: DataType, literals: Seq[Any]): CoreFilter = {
    val values = literals.filter(_ != null).map(value(dataType, _))
    if (literals.isEmpty) or(Nil) // false even for null
    else if (values.exists(_.isEmpty)) unknown
    else {
      val found = listed(name, values.flatten)
      if (literals.contains(null)) or(Seq(found, nothing(name))) else found
    }
  }

  private def listed(name: String, values: Seq[AnyRef]): CoreFilter =
    if (values.size <= MaxList) new CoreFilter.In(name, values.asJava)
    else {
      val ordered = values.sortWith(Values.compare(_, _) < 0)
      and(Seq(
        new CoreFilter.Compare(Operator.GE, name, ordered.head),
        new CoreFilter.Compare(Operator.LE, name, ordered.last),
        unknown))
    }

  /** A filter that is null for every record, as any comparison with null is. */
  private def nothing(name: String): CoreFilter = new CoreFilter.Compare(Operator.EQ, name, null)

  private object Column {
    def unapply(e: Expression): Option[(String, DataType)] = e match {
      case a: AttributeReference => names(a.exprId).map(_ -> a.dataType)
      case _ => None
    }
  }
}

private[spark] object FilterTranslation {
  /** Protobuf's parsers refuse messages nested deeper than 100. Filters of real queries are shallow after flattening. */
  private val MaxDepth = 40

  /** The maximum length of a list. A longer list becomes a range, because it would match records of most files anyway. */
  private val MaxList = 1000

  /** The maximum length of a list of a function's values. Each value costs a search for a range. */
  private val MaxRanges = 50

  private val unknown: CoreFilter = new CoreFilter.Unknown

  private val Wildcards = Set('%', '_')

  private def and(parts: Seq[CoreFilter]): CoreFilter =
    if (parts.size == 1) parts.head else new CoreFilter.And(parts.asJava)

  private def or(parts: Seq[CoreFilter]): CoreFilter =
    if (parts.size == 1) parts.head else new CoreFilter.Or(parts.asJava)

  private def flattenAnd(e: Expression): Seq[Expression] = flatten(e) { case And(left, right) => (left, right) }

  private def flattenOr(e: Expression): Seq[Expression] = flatten(e) { case Or(left, right) => (left, right) }

  /** Without recursion: generated filters may have thousands of parts. */
  private def flatten(e: Expression)(split: PartialFunction[Expression, (Expression, Expression)]): Seq[Expression] = {
    var todo = List(e)
    val parts = Seq.newBuilder[Expression]
    while (todo.nonEmpty) {
      val head = todo.head
      todo = todo.tail
      split.lift(head) match {
        case Some((left, right)) => todo = left :: right :: todo
        case None => parts += head
      }
    }
    parts.result()
  }

  /**
   * The prefix of all texts that a `LIKE` pattern matches, and whether a matching text must be longer than the prefix. Empty
   * for a pattern that begins with a wildcard or is invalid.
   */
  private def likePrefix(pattern: String, escape: Char): Option[(String, Boolean)] = {
    val prefix = new StringBuilder
    var literal = true
    var more = false
    var i = 0
    while (i < pattern.length) {
      val escaped = pattern(i) == escape
      if (escaped) {
        i += 1
        if (i == pattern.length || pattern(i) != escape && !Wildcards(pattern(i))) return None
      }
      literal &&= escaped || !Wildcards(pattern(i))
      if (literal) prefix += pattern(i)
      else more ||= escaped || pattern(i) != '%'
      i += 1
    }
    Some((prefix.toString, more)).filter(_._1.nonEmpty)
  }

  /** The value of a literal in Spark's internal form; empty for a type that no column of a dataset has. */
  private[spark] def value(dataType: DataType, literal: Any): Option[AnyRef] = (dataType, literal) match {
    case (ByteType, v: Byte) => Some(Long.box(v.toLong))
    case (ShortType, v: Short) => Some(Long.box(v.toLong))
    case (t: DecimalType, v: Decimal) => digits(v, t.scale)
    case (IntegerType | DateType, v: Int) => Some(Long.box(v.toLong))
    case (LongType | TimestampType | TimestampNTZType, v: Long) => Some(Long.box(v))
    case (FloatType, v: Float) => Some(Double.box(v.toDouble))
    case (DoubleType, v: Double) => Some(Double.box(v))
    case (BooleanType, v: Boolean) => Some(Boolean.box(v))
    case (StringType, v: UTF8String) => text(v)
    case _ => None
  }

  /** The digits of a decimal without the point; empty if they are not those of the column's scale, or have more than 64 bits. */
  private def digits(value: Decimal, scale: Int): Option[AnyRef] =
    Try(Long.box(value.toJavaBigDecimal.setScale(scale).unscaledValue.longValueExact)).toOption

  /** The text of a string; empty if its bytes are not valid UTF-8. */
  private def text(s: UTF8String): Option[String] = {
    val string = s.toString
    if (Arrays.equals(UTF8String.fromString(string).getBytes, s.getBytes)) Some(string) else None
  }
}
