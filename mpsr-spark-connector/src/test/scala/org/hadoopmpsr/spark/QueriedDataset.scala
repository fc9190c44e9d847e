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

import java.time.{Instant, LocalDate}
import java.time.temporal.ChronoUnit

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.Row
import org.apache.spark.sql.types.{DateType, IntegerType, TimestampType}
import org.hadoopmpsr.core.group.{Predicate, ReplicaGroup}
import org.hadoopmpsr.core.schema.{Column, ColumnPath}
import org.hadoopmpsr.spark.source.SparkTypes

/** A dataset of a table's records, wherever it lies. */
trait QueriedDataset {
  def table: TestTable

  /** The dataset directory. */
  def root: Path

  /** The columns that queries see. */
  lazy val logical: Seq[Column] = table.groups.logicalColumns(table.schema).asScala.toSeq

  /** The value of a logical column. */
  def value(row: Row, column: String): Any = {
    val index = table.schema.indexOf(ColumnPath.root(column))
    if (index.isPresent) within(row.get(index.getAsInt), column)
    else {
      val (predicate, tuple) = table.groups.defaultGroup.predicates.asScala
        .zip(partition(table.groups.defaultGroup, name => TestDataset.core(value(row, name))))
        .find(_._1.fieldName == column)
        .get
      spark(predicate.field(table.schema), tuple)
    }
  }

  /** The value at a path within the value of its column; that value itself for the name of a column. */
  protected def within(value: Any, path: String): Any =
    ColumnPath.places(table.schema, path).foldLeft(value) {
      case (struct: Row, field) => struct.get(field)
      case _ => null
    }

  /** The values by which the group partitions a record. */
  protected def partition(group: ReplicaGroup, source: String => AnyRef): Seq[AnyRef] =
    group.predicates.asScala.toSeq.map { p: Predicate =>
      Option(source(p.column)).map(p.transform.apply(table.schema.find(p.column).get.`type`, _)).orNull
    }

  private def spark(field: Column, value: AnyRef): Any = (SparkTypes.of(field.`type`), value) match {
    case (IntegerType, v: java.lang.Long) => v.intValue
    case (DateType, v: java.lang.Long) => LocalDate.ofEpochDay(v)
    case (TimestampType, v: java.lang.Long) => Instant.EPOCH.plus(v, ChronoUnit.MICROS)
    case (_, v) => v
  }
}
