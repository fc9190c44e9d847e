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
package org.hadoopmpsr.spark.jobs.verify

import java.util.{List => JList, Locale}

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.columnar.buffer.{ColumnVector, LongVector, StringVector}
import org.hadoopmpsr.columnar.derive.RecordReader
import org.hadoopmpsr.core.group.{ReplicaGroup, ReplicaGroups}
import org.hadoopmpsr.core.hash.ContentHash
import org.hadoopmpsr.core.schema.Schema

/**
 * The records of a file, as read.
 *
 * @param columns the values by the column's name in lower case
 * @param problem what is wrong whatever is stated of their values: a record of another partition, or a false partition field
 */
private[verify] final case class FileRecords(content: ContentHash, columns: Map[String, ColumnValues], problem: Option[String])

private[verify] object FileRecords {

  /**
   * Reads all records of a file of a group.
   *
   * @param partition the file's partition tuple, as stated
   */
  def of(reader: RecordReader, groups: ReplicaGroups, group: ReplicaGroup, schema: Schema, partition: JList[AnyRef]): FileRecords = {
    val fields = groups.logicalColumns(schema).asScala.toSeq.filter(c => schema.find(c.name).isEmpty)
    val columns = schema.columns.asScala.toSeq ++ fields
    val collectors = columns.map(c => new ColumnValues.Collector(c.`type`))
    var problem: Option[String] = None
    while (reader.next()) {
      val vectors = columns.indices.map { place =>
        if (place < schema.columns.size) reader.column(place)
        else reader.fields.column(groups.defaultGroup, columns(place).name)
      }
      collectors.zip(vectors).foreach { case (collector, vector) => collector.add(vector, reader.rows) }
      if (problem.isEmpty) {
        problem = misplaced(reader, group, schema, partition).orElse(falseField(reader, groups))
      }
    }
    val found = columns.zip(collectors).map { case (column, collector) =>
      column.name.toLowerCase(Locale.ROOT) -> collector.result
    }
    FileRecords(reader.content, found.toMap, problem)
  }

  private def misplaced(
      reader: RecordReader,
      group: ReplicaGroup,
      schema: Schema,
      partition: JList[AnyRef]): Option[String] = {
    val fields = group.partitionFields(schema).asScala.map(_.name)
    def text(tuple: JList[AnyRef]) = fields.zip(tuple.asScala).map { case (name, value) => s"$name=$value" }.mkString("/")
    reader.fields.tuples(group, new Array[Int](reader.rows)).asScala.find(_ != partition).map { tuple =>
      s"lies in ${text(partition)}, and has records of ${text(tuple)}"
    }
  }

  /** Files have the default group's partition fields as columns, where these are not their directories. */
  private def falseField(reader: RecordReader, groups: ReplicaGroups): Option[String] =
    reader.storedFields.asScala.zipWithIndex.collectFirst {
      case (field, place) if !same(reader.storedField(place), reader.fields.column(groups.defaultGroup, field.name), reader.rows) =>
        s"has a false value in column '${field.name}', which follows from the others"
    }

  private def same(a: ColumnVector, b: ColumnVector, rows: Int): Boolean = {
    val equal: Int => Boolean = (a, b) match {
      case (x: StringVector, y: StringVector) => row => x.dictionary.text(x.ids()(row)) == y.dictionary.text(y.ids()(row))
      case (x: LongVector, y: LongVector) => row => x.values()(row) == y.values()(row)
      case _ => _ => false
    }
    (0 until rows).forall(row => if (a.isNull(row) || b.isNull(row)) a.isNull(row) == b.isNull(row) else equal(row))
  }
}
