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

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.catalyst.catalog.{CatalogStorageFormat, CatalogTable, CatalogTablePartition, ExternalCatalogUtils}
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.datasources.InMemoryFileIndex
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.client.ReadPlan.PlannedFile
import org.hadoopmpsr.core.layout.PathNames
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * The partitions of a table that the filters of a query select, as Spark listed them, now or at their first read. A table may
 * lack partitions that the dataset has.
 *
 * @param filters the filters that selected the partitions; they use partition columns only
 * @param root the dataset directory, qualified
 */
private[spark] final class SelectedPartitions(
    val index: InMemoryFileIndex,
    table: CatalogTable,
    val filters: Seq[Expression],
    root: Path,
    timeZone: String) {
  import SelectedPartitions._

  private val directories = index.rootPaths.map(_.toUri.getPath).toSet

  /**
   * Why a plan must not take the place of the listing, if it must not. The partitions have to be as in the state of the
   * dataset that was planned.
   *
   * @param present a plan of all files of the default group that may have records that pass the filters
   */
  def reason(present: ReadPlan): ReadPlan => Option[StockReason] = {
    lazy val difference =
      if (present.stock) Some(StockCause.Planning(present.reason))
      else differenceFrom(present.files.asScala, present.untracked.asScala.toSet)
    plan =>
      if (plan.isOfStateOf(present)) difference
      else Some(StockCause.ChangedMeanwhile())
  }

  /** The listed files of these paths. */
  def listedOf(paths: Iterable[String]): Seq[FileStatus] = {
    val wanted = paths.toSet
    if (wanted.isEmpty) Nil else LeafFiles.of(index).valuesIterator.filter(f => wanted(f.getPath.toUri.getPath)).toSeq
  }

  private def differenceFrom(planned: Iterable[PlannedFile], untracked: Set[String]): Option[StockReason] = {
    val files = mutable.HashMap.from(planned.map(f => f.path -> f))
    val listed = mutable.HashSet.empty[String]
    var strange = Option.empty[String]
    LeafFiles.of(index).valuesIterator.foreach { status =>
      val path = status.getPath.toUri.getPath
      listed += path
      if (!files.get(path).exists(isSame(status, _)) && !untracked(path)) strange = Some(strange.fold(path)(Ordering[String].min(_, path)))
    }
    val (lacking, elsewhere) = planned.filterNot(f => listed(f.path)).partition(f => directories(PathNames.parent(f.path)))
    val of = s"${listed.size} files in ${directories.size} partitions"
    strange.map(path => StockCause.OtherListing(of, s": $path is not the dataset's, or was written again"))
      .orElse(lacking.map(_.path).minOption.map(path => StockCause.OtherListing(of, s": it lacks $path")))
      .orElse(notExcluded(elsewhere.map(f => PathNames.parent(f.path)).toSeq.distinct.sorted).map(StockCause.PartitionLacking(_)))
  }

  /** The first directory that may have records that pass the filters. */
  private def notExcluded(others: Seq[String]): Option[String] = {
    val partitions = others.map(partition)
    others.zip(partitions).collectFirst { case (directory, None) => directory }.orElse {
      val (values, places) = partitions.flatten.zip(others).unzip
      val selected = ExternalCatalogUtils.prunePartitionsByFilter(table, values, filters, timeZone).map(_.spec).toSet
      values.zip(places).collectFirst { case (p, directory) if selected(p.spec) => directory }
    }
  }

  /** The partition that `MSCK REPAIR TABLE` would add for a directory; empty where the name is not that of a partition. */
  private def partition(directory: String): Option[CatalogTablePartition] = {
    val base = s"${root.toUri.getPath}/"
    val names = directory.stripPrefix(base).split("/").toSeq.map(_.split("=", 2).map(ExternalCatalogUtils.unescapePathName))
    val values = names.collect { case Array(name, value) => name -> value }
    if (!directory.startsWith(base) || values.size < names.size || values.map(_._1) != table.partitionColumnNames) None
    else Some(CatalogTablePartition(values.toMap, CatalogStorageFormat.empty))
  }
}

private object SelectedPartitions {
  private def isSame(listed: FileStatus, planned: PlannedFile): Boolean =
    listed.getLen == planned.length && listed.getModificationTime == planned.modificationTime
}
