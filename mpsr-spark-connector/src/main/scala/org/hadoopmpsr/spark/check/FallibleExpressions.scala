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

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.{AggregateExpression, Count, Max, Min}
import org.apache.spark.sql.catalyst.optimizer.NormalizeNaNAndZero
import org.apache.spark.sql.types._
import org.hadoopmpsr.spark.versions.{AnsiMode, Collations}

/**
 * Expressions whose evaluation fails for some values: overflows, divisions and casts of ANSI mode, functions of users,
 * `raise_error`. An expression that is not known here counts as one that may fail. The values of a column are taken to lie
 * within the years that a timestamp can hold when it is truncated.
 */
private[spark] object FallibleExpressions {
  private val Integers: Set[DataType] = Set(ByteType, ShortType, IntegerType, LongType)
  private val Fractions: Set[DataType] = Set(FloatType, DoubleType)

  /** Whether evaluating the expression, or a part of it, may fail. */
  def mayFail(e: Expression): Boolean = !isSafe(e) || e.children.exists(mayFail)

  /** Whether the expression does not fail where its children do not. */
  private def isSafe(e: Expression): Boolean = e match {
    case _: Attribute | _: BoundReference | _: Literal | _: Alias | _: SortOrder | _: TaggingExpression => true
    case _: SubqueryExpression | _: InSubquery => true // evaluated by themselves, or joins later
    case _: AggregateExpression | _: Count | _: Min | _: Max => true
    case cast: Cast => isSafeCast(cast)
    case _ => isSafeCondition(e) || isSafeArithmetic(e) || isSafeText(e) || isSafeTime(e) || isSafeStructure(e)
  }

  private def isSafeCondition(e: Expression): Boolean = e match {
    case _: And | _: Or | _: Not | _: BinaryComparison | _: In | _: InSet => true
    case _: IsNull | _: IsNotNull | _: IsNaN | _: AtLeastNNonNulls => true
    case _: Coalesce | _: NaNvl | _: If | _: CaseWhen | _: Greatest | _: Least => true
    case _ => false
  }

  private def isSafeArithmetic(e: Expression): Boolean = e match {
    case _: Add | _: Subtract | _: Multiply => isFraction(e) || isNumber(e) && !isAnsi(e)
    case _: Divide | _: Remainder | _: Pmod | _: IntegralDivide =>
      val divides = e.children(1) match {
        case Literal(v: Number, _) => v.doubleValue != 0 && v.doubleValue != -1
        case _ => false
      }
      isNumber(e) && !isAnsi(e) || divides && e.children.forall(c => isFraction(c) || Integers(c.dataType))
    case UnaryMinus(_, failOnError) => isFraction(e) || isNumber(e) && !failOnError
    case Abs(_, failOnError) => isFraction(e) || isNumber(e) && !failOnError
    case _: BitwiseAnd | _: BitwiseOr | _: BitwiseXor | _: BitwiseNot | _: UnaryPositive => true
    case _: UnaryMathExpression | _: BinaryMathExpression => isFraction(e)
    case _: HashExpression[_] | _: NormalizeNaNAndZero => true
    case _ => false
  }

  private def isFraction(e: Expression): Boolean = Fractions(e.dataType)

  private def isNumber(e: Expression): Boolean = e.dataType.isInstanceOf[NumericType]

  private def isAnsi(e: Expression): Boolean = e match {
    case a: BinaryArithmetic => AnsiMode.isOf(a)
    case _ => true
  }

  private def isSafeText(e: Expression): Boolean = e match {
    case _: StringPredicate | _: Upper | _: Lower | _: InitCap | _: Reverse | _: Substring | _: StringReplace => true
    case _: StringTrim | _: StringTrimLeft | _: StringTrimRight => true
    case _: Length | _: OctetLength | _: BitLength | _: StringInstr | _: Ascii => true
    case _: Concat => e.dataType.isInstanceOf[StringType]
    case Like(_, pattern, _) => evaluates(e, pattern, Literal(""))
    case _ if Collations.isCollation(e) => true
    case RLike(_, pattern) => evaluates(e, pattern, Literal(""))
    case _ => false
  }

  private def isSafeTime(e: Expression): Boolean = e match {
    case _: GetDateField | _: GetTimeField | _: DateAdd | _: DateSub | _: DateDiff | _: LastDay => true
    case _: TruncDate | _: TruncTimestamp | _: UnixDate | _: TimestampToLongBase | _: MicrosToTimestamp => true
    case time: ToTimestamp => time.left.dataType == TimestampType
    case DateFormatClass(_, format, _) => evaluates(e, format, Literal(0L, TimestampType))
    case FromUTCTimestamp(_, zone) => evaluates(e, zone, Literal(0L, TimestampType))
    case ToUTCTimestamp(_, zone) => evaluates(e, zone, Literal(0L, TimestampType))
    case _ => false
  }

  /** Whether the expression does not fail for a sample in place of its first child, where the second is a constant. */
  private def evaluates(e: Expression, second: Expression, sample: Literal): Boolean =
    second.isInstanceOf[Literal] && Try(e.withNewChildren(Seq(sample, second)).eval()).isSuccess

  private def isSafeStructure(e: Expression): Boolean = e match {
    case _: CreateNamedStruct | _: GetStructField | _: CreateArray | _: ArrayContains | _: Size | _: GetMapValue => true
    case _: GetArrayStructFields => true
    case item: GetArrayItem => !item.failOnError
    case element: ElementAt => element.left.dataType.isInstanceOf[MapType] && !element.failOnError
    case map: CreateMap =>
      map.keys.forall { case Literal(v, _) => v != null; case _ => false } && map.keys.distinct.size == map.keys.size
    case _ => false
  }

  /** Whether values of the type have no parts. */
  private def isSimple(dataType: DataType): Boolean = dataType match {
    case _: NumericType | _: StringType | BooleanType | BinaryType | DateType | TimestampType | TimestampNTZType => true
    case _ => false
  }

  private def isSafeCast(cast: Cast): Boolean = (cast.child.dataType, cast.dataType) match {
    case (from, to) if from == to => true
    // days reach further than times
    case (DateType | TimestampType | TimestampNTZType, TimestampType | TimestampNTZType) => false
    case (from, to) if !isSimple(from) || !isSimple(to) => false
    case _ if cast.evalMode != EvalMode.ANSI => true
    case (_, _: StringType) | (_: StringType, BinaryType) => true
    case (_: NumericType, BooleanType | FloatType | DoubleType) => true
    case (BooleanType, to) => Integers(to) || Fractions(to)
    case (TimestampType, DateType | LongType) => true
    case (from: NumericType, to: NumericType) => Cast.canUpCast(from, to)
    case _ => false
  }
}
