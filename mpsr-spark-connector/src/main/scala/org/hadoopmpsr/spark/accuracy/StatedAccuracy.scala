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

import java.util.Locale

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.types.{DoubleType, FloatType}
import org.hadoopmpsr.core.transform.Accuracy
import org.hadoopmpsr.spark.relation.{ConfKeys, DirectoryRead}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * What a query says about the accuracy of the columns of its reads. A column may be read within limits where each place that looks at it allows
 * that: `mpsr_approx` does; with a limit of the session or of the read, so does what is returned or aggregated. Conditions, joins, groups and orders need
 * exact values, and so does a query that writes.
 *
 * @param query the query before its reads are decided
 */
private[spark] final class StatedAccuracy(query: LogicalPlan) {
  private lazy val asks = query.exists(_.expressions.exists(_.exists(_.isInstanceOf[ApproximateValue])))
  private lazy val writes = query.exists(_.isInstanceOf[Command])

  /** By the names of columns; a column that is missing is read exactly. */
  def of(read: DirectoryRead): Map[String, Accuracy] = {
    val options = ConfKeys.accuracies(read.relation.options)
    val stated = if (options.isEmpty || writes) Map.empty[String, Accuracy] else options.map { case (k, text) => k -> Accuracy.parse(text) }
    if (stated.isEmpty && !asks) Map.empty
    else {
      val paths = StatedAccuracy.paths(query, read.node)
      val columns = read.output.filter(column => column.dataType == DoubleType || column.dataType == FloatType)
      columns.flatMap { column =>
        val found = paths.map(StatedAccuracy.along(_, column, stated.get(column.name.toLowerCase(Locale.ROOT))))
        Option.when(found.nonEmpty && found.forall(_.exists(!_.isExact)))(column.name -> found.flatten.reduce(_ and _))
      }.toMap
    }
  }
}

private object StatedAccuracy {

  /** The nodes above each occurrence of a leaf, the nearest first. */
  private def paths(node: LogicalPlan, leaf: LogicalPlan): Seq[List[LogicalPlan]] =
    if (node eq leaf) Seq(Nil)
    else node.children.flatMap(paths(_, leaf)).map(_ :+ node)

  /**
   * The limits within which a column may be read.
   *
   * @param stated what the session or the read says
   * @return empty if it must be read exactly
   */
  private def along(path: List[LogicalPlan], column: Attribute, stated: Option[Accuracy]): Option[Accuracy] = {
    var names = AttributeSet(column)
    val noted = Seq.newBuilder[Option[Accuracy]]
    var rest = path
    while (rest.nonEmpty && names.nonEmpty) {
      val node = rest.head
      if (passes(node)) {
        val (own, others) = selected(node)
        own.foreach(e => noted ++= uses(e, names, stated))
        others.foreach(e => noted ++= uses(e, names, None))
        names = AttributeSet(node.output.filter(names.contains) ++ renamed(node, names))
        rest = rest.tail
      } else {
        noted += None
        rest = Nil
      }
    }
    if (names.nonEmpty) noted += stated // the query returns it
    val all = noted.result()
    if (all.isEmpty || all.exists(_.isEmpty)) None else Some(all.flatten.reduce(_ and _))
  }

  /** Whether nothing but the expressions of the node looks at columns. */
  private def passes(node: LogicalPlan): Boolean = node match {
    case _: Project | _: Aggregate | _: Filter | _: Join | _: Sort | _: Window => true
    case _: GlobalLimit | _: LocalLimit | _: RepartitionOperation | _: SubqueryAlias => true
    case _ => false
  }

  /** The expressions that make what is returned or aggregated, and the others. */
  private def selected(node: LogicalPlan): (Seq[Expression], Seq[Expression]) = node match {
    case project: Project => (project.projectList.filterNot(isRename), Nil)
    case aggregate: Aggregate => (aggregate.aggregateExpressions, aggregate.groupingExpressions)
    case other => (Nil, other.expressions)
  }

  private def isRename(e: Expression): Boolean = e match {
    case _: Attribute | Alias(_: Attribute, _) => true
    case _ => false
  }

  private def renamed(node: LogicalPlan, names: AttributeSet): Seq[Attribute] = node match {
    case project: Project => project.projectList.collect { case alias @ Alias(a: Attribute, _) if names.contains(a) => alias.toAttribute }
    case _ => Nil
  }

  /**
   * What each place of an expression allows that looks at a column.
   *
   * @param stated what is allowed where nothing is said
   */
  private def uses(e: Expression, names: AttributeSet, stated: Option[Accuracy]): Seq[Option[Accuracy]] = e match {
    case ApproximateValue(a: Attribute, accuracy) if names.contains(a) => Seq(Some(Accuracy.parse(accuracy)))
    case IsNull(a: Attribute) if names.contains(a) => Nil // nulls are exact
    case IsNotNull(a: Attribute) if names.contains(a) => Nil
    case a: Attribute => if (names.contains(a)) Seq(stated) else Nil
    case subquery: PlanExpression[_] => if (subquery.references.exists(names.contains)) Seq(None) else Nil
    case other => other.children.flatMap(uses(_, names, stated))
  }
}
