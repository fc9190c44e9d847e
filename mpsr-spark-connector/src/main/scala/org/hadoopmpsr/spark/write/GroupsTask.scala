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
package org.hadoopmpsr.spark.write

import java.io.IOException
import java.net.URI

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.spark.{SparkEnv, TaskContext}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.StagedFile
import org.hadoopmpsr.client.write.HdfsFile
import org.hadoopmpsr.columnar.buffer.{BadRecordException, RecordAppender, RecordBuffer}
import org.hadoopmpsr.columnar.file.GroupFileWriter
import org.hadoopmpsr.columnar.flush.FlushCodecs
import org.hadoopmpsr.columnar.layout.Batch
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.jobs.run.{BegunChange, DatasetText, SparkTasks, TaskFiles}

/**
 * Writes the rows of a task to files of all groups, as many rows at a time as memory holds. An attempt of a task has files of names that
 * no other attempt has. Codecs of `auto` are chosen as a sink does; what an executor measures serves all tasks that it runs.
 *
 * @param datasetPath tells datasets apart
 */
private[write] final class GroupsTask(
    dataset: DatasetText,
    datasetPath: String,
    fs: URI,
    conf: Broadcast[SerializableConfiguration],
    begun: BegunChange,
    form: WriteForm,
    bufferBytes: Option[Long])
    extends Serializable {

  /**
   * Writes them. A record that not all groups can have, and files that cannot be written in the last attempt of a task, are problems of the
   * write to all groups alone.
   */
  def write(context: TaskContext, rows: Iterator[InternalRow]): TaskResult = {
    val schema = Schema.parse(dataset.schema)
    val groups = dataset.groups
    val buffer = new RecordBuffer(schema)
    val putter = new RowPutter(schema, groups.defaultGroup, form, new RecordAppender(buffer, groups))
    val files = new Files(context, groups, buffer)
    val most = bufferBytes.getOrElse(TaskFiles.memoryBytes / GroupsTask.BufferShare)
    try {
      rows.foreach { row =>
        putter.put(row)
        if (buffer.rows % GroupsTask.RowsOfCheck == 0 && buffer.sizeBytes > most) files.write()
      }
      files.write()
      TaskResult(files.encoded.toSeq, None)
    } catch {
      case e: BadRecordException => TaskResult(Nil, Some(e.getMessage))
      case e: GroupsTask.TooManyFiles => TaskResult(Nil, Some(e.getMessage))
      case e: GroupsTask.NotWritten if isLast(context) => TaskResult(Nil, Some(e.getMessage))
    }
  }

  /** Spark within one process tries each task once. */
  private def isLast(context: TaskContext): Boolean = {
    val conf = SparkEnv.get.conf
    val tries = if (conf.get("spark.master", "").matches("local(\\[[^,]*\\])?")) 1 else conf.getInt("spark.task.maxFailures", GroupsTask.MaxFailures)
    !context.isInterrupted() && context.attemptNumber() + 1 >= tries
  }

  /** The files of a task; each group has one for each of its partitions, each time. */
  private final class Files(context: TaskContext, groups: ReplicaGroups, buffer: RecordBuffer) {
    val encoded = mutable.ArrayBuffer.empty[Array[Byte]]
    private val firstNumber = SparkTasks.firstNumber(context)
    private lazy val system = TaskFiles.fileSystem(fs, conf.value.value)

    /** Writes what is buffered. */
    def write(): Unit = if (buffer.rows > 0) {
      val batch = new Batch(buffer, groups)
      groups.groups.asScala.foreach { group =>
        val layout = batch.layout(group)
        if (encoded.size + layout.files.size > begun.maxFiles) {
          throw new GroupsTask.TooManyFiles(StagedFiles.tooMany(begun.maxFiles))
        }
        val writer = new GroupFileWriter(groups, group, buffer.schema).withCodecs(FlushCodecs.OF_PROCESS.pages(datasetPath))
        val columns = writer.columns(layout.records)
        layout.files.asScala.foreach { slice =>
          val path = writer.relativePath(slice.partition, begun.id, firstNumber + encoded.size)
          val rows = writer.rows(layout.records, layout.order, slice.from, slice.to)
          val target = new Path(s"${begun.stagingDir}/${group.name}/$path")
          val written =
            try
              FlushCodecs.OF_PROCESS.write(
                new HdfsFile(system, target),
                group.codec,
                file => writer.write(file, columns, rows, slice.partition, slice.content, begun.id))
            catch { case e: IOException => throw new GroupsTask.NotWritten(target, e) }
          encoded += new StagedFile(group.name, path, written.statistics, written.bytes).toBytes
        }
      }
      buffer.clear()
    }
  }
}

private object GroupsTask {
  private val BufferShare = 2
  private val RowsOfCheck = 1024
  private val MaxFailures = 4

  private final class TooManyFiles(message: String) extends IOException(message)

  private final class NotWritten(file: Path, cause: IOException)
      extends IOException(s"$file could not be written: ${cause.getMessage}", cause)
}
