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
import java.util.{List => JList}

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.fs.Path
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.spark.TaskContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.columnar.derive.RecordReader
import org.hadoopmpsr.columnar.layout.KeyValues
import org.hadoopmpsr.columnar.merge.MergeInput
import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.jobs.run.{BudgetedFile, DatasetText, ReadBudget, TaskFiles, VectorRows}

/**
 * Reads files of segments in tasks. Serializable.
 *
 * @param fs the URI of the file system
 * @param group the group that gets the records
 */
private[rebuild] final class RecordSource(
    dataset: DatasetText,
    fs: URI,
    conf: Broadcast[SerializableConfiguration],
    group: String)
    extends Serializable {
  @transient private lazy val schema = Schema.parse(dataset.schema)
  @transient private lazy val groups = dataset.groups
  @transient private lazy val target = groups.find(group).get

  private def input(file: SegmentFile, budget: ReadBudget): MergeInput = {
    val system = TaskFiles.fileSystem(fs, conf.value.value)
    val status = system.getFileStatus(new Path(file.path))
    new MergeInput(file.path, new BudgetedFile(HadoopInputFile.fromStatus(status, system.getConf), budget), file.segment, file.content)
  }

  /**
   * The records of files as rows; always the same row.
   *
   * @param places where the records of a segment's partition go: the number of the task, and that of the target
   * @param subtracts true if some records are subtracted
   */
  def records(
      files: Iterator[DerivedFrom],
      places: Map[(String, JList[AnyRef]), (Int, Int)],
      subtracts: Boolean,
      bandwidth: Long): Iterator[InternalRow] = {
    val budget = ReadBudget.ofTask(TaskContext.get(), bandwidth)
    val form = new RowForm(groups, target, schema, subtracts)
    val row = form.newRow()
    files.flatMap { from =>
      val own = groups.find(from.file.group).get
      val source = input(from.file, budget)
      val reader = from.unstated match {
        case None => RecordReader.ofRecords(groups, own, schema, from.file.partition, source)
        case Some(kind) => RecordReader.ofAnyRecords(groups, own, schema, from.file.partition, source, kind)
      }
      if (subtracts) reader.hashFor(target)
      TaskContext.get().addTaskCompletionListener[Unit](_ => reader.close())
      if (subtracts) row.setBoolean(RowForm.KeptAt, !from.subtracted)
      Iterator
        .continually(reader.next())
        .takeWhile {
          case true => true
          case false => reader.close(); false
        }
        .flatMap { _ =>
          val tupleOf = new Array[Int](reader.rows)
          val placeOf = reader.fields
            .tuples(target, tupleOf)
            .asScala
            .map(tuple => places.getOrElse((from.file.segment, tuple), null))
            .toArray
          val putters = form.values.indices.map(place => form.putter(place, vector(reader, form, place))).toArray
          (0 until reader.rows).iterator.filter(i => placeOf(tupleOf(i)) != null).map { i =>
            val (task, number) = placeOf(tupleOf(i))
            row.setInt(RowForm.TaskAt, task)
            row.setInt(RowForm.NumberAt, number)
            if (subtracts) {
              row.setLong(RowForm.HighAt, reader.highIn(group)(i))
              row.setLong(RowForm.LowAt, reader.lowIn(group)(i))
            }
            putters.foreach(_(i, row))
            row
          }
        }
    }
  }

  private def vector(reader: RecordReader, form: RowForm, place: Int) = {
    val key = form.values(place)
    new KeyValues(VectorRows.vector(reader, groups, schema, key.column), key.bits).vector(reader.rows)
  }

  /**
   * The number of records in each partition.
   *
   * @throws IOException if a file of the group itself has a record of another partition than its own
   */
  def count(files: Iterator[SegmentFile], bandwidth: Long): Map[JList[AnyRef], Long] = {
    val budget = ReadBudget.ofTask(TaskContext.get(), bandwidth)
    val counts = new PartitionCount(target)
    files.foreach { file =>
      val from = groups.find(file.group).get
      Using.resource(RecordReader.ofPartitions(groups, from, schema, file.partition, input(file, budget), target)) {
        reader =>
          while (reader.next()) {
            val tuples = counts.add(reader)
            if (file.group == group) tuples.find(_ != file.partition).foreach { tuple =>
              throw new IOException(
                s"${file.path} of group $group has records of the partition ${tuple.asScala.mkString(", ")} in the directory of" +
                  s" ${file.partition.asScala.mkString(", ")}; move them to a file in their own directory")
            }
          }
      }
    }
    counts.result
  }
}
