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
package org.hadoopmpsr.spark.jobs.rebuild

import java.io.IOException
import java.net.URI

import scala.collection.mutable
import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.spark.TaskContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.StagedFile
import org.hadoopmpsr.columnar.derive.SortedRecords
import org.hadoopmpsr.columnar.merge.FileSize
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.jobs.run.{BegunChange, DatasetText, SparkTasks, TaskFiles}

/**
 * Writes sorted rows as files of a group, in tasks. Serializable.
 *
 * @param fs the URI of the file system
 * @param targets by the number that the rows have
 * @param subtracts true if some rows are subtracted
 * @param fileBytes about the length of new files
 * @param output where new files are written
 */
private[rebuild] final class RecordSink(
    dataset: DatasetText,
    fs: URI,
    conf: Broadcast[SerializableConfiguration],
    group: String,
    targets: Seq[Target],
    subtracts: Boolean,
    change: BegunChange,
    fileBytes: Long,
    output: Output)
    extends Serializable {

  /** Writes the rows of a task, which come sorted as [[RowForm.sort]] says. */
  def write(rows: Iterator[InternalRow]): Seq[DerivedPart] = if (rows.isEmpty) Nil else {
    val system = TaskFiles.fileSystem(fs, conf.value.value)
    val (schema, groups) = (Schema.parse(dataset.schema), dataset.groups)
    val target = groups.find(group).get
    val records = new SortedRecords(
      groups,
      target,
      schema,
      path => output.file(system, new Path(s"${change.stagingDir}/$group/$path")),
      targets.map(_.rows).sum,
      TaskFiles.memoryBytes / 2)
    try new Parts(records, new RowForm(groups, target, schema, subtracts)).write(rows)
    finally records.close()
  }

  /** The partitions of one task, one after the other. */
  private final class Parts(records: SortedRecords, form: RowForm) {
    private val takers = form.columns.indices.map(place => form.taker(place, records.vector(place))).toArray
    private val parts = mutable.ArrayBuffer.empty[DerivedPart]
    private val firstNumber = SparkTasks.firstNumber(TaskContext.get())
    private var files = 0
    private var current = -1
    private var begun = false
    private var subtracted = 0L
    private var (high, low) = (0L, 0L)

    def write(rows: Iterator[InternalRow]): Seq[DerivedPart] = {
      rows.foreach { row =>
        val number = row.getInt(RowForm.NumberAt)
        if (number != current) {
          end()
          current = number
        }
        if (!subtracts || isLeft(row, row.getLong(RowForm.HighAt), row.getLong(RowForm.LowAt))) add(row)
      }
      end()
      parts.toSeq
    }

    /** Whether a record is written. Equal records follow each other, first those that are subtracted. */
    private def isLeft(row: InternalRow, rowHigh: Long, rowLow: Long): Boolean = {
      if (subtracted > 0 && (rowHigh != high || rowLow != low)) disagree()
      if (!row.getBoolean(RowForm.KeptAt)) {
        high = rowHigh
        low = rowLow
        subtracted += 1
        false
      } else if (subtracted > 0) {
        subtracted -= 1
        false
      } else true
    }

    private def add(row: InternalRow): Unit = {
      if (!begun) begin()
      val i = records.beginRow()
      takers.foreach(_(row, i))
      records.endRow()
    }

    private def begin(): Unit = {
      val target = targets(current)
      val stem = if (target.segment == change.id) change.id else s"${target.segment}-${change.id}"
      val size = FileSize.of(target.rows, target.bytes, fileBytes)
      records.begin(target.partition, target.segment, stem, firstNumber + files, size, target.kind, true)
      begun = true
    }

    private def end(): Unit = {
      if (subtracted > 0) disagree()
      if (begun) {
        val written = records.end().asScala.toSeq
        begun = false
        files += written.size
        parts += DerivedPart(
          targets(current),
          written.map(f => new StagedFile(group, f.relativePath, f.statistics, f.bytes).toBytes))
      }
    }

    private def disagree(): Nothing = throw new IOException(
      s"a sound file of segment ${targets(current).segment} in group $group, in the partition ${targets(current).partition}," +
        " holds a record that the group which is read lacks; the groups do not hold the same records: see 'verify'")
  }
}
