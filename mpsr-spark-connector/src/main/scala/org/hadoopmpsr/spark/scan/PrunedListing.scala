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
package org.hadoopmpsr.spark.scan

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.{FileStatus, Path}
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.datasources.{FileIndex, PartitionDirectory}
import org.apache.spark.sql.types.StructType
import org.hadoopmpsr.client.ReadPlan

/**
 * The planned files, and those that are read besides, in Spark's own listing of the dataset directory. Partition values are
 * Spark's. Two are equal if they have the same files of one listing: Spark may reuse one scan for another.
 *
 * @param paths without scheme and authority, as in the plan
 */
private[spark] final case class PrunedListing(listing: FileIndex, paths: Set[String])(
    val planned: Seq[ReadPlan.PlannedFile],
    unplanned: Seq[FileStatus],
    val state: String)
    extends FileIndex
    with PlannedFiles {

  override def besides: Int = unplanned.size

  override def only(some: Set[String]): PrunedListing =
    PrunedListing(listing, paths.intersect(some))(planned.filter(f => some(f.path)), Nil, state)

  override def rootPaths: Seq[Path] = listing.rootPaths

  override def partitionSchema: StructType = listing.partitionSchema

  override def listFiles(
      partitionFilters: Seq[Expression],
      dataFilters: Seq[Expression]): Seq[PartitionDirectory] =
    listing
      .listFiles(partitionFilters, dataFilters)
      .map(d => d.copy(files = d.files.filter(f => paths.contains(f.getPath.toUri.getPath))))
      .filter(_.files.nonEmpty)

  override def inputFiles: Array[String] = listing.inputFiles

  override def refresh(): Unit = listing.refresh()

  override lazy val sizeInBytes: Long = planned.map(_.length).sum + unplanned.map(_.getLen).sum
}

private[spark] object PrunedListing {
  /** @param besides listed files that are read besides the planned ones */
  def apply(listing: FileIndex, plan: ReadPlan, besides: Seq[FileStatus]): PrunedListing = {
    val planned = plan.files.asScala.toSeq
    PrunedListing(listing, planned.map(_.path).toSet ++ besides.map(_.getPath.toUri.getPath))(planned, besides, PlannedFiles.state(plan))
  }
}
