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
package org.hadoopmpsr.spark

import org.apache.spark.sql.catalyst.expressions.{And, Attribute, AttributeMap, Expression, SubqueryExpression}
import org.apache.spark.sql.catalyst.plans.logical.{Filter, LogicalPlan, Project, Union}

/**
 * The union of the parts of a plan that reads several groups. The records of the parts are together those of the dataset, each
 * once. Each part is a scan of its own with the columns and the filters of the query, as if the query read this part alone:
 * Spark pushes filters to Parquet's reader and prunes partitions in each of them, also when the query runs.
 */
private[spark] object PartUnion {

  /**
   * A plan with those columns of the read that the query looks at. The columns keep their ids.
   *
   * @param first the conditions that are evaluated first in a part
   */
  def of(query: PlanQuery, parts: Seq[ReadPart], first: ReadPart => Seq[Expression]): LogicalPlan = {
    val output = query.read.output
    val used = output.filter(query.used.contains)
    // Spark looks at the first part alone where a join would leave out partitions: as on stock, those of the default group
    val (ofDefault, others) = parts.partition(part => part.plan.group == part.plan.groups.defaultName)
    val children = (ofDefault ++ others).zipWithIndex.map { case (part, i) =>
      val relation = if (i == 0) part.node else part.node.newInstance()
      val own = AttributeMap(output.zip(relation.output))
      def ofPart(condition: Expression): Expression = condition.transform { case a: Attribute => own.getOrElse(a, a) }
      val filtered = filter(first(part).map(ofPart), relation)
      Project(used.map(own), filter(query.conditions.filters.filter(isPushed).map(ofPart), filtered))
    }
    Union(children)
  }

  private def filter(conditions: Seq[Expression], child: LogicalPlan): LogicalPlan =
    conditions.reduceOption(And(_, _)).map(Filter(_, child)).getOrElse(child)

  /** Spark makes joins of other subqueries. The filters above the union stay, and say all. */
  private def isPushed(condition: Expression): Boolean =
    condition.deterministic && !SubqueryExpression.hasInOrCorrelatedExistsSubquery(condition)
}
