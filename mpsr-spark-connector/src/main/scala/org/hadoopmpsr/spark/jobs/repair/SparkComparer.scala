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

import scala.jdk.CollectionConverters._

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.functions.{col, sum}
import org.apache.spark.sql.mpsr.Frames
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.spark.jobs.run.{DatasetText, SparkTasks}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Compares records with Spark, as multisets of hashes of all columns: Spark brings equal hashes together, and spills what memory
 * does not take. The records of some differences are then read again, to show them.
 *
 * @param fs the URI of the file system
 * @param mostExamples so many records of a part that lack, and as many that are extra, are shown
 */
private[jobs] final class SparkComparer(
    session: SparkSession,
    dataset: DatasetText,
    fs: URI,
    conf: Broadcast[SerializableConfiguration],
    tasks: SparkTasks,
    mostExamples: Int) {
  import ComparisonSource._
  import SparkComparer._

  private val context = session.sparkContext

  /**
   * Compares.
   *
   * @return the differences by the number of the part, without parts that do not differ; examples of the records; and the files
   *   that cannot be read, of whose records some may be counted
   * @throws java.io.IOException if a file whose content is known cannot be read
   */
  def compare(
      parts: Seq[ComparedPart],
      files: Seq[ComparedFile]): (Map[Int, PartDifference], Seq[ExampleRecord], Seq[UnreadableFile]) = {
    val unreadable = context.collectionAccumulator[UnreadableFile]
    val source = new ComparisonSource(dataset, fs, conf, parts, unreadable)
    val readers = SparkTasks.divided(files, tasks.count)(_.file.length, _ => 1)
    val bandwidth = tasks.bandwidthOf(readers.size)
    val hashes = context
      .parallelize(readers, math.max(1, readers.size))
      .mapPartitions(some => source.hashes(some.flatten, bandwidth))
    val most = mostExamples
    val found = tasks
      .run[InternalRow, PartDifference](
        Failure,
        different(hashes),
        rows => differences(rows, most),
        _ => (),
        () => ())
      .groupMapReduce(_.part)(identity)(_.plus(_, mostExamples))
    val examples = found.view.mapValues(_.examples.toSet).toMap.filter(_._2.nonEmpty)
    val shown = files.filter(file => examples.contains(file.part))
    val again = SparkTasks.divided(shown, tasks.count)(_.file.length, _ => 1)
    val records =
      if (again.isEmpty) Nil
      else tasks.run[Seq[ComparedFile], ExampleRecord](
        Failure,
        context.parallelize(again, again.size),
        some => source.records(some.flatten, examples, bandwidth),
        _ => (),
        () => ())
    (
      found,
      records.distinctBy(record => (record.part, record.hash)).sortBy(r => (r.part, !r.hash.wanted, r.text)),
      unreadable.value.asScala.toSeq.distinctBy(file => (file.part, file.path)))
  }

  /** The records that are not there as often as they should be. */
  private def different(hashes: RDD[InternalRow]): RDD[InternalRow] = {
    val own = session.newSession()
    own.conf.set("spark.sql.adaptive.enabled", "false") // all tasks are of one job
    Frames
      .ofRows(own.asInstanceOf[classic.SparkSession], hashes, RowType)
      .groupBy(col(Part), col(High), col(Low))
      .agg(sum(col(Side)).as(Side), sum(col(Misplaced)).as(Misplaced))
      .where(col(Side) =!= 0 || col(Misplaced) =!= 0)
      .asInstanceOf[classic.DataFrame]
      .queryExecution
      .toRdd
  }
}

private object SparkComparer {
  private val Failure = "the records could not be compared"

  private def differences(rows: Iterator[InternalRow], mostExamples: Int): Seq[PartDifference] = rows
    .map { row =>
      val side = row.getLong(ComparisonSource.SideAt)
      val hash = ExampleHash(side > 0, row.getLong(ComparisonSource.HighAt), row.getLong(ComparisonSource.LowAt))
      PartDifference(
        row.getInt(ComparisonSource.PartAt),
        math.max(0, side),
        math.max(0, -side),
        row.getLong(ComparisonSource.MisplacedAt),
        if (side == 0) Nil else Seq(hash))
    }
    .foldLeft(Map.empty[Int, PartDifference]) { (all, next) =>
      all.updated(next.part, all.get(next.part).fold(next)(_.plus(next, mostExamples)))
    }
    .values
    .toSeq
}
