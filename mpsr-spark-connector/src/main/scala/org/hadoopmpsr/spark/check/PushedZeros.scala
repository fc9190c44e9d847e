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

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.spark.relation.{StockCause, StockReason}

/**
 * Comparisons with zero of floating-point numbers. To a query `-0.0` and `0.0` are equal, and to Parquet's reader `-0.0` is the lesser one: it leaves
 * out row groups in whose dictionary it finds only the zero that it does not look for. Which records are lost by that depends on the
 * files that are read.
 */
private[spark] object PushedZeros {

  /** Why a read with these filters must be as on stock, if it must. */
  def reason(filters: Seq[Expression], conf: SQLConf): Option[StockReason] =
    if (!conf.parquetFilterPushDown || filters.forall(isExact)) None
    else Some(StockCause.SignedZero())

  /** Whether Parquet's reader leaves out no record that passes the filter. */
  def isExact(filter: Expression): Boolean = !filter.exists {
    case EqualTo(left, right) => isZero(left) || isZero(right)
    case EqualNullSafe(left, right) => isZero(left) || isZero(right)
    case GreaterThanOrEqual(left, right) => isPlus(right) || isMinus(left)
    case LessThanOrEqual(left, right) => isMinus(right) || isPlus(left)
    case Not(negated) => negated.exists {
        case c: BinaryComparison => isZero(c.left) || isZero(c.right)
        case _ => false
      }
    case In(_, list) => list.exists(isZero)
    case InSet(_, values) => values.exists(isZeroValue)
    case _ => false
  }

  private def isZero(e: Expression): Boolean = isPlus(e) || isMinus(e)

  private def isPlus(e: Expression): Boolean = value(e).exists(v => isZeroValue(v) && !isNegative(v))

  private def isMinus(e: Expression): Boolean = value(e).exists(v => isZeroValue(v) && isNegative(v))

  private def value(e: Expression): Option[Any] = e match {
    case Literal(v, _) => Option(v)
    case _ => None
  }

  private def isZeroValue(v: Any): Boolean = v match {
    case d: Double => d == 0.0
    case f: Float => f == 0.0f
    case _ => false
  }

  private def isNegative(v: Any): Boolean = v match {
    case d: Double => 1 / d < 0
    case f: Float => 1 / f < 0
    case _ => false
  }
}
