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
package org.hadoopmpsr.spark.jobs.repair

import java.net.URI

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import org.apache.hadoop.fs.Path
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.spark.TaskContext
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow
import org.apache.spark.sql.types.{IntegerType, LongType, StructType}
import org.apache.spark.util.{CollectionAccumulator, SerializableConfiguration}
import org.hadoopmpsr.columnar.derive.RecordReader
import org.hadoopmpsr.columnar.merge.MergeInput
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.jobs.run.{BudgetedFile, DatasetText, ReadBudget, TaskFiles}

/**
 * Reads files in tasks to compare their records. Serializable.
 *
 * @param fs the URI of the file system
 * @param unreadable is given files that hold no records of the dataset
 */
private[repair] final class ComparisonSource(
    dataset: DatasetText,
    fs: URI,
    conf: Broadcast[SerializableConfiguration],
    parts: Seq[ComparedPart],
    unreadable: CollectionAccumulator[UnreadableFile])
    extends Serializable {
  import ComparisonSource._

  @transient private lazy val schema = Schema.parse(dataset.schema)
  @transient private lazy val groups = dataset.groups

  /** One row for each record, always the same row. */
  def hashes(files: Iterator[ComparedFile], bandwidth: Long): Iterator[InternalRow] = {
    val budget = ReadBudget.ofTask(TaskContext.get(), bandwidth)
    val row = new SpecificInternalRow(RowType.fields.map(_.dataType).toSeq)
    files.flatMap { from =>
      row.setInt(PartAt, from.part)
      row.setInt(SideAt, if (from.wanted) 1 else -1)
      batches(from, budget).flatMap { reader =>
        val tupleOf = new Array[Int](reader.rows)
        val target = groups.find(parts(from.part).group).get
        val tuples = reader.fields.tuples(target, tupleOf).asScala.toArray
        val compared = tuples.map(tuple => !from.wanted || parts(from.part).partitions.forall(_.contains(tuple)))
        val misplaced = tuples.map(tuple => if (from.wanted || tuple == from.file.partition) 0 else 1)
        (0 until reader.rows).iterator.filter(i => compared(tupleOf(i))).map { i =>
          row.setLong(HighAt, reader.high()(i))
          row.setLong(LowAt, reader.low()(i))
          row.setInt(MisplacedAt, misplaced(tupleOf(i)))
          row
        }
      }
    }
  }

  /** The records with some hashes as text, each once. */
  def records(files: Iterator[ComparedFile], wanted: Map[Int, Set[ExampleHash]], bandwidth: Long): Seq[ExampleRecord] = {
    val budget = ReadBudget.ofTask(TaskContext.get(), bandwidth)
    val found = mutable.LinkedHashMap.empty[(Int, ExampleHash), ExampleRecord]
    for {
      from <- files
      reader <- batches(from, budget)
      i <- 0 until reader.rows
      hash = ExampleHash(from.wanted, reader.high()(i), reader.low()(i))
      if wanted.getOrElse(from.part, Set.empty).contains(hash)
    } found.getOrElseUpdate(
      (from.part, hash),
      ExampleRecord(from.part, hash, RecordText.of(schema, position => reader.column(position), i)))
    found.values.toSeq
  }

  /** The reader, again and again, as long as it has records. A file that must hold nothing certain may end early. */
  private def batches(from: ComparedFile, budget: ReadBudget): Iterator[RecordReader] =
    try {
      val reader = open(from, budget)
      TaskContext.get().addTaskCompletionListener[Unit](_ => reader.close())
      Iterator.continually(reader).takeWhile { _ =>
        val more =
          try reader.next()
          catch { case NonFatal(e) if !from.stated => isUnreadable(from, e) }
        if (!more) reader.close()
        more
      }
    } catch {
      case NonFatal(e) if !from.stated =>
        isUnreadable(from, e)
        Iterator.empty
    }

  private def open(from: ComparedFile, budget: ReadBudget): RecordReader = {
    val file = from.file
    val system = TaskFiles.fileSystem(fs, conf.value.value)
    val status = system.getFileStatus(new Path(file.path))
    val bytes = new BudgetedFile(HadoopInputFile.fromStatus(status, system.getConf), budget)
    val group = groups.find(file.group).get
    val kind = parts(from.part).kind
    val input = new MergeInput(file.path, bytes, file.segment, file.content)
    if (from.stated && file.content.kind == kind) RecordReader.ofRecords(groups, group, schema, file.partition, input)
    else RecordReader.ofAnyRecords(groups, group, schema, file.partition, input, kind)
  }

  private def isUnreadable(from: ComparedFile, e: Throwable): Boolean = {
    val reason = Option(e.getMessage).getOrElse(e.toString).linesIterator.next()
    unreadable.add(UnreadableFile(from.part, from.file.path, reason))
    false
  }
}

private[repair] object ComparisonSource {
  val Part = "part"
  val PartAt = 0
  val High = "high"
  val HighAt = 1
  val Low = "low"
  val LowAt = 2

  /** 1 for a record that should be there, -1 for one that is. */
  val Side = "side"
  val SideAt = 3

  /** 1 for a record that lies in the directory of another partition, else 0. */
  val Misplaced = "misplaced"
  val MisplacedAt = 4

  val RowType: StructType = new StructType()
    .add(Part, IntegerType, nullable = false)
    .add(High, LongType, nullable = false)
    .add(Low, LongType, nullable = false)
    .add(Side, IntegerType, nullable = false)
    .add(Misplaced, IntegerType, nullable = false)
}
