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

import org.apache.spark.sql.catalyst.expressions.{AttributeSet, Expression, IsNotNull}
import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.spark.relation.{DirectoryRead, StockReason}

/**
 * The conditions of a query on the records of one read.
 *
 * @param filters the conjuncts above the read, in the order in which Spark evaluates them
 */
private[spark] final class ReadConditions(read: DirectoryRead, val filters: Seq[Expression], conf: SQLConf) {
  private val partitions = new PartitionConditions(read, filters, conf)
  private val order = new EvaluationOrder(read, filters)

  private def values: Seq[Expression] = partitions.values.getOrElse(Nil)

  /** The filters, and what they leave of partition columns' values. */
  def requested: Seq[Expression] = filters ++ values

  /** Why the read must be as on stock, if it must. */
  def reason: Option[StockReason] =
    PushedTimes.reason(filters, conf).orElse(PushedZeros.reason(filters, conf)).orElse(partitions.values.left.toOption).orElse(order.reason)

  /**
   * The conditions that are evaluated before the filters where other files than stock's are read: Parquet's reader skips
   * records by the first, and records of partitions that stock leaves out must not make a filter fail.
   */
  def first: Seq[Expression] =
    values ++ (if (order.mayFail) partitions.all.filter(_.references.nonEmpty).flatMap(c => Seq(IsNotNull(c), c)) else Nil)

  /** As [[EvaluationOrder.needsSecondVersion]]. */
  def needsSecondVersion: Boolean = order.needsSecondVersion

  /** As [[PartitionConditions.sharesLeft]]. */
  def sharesLeft(joined: AttributeSet): Map[String, Double] = partitions.sharesLeft(joined)
}
