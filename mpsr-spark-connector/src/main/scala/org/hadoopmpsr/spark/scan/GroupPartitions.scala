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
package org.hadoopmpsr.spark.scan

import java.util.Optional

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.types.StructType
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.client.ReadPlan.PlannedFile
import org.hadoopmpsr.core.layout.{PartitionPath, PathNames}
import org.hadoopmpsr.core.schema.Column
import org.hadoopmpsr.spark.source.SparkTypes
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * The planned files of a replica group by the values of their directories.
 *
 * @param schema the logical columns that have one value in each directory; empty where no column has
 */
private[spark] final case class GroupPartitions(schema: StructType, directories: Seq[(InternalRow, Seq[PlannedFile])])

private[spark] object GroupPartitions {

  /** @param read the relation's columns that may become its partition columns */
  def apply(plan: ReadPlan, read: StructType): GroupPartitions = {
    val exposed = columns(plan, plan.group).filter { case (column, _) =>
      read.exists(f => f.name == column.name && f.dataType == SparkTypes.of(column.`type`))
    }
    val values = if (exposed.isEmpty) None else valuesOf(plan, exposed)
    values match {
      case Some(tuples) =>
        val grouped = plan.files.asScala.toSeq.zip(tuples).groupMap(_._2)(_._1).toSeq
        GroupPartitions(
          SparkTypes.structType(exposed.map(_._1)),
          grouped.map { case (tuple, files) => InternalRow.fromSeq(tuple) -> files })
      case None =>
        GroupPartitions(new StructType, Seq(InternalRow.empty -> plan.files.asScala.toSeq))
    }
  }

  /** The columns that have one value in each directory of a group, by the definition of the group. */
  def names(plan: ReadPlan, group: String): Set[String] = columns(plan, group).map(_._1.name).toSet

  /** Logical columns whose value is the group's partition field of that index. */
  private def columns(plan: ReadPlan, name: String): Seq[(Column, Int)] = {
    val group = plan.groups.find(name).get
    val derived = plan.groups.defaultGroup.predicates.asScala.toSet
    group.predicates.asScala.toSeq.zip(group.partitionFields(plan.schema).asScala).zipWithIndex.collect {
      case ((p, field), i) if p.isColumn || derived.contains(p) => (field, i)
    }
  }

  private def valuesOf(plan: ReadPlan, exposed: Seq[(Column, Int)]): Option[Seq[Seq[Any]]] = {
    val fields = plan.groups.find(plan.group).get.partitionFields(plan.schema)
    val known = mutable.Map.empty[String, Optional[java.util.List[AnyRef]]]
    val tuples = plan.files.asScala.toSeq.map { f =>
      known.getOrElseUpdate(PathNames.parent(f.path), PartitionPath.values(fields, f.path))
    }
    if (tuples.exists(_.isEmpty)) None
    else Some(tuples.map(t =>
      exposed.map { case (field, i) => SparkTypes.internal(SparkTypes.of(field.`type`), t.get.get(i)) }))
  }
}
