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

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.catalog.{CatalogTablePartition, ExternalCatalogUtils}
import org.apache.spark.sql.catalyst.expressions.{Expression, PythonUDF, SubqueryExpression}
import org.apache.spark.sql.execution.datasources.{CatalogFileIndex, DataSourceUtils, InMemoryFileIndex}

/** What Spark would read of a directory, as files. */
private[spark] sealed trait DirectoryListing

private[spark] object DirectoryListing {

  /** All files that the directory or the table has. */
  final case class Whole(listing: Listing) extends DirectoryListing

  /** The partitions that may have records that pass the filters. */
  final case class Partitions(partitions: SelectedPartitions) extends DirectoryListing

  /**
   * The files that Spark would read. Where the read is of a table with partitions, Spark lists them now, and keeps of that
   * what it would keep without MPSR.
   *
   * @param filters what records pass
   * @return why these files are not the directory's, if they are not
   */
  def of(read: DirectoryRead, filters: Seq[Expression]): Either[StockReason, DirectoryListing] = read.relation.location match {
    case index: InMemoryFileIndex => Right(Whole(new Listing(index)))
    case index: CatalogFileIndex => ofTable(index, partitionFilters(read, filters), read.root, read.relation.sparkSession)
  }

  /** The filters by which Spark's `PruneFileSourcePartitions` chooses partitions before it lists them. */
  private def partitionFilters(read: DirectoryRead, filters: Seq[Expression]): Seq[Expression] = {
    val usable = filters.filter { f =>
      f.deterministic && !SubqueryExpression.hasSubquery(f) && !f.exists(_.isInstanceOf[PythonUDF])
    }
    if (read.relation.partitionSchema.isEmpty) Nil
    else DataSourceUtils.getPartitionFiltersAndDataFilters(read.relation.partitionSchema, usable.map(read.named))._1
  }

  /** A table's partitions may be fewer than the directory's, and may lie elsewhere. */
  private def ofTable(
      index: CatalogFileIndex,
      filters: Seq[Expression],
      root: Path,
      session: SparkSession): Either[StockReason, DirectoryListing] = {
    val names = index.table.partitionColumnNames
    val state = session.asInstanceOf[classic.SparkSession].sessionState
    def isElsewhere(p: CatalogTablePartition): Boolean =
      ExternalCatalogUtils.generatePartitionPath(p.spec, names, root) !=
        DirectoryRead.qualified(new Path(p.location), session)
    val partitions =
      if (names.isEmpty) Nil
      else ExternalCatalogUtils.listPartitionsByFilter(state.conf, state.catalog, index.table, filters)
    partitions.find(isElsewhere) match {
      case Some(p) =>
        val values = p.spec.map { case (name, value) => s"$name=$value" }.mkString(", ")
        Left(StockCause.PartitionElsewhere(values, p.location.toString))
      case None if filters.isEmpty => Right(Whole(new Listing(index.filterPartitions(Nil))))
      case None =>
        val selected = index.filterPartitions(filters)
        Right(Partitions(new SelectedPartitions(selected, index.table, filters, root, state.conf.sessionLocalTimeZone)))
    }
  }
}
