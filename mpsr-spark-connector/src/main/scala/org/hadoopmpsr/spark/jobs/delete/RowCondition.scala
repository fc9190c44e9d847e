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
package org.hadoopmpsr.spark.jobs.delete

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.expressions.{Expression, Predicate, SpecificInternalRow}
import org.hadoopmpsr.columnar.derive.RecordReader
import org.hadoopmpsr.core.group.{ReplicaGroup, ReplicaGroups}
import org.hadoopmpsr.core.schema.{Column, ColumnPath, Schema}
import org.hadoopmpsr.spark.jobs.run.VectorRows
import org.hadoopmpsr.spark.source.SparkTypes

/**
 * A condition on records. Serializable.
 *
 * @param expression bound to the columns
 * @param columns the names of the logical columns that it looks at
 */
private[jobs] final case class RowCondition(expression: Expression, columns: Seq[String]) {

  /** The columns of a group's files that must be read to know the outcome. */
  def fileColumns(groups: ReplicaGroups, group: ReplicaGroup, schema: Schema): Set[Column] = {
    val sources = columns.flatMap { name =>
      if (schema.find(name).isPresent) Some(name)
      else groups.defaultGroup.predicates.asScala.find(_.fieldName.equalsIgnoreCase(name)).map(p => ColumnPath.root(p.column))
    }
    groups.physicalColumns(group.name, schema).asScala.filter(c => sources.exists(_.equalsIgnoreCase(c.name))).toSet
  }
}

/** Evaluates a condition, in a task. For one thread. */
private[delete] final class ConditionOfRows(condition: RowCondition, groups: ReplicaGroups, schema: Schema) {
  private val columns = condition.columns.map(name => groups.logicalColumns(schema).asScala.find(_.name == name).get)
  private val types = columns.map(c => SparkTypes.of(c.`type`))
  private val row = new SpecificInternalRow(types)
  private val predicate = Predicate.create(condition.expression)
  predicate.initialize(0)

  /** Whether the condition is true for one of the records that were read last. */
  def of(reader: RecordReader): Int => Boolean = {
    val putters = columns.zipWithIndex.map { case (column, at) =>
      VectorRows.putter(at, types(at), VectorRows.vector(reader, groups, schema, column.name))
    }.toArray
    i => {
      putters.foreach(_(i, row))
      predicate.eval(row)
    }
  }
}
