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

import scala.collection.mutable

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression
import org.apache.spark.sql.catalyst.optimizer.RewritePredicateSubquery
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Join, LogicalPlan, Project, Subquery, Union}
import org.apache.spark.sql.catalyst.trees.TreePattern.CTE
import org.apache.spark.sql.types.StructType
import org.hadoopmpsr.spark.relation.DirectoryRead

/**
 * Finds the columns that must not be partition columns because a condition on them may fail. Spark evaluates a condition on
 * a partition column once for each directory. On stock, the column is an ordinary one, and Spark evaluates the condition
 * only for records that pass the conditions before it. A condition that may fail, such as a cast of a text to a number in
 * ANSI mode or a user's function, could therefore fail here and not on stock.
 */
private[spark] object DirectoryConditions extends PredicateHelper {

  /** The columns of the conditions, or parts of conditions, that may fail. */
  def failing(conditions: Seq[Expression]): AttributeSet =
    AttributeSet(conditions.flatMap(risks).flatMap(_.references))

  /**
   * The columns of expressions that may fail and that may become conditions on a read after the reads were decided. Spark
   * prunes partitions by the keys of joins while the query runs, and derives conditions on one side from joins.
   */
  def failingLater(query: LogicalPlan): AttributeSet =
    if (query.containsPattern(CTE)) AttributeSet(query.collectLeaves().flatMap(_.output)) // its plan is not examined
    else {
      val lineage = new Lineage
      query match {
        case Subquery(plan, correlated) =>
          lineage.joined(plan.output)
          if (correlated) lineage.fail(plan.output)
        case _ =>
      }
      RewritePredicateSubquery(query).foreach(lineage.down)
      lineage.failing
    }

  /**
   * The columns of a read that may be partition columns: the partition columns on stock, and the columns of no condition
   * that may fail.
   *
   * @param later the result of [[failingLater]] for the query
   */
  def columns(read: DirectoryRead, conditions: Seq[Expression], later: AttributeSet): StructType = {
    val unsafe = failing(conditions) ++ later
    val own = read.relation.partitionSchema.fieldNames.toSet
    val names = read.output.filter(unsafe.contains).map(_.name).toSet -- own
    StructType(read.relation.schema.filterNot(f => names(f.name)))
  }

  /** The parts of a condition that may fail. */
  private def risks(condition: Expression): Seq[Expression] = condition match {
    case _: And | _: Or | _: Not => condition.children.flatMap(risks)
    case _: Exists | _: InSubquery => Nil // Spark makes joins of them
    case e => if (FallibleExpressions.mayFail(e)) Seq(e) else Nil
  }

  /** Visits a plan from the top, and traces the columns in conditions of joins down to the columns of the plan's leaves. */
  private final class Lineage {
    private val inJoins = mutable.Set.empty[ExprId]
    private var found = AttributeSet.empty

    def failing: AttributeSet = found

    def joined(columns: Iterable[Attribute]): Unit = inJoins ++= columns.map(_.exprId)

    def fail(columns: Iterable[Attribute]): Unit = found ++= AttributeSet(columns)

    /** Visits a node; parents must be visited before children. */
    def down(node: LogicalPlan): Unit = node match {
      case Join(_, _, _, condition, _) =>
        val conditions = condition.toSeq.flatMap(splitConjunctivePredicates)
        joined(conditions.flatMap(_.references))
        fail(DirectoryConditions.failing(conditions))
      case Project(columns, _) => columns.foreach(source)
      case aggregate: Aggregate => aggregate.aggregateExpressions.foreach(source)
      case union: Union =>
        union.output.zip(union.children.map(_.output).transpose).foreach { case (column, sources) => follow(column, sources) }
      case _ =>
    }

    private def source(column: NamedExpression): Unit = column match {
      case Alias(value, _) if !value.exists(_.isInstanceOf[AggregateExpression]) =>
        follow(column.toAttribute, value.references)
        if (inJoins(column.exprId)) fail(DirectoryConditions.failing(Seq(value)))
      case _ =>
    }

    private def follow(column: Attribute, sources: Iterable[Attribute]): Unit = {
      if (inJoins(column.exprId)) joined(sources)
      if (found.contains(column)) fail(sources)
    }
  }
}
