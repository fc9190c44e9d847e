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
package org.hadoopmpsr.spark.aggregate

import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.planning.PhysicalOperation
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, LogicalPlan, Project}
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.spark.relation.DirectoryRead
import org.hadoopmpsr.spark.source.FilterTranslation

/**
 * An aggregate that may follow from what is known of files, without reading them. Partitions tell their values and their
 * numbers of records. Statistics of files tell the least and the greatest value of a column, where these are exact, and the
 * number of records that have a value. They never answer a question about some of a file's records.
 *
 * @param columns the columns below the aggregate, in terms of the relation
 */
private[spark] final case class CountedAggregate(
    aggregate: Aggregate,
    columns: Seq[NamedExpression],
    filters: Seq[Expression],
    read: DirectoryRead) {

  private val sources: Map[ExprId, AttributeReference] = columns.collect {
    case a: AttributeReference => a.exprId -> a
    case a @ Alias(of: AttributeReference, _) => a.exprId -> of
  }.toMap

  /** The columns of the relation that the answer depends on. */
  val used: AttributeSet = AttributeSet((columns ++ filters).flatMap(_.references))

  /** The used columns that only partitions can answer. */
  val ofPartitions: AttributeSet = {
    val others = aggregate.expressions.map(_.transform { case FromStatistics(_) => Literal(0L) })
    val needed = AttributeSet(others.flatMap(_.references) ++ filters.flatMap(_.references))
    AttributeSet(columns.filter(c => needed.contains(c.toAttribute)).flatMap(_.references)) ++
      needed.filter(used.contains)
  }

  /** The names of the columns that statistics may answer; empty where partitions of the default group answer all. */
  val statistics: Seq[String] = {
    val directories = read.relation.partitionSchema.fieldNames.toSet
    val asked = aggregate.expressions.flatMap(_.collect { case FromStatistics(query) => query.column })
    val names = (asked ++ filters.flatMap(_.references)).map(_.name).distinct
    if (names.forall(directories)) Nil else names
  }

  /**
   * The aggregate over what is known of files.
   *
   * @param parts the relations that would be read, each with the plan of its group; together they have each record once
   * @return empty where that does not give the answer
   */
  def over(parts: Seq[(HadoopFsRelation, ReadPlan)]): Option[LogicalPlan] = {
    val partitions = read.output.filter(a => parts.forall(_._1.partitionSchema.fieldNames.contains(a.name)))
    val (decided, proven) = filters.partition(_.references.subsetOf(AttributeSet(partitions)))
    val known = columns.filter(_.references.subsetOf(AttributeSet(partitions)))
    val files = new FileKnowledge(parts)
    val results = aggregate.aggregateExpressions.map(answering(_, AttributeSet(known.map(_.toAttribute)), files))
    for {
      _ <- if (files.allPass(new FilterTranslation(read.output).translate(proven))) Some(()) else None
      local <- files.relation(partitions)
      filtered = decided.reduceOption(And(_, _)).map(Filter(_, local)).getOrElse(local)
      answer = aggregate.copy(
        aggregateExpressions = results,
        child = Project(known ++ files.attributes, filtered))
      if answer.missingInput.isEmpty
    } yield answer
  }

  /** @param known the columns of partitions */
  private def answering(result: NamedExpression, known: AttributeSet, files: FileKnowledge): NamedExpression =
    result.transform {
      case e @ FromStatistics(query) if !e.references.subsetOf(known) =>
        val statistic = files.attribute(query)
        query.function match {
          case StatisticQuery.Minimum => Min(statistic).toAggregateExpression()
          case StatisticQuery.Maximum => Max(statistic).toAggregateExpression()
          case StatisticQuery.Count => total(statistic)
        }
      case AggregateExpression(Count(of), _, false, _, _) =>
        val present = of.filter(_.nullable).map(IsNotNull(_): Expression).reduceOption(And(_, _))
        total(present.map(If(_, files.records, Literal(0L))).getOrElse(files.records))
    }.asInstanceOf[NamedExpression]

  private def total(counts: Expression): Expression =
    Coalesce(Seq(Sum(counts).toAggregateExpression(), Literal(0L)))

  /** A function of one column that statistics of files may answer. */
  private object FromStatistics {
    def unapply(e: Expression): Option[StatisticQuery] = e match {
      case AggregateExpression(Min(Source(a)), _, _, _, _) => Some(StatisticQuery(StatisticQuery.Minimum, a))
      case AggregateExpression(Max(Source(a)), _, _, _, _) => Some(StatisticQuery(StatisticQuery.Maximum, a))
      case AggregateExpression(Count(Seq(Source(a))), _, false, _, _) => Some(StatisticQuery(StatisticQuery.Count, a))
      case _ => None
    }
  }

  private object Source {
    def unapply(e: Expression): Option[AttributeReference] = e match {
      case a: Attribute => sources.get(a.exprId)
      case _ => None
    }
  }
}

private[spark] object CountedAggregate {
  def unapply(plan: LogicalPlan): Option[CountedAggregate] = plan match {
    case a: Aggregate =>
      PhysicalOperation.unapply(a.child).collect {
        case (columns, filters, DirectoryRead(read))
            if (a.groupingExpressions ++ a.aggregateExpressions ++ columns ++ filters).forall(_.deterministic) &&
              a.aggregateExpressions.forall(counts) =>
          CountedAggregate(a, columns, filters, read)
      }
    case _ => None
  }

  /** Whether numbers, bounds and partition values of records are enough for the answer. */
  private def counts(result: NamedExpression): Boolean = result.collect { case e: AggregateExpression => e }.forall { e =>
    e.filter.isEmpty && (e.aggregateFunction match {
      case _: Count | _: Min | _: Max => true
      case _ => false
    })
  }
}
