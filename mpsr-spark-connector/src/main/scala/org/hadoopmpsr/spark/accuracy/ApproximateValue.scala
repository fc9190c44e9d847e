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
package org.hadoopmpsr.spark.accuracy

import org.apache.spark.sql.SparkSessionExtensions
import org.apache.spark.sql.catalyst.FunctionIdentifier
import org.apache.spark.sql.catalyst.expressions.{Expression, ExpressionInfo, TaggingExpression}
import org.apache.spark.sql.types.{DecimalType, DoubleType, FloatType, IntegerType, NumericType, StringType}
import org.hadoopmpsr.core.transform.Accuracy

/**
 * A value that may differ from the column's within limits. It is evaluated to what the column has; a read of the column may give other values where
 * nothing else looks at it.
 *
 * @param accuracy as [[Accuracy.parse]] reads it
 */
private[spark] final case class ApproximateValue(child: Expression, accuracy: String) extends TaggingExpression {
  override def prettyName: String = ApproximateValue.Name

  override protected def withNewChildInternal(newChild: Expression): ApproximateValue = copy(child = newChild)
}

/** The function of SQL `mpsr_approx(value, limit)`: the limit is a greatest difference, or a text such as 'rel=0.001' or 'bits=9'. */
private[spark] object ApproximateValue {
  val Name = "mpsr_approx"

  def inject(extensions: SparkSessionExtensions): Unit = extensions.injectFunction((
    FunctionIdentifier(Name),
    new ExpressionInfo(
      classOf[ApproximateValue].getName,
      null,
      Name,
      s"$Name(value, limit) - The value, or one within the limit of it: a greatest difference, or a text such as 'rel=0.001' or 'bits=9'.",
      "",
      "",
      "",
      "",
      "",
      "",
      ""),
    build))

  private def build(arguments: Seq[Expression]): Expression = arguments match {
    case Seq(value, limit) =>
      value.dataType match {
        case DoubleType | FloatType => ApproximateValue(value, accuracy(limit).text)
        case _: NumericType => value // exact
        case other => refused(s"the value ${value.sql} is of type ${other.sql}; give a column of numbers")
      }
    case _ => refused(s"it has ${arguments.size} arguments; give a value, and how far from it the result may be, such as 0.001")
  }

  private def accuracy(limit: Expression): Accuracy = {
    def wrong = refused(s"the limit ${limit.sql} is no positive constant; give a greatest difference such as 0.001, or a text such as 'rel=0.001'")
    val value = if (limit.foldable) limit.eval() else wrong
    (limit.dataType, value) match {
      case (_, null) => wrong
      case (_: DecimalType | DoubleType | FloatType | IntegerType, number) =>
        val error = number.toString.toDouble
        if (error > 0 && error <= Double.MaxValue) Accuracy.ofAbsolute(error) else wrong
      case (_: StringType, text) =>
        try Accuracy.parse(text.toString)
        catch { case e: IllegalArgumentException => refused(e.getMessage) }
      case _ => wrong
    }
  }

  private def refused(problem: String) = throw new IllegalArgumentException(s"$Name: $problem")
}
