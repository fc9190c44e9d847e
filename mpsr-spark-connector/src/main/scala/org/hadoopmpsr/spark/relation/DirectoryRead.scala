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
import org.apache.spark.sql.catalyst.catalog.{CatalogTable, CatalogTablePartition, ExternalCatalogUtils}
import org.apache.spark.sql.catalyst.expressions.{AttributeReference, Expression, PythonUDF, SubqueryExpression}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.execution.datasources.{CatalogFileIndex, DataSourceUtils, FileIndex, HadoopFsRelation}
import org.apache.spark.sql.execution.datasources.{InMemoryFileIndex, LogicalRelation}
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation
import org.apache.spark.sql.execution.datasources.v2.parquet.ParquetTable

/**
 * The read of a Parquet directory as a whole, for which no decision was made: what may be the read of a dataset.
 *
 * @param node the leaf of the query's plan
 * @param relation the same in the first version of data sources
 */
private[spark] final case class DirectoryRead(
    node: LogicalPlan,
    output: Seq[AttributeReference],
    relation: HadoopFsRelation,
    catalogTable: Option[CatalogTable],
    root: Path) {

  /** The relation with a format whose name tells the decision, and options of its own. */
  def marked(decision: Decision, options: Map[String, String] = Map.empty): HadoopFsRelation =
    relation.copy(
      fileFormat = new DecidedParquetFormat(decision.text, decision.plan.map(_.group)),
      options = relation.options ++ options + DirectoryRead.Marked)(relation.sparkSession)

  /** The node as it is, but that it tells the decision. */
  def showing(decision: Decision): LogicalPlan = node match {
    case d @ DataSourceV2Relation(t: ParquetTable, _, _, _, _, _) =>
      d.copy(table = new DecidedParquetTable(t, decision.text))
    case _ => reading(marked(decision))
  }

  /** The node with another relation of the same columns. */
  def reading(other: HadoopFsRelation, statistics: Boolean = true): LogicalRelation = {
    val table = if (statistics) catalogTable else catalogTable.map(_.copy(stats = None))
    node match {
      case l: LogicalRelation => l.copy(relation = other, catalogTable = table)
      case _ => LogicalRelation(other, output, table, isStreaming = false, None)
    }
  }

  /**
   * What Spark would read of records that pass, as files; costs a listing where the read is of a table with partitions. What
   * Spark keeps of that is what it would keep without us.
   */
  def listing(filters: Seq[Expression]): Either[StockReason, DirectoryRead.Listed] = relation.location match {
    case index: InMemoryFileIndex => Right(DirectoryRead.Listed.All(new Listing(index)))
    case index: CatalogFileIndex => DirectoryRead.listing(index, partitionFilters(filters), root, relation.sparkSession)
  }

  /** Those by which Spark's `PruneFileSourcePartitions` chooses partitions before it lists them. */
  private def partitionFilters(filters: Seq[Expression]): Seq[Expression] = {
    val usable = filters.filter { f =>
      f.deterministic && !SubqueryExpression.hasSubquery(f) && !f.exists(_.isInstanceOf[PythonUDF])
    }
    val named = usable.map(_.transform { case a: AttributeReference =>
      output.find(_.semanticEquals(a)).map(its => a.withName(its.name)).getOrElse(a)
    })
    if (relation.partitionSchema.isEmpty) Nil
    else DataSourceUtils.getPartitionFiltersAndDataFilters(relation.partitionSchema, named)._1
  }
}

private[spark] object DirectoryRead {

  /** Two formats of Parquet are equal to Spark, and it keeps a node that is equal to the one in its place. */
  private val Marked = "mpsr.decided" -> "true"

  /** What Spark would read, as files. */
  sealed trait Listed

  object Listed {
    /** All that the directory or the table has. */
    final case class All(listing: Listing) extends Listed

    /** The partitions that may have records that pass. */
    final case class Selected(partitions: SelectedPartitions) extends Listed
  }

  def unapply(plan: LogicalPlan): Option[DirectoryRead] = plan match {
    case l @ LogicalRelation(r: HadoopFsRelation, output, table, false, _)
        if r.fileFormat.getClass == classOf[ParquetFileFormat] =>
      root(r.location, r.sparkSession).map(DirectoryRead(l, output, r, table, _))
    case d @ DataSourceV2Relation(t: ParquetTable, output, _, _, options, None) if t.getClass == classOf[ParquetTable] =>
      root(t.fileIndex, t.sparkSession).map { root =>
        val all = t.options.asCaseSensitiveMap.asScala.toMap ++ options.asCaseSensitiveMap.asScala
        DirectoryRead(d, output, firstVersion(t, all), None, root)
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
    else path.getFileSystem(state(session).newHadoopConf()).makeQualified(path)

  private def state(session: SparkSession) = session.asInstanceOf[classic.SparkSession].sessionState

  private def firstVersion(table: ParquetTable, options: Map[String, String]): HadoopFsRelation =
    HadoopFsRelation(
      table.fileIndex,
      table.fileIndex.partitionSchema,
      table.dataSchema,
      None,
      new ParquetFileFormat,
      options)(table.sparkSession)

  /** A table's partitions may be fewer than the directory's, and may lie elsewhere. */
  private def listing(
      index: CatalogFileIndex,
      filters: Seq[Expression],
      root: Path,
      session: SparkSession): Either[StockReason, Listed] = {
    val names = index.table.partitionColumnNames
    val conf = state(session).conf
    def strange(p: CatalogTablePartition): Boolean =
      ExternalCatalogUtils.generatePartitionPath(p.spec, names, root) != qualified(new Path(p.location), session)
    val partitions =
      if (names.isEmpty) Nil
      else ExternalCatalogUtils.listPartitionsByFilter(conf, state(session).catalog, index.table, filters)
    partitions.find(strange) match {
      case Some(p) =>
        val values = p.spec.map { case (name, value) => s"$name=$value" }.mkString(", ")
        Left(StockCause.PartitionElsewhere(values, p.location.toString))
      case None if filters.isEmpty => Right(Listed.All(new Listing(index.filterPartitions(Nil))))
      case None =>
        val selected = index.filterPartitions(filters)
        Right(Listed.Selected(new SelectedPartitions(selected, index.table, filters, root, conf.sessionLocalTimeZone)))
    }
  }
}
