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

import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute
import org.apache.spark.sql.catalyst.expressions.{Attribute, Expression, Literal}
import org.apache.spark.sql.catalyst.plans.logical._
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.datasources.LogicalRelation
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.types.StringType
import org.apache.spark.sql.util.CaseInsensitiveStringMap
import org.apache.spark.unsafe.types.UTF8String
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.relation.{ConfKeys, FileRelation}
import org.hadoopmpsr.spark.versions.HintParameters

/** Exists only while a query is analyzed: the relation below is to be read from a replica group. */
private[spark] final case class GroupHint(group: String, child: LogicalPlan) extends UnaryNode {
  override def output: Seq[Attribute] = child.output
  override protected def withNewChildInternal(newChild: LogicalPlan): GroupHint = copy(child = newChild)
}

private[spark] object GroupHint {
  private val Name = "MPSR"

  /**
   * Moves the hint `MPSR(group)` down to the relations that this part of the query names, as Spark moves hints of joins. The
   * hint nearest to a relation wins.
   */
  object Resolution extends Rule[LogicalPlan] with PrintableLogging {
    override val ruleName: String = "org.hadoopmpsr.spark.GroupHint.Resolution"

    override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp {
      case hint: UnresolvedHint if Name.equalsIgnoreCase(hint.name) =>
        HintParameters.of(hint) match {
          case Seq(Group(group)) => AnalysisHelper.allowInvokingTransformsInAnalyzer(push(group, hint.child))
          case parameters =>
            logWarning(s"A hint $Name must name one replica group, as in /*+ $Name(signal) */. This hint has no effect: " +
              parameters.map(_.sql).mkString(s"$Name(", ", ", ")"))
            hint.child
        }
    }

    private def push(group: String, plan: LogicalPlan): LogicalPlan = plan match {
      case hinted: GroupHint => hinted
      case _: LogicalRelation | _: DataSourceV2Relation => GroupHint(group, plan)
      case _: CTERelationRef => plan
      case relation: LeafNode if !relation.resolved => GroupHint(group, relation)
      case _ => plan.mapChildren(push(group, _))
    }
  }

  /** Turns each hint into an option of the relations below. */
  object Removal extends Rule[LogicalPlan] {
    override val ruleName: String = "org.hadoopmpsr.spark.GroupHint.Removal"

    override def apply(plan: LogicalPlan): LogicalPlan = plan.resolveOperatorsUp { case GroupHint(group, child) =>
      AnalysisHelper.allowInvokingTransformsInAnalyzer(child.transform(option(group)))
    }

    private def option(group: String): PartialFunction[LogicalPlan, LogicalPlan] = {
      case l @ FileRelation(r) if !r.options.contains(ConfKeys.GroupOption) =>
        l.copy(relation = r.copy(options = r.options + (ConfKeys.GroupOption -> group))(r.sparkSession))
      case d: DataSourceV2Relation if !d.options.containsKey(ConfKeys.GroupOption) =>
        val options = new java.util.HashMap[String, String](d.options.asCaseSensitiveMap)
        options.put(ConfKeys.GroupOption, group)
        d.copy(options = new CaseInsensitiveStringMap(options))
    }
  }

  private object Group {
    def unapply(parameter: Expression): Option[String] = parameter match {
      case name: UnresolvedAttribute => Some(name.nameParts.mkString("."))
      case Literal(text: UTF8String, StringType) => Some(text.toString)
      case _ => None
    }
  }
}
