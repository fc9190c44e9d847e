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

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.aggregate._
import org.apache.spark.sql.catalyst.planning.PhysicalOperation
import org.apache.spark.sql.catalyst.plans.logical.{Aggregate, Filter, LocalRelation, LogicalPlan, Project}
import org.apache.spark.sql.execution.datasources.{FileIndex, HadoopFsRelation, LogicalRelation}
import org.apache.spark.sql.types.LongType
import org.hadoopmpsr.client.ReadPlan

/**
 * An aggregate that follows from the values of partitions and the numbers of their records: counts, least and greatest
 * partition values and groups of them, over filters on partition values. These are exact, whatever the records hold.
 *
 * @param columns what the aggregate is of, in terms of the relation
 */
private[spark] final case class CountedAggregate(
    aggregate: Aggregate,
    columns: Seq[NamedExpression],
    filters: Seq[Expression],
    read: DirectoryRead) {

  /** The columns of the relation that the answer depends on. */
  val used: AttributeSet = AttributeSet((columns ++ filters).flatMap(_.references))

  /**
   * The same aggregate over partitions.
   *
   * @param relation what would be read
   * @return empty when the relation's partitions do not tell
   */
  def over(relation: LogicalRelation, plan: ReadPlan): Option[LogicalPlan] = relation.relation match {
    case r: HadoopFsRelation =>
      val partitions = relation.output.filter(a => r.partitionSchema.fieldNames.contains(a.name))
      if (!used.subsetOf(AttributeSet(partitions))) None
      else {
        val name = s"records of ${plan.files.size} files of ${plan.group}"
        val records = AttributeReference(name, LongType, nullable = false)()
        Some(over(local(r, partitions, records, plan), records))
      }
    case _ => None
  }

  private def local(
      relation: HadoopFsRelation,
      partitions: Seq[AttributeReference],
      records: AttributeReference,
      plan: ReadPlan): LocalRelation = {
    val fields = partitions.map(a => relation.partitionSchema.fieldIndex(a.name))
    val rows = directories(relation.location, plan).map { case (values, count) =>
      InternalRow.fromSeq(fields.map(i => values.get(i, relation.partitionSchema(i).dataType)) :+ count)
    }
    LocalRelation(partitions :+ records, rows)
  }

  /** The partitions that have records. */
  private def directories(location: FileIndex, plan: ReadPlan): Seq[(InternalRow, Long)] = {
    val counts = plan.files.asScala.map(f => f.path -> f.rows).toMap
    location
      .listFiles(Nil, Nil)
      .map(d => d.values -> d.files.map(f => counts(f.getPath.toUri.getPath)).sum)
      .filter(_._2 > 0)
  }

  private def over(partitions: LocalRelation, records: AttributeReference): LogicalPlan = {
    val filtered = filters.reduceOption(And(_, _)).map(Filter(_, partitions)).getOrElse(partitions)
    aggregate.copy(
      aggregateExpressions = aggregate.aggregateExpressions.map(counting(_, records)),
      child = Project(columns :+ records, filtered))
  }

  private def counting(e: NamedExpression, records: AttributeReference): NamedExpression =
    e.transform { case AggregateExpression(Count(of), _, false, _, _) =>
      val present = of.filter(_.nullable).map(IsNotNull(_): Expression).reduceOption(And(_, _))
      val counted = present.map(If(_, records, Literal(0L))).getOrElse(records)
      Coalesce(Seq(Sum(counted).toAggregateExpression(), Literal(0L)))
    }.asInstanceOf[NamedExpression]
}

private[spark] object CountedAggregate {
  def unapply(plan: LogicalPlan): Option[CountedAggregate] = plan match {
    case a @ Aggregate(grouping, results, PhysicalOperation(columns, filters, DirectoryRead(read)), _)
        if (grouping ++ results ++ columns ++ filters).forall(_.deterministic) && results.forall(counts) =>
      Some(CountedAggregate(a, columns, filters, read))
    case _ => None
  }

  /** Whether equal records need not be seen one by one. */
  private def counts(result: NamedExpression): Boolean = result.collect { case e: AggregateExpression => e }.forall { e =>
    e.filter.isEmpty && (e.aggregateFunction match {
      case _: Count | _: Min | _: Max => true
      case _ => false
    })
  }
}
