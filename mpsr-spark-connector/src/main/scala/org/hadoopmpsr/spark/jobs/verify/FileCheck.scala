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
package org.hadoopmpsr.spark.jobs.verify

import java.net.URI

import scala.util.Using
import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.spark.{TaskContext, TaskKilledException}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.StagedFile
import org.hadoopmpsr.columnar.derive.RecordReader
import org.hadoopmpsr.columnar.merge.MergeInput
import org.hadoopmpsr.columnar.read.UnsupportedTypeException
import org.hadoopmpsr.core.hash.ContentHash
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.core.stats.{DataFile, FileStatistics}
import org.hadoopmpsr.spark.jobs.run.{BudgetedFile, DatasetText, ReadBudget, TaskFiles}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * A published file, on the way to a task. Serializable.
 *
 * @param encoded the group, the path and what is stated of the file, as bytes
 */
private[verify] final case class StatedFile(encoded: Array[Byte], length: Long, modificationTime: Long) {
  private def decoded: StagedFile = StagedFile.of(encoded)

  /** The group, the path and the statistics. */
  def stated: (String, String, FileStatistics) = {
    val file = decoded
    (file.group, file.relativePath, file.statistics)
  }
}

private[verify] object StatedFile {
  def of(group: String, file: DataFile): StatedFile =
    StatedFile(new StagedFile(group, file.path, file.statistics, file.length).toBytes, file.length, file.modificationTime)
}

/**
 * What a file was found to hold. Serializable.
 *
 * @param content all of its records; empty if they could not be read
 * @param problem what is wrong; empty if nothing is
 * @param rounded all of its records of the default group as groups with rounded values should hold them, by these groups
 */
private[jobs] final case class FileFinding(
    group: String,
    path: String,
    content: Option[ContentHash],
    problem: Option[Problem],
    rounded: Map[String, ContentHash] = Map.empty)

/**
 * What is wrong with a file. Serializable.
 *
 * @param isFalse true if the file's bytes are what its DataNodes keep, and are false; else it could not be read, or is not the
 *   file that was published
 */
private[jobs] final case class Problem(text: String, isFalse: Boolean)

/**
 * Reads files in tasks, and compares them with what is stated of them. Serializable.
 *
 * @param fs the URI of the file system
 * @param bandwidth the most bytes that a task reads in a second; 0 for no limit
 */
private[verify] final class FileCheck(
    dataset: DatasetText,
    fs: URI,
    conf: Broadcast[SerializableConfiguration],
    bandwidth: Long)
    extends Serializable {
  @transient private lazy val schema = Schema.parse(dataset.schema)
  @transient private lazy val groups = dataset.groups

  /** One finding for each file, in their order. */
  def check(files: Iterator[StatedFile]): Seq[FileFinding] = {
    val context = TaskContext.get()
    val budget = ReadBudget.ofTask(context, bandwidth)
    files.map(check(_, budget, context)).toVector
  }

  private def check(file: StatedFile, budget: ReadBudget, context: TaskContext): FileFinding = {
    val (group, path, stated) = file.stated
    def unread(reason: String) = FileFinding(group, path, None, Some(Problem(reason, isFalse = false)))
    var watched: Option[WatchedFile] = None
    try {
      val system = TaskFiles.fileSystem(fs, conf.value.value)
      val status = system.getFileStatus(new Path(path))
      if (status.getLen != file.length || status.getModificationTime != file.modificationTime) {
        unread("was changed after it was published")
      } else {
        val opened = new WatchedFile(new BudgetedFile(HadoopInputFile.fromStatus(status, system.getConf), budget))
        watched = Some(opened)
        val found = read(group, stated, new MergeInput(path, opened, stated.commitId, stated.content))
        val check = new StatisticsCheck(schema, groups.find(group).get)
        val problem = check.problem(path, stated, found).map(Problem(_, isFalse = true))
        FileFinding(group, path, Some(found.content), problem, found.rounded)
      }
    } catch {
      case e: TaskKilledException => throw e
      case NonFatal(_) if context.isInterrupted() => throw new TaskKilledException("the task was ended")
      case NonFatal(e) if watched.forall(_.failure.isDefined) =>
        unread(s"cannot be read: ${text(watched.flatMap(_.failure).getOrElse(e))}")
      case e: UnsupportedTypeException => unread(text(e))
      case NonFatal(e) => FileFinding(group, path, None, Some(Problem(s"cannot be decoded: ${text(e)}", isFalse = true)))
      case _: OutOfMemoryError => unread("cannot be decoded in the memory of a task; give executors more")
    }
  }

  private def read(group: String, stated: FileStatistics, input: MergeInput): FileRecords = {
    val its = groups.find(group).get
    Using.resource(RecordReader.ofWhatIsThere(groups, its, schema, stated.partition, input)) { reader =>
      if (group == groups.defaultName) groups.groups.forEach(other => reader.hashFor(other))
      FileRecords.of(reader, groups, its, schema, stated)
    }
  }

  private def text(e: Throwable): String = Option(e.getMessage).getOrElse(e.toString).linesIterator.nextOption().getOrElse(e.toString)
}
