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

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, AttributeReference}
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.types.LongType
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.core.plan.{Filter, Pruner}
import org.hadoopmpsr.core.stats.FileStatistics
import org.hadoopmpsr.spark.source.SparkTypes
import org.hadoopmpsr.spark.versions.OptionConverters._

/**
 * What a plan knows of its files, as the columns of a relation with a row for each directory.
 *
 * @param parts the relations that would be read, each with the plan of its group
 */
private[spark] final class FileKnowledge(parts: Seq[(HadoopFsRelation, ReadPlan)]) {
  private val columns = mutable.LinkedHashMap.empty[StatisticQuery, AttributeReference]
  private val where = s"of ${parts.map { case (_, plan) => s"${plan.files.size} files of ${plan.group}" }.mkString(" and ")}"

  /** The numbers of records. */
  val records: AttributeReference = AttributeReference(s"records $where", LongType, nullable = false)()

  /** The column with the answers to a query. The relation has this column from now on. */
  def attribute(query: StatisticQuery): AttributeReference = columns.getOrElseUpdate(query, {
    val dataType = if (query.function == StatisticQuery.Count) LongType else query.column.dataType
    AttributeReference(s"${query.function.name}(${query.column.name}) $where", dataType)()
  })

  /** All columns except those of partitions. */
  def attributes: Seq[Attribute] = columns.values.toSeq :+ records

  /** Whether each record passes the filter. */
  def allPass(filter: Filter): Boolean = parts.forall { case (_, plan) =>
    val pruner = new Pruner(plan.schema, java.util.List.of())
    plan.files.asScala.forall(f => pruner.allMatch(filter, f.statistics))
  }

  /**
   * The directories that have records, each with the answers to all queries.
   *
   * @param partitions columns that are partition columns in all parts
   * @return empty when an answer is not known
   */
  def relation(partitions: Seq[AttributeReference]): Option[LocalRelation] = {
    val found = parts.map { case (relation, plan) => rows(relation, plan, partitions) }
    if (found.exists(_.isEmpty)) None else Some(LocalRelation(partitions ++ attributes, found.flatMap(_.get)))
  }

  private def rows(
      relation: HadoopFsRelation,
      plan: ReadPlan,
      partitions: Seq[AttributeReference]): Option[Seq[InternalRow]] = {
    val fields = partitions.map(a => relation.partitionSchema.fieldIndex(a.name))
    val files = plan.files.asScala.map(f => f.path -> f.statistics).toMap
    val rows = for {
      directory <- relation.location.listFiles(Nil, Nil)
      known <- directory.files.map(f => files(f.getPath.toUri.getPath)).reduceOption(_.union(_))
      if known.rows > 0
    } yield {
      val values = columns.keys.toSeq.map(value(_, known))
      if (values.exists(_.isEmpty)) None
      else Some(InternalRow.fromSeq(
        fields.map(i => directory.values.get(i, relation.partitionSchema(i).dataType)) ++ values.flatten :+ known.rows))
    }
    if (rows.exists(_.isEmpty)) None else Some(rows.flatten)
  }

  private def value(query: StatisticQuery, files: FileStatistics): Option[Any] = {
    val column = files.column(query.column.name)
    def ofBound(bound: Option[AnyRef]) =
      if (column.nullCount == files.rows) Some(null) else bound.map(SparkTypes.internal(query.column.dataType, _))
    query.function match {
      case StatisticQuery.Minimum => ofBound(column.least.toScala)
      case StatisticQuery.Maximum => ofBound(column.greatest.toScala)
      case StatisticQuery.Count => if (column.nullCount < 0) None else Some(files.rows - column.nullCount)
    }
  }
}
