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

import scala.jdk.CollectionConverters._
import scala.util.{Failure, Success, Try}

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, AttributeSet, EqualTo, Exists, Expression, ExpressionSet}
import org.apache.spark.sql.catalyst.expressions.{InSet, InSubquery, IsNull, Or, PredicateHelper, PythonUDF, ScalarSubquery}
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression
import org.apache.spark.sql.internal.SQLConf
import org.apache.spark.sql.types.{DoubleType, FloatType}
import org.hadoopmpsr.core.plan.{Filter => CoreFilter}
import org.hadoopmpsr.spark.relation.{DirectoryRead, StockCause, StockReason}
import org.hadoopmpsr.spark.source.FilterTranslation

/**
 * The conditions on the default group's partition columns. Those that only Spark can evaluate are evaluated here, for the
 * values of the partitions that Spark has listed, so that planning knows which values are left.
 *
 * @param filters the conjuncts above the read
 */
private[spark] final class PartitionConditions(read: DirectoryRead, filters: Seq[Expression], conf: SQLConf)
    extends PredicateHelper {

  /** Those by which Spark leaves out partitions before and while the query runs, in the order in which it evaluates them. */
  val all: Seq[Expression] = {
    val names = read.relation.partitionSchema.fieldNames.toSet
    val columns = AttributeSet(read.output.filter(a => names(a.name)))
    if (columns.isEmpty) Nil
    else ExpressionSet(filters.filter(f => f.deterministic && !becomesJoin(f)).flatMap { f =>
      if (f.references.subsetOf(columns)) Some(f) else extractPredicatesWithinOutputSet(f, columns)
    }).toSeq
  }

  private val (later, now) = all.partition(SubqueryExpression.hasSubquery)

  private val translation = new FilterTranslation(read.output)

  private val strange = now.filter(c => isUnknown(translation.translate(Seq(c))))

  /**
   * What the conditions that planning does not understand leave of the columns' values, as conditions that it does.
   *
   * @return why the read must be as on stock, if a condition fails for a partition
   */
  lazy val values: Either[StockReason, Seq[Expression]] =
    if (strange.isEmpty) Right(Nil)
    else Try(partitionsLeft) match {
      case Success(partitions) => Right(columnsOf(strange).flatMap(valuesIn(_, partitions)))
      case Failure(_) => Left(StockCause.PartitionConditionFails())
    }

  /**
   * For each partition column by which partitions are left out when the query runs, the share of them that is expected to be
   * read. A column that is compared with one value keeps one of its values. Of others the share is not known: between one value
   * and all it is taken for that whose ratio to both is equal.
   *
   * @param joined the columns whose values come from the other side of a join
   */
  def sharesLeft(joined: AttributeSet): Map[String, Double] = {
    val single = later.collect {
      case EqualTo(a: AttributeReference, _: ScalarSubquery) => a
      case EqualTo(_: ScalarSubquery, a: AttributeReference) => a
    }
    val columns = read.output.filter(c => joined.contains(c) || columnsOf(later).contains(c))
    if (columns.isEmpty) Map.empty
    else {
      val partitions = partitionsLeft
      columns.map { c =>
        val count = math.max(1, distinct(c, partitions).size).toDouble
        c.name -> (if (single.exists(_.semanticEquals(c))) 1 / count else 1 / math.sqrt(count))
      }.toMap
    }
  }

  private def becomesJoin(filter: Expression): Boolean = filter.exists {
    case _: Exists | _: InSubquery | _: PythonUDF => true
    case _ => false
  }

  /** The values of the listed partitions that pass. Of a table, Spark lists only these, and keeps the listing. */
  private def partitionsLeft: Seq[InternalRow] = read.relation.location.listFiles(now.map(read.named), Nil).map(_.values)

  private def columnsOf(conditions: Seq[Expression]): Seq[AttributeReference] = {
    val used = AttributeSet(conditions.flatMap(_.references))
    read.output.filter(used.contains)
  }

  private def valuesIn(column: AttributeReference, partitions: Seq[InternalRow]): Option[Expression] =
    column.dataType match {
      case FloatType | DoubleType => None // equality of 0.0 and NaN is not that of their texts
      case _ =>
        val (present, nulls) = distinct(column, partitions).partition(_ != null)
        val in = InSet(column, present)
        Some(if (nulls.isEmpty) in else Or(IsNull(column), in)).filter(PushedTimes.isExact(_, conf))
    }

  private def distinct(column: AttributeReference, partitions: Seq[InternalRow]): Set[Any] = {
    val index = read.relation.partitionSchema.fieldIndex(column.name)
    partitions.iterator.map(_.get(index, column.dataType)).toSet
  }

  private def isUnknown(filter: CoreFilter): Boolean = filter match {
    case _: CoreFilter.Unknown => true
    case and: CoreFilter.And => and.parts.asScala.exists(isUnknown)
    case or: CoreFilter.Or => or.parts.asScala.exists(isUnknown)
    case not: CoreFilter.Not => isUnknown(not.part)
    case _ => false
  }
}
