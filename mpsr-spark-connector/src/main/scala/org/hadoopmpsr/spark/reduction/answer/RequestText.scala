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
package org.hadoopmpsr.spark.reduction.answer

import java.nio.charset.StandardCharsets

import scala.collection.mutable
import scala.util.control.{ControlThrowable, NonFatal}

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.trees.TreePattern
import org.apache.spark.sql.execution.datasources.LogicalRelation
import org.apache.spark.sql.types.DataType
import org.apache.spark.unsafe.types.UTF8String
import org.hadoopmpsr.spark.relation.FileRelation

/**
 * What a reduction asks of the records of a read, as text: two requests with equal texts have equal answers of each file. The text has
 * every argument of every expression, with its length, so that different requests have different texts.
 */
private[answer] object RequestText {
  private val Packages = Seq("org.apache.spark.sql.catalyst.expressions.", "org.hadoopmpsr.spark.")

  /**
   * @param read projections and filters above one read
   * @param expressions what is computed of its output
   * @return empty for what this does not understand, or what depends on more than a record: the time, a random number, another
   *   table, code of the user
   */
  def of(read: LogicalPlan, expressions: Seq[Expression]): Option[String] = {
    val text = new RequestText
    try {
      text.plan(read)
      text.value(expressions)
      Some(text.toString)
    } catch {
      case Unknown => None
      case NonFatal(_) => None // an expression that does not tell its arguments
    }
  }

  private case object Unknown extends ControlThrowable
}

private[answer] final class RequestText {
  import RequestText._

  private val out = new StringBuilder
  private val columns = mutable.Map.empty[ExprId, Int]

  override def toString: String = out.toString

  private def unknown: Nothing = throw Unknown

  private def put(kind: String, text: String): Unit = out.append(kind).append(text.length).append(':').append(text)

  private def known(attribute: Attribute): Unit = columns.getOrElseUpdate(attribute.exprId, columns.size)

  private def plan(node: LogicalPlan): Unit = node match {
    case p: Project =>
      plan(p.child)
      out.append("project")
      value(p.projectList)
    case f: Filter =>
      plan(f.child)
      out.append("filter")
      value(f.condition)
    case a: SubqueryAlias => plan(a.child)
    case v: View => plan(v.child)
    case l: LogicalRelation => l match {
        case FileRelation(files) if !l.isStreaming =>
          out.append("read")
          value(files.location.rootPaths.map(_.toString))
          value(files.options.toSeq.sorted.flatMap { case (key, option) => Seq(key, option) })
          value(Seq(files.dataSchema, files.partitionSchema))
          l.output.foreach { column =>
            known(column)
            value(Seq(column.name, column.dataType, column.nullable))
          }
        case _ => unknown
      }
    case _ => unknown
  }

  private def value(any: Any): Unit = any match {
    case null => out.append('~')
    case expression: Expression => this.expression(expression)
    case text: String => put("s", text)
    case text: UTF8String => put("u", text.toString)
    case bytes: Array[Byte] => put("b", new String(bytes, StandardCharsets.ISO_8859_1))
    case number: Double => put("d", java.lang.Double.doubleToRawLongBits(number).toString)
    case number: Float => put("f", java.lang.Float.floatToRawIntBits(number).toString)
    case number @ (_: Boolean | _: Byte | _: Short | _: Int | _: Long | _: org.apache.spark.sql.types.Decimal | _: java.math.BigDecimal) =>
      put(number.getClass.getName, number.toString)
    case dataType: DataType => put("t", dataType.json)
    case Some(present) =>
      out.append('?')
      value(present)
    case None => out.append('!')
    case values: collection.Seq[_] =>
      out.append('(').append(values.size)
      values.foreach(value)
      out.append(')')
    case constant: Enumeration#Value => put("e", s"${constant.getClass.getName} $constant")
    case constant: Enum[_] => put("e", s"${constant.getClass.getName} ${constant.name}")
    case its: Class[_] if its.getName.startsWith("org.apache.spark.") => put("c", its.getName)
    case constant: Product if constant.productArity == 0 => put("o", constant.getClass.getName)
    // how an expression is evaluated, such as whether it fails where a number is too large
    case context: Product if context.getClass.getName.startsWith(Packages.head) =>
      put("p", context.getClass.getName)
      value(context.productIterator.toSeq)
    case _ => unknown
  }

  private def expression(expression: Expression): Unit = expression match {
    case e if !e.deterministic || e.containsPattern(TreePattern.CURRENT_LIKE) || e.isInstanceOf[SubqueryExpression] => unknown
    case attribute: AttributeReference => put("a", columns.getOrElse(attribute.exprId, unknown).toString)
    case alias: Alias =>
      out.append("as")
      value(alias.child)
      known(alias.toAttribute)
    case literal: Literal =>
      out.append("literal")
      value(literal.dataType)
      value(literal.value)
    case e if Packages.exists(e.getClass.getName.startsWith) && e.dataType != null =>
      put("e", e.getClass.getName)
      value(e.productIterator.toSeq)
    case _ => unknown
  }
}
