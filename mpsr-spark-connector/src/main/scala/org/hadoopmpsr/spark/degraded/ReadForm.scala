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
package org.hadoopmpsr.spark.degraded

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.types.StructType
import org.hadoopmpsr.core.degraded.NoSubstituteException
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.schema.{Column, Schema}
import org.hadoopmpsr.spark.source.SparkTypes
import org.hadoopmpsr.spark.versions.OptionConverters._

/**
 * What a scan takes from its reader. Serializable.
 *
 * @param required the columns that come from files
 * @param partition the columns that come from directories, which follow them
 * @param batches true for batches of columns, false for rows
 * @param offHeap where the columns of batches lie
 * @param caseSensitive whether a name in other letters is another column
 */
private[spark] final case class ReadForm(
    required: StructType,
    partition: StructType,
    batches: Boolean,
    offHeap: Boolean,
    caseSensitive: Boolean) {

  /** The names of the columns that come from files. */
  def names: Seq[String] = required.fieldNames.toSeq

  /**
   * Those columns, as the dataset has them.
   *
   * @throws NoSubstituteException if one is not a column of the dataset, or is of another type
   */
  def columns(schema: Schema, groups: ReplicaGroups): Seq[Column] = required.fields.toSeq.map { field =>
    column(field.name, schema, groups)
      .filter(c => SparkTypes.isPartOf(field.dataType, SparkTypes.of(c.`type`)) && (!caseSensitive || c.name == field.name))
      .getOrElse(throw new NoSubstituteException(
        s"the dataset has no column '${field.name}' of type ${field.dataType.simpleString}"))
  }

  private def column(name: String, schema: Schema, groups: ReplicaGroups): Option[Column] =
    schema.find(name).toScala.orElse {
      groups.defaultGroup.predicates.asScala
        .find(p => !p.isColumn && p.fieldName.equalsIgnoreCase(name))
        .map(_.field(schema))
    }
}
