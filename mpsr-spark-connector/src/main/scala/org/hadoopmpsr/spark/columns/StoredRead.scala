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
package org.hadoopmpsr.spark.columns

import java.util.HashMap

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.expressions.{Alias, AttributeReference}
import org.apache.spark.sql.catalyst.plans.logical.{LogicalPlan, Project}
import org.apache.spark.sql.execution.datasources.HadoopFsRelation
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.types.StructType
import org.apache.spark.sql.util.CaseInsensitiveStringMap
import org.hadoopmpsr.core.schema.Column
import org.hadoopmpsr.core.schema.ShownColumns.Found
import org.hadoopmpsr.spark.relation.{ConfKeys, DirectoryRead, FileRelation, TableRelation}
import org.hadoopmpsr.spark.source.SparkTypes

/** A read of files with the columns that they have. */
private[columns] final case class StoredRead(read: DirectoryRead) {

  /** The node, which nobody has to look at again in this query. */
  def marked: LogicalPlan = read.node match {
    case l @ FileRelation(r) => l.copy(relation = marked(r))
    case d: DataSourceV2Relation => d.copy(options = marked(d.options))
    case other => other
  }

  /** The node below a projection to the columns that the dataset shows. */
  def showing(columns: KnownColumns): LogicalPlan = {
    val names = read.output.map(_.name).asJava
    def isLike(name: String, column: Column) =
      read.output.find(_.name == name).exists(a => SparkTypes.isSame(a.dataType, SparkTypes.of(column.`type`)))
    val found =
      if (read.catalogTable.isDefined) columns.shown.stated(names)
      else columns.shown.among(columns.stored, columns.inFiles.asJava, names, isLike(_, _))
    StoredRead.showing(found.asScala.toSeq, read.output)(renamed)
  }

  /** The node with other names, and with the columns of its output under them. */
  private def renamed(names: Map[String, String], output: Seq[AttributeReference]): LogicalPlan = read.node match {
    case l @ FileRelation(r) =>
      val stored = marked(r).copy(
        dataSchema = StoredRead.renamed(r.dataSchema, names),
        partitionSchema = StoredRead.renamed(r.partitionSchema, names))(r.sparkSession)
      l.copy(relation = stored, output = output)
    case d @ TableRelation(t) =>
      val table = if (names.isEmpty) t else t.copy(userSpecifiedSchema = Some(StoredRead.renamed(t.schema, names)))
      d.copy(table = table, output = output, options = marked(d.options))
    case other => other
  }

  private def marked(relation: HadoopFsRelation): HadoopFsRelation =
    relation.copy(options = relation.options + ConfKeys.StoredColumns)(relation.sparkSession)

  private def marked(options: CaseInsensitiveStringMap): CaseInsensitiveStringMap = {
    val all = new HashMap[String, String](options.asCaseSensitiveMap)
    all.put(ConfKeys.StoredColumns._1, ConfKeys.StoredColumns._2)
    new CaseInsensitiveStringMap(all)
  }
}

private[columns] object StoredRead {

  /**
   * A projection whose columns have the names that are shown, and the ids of the columns of the node before.
   *
   * @param found the columns that remain
   * @param renamed makes a node with other names for some columns, by the present ones, and with an output
   */
  def showing(found: Seq[Found], output: Seq[AttributeReference])(
      renamed: (Map[String, String], Seq[AttributeReference]) => LogicalPlan): LogicalPlan = {
    val names = found.collect { case one if !one.found.equalsIgnoreCase(one.column.stored) => one.found -> one.column.stored }.toMap
    val below = output.map(a => names.get(a.name).map(a.withName).getOrElse(a).newInstance())
    val byName = output.zip(below).map { case (before, after) => before.name -> (before, after) }.toMap
    val shown = found.map { one =>
      val (before, after) = byName(one.found)
      Alias(after, one.column.name)(exprId = before.exprId, qualifier = before.qualifier)
    }
    Project(shown, renamed(names, below))
  }

  def renamed(schema: StructType, names: Map[String, String]): StructType =
    StructType(schema.map(field => names.get(field.name).map(name => field.copy(name = name)).getOrElse(field)))
}
