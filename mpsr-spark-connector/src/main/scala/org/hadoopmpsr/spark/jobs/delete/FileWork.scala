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
package org.hadoopmpsr.spark.jobs.delete

import java.net.URI

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.fs.Path
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.StagedFile
import org.hadoopmpsr.client.write.HdfsFile
import org.hadoopmpsr.columnar.buffer.{BooleanVector, ColumnVector, DoubleVector, LongVector, StringVector}
import org.hadoopmpsr.columnar.derive.{RecordReader, SortedRecords}
import org.hadoopmpsr.columnar.merge.{FileSize, MergeInput}
import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.core.hash.{ContentHash, ContentSum}
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.jobs.run.{BegunChange, BudgetedFile, DatasetText, ReadBudget, TaskFiles, VectorRows}

/**
 * A file of which records stay.
 *
 * @param segment the id of the new segment
 * @param rows the number of its records
 * @param reads true if a condition tells which records stay; false if all do
 */
private[jobs] final case class FilePiece(file: SegmentFile, segment: String, rows: Long, reads: Boolean)

/**
 * What became of a file. Serializable.
 *
 * @param deleted the records that go
 * @param encoded the new files, as bytes
 */
private[jobs] final case class RewrittenFile(file: SegmentFile, deleted: ContentHash, encoded: Seq[Array[Byte]]) {
  def files: Seq[StagedFile] = encoded.map(StagedFile.of)
}

/**
 * Works on files, in tasks: counts records, and writes those that stay, in the order in which they are. Serializable.
 *
 * @param fs the URI of the file system
 * @param condition which records go; None if all stay
 * @param fileBytes about the length of new files
 */
private[jobs] final class FileWork(
    dataset: DatasetText,
    fs: URI,
    conf: Broadcast[SerializableConfiguration],
    condition: Option[RowCondition],
    fileBytes: Long)
    extends Serializable {
  @transient private lazy val schema = Schema.parse(dataset.schema)
  @transient private lazy val groups = dataset.groups

  private def system = TaskFiles.fileSystem(fs, conf.value.value)

  private def input(file: SegmentFile, budget: ReadBudget): MergeInput = {
    val status = system.getFileStatus(new Path(file.path))
    new MergeInput(file.path, new BudgetedFile(HadoopInputFile.fromStatus(status, system.getConf), budget), file.segment, file.content)
  }

  /** How many records of a file the condition is true for. Reads only the columns that it looks at. */
  def count(file: SegmentFile, budget: ReadBudget): Long = {
    val group = groups.find(file.group).get
    val rows = condition.get
    val wanted = rows.fileColumns(groups, group, schema).asJava
    val goes = new ConditionOfRows(rows, groups, schema)
    Using.resource(RecordReader.ofColumns(groups, group, schema, file.partition, input(file, budget), wanted)) { reader =>
      var count = 0L
      while (reader.next()) {
        val test = goes.of(reader)
        count += (0 until reader.rows).count(test(_))
      }
      count
    }
  }

  /**
   * Writes the records of a file that stay.
   *
   * @param firstNumber the number of the first new file of the change; each further one has the next number
   * @throws java.io.IOException also if the file does not hold what is stated of it
   */
  def rewrite(piece: FilePiece, change: BegunChange, firstNumber: Int, budget: ReadBudget): RewrittenFile = {
    val file = piece.file
    val group = groups.find(file.group).get
    val kind = file.content.kind
    val deleted = new ContentSum(kind)
    val goes = condition.filter(_ => piece.reads).map(new ConditionOfRows(_, groups, schema))
    val records = new SortedRecords(
      groups,
      group,
      schema,
      path => new HdfsFile(system, new Path(s"${change.stagingDir}/${file.group}/$path")),
      piece.rows,
      TaskFiles.memoryBytes / 2)
    Using.resources(records, RecordReader.ofRecords(groups, group, schema, file.partition, input(file, budget))) {
      (_, reader) =>
        val columns = SortedRecords.columns(groups, group, schema).asScala.toSeq
        records.begin(
          file.partition,
          piece.segment,
          piece.segment,
          firstNumber,
          FileSize.of(piece.rows, file.length, fileBytes),
          kind,
          reader.isSorted)
        while (reader.next()) {
          val test = goes.fold((_: Int) => false)(_.of(reader))
          val copiers = columns.zipWithIndex.map { case (column, place) =>
            FileWork.copier(VectorRows.vector(reader, groups, schema, column.name), records.vector(place))
          }.toArray
          (0 until reader.rows).foreach { i =>
            if (test(i)) deleted.add(reader.high()(i), reader.low()(i))
            else {
              val at = records.beginRow()
              copiers.foreach(_(i, at))
              records.endRow()
            }
          }
        }
        val written = records.end().asScala.toSeq
        RewrittenFile(
          file,
          deleted.result,
          written.map(f => new StagedFile(file.group, f.relativePath, f.statistics, f.bytes).toBytes))
    }
  }
}

private object FileWork {

  /** Copies a value from one vector to another one of the same type. */
  private def copier(from: ColumnVector, to: ColumnVector): (Int, Int) => Unit = {
    val copy: (Int, Int) => Unit = (from, to) match {
      case (a: StringVector, b: StringVector) => (i, at) => {
          val (all, id) = (a.dictionary, a.ids()(i))
          b.set(at, b.dictionary.intern(all.bytes, all.start(id), all.length(id)))
        }
      case (a: LongVector, b: LongVector) => (i, at) => b.set(at, a.values()(i))
      case (a: DoubleVector, b: DoubleVector) => (i, at) => b.set(at, a.values()(i))
      case (a: BooleanVector, b: BooleanVector) => (i, at) => b.set(at, a.values()(i))
      case _ => throw new IllegalStateException("columns of different types")
    }
    (i, at) => if (from.isNull(i)) to.setNull(at, 1) else copy(i, at)
  }
}
