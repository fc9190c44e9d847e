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

import java.io.Closeable
import java.net.URI

import org.apache.hadoop.fs.Path
import org.apache.spark.TaskContext
import org.apache.spark.paths.SparkPath
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.PartitionedFile
import org.apache.spark.util.LongAccumulator

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

  override def apply(part: PartitionedFile): Iterator[InternalRow] = {
    val rows = new PartRows(new Reads(part), part.toPath.toUri.getPath, dataset, limits)
    Option(TaskContext.get()).foreach(_.addTaskCompletionListener[Unit](_ => rows.close()))
    rows.begin()
    // as in Spark's own readers, what is an iterator of rows may give batches
    rows.asInstanceOf[Iterator[InternalRow]]
  }

  private final class Reads(part: PartitionedFile) extends PartReads {
    private val sources = new DegradedSources(dataset, group, form)

    private def path = PlannedFileSystem.path(new Path(part.pathUri))

    override def failingSoon(): Iterator[AnyRef] = stock(part.copy(filePath = SparkPath.fromPath(path)))

    override def nodes: Seq[Set[String]] = PlannedFileSystem.nodes(path, part.start, part.length)

    override def patient(): Iterator[AnyRef] = stock(part)

    override def fromOtherGroup(careful: Boolean): GivenRows = {
      val rows = sources.open(part, careful)
      degraded.add(1)
      rows
    }
  }
}

/** The ways in which a part of a file can be read, as rows or batches. Each gives the same records. */
private[degraded] trait PartReads {

  /** Spark's reader, on a client that gives up soon. */
  def failingSoon(): Iterator[AnyRef]

  /** The DataNodes of each block of the part; empty if the NameNode does not tell. */
  def nodes: Seq[Set[String]]

  /** Spark's reader, as without MPSR. */
  def patient(): Iterator[AnyRef]

  /** @see [[DegradedSources.open]] */
  def fromOtherGroup(careful: Boolean): GivenRows
}

private[degraded] object PartReads {
  def close(rows: Iterator[AnyRef]): Unit = rows match {
    case closeable: Closeable => closeable.close()
    case _ =>
  }
}
