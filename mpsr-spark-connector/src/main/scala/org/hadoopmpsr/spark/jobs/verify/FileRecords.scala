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

import java.util.{Arrays, List => JList, Locale}

import scala.jdk.CollectionConverters._

import org.hadoopmpsr.columnar.buffer.{ColumnVector, LongVector, StringVector}
import org.hadoopmpsr.columnar.derive.RecordReader
import org.hadoopmpsr.core.group.{ReplicaGroup, ReplicaGroups}
import org.hadoopmpsr.core.hash.ContentHash
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.core.stats.{FileStatistics, RowGroup}
import org.hadoopmpsr.spark.jobs.run.VectorRows

/**
 * The records of a file, as read.
 *
 * @param columns the values by the column's name in lower case
 * @param rowGroups where the row groups lie, in the order of the file
 * @param isApart false if two row groups have records with one value of the column by which the file is sorted first, or in
 *   another order; not known of files that do not state where their row groups lie
 * @param rounded all records as groups with rounded values should hold them, where the reader has hashed them so
 * @param problem what is wrong whatever is stated of their values: a record of another partition, or a false partition field
 */
private[verify] final case class FileRecords(
    content: ContentHash,
    columns: Map[String, ColumnValues],
    rowGroups: Seq[RowGroup],
    isApart: Boolean,
    problem: Option[String],
    rounded: Map[String, ContentHash])

private[verify] object FileRecords {

  /**
   * Reads all records of a file of a group.
   *
   * @param stated what is stated of the file
   */
  def of(
      reader: RecordReader,
      groups: ReplicaGroups,
      group: ReplicaGroup,
      schema: Schema,
      stated: FileStatistics): FileRecords = {
    val fields = groups.logicalColumns(schema).asScala.toSeq.filter(c => schema.find(c.name).isEmpty)
    val columns = schema.columns.asScala.toSeq ++ fields ++ group.paths(schema).asScala
    val collectors = columns.map(c => new ColumnValues.Collector(c.`type`))
    val rowGroups = reader.rowGroups.asScala.toSeq
    val order = group.sortWithinFiles(schema).asScala.headOption.map(_.source(schema)).filter(_ => stated.rowGroups.size > 1).map { lead =>
      columns.indexWhere(_.name.equalsIgnoreCase(lead.name)) -> new RowGroupOrder(lead.`type`, rowGroups.map(_.rows))
    }
    var problem: Option[String] = None
    while (reader.next()) {
      val vectors = columns.map(column => VectorRows.vector(reader, groups, schema, column.name))
      collectors.zip(vectors).foreach { case (collector, vector) => collector.add(vector, reader.rows) }
      order.foreach { case (place, its) => its.add(vectors(place), reader.rows) }
      if (problem.isEmpty) {
        problem = misplaced(reader, group, schema, stated.partition).orElse(falseField(reader, groups))
      }
    }
    val found = columns.zip(collectors).map { case (column, collector) =>
      column.name.toLowerCase(Locale.ROOT) -> collector.result
    }
    val rounded = groups.lossyNames.asScala.map(name => name -> reader.contentIn(name)).toMap
    FileRecords(reader.content, found.toMap, rowGroups, order.forall(_._2.isApart), problem, rounded)
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

  private def hasEqualBytes(a: StringVector, b: StringVector, row: Int): Boolean = {
    val (x, y) = (a.ids()(row), b.ids()(row))
    Arrays.equals(
      a.dictionary.bytes, a.dictionary.start(x), a.dictionary.end(x), b.dictionary.bytes, b.dictionary.start(y), b.dictionary.end(y))
  }

  private def same(a: ColumnVector, b: ColumnVector, rows: Int): Boolean = {
    val equal: Int => Boolean = (a, b) match {
      case (x: StringVector, y: StringVector) => row => hasEqualBytes(x, y, row)
      case (x: LongVector, y: LongVector) => row => x.values()(row) == y.values()(row)
      case _ => _ => false
    }
    (0 until rows).forall(row => if (a.isNull(row) || b.isNull(row)) a.isNull(row) == b.isNull(row) else equal(row))
  }
}
