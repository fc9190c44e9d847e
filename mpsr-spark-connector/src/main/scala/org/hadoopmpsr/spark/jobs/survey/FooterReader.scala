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
package org.hadoopmpsr.spark.jobs.survey

import java.net.URI

import scala.collection.mutable
import scala.util.Using
import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path
import org.apache.parquet.hadoop.metadata.ParquetMetadata
import org.apache.parquet.schema.MessageType
import org.apache.spark.{TaskContext, TaskKilledException}
import org.apache.spark.SparkContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.columnar.survey.{FileTail, SchemaBytes}
import org.hadoopmpsr.spark.jobs.run.{Footers, SparkTasks, TaskFiles}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * What files have in common.
 *
 * @param form the schema's bytes
 * @param writer the program that wrote them; null if they do not say
 */
private[survey] final case class FileKind(form: Seq[Byte], writer: String) {
  def schema: MessageType = SchemaBytes.parse(form.toArray)
}

/** The end of a file: the number of its records and its kind, or why it cannot be read. */
private[survey] final case class Footer(file: FoundFile, records: Long, kind: Either[String, FileKind])

/** Reads the ends of files in tasks. */
private[jobs] final class FooterReader(
    context: SparkContext,
    fs: URI,
    conf: Broadcast[SerializableConfiguration],
    tasks: SparkTasks) {

  /** In any order. */
  def read(files: Seq[FoundFile]): Seq[Footer] = {
    val parts = SparkTasks.divided(files, tasks.count)(_ => 0L, _ => 1)
    val work = new FooterReader.Work(fs, conf)
    tasks.run[Seq[FoundFile], Footer](
      "files could not be read",
      context.parallelize(parts, math.max(1, parts.size)),
      some => work.read(some.flatten),
      _ => (),
      () => ())
  }
}

private[jobs] object FooterReader {
  private final class Work(fs: URI, conf: Broadcast[SerializableConfiguration]) extends Serializable {
    def read(files: Iterator[FoundFile]): Seq[Footer] = {
      val context = TaskContext.get()
      val kinds = mutable.HashMap.empty[FileKind, FileKind] // one object for many files, as they are serialized
      files.map(read(_, kinds, context)).toVector
    }

    private def read(file: FoundFile, kinds: mutable.Map[FileKind, FileKind], context: TaskContext): Footer =
      try {
        val system = TaskFiles.fileSystem(fs, conf.value.value)
        val tail = Using.resource(system.open(new Path(file.path)))(in => FileTail.read(file.length, in.readFully(_, _)))
        val footer = Footers.read(tail)
        val kind = kindOf(footer)
        Footer(file, records(footer), Right(kinds.getOrElseUpdate(kind, kind)))
      } catch {
        case e: TaskKilledException => throw e
        case NonFatal(_) if context.isInterrupted() => throw new TaskKilledException("the task was ended")
        case NonFatal(e) => Footer(file, 0, Left(Option(e.getMessage).getOrElse(e.toString).linesIterator.nextOption().getOrElse(e.toString)))
      }

    private def kindOf(footer: ParquetMetadata): FileKind =
      FileKind(SchemaBytes.of(footer.getFileMetaData.getSchema).toIndexedSeq, footer.getFileMetaData.getCreatedBy)

    private def records(footer: ParquetMetadata): Long = {
      var sum = 0L
      footer.getBlocks.forEach(block => sum += block.getRowCount)
      sum
    }
  }
}
