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
package org.hadoopmpsr.spark.transform

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.sources.Filter
import org.apache.spark.sql.types.{StructField, StructType}
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.core.transform.{TransformName, TransformRegistry, TransformedColumn}
import org.hadoopmpsr.spark.source.SparkTypes

/**
 * A column that files hold in a transform. Serializable.
 *
 * @param ddl the column with its type, as a schema has it
 * @param transform as files name it
 */
private[spark] final case class HeldColumn(ddl: String, transform: String) {
  @transient private lazy val column = Schema.parse(ddl).columns.get(0)

  @transient lazy val transformed: TransformedColumn = TransformRegistry.of(TransformName.parse(transform), column.`type`)

  def name: String = column.name

  /** The columns of files that hold it and no other one, by their places among those of the transform. */
  @transient lazy val parts: Seq[StructField] = transformed.columns.asScala.toSeq.map { part =>
    StructField(part.name(column.name), SparkTypes.of(part.`type`), nullable = true)
  }

  /** Whether a read names it. */
  def is(field: String, caseSensitive: Boolean): Boolean = if (caseSensitive) field == name else field.equalsIgnoreCase(name)
}

/** In what form the files of a group hold some columns, where they do not hold these themselves. */
private[spark] final case class ReadTransforms(held: Seq[HeldColumn]) {

  /** What a read of some columns needs. */
  def needed(required: StructType, caseSensitive: Boolean): NeededParts = NeededParts(
    held.flatMap { column =>
      val place = required.fieldNames.indexWhere(column.is(_, caseSensitive))
      Option.when(place >= 0)(NeededColumn(column, place))
    },
    held.map(new PushedRanges(_, caseSensitive)))
}

private[spark] object ReadTransforms {
  val None: ReadTransforms = ReadTransforms(Nil)

  /** @param plan of one group */
  def of(plan: ReadPlan): ReadTransforms = {
    val transforms = plan.groups.find(plan.group).orElseThrow().transforms
    ReadTransforms(plan.schema.columns.asScala.toSeq.filter(transforms.transformed(_).isPresent).map { column =>
      HeldColumn(column.ddl, transforms.find(column.name).get.recorded)
    })
  }
}

/**
 * A column that a read needs.
 *
 * @param place its place among the columns that the read needs of files
 */
private[spark] final case class NeededColumn(column: HeldColumn, place: Int)

/**
 * What a read needs of files that hold columns in transforms. Files may also hold the columns themselves.
 *
 * @param ranges of all columns that are held so, for filters
 */
private[spark] final case class NeededParts(columns: Seq[NeededColumn], ranges: Seq[PushedRanges]) {
  def isEmpty: Boolean = columns.isEmpty

  /** The columns of files that are read besides. */
  def parts: Seq[StructField] = columns.flatMap(_.column.parts)

  /** Filters on these columns that leave no record out that passes the filters. */
  def pushed(filters: Seq[Filter]): Seq[Filter] = ranges.flatMap(range => filters.flatMap(range.of))
}
