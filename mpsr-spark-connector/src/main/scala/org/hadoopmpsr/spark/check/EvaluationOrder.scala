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
import org.apache.spark.sql.catalyst.optimizer.RewritePredicateSubquery
import org.apache.spark.sql.catalyst.plans.logical.{Join, LogicalPlan}
import org.apache.spark.sql.internal.SQLConf
import org.hadoopmpsr.core.plan.{Filter => CoreFilter}
import org.hadoopmpsr.spark.relation.{DirectoryRead, StockCause, StockReason}
import org.hadoopmpsr.spark.source.FilterTranslation

/**
 * For which records a filter that may fail is evaluated. On stock these are the records of the partitions that the query
 * selects, as far as the conditions before it leave them. A condition after it that the reader skips records by makes that
 * depend on the files.
 *
 * @param filters the conjuncts above the read, in the order in which Spark evaluates them
 */
private[spark] final class EvaluationOrder(read: DirectoryRead, filters: Seq[Expression]) {
  private val (partitionColumns, dataColumns) = {
    val names = read.relation.partitionSchema.fieldNames.toSet
    read.output.partition(c => names(c.name))
  }
  private val translation = new FilterTranslation(dataColumns)

  /** The conjuncts that are evaluated for records. */
  private val ofRecords = filters.filterNot { f =>
    f.exists { case _: Exists | _: InSubquery => true; case _ => false } ||
    f.references.nonEmpty && f.references.subsetOf(AttributeSet(partitionColumns)) && !prunesHereAlone(f)
  }

  private val (before, after) = ofRecords.span(!FallibleExpressions.mayFail(_))

  /** Whether a condition that is evaluated for records may fail. */
  def mayFail: Boolean = after.nonEmpty

  /** Whether version 1 of data sources would evaluate a condition that may fail for fewer records than stock does. */
  def needsSecondVersion: Boolean = mayFail && filters.exists(prunesHereAlone)

  /** Why the files that are read must be those of stock, if they must. */
  def reason: Option[StockReason] =
    if (!mayFail) None
    else after.find(skips).orElse(before.find(c => skips(c) && mayBeNull(c))).map { c =>
      StockCause.SkippedRecords(c.references.map(_.name).mkString(", "))
    }

  /** Whether a reader may skip records by the condition without evaluating it. */
  private def skips(condition: Expression): Boolean = condition match {
    case And(left, right) => skips(left) || skips(right)
    case Or(left, right) => skips(left) && skips(right)
    case Not(part) => skips(part)
    case _ if prunesHereAlone(condition) => true
    case p: StringPredicate if p.left.isInstanceOf[AttributeReference] && p.right.isInstanceOf[Literal] => true
    case _ => !translation.translate(Seq(condition)).isInstanceOf[CoreFilter.Unknown]
  }

  /**
   * Whether partitions are left out by the condition when the query runs, and not on stock. Version 2 of data sources leaves none out then, and
   * version 1 none of a directory without partitions; what is read in their place is partitioned and of version 1. A condition on no column leaves
   * out all partitions or none.
   */
  private def prunesHereAlone(condition: Expression): Boolean =
    SubqueryExpression.hasSubquery(condition) && {
      val partitions = AttributeSet(partitionColumns)
      if (condition.references.isEmpty) !read.isFirstVersion || partitionColumns.isEmpty
      else !read.isFirstVersion && condition.references.exists(partitions.contains)
    }

  /** Conditions after one that is null are evaluated. */
  private def mayBeNull(condition: Expression): Boolean = {
    val present = AttributeSet(before.collect { case IsNotNull(a: Attribute) => a })
    condition.transform { case a: AttributeReference if present.contains(a) => a.withNullability(false) }.nullable
  }
}

private[spark] object EvaluationOrder {

  /**
   * The columns of relations below a join, of whose records an expression that may fail is evaluated there. Partitions that
   * are left out when the query runs keep it from some of them.
   */
  def fallibleBelowJoins(query: LogicalPlan): AttributeSet =
    AttributeSet(RewritePredicateSubquery(query).collect { case join: Join => join.children }.flatten
      .filter(_.exists(_.expressions.exists(FallibleExpressions.mayFail)))
      .flatMap(_.collectLeaves())
      .flatMap(_.output))

  /**
   * Why a read must be as on stock because partitions of it are left out when the query runs, if it must. Version 2 of data sources leaves
   * none out on stock; what is read in the place of one is of version 1.
   *
   * @param pruned the columns by which stock Spark does
   * @param fallible as [[fallibleBelowJoins]] tells
   */
  def reason(read: DirectoryRead, pruned: AttributeSet, fallible: => AttributeSet, conf: SQLConf): Option[StockReason] = {
    val may = if (read.isFirstVersion) read.output.exists(pruned.contains) else conf.dynamicPartitionPruningEnabled
    if (may && read.output.exists(fallible.contains)) Some(StockCause.PrunedRecords()) else None
  }
}
