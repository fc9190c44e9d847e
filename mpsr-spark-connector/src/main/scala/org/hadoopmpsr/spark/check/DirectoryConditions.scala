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
 * Conditions on columns that each directory of a group has one value for are evaluated for each directory. On stock they are
 * evaluated for each record that the conditions before have left. So those that may fail, such as a cast of a text to a
 * number in ANSI mode or a function of the user's, must not be evaluated for directories.
 */
private[spark] object DirectoryConditions extends PredicateHelper {

  /** The columns that conditions use in a way that may fail. */
  def failing(conditions: Seq[Expression]): AttributeSet =
    AttributeSet(conditions.flatMap(risks).flatMap(_.references))

  /**
   * The same of what may become a condition on a read after reads were decided: keys of joins, by which partitions are
   * pruned when the query runs, and what else joins say of one side.
   */
  def failingLater(query: LogicalPlan): AttributeSet =
    if (query.containsPattern(CTE)) AttributeSet(query.collectLeaves().flatMap(_.output)) // not looked through
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
   * The columns of a read that may be partition columns: those that are so on stock, and those that no condition uses in a way
   * that may fail.
   *
   * @param later those that what may become a condition later uses so
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
    case _: Exists | _: InSubquery => Nil // to become joins
    case e => if (FallibleExpressions.mayFail(e)) Seq(e) else Nil
  }

  /** Goes down a plan and follows what joins are made of to the columns of its leaves. */
  private final class Lineage {
    private val inJoins = mutable.Set.empty[ExprId]
    private var found = AttributeSet.empty

    def failing: AttributeSet = found

    def joined(columns: Iterable[Attribute]): Unit = inJoins ++= columns.map(_.exprId)

    def fail(columns: Iterable[Attribute]): Unit = found ++= AttributeSet(columns)

    /** Parents come before children. */
    def down(node: LogicalPlan): Unit = node match {
      case Join(_, _, _, condition, _) =>
        val conditions = condition.toSeq.flatMap(splitConjunctivePredicates)
        joined(conditions.flatMap(_.references))
        fail(DirectoryConditions.failing(conditions))
      case Project(columns, _) => columns.foreach(source)
      case Aggregate(_, columns, _, _) => columns.foreach(source)
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
