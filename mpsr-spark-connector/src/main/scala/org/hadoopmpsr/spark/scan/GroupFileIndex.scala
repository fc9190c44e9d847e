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

import org.apache.hadoop.fs.{BlockLocation, FileStatus, LocatedFileStatus, Path}
import org.apache.spark.sql.catalyst.expressions.{And, AttributeReference, BoundReference, Expression, Predicate}
import org.apache.spark.sql.execution.datasources.{FileIndex, PartitionDirectory}
import org.apache.spark.sql.types.StructType
import org.hadoopmpsr.client.ReadPlan
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * The planned files of a replica group. Columns that have one value in each directory of the group are partition columns:
 * Spark can prune by values that are known only when the query runs. Two indexes with equal files of one generation are
 * equal: Spark may reuse one scan for another.
 *
 * @param dataset the dataset directory, qualified
 */
private[spark] final case class GroupFileIndex(dataset: Path, group: String, generation: Long, files: Seq[String])(
    plan: ReadPlan,
    partitions: GroupPartitions,
    listing: FileIndex)
    extends FileIndex
    with PlannedFiles {

  override def planned: Seq[ReadPlan.PlannedFile] = partitions.directories.flatMap(_._2)

  override def besides: Int = 0

  override def state: String = PlannedFiles.state(plan)

  override def only(paths: Set[String]): GroupFileIndex = {
    val directories = partitions.directories.map { case (values, its) => values -> its.filter(f => paths(f.path)) }.filter(_._2.nonEmpty)
    copy(files = files.filter(paths))(plan, partitions.copy(directories = directories), listing)
  }

  override def rootPaths: Seq[Path] = Seq(qualified(plan.root))

  override def partitionSchema: StructType = partitions.schema

  override def listFiles(
      partitionFilters: Seq[Expression],
      dataFilters: Seq[Expression]): Seq[PartitionDirectory] = {
    // a filter without columns is evaluated for the records that are left, as on stock; it may fail
    val ofColumns = partitionFilters.filter(_.references.nonEmpty).reduceOption(And(_, _))
    val passes = ofColumns.map(f => Predicate.createInterpreted(f.transform(bound)))
    partitions.directories.collect {
      case (values, planned) if passes.forall(_.eval(values)) => PartitionDirectory(values, planned.map(status).toArray)
    }
  }

  private def bound: PartialFunction[Expression, Expression] = { case a: AttributeReference =>
    val index = partitionSchema.fieldIndex(a.name)
    BoundReference(index, partitionSchema(index).dataType, nullable = true)
  }

  /** What stock Spark answers: the files of the default representation. */
  override def inputFiles: Array[String] = listing.inputFiles

  override def refresh(): Unit = listing.refresh()

  override lazy val sizeInBytes: Long = plan.files.asScala.map(_.length).sum

  private def qualified(path: String): Path = new Path(dataset.toUri.getScheme, dataset.toUri.getAuthority, path)

  private def status(file: ReadPlan.PlannedFile): FileStatus = {
    val blocks = file.blocks.asScala
    val blockSize = blocks.map(_.length).maxOption.getOrElse(file.length)
    val status =
      new FileStatus(file.length, false, 1, blockSize, file.modificationTime, qualified(file.path))
    new LocatedFileStatus(status, blocks.map(location).toArray)
  }

  private def location(block: ReadPlan.Block): BlockLocation = {
    val hosts = block.hosts.asScala.toArray
    new BlockLocation(hosts, hosts, block.offset, block.length)
  }
}

private[spark] object GroupFileIndex {
  def apply(dataset: Path, plan: ReadPlan, read: StructType, listing: FileIndex): GroupFileIndex =
    GroupFileIndex(dataset, plan.group, plan.generation, plan.files.asScala.map(_.path).toSeq)(
      plan,
      GroupPartitions(plan, read),
      listing)
}
