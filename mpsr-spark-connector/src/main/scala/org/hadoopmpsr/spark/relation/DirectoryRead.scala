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
package org.hadoopmpsr.spark.relation

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.catalog.CatalogTable
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.{CatalogFileIndex, FileIndex, HadoopFsRelation}
import org.apache.spark.sql.execution.datasources.{InMemoryFileIndex, LogicalRelation}
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.execution.datasources.v2.parquet.ParquetTable
import org.apache.spark.sql.mpsr.PathFilters
import org.hadoopmpsr.spark.transform.ReadTransforms
import org.hadoopmpsr.spark.versions.TimeTravel

/**
 * The read of a whole Parquet directory, for which no decision was made yet. The directory may be a dataset.
 *
 * @param node the leaf of the query's plan
 * @param relation the relation of the node, in version 1 of data sources
 */
private[spark] final case class DirectoryRead(
    node: LogicalPlan,
    output: Seq[AttributeReference],
    relation: HadoopFsRelation,
    catalogTable: Option[CatalogTable],
    root: Path) {

  /**
   * The relation with more options, and with a format whose name shows the decision.
   *
   * @param planned the group whose planned files are read; empty where the read is stock
   * @param substituted the group whose files are read, where records of files that cannot be read may come from another group
   * @param filters the conditions on the records of the read
   * @param transforms in what form the planned files hold some columns
   */
  def marked(
      decision: String,
      planned: Option[String],
      substituted: Option[String],
      filters: Seq[Expression],
      options: Map[String, String] = Map.empty,
      transforms: ReadTransforms = ReadTransforms.None): HadoopFsRelation = {
    val ofPaths = PathFilters.of(filters.map(named), relation.sparkSession.asInstanceOf[classic.SparkSession].sessionState.conf)
    val more = if (ofPaths.isEmpty) options else options + (DirectoryRead.OfPaths -> ofPaths.mkString(" AND "))
    relation.copy(
      fileFormat = new DecidedParquetFormat(decision, planned, substituted.map(root -> _), ofPaths, transforms),
      options = relation.options ++ more + DirectoryRead.Marked)(relation.sparkSession)
  }

  /** Whether Spark reads with version 1 of data sources. */
  def isFirstVersion: Boolean = node.isInstanceOf[LogicalRelation]

  /**
   * The node with its own files, and EXPLAIN shows the decision.
   *
   * @param substituted as in [[marked]]; the node is then one of version 1 of data sources
   * @param filters as in [[marked]]
   */
  def showing(decision: Decision, substituted: Option[String], filters: Seq[Expression]): LogicalPlan = node match {
    case d @ TableRelation(t) if substituted.isEmpty => d.copy(table = new DecidedParquetTable(t, decision.text))
    case _ => reading(marked(decision.text, None, substituted, filters))
  }

  /** The node with another relation of the same columns. */
  def reading(other: HadoopFsRelation, statistics: Boolean = true): LogicalRelation = {
    val table = if (statistics) catalogTable else catalogTable.map(_.copy(stats = None))
    node match {
      case l: LogicalRelation => l.copy(relation = other, catalogTable = table)
      case _ => LogicalRelation(other, isStreaming = false).copy(output = output, catalogTable = table)
    }
  }

  /** The condition with the names that the relation has for its columns. */
  def named(condition: Expression): Expression = condition.transform { case a: AttributeReference =>
    output.find(_.semanticEquals(a)).map(column => a.withName(column.name)).getOrElse(a)
  }
}

private[spark] object DirectoryRead {

  /** Two formats of Parquet are equal to Spark, and it keeps a node that is equal to the one in its place. */
  private val Marked = "mpsr.decided" -> "true"

  /** Formats of relations are equal to Spark whatever they hand to the reader. */
  private val OfPaths = "mpsr.filters.of.paths"

  /** The name of the option of relations that are decided. */
  def MarkedOption: String = Marked._1

  def unapply(plan: LogicalPlan): Option[DirectoryRead] = plan match {
    case l @ FileRelation(r) if !l.isStreaming && r.fileFormat.getClass == classOf[ParquetFileFormat] =>
      root(r.location, r.sparkSession).map(DirectoryRead(l, l.output, r, l.catalogTable, _))
    case d @ TableRelation(t) if t.getClass == classOf[ParquetTable] && !TimeTravel.isOf(d) =>
      root(t.fileIndex, t.sparkSession).map { root =>
        val all = t.options.asCaseSensitiveMap.asScala.toMap ++ d.options.asCaseSensitiveMap.asScala
        DirectoryRead(d, d.output, firstVersion(t, all), None, root)
      }
    case _ => None
  }

  private def root(location: FileIndex, session: SparkSession): Option[Path] = location match {
    case index: InMemoryFileIndex if index.getClass == classOf[InMemoryFileIndex] && index.rootPaths.size == 1 =>
      index.rootPaths.headOption
    case index: CatalogFileIndex => index.rootPaths.headOption.map(qualified(_, session))
    case _ => None
  }

  /** The path with scheme and authority. */
  def qualified(path: Path, session: SparkSession): Path =
    if (path.toUri.getScheme != null && path.toUri.getAuthority != null) path
    else path.getFileSystem(session.asInstanceOf[classic.SparkSession].sessionState.newHadoopConf()).makeQualified(path)

  private def firstVersion(table: ParquetTable, options: Map[String, String]): HadoopFsRelation =
    HadoopFsRelation(
      table.fileIndex,
      table.fileIndex.partitionSchema,
      table.dataSchema,
      None,
      new ParquetFileFormat,
      options)(table.sparkSession)
}
