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
package org.hadoopmpsr.spark.stream

import java.io.FileNotFoundException

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.catalyst.expressions.Expression
import org.apache.spark.sql.execution.datasources.{FileIndex, InMemoryFileIndex, PartitionDirectory}
import org.apache.spark.sql.types.StructType

/** The files of a batch some of which are gone. Spark would leave out their records; reading these files fails. */
private[stream] final class MissingFiles private (listed: InMemoryFileIndex, missing: Seq[Path]) extends FileIndex {
  override def rootPaths: Seq[Path] = listed.rootPaths

  /** @throws java.io.FileNotFoundException always */
  override def listFiles(partitionFilters: Seq[Expression], dataFilters: Seq[Expression]): Seq[PartitionDirectory] =
    throw new FileNotFoundException(s"${missing.size} files of the stream's next batch do not exist any more, the first is ${missing.head}: " +
      "they were deleted, or a rewrite replaced them longer ago than dfs.mpsr.drop.delay.seconds. Start the stream with a new " +
      "checkpoint, or with spark.mpsr.enabled=false to leave out their records")

  override def inputFiles: Array[String] = listed.inputFiles

  override def refresh(): Unit = listed.refresh()

  override def sizeInBytes: Long = listed.sizeInBytes

  override def partitionSchema: StructType = listed.partitionSchema
}

private[stream] object MissingFiles {

  /** @return empty if all files that the index was asked for exist */
  def of(listed: InMemoryFileIndex): Option[MissingFiles] = {
    val found = listed.allFiles().map(_.getPath).toSet
    Some(listed.rootPaths.filterNot(found)).filter(_.nonEmpty).map(new MissingFiles(listed, _))
  }
}
