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

import java.net.URI
import java.util.{List => JList}

import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.{classic, SparkSession}
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.mpsr.Frames
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.spark.jobs.run.{BegunChange, DatasetText, JobDataset, SparkTasks}
import org.hadoopmpsr.spark.versions.Repartition
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Derives files with Spark: some tasks read, Spark brings the records of a partition together and sorts them, and other tasks
 * write with the code that the sink writes files with.
 *
 * @param fs the URI of the file system
 * @param fileBytes about the length of new files
 * @param output where new files are written
 */
private[jobs] final class SparkDeriver(
    session: SparkSession,
    dataset: DatasetText,
    fs: URI,
    conf: Broadcast[SerializableConfiguration],
    tasks: SparkTasks,
    fileBytes: Long,
    output: Output = Output.ToHdfs)
    extends Deriver {
  private val context = session.sparkContext

  /** All tasks are of one job, which can be ended at any time. */
  private lazy val ofOneJob: classic.SparkSession = {
    val own = session.newSession()
    own.conf.set("spark.sql.adaptive.enabled", "false")
    own.asInstanceOf[classic.SparkSession]
  }

  override def derive(
      derivation: Derivation,
      change: BegunChange,
      done: DerivedPart => Unit,
      pulse: () => Unit): Seq[DerivedPart] = {
    val groups = dataset.groups
    val subtracts = derivation.files.exists(_.subtracted)
    val form = new RowForm(groups, groups.find(derivation.group).get, Schema.parse(dataset.schema), subtracts)
    val writers = SparkTasks.divided(derivation.targets.zipWithIndex, tasks.count)(_._1.bytes, _ => 1)
    val places = (for {
      (targets, task) <- writers.zipWithIndex
      (target, number) <- targets
    } yield (target.segment, target.partition) -> ((task, number))).toMap
    val readers = SparkTasks.divided(derivation.files, tasks.count)(_.file.length, _ => 1)
    val source = new RecordSource(dataset, fs, conf, derivation.group)
    val sink = new RecordSink(dataset, fs, conf, derivation.group, derivation.targets, subtracts, change, fileBytes, output)
    val bandwidth = tasks.bandwidthOf(readers.size)
    val read = context
      .parallelize(readers, readers.size)
      .mapPartitions(files => source.records(files.flatten, places, subtracts, bandwidth))
    val sorted = Repartition
      .byId(Frames.ofRows(ofOneJob, read, form.rowType), writers.size, col(RowForm.Task))
      .sortWithinPartitions(form.sort.map(col): _*)
    tasks.run(
      SparkTasks.notWritten(change),
      sorted.asInstanceOf[classic.DataFrame].queryExecution.toRdd,
      sink.write,
      done,
      pulse)
  }

  override def count(group: String, files: Seq[SegmentFile], pulse: () => Unit): Map[JList[AnyRef], Long] = {
    val readers = SparkTasks.divided(files, tasks.count)(_.length, _ => 1)
    val source = new RecordSource(dataset, fs, conf, group)
    val bandwidth = tasks.bandwidthOf(readers.size)
    tasks
      .run[Seq[SegmentFile], Map[JList[AnyRef], Long]](
        s"the records of each partition of group $group could not be counted",
        context.parallelize(readers, readers.size),
        some => Seq(source.count(some.flatten, bandwidth)),
        _ => (),
        pulse)
      .flatten
      .groupMapReduce(_._1)(_._2)(_ + _)
  }
}

private[jobs] object SparkDeriver {

  /** That of a job, with files as long as a block. */
  def of(session: SparkSession, job: JobDataset, tasks: SparkTasks): SparkDeriver =
    new SparkDeriver(session, DatasetText.written(job.dataset), job.fs.getUri, job.conf, tasks, job.blockBytes)
}
