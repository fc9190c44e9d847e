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
package org.hadoopmpsr.spark.degraded

import java.net.URI
import java.util.{List => JList, Set => JSet}

import org.apache.hadoop.fs.Path
import org.apache.spark.TaskContext
import org.apache.spark.paths.SparkPath
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.PartitionedFile
import org.apache.spark.util.LongAccumulator
import org.hadoopmpsr.client.degraded.{OtherGroup, PartReads, PartRecords, PlannedFileSystem, SilentNodes}

/**
 * Reads parts of planned files as Spark's reader does. Where a file cannot be read, the records come from another group:
 * exactly those that the part has, whatever was given before. If that cannot be, Spark's reader fails as without MPSR.
 *
 * @param stock Spark's reader
 * @param dataset the dataset directory, with its file system
 * @param group the group whose files are planned
 * @param degraded counts the parts that were read from another group
 */
private[spark] final class DegradedReader(
    stock: PartitionedFile => Iterator[InternalRow],
    dataset: URI,
    group: String,
    form: ReadForm,
    limits: Limits,
    degraded: LongAccumulator)
    extends (PartitionedFile => Iterator[InternalRow])
    with Serializable {

  /** What the driver knows of DataNodes, so that each executor need not find it out. */
  private val silent = SilentNodes.known

  override def apply(part: PartitionedFile): Iterator[InternalRow] = {
    SilentNodes.learn(silent)
    val rows = new PartRows(new Reads(part), part.toPath.toUri.getPath, dataset, limits)
    Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => rows.close()))
    rows.begin()
    // as in Spark's own readers, what is an iterator of rows may give batches
    rows.asInstanceOf[Iterator[InternalRow]]
  }

  private final class Reads(part: PartitionedFile) extends PartReads[AnyRef] {
    private val sources = new DegradedSources(dataset, group, form)

    private def path = PlannedFileSystem.path(new Path(part.pathUri))

    override def failingSoon(): PartRecords[AnyRef] =
      new IteratedRecords(stock(part.copy(filePath = SparkPath.fromPath(path))))

    override def nodes: JList[JSet[String]] = PlannedFileSystem.nodes(path, part.start, part.length)

    override def patient(): PartRecords[AnyRef] = new IteratedRecords(stock(part))

    override def fromOtherGroup(careful: Boolean): OtherGroup[AnyRef] = {
      val other = sources.open(part, careful)
      degraded.add(1)
      other
    }
  }
}
