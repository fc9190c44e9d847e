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

import scala.concurrent.Await
import scala.concurrent.duration.Duration
import scala.util.Using

import org.apache.hadoop.fs.FileSystem
import org.apache.spark.{SparkException, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.classic
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.{MpsrClient, StagedFile}
import org.hadoopmpsr.core.layout.PathNames
import org.hadoopmpsr.spark.jobs.run.{BegunChange, DatasetText}
import org.hadoopmpsr.spark.log.PrintableLogging
import org.hadoopmpsr.spark.overwrite.Overwriting
import org.hadoopmpsr.spark.relation.DecisionMetrics

/**
 * One write to all groups: tasks stage files, and then they are published.
 *
 * @param bufferBytes what the records of a task take in memory, about; none for a share of the heap
 */
private[write] final class GroupsWrite(session: classic.SparkSession, target: WriteTarget, bufferBytes: Option[Long] = None)
    extends PrintableLogging {
  private val context = session.sparkContext
  private val hadoopConf = session.sessionState.newHadoopConf()

  /**
   * Does it. After an exception nothing is written, unless the exception says that nobody knows.
   *
   * @param plan of the rows
   */
  def run(plan: SparkPlan): WriteOutcome = Using.resource(MpsrClient.create(hadoopConf, target.root.toUri)) { client =>
    val fs = target.root.getFileSystem(hadoopConf)
    val commit = new WriteCommit(client, fs, target)
    if (commit.isRepeated) repeated()
    else {
      val rows = plan.execute()
      commit.begin() match {
        case Left(reason) => WriteOutcome.Impossible(reason)
        case Right(begun) =>
          var published = false
          try {
            val outcome = stage(rows, fs, begun) match {
              case Left(reason) => WriteOutcome.Impossible(reason)
              case Right(Nil) if target.overwriting.contains(Overwriting.Everything) => WriteOutcome.Impossible("it has no records")
              case Right(Nil) => WriteOutcome.Written(statsOf(Nil), 0)
              case Right(files) => publish(commit, begun, files)
            }
            published = outcome match {
              case WriteOutcome.Written(stats, _) => stats.rows > 0
              case _ => false
            }
            outcome
          } finally if (!published) commit.discard()
      }
    }
  }

  private def repeated(): WriteOutcome = {
    target.batch.foreach(b => logInfo(s"Batch ${b.batch} of stream '${b.stream}' is in ${target.root} already, and is not written again"))
    DecisionMetrics.countWrite("repeated")
    WriteOutcome.Repeated
  }

  private def publish(commit: WriteCommit, begun: BegunChange, files: Seq[StagedFile]): WriteOutcome = {
    val stats = statsOf(files)
    val start = System.nanoTime()
    commit.publish(begun, files, stats) match {
      case WriteCommit.Published =>
        DecisionMetrics.countWrite("groups")
        logInfo(s"${stats.rows} records are in all groups of ${target.root}, as commit ${begun.id} of ${stats.files} files")
        WriteOutcome.Written(stats, (System.nanoTime() - start) / 1000000)
      case WriteCommit.RepeatedMeanwhile => repeated()
      case WriteCommit.Refused(reason) => WriteOutcome.Impossible(reason)
    }
  }

  private def statsOf(files: Seq[StagedFile]): WrittenStats = {
    val own = files.filter(_.group == target.dataset.groups.defaultName)
    WrittenStats(
      own.map(f => PathNames.parent(f.relativePath)).filter(_.nonEmpty).toSet,
      files.size,
      files.map(_.length).sum,
      own.map(_.statistics.rows).sum)
  }

  /** The files of all tasks, or why there are none; the first reason ends the tasks. */
  private def stage(rows: RDD[InternalRow], fs: FileSystem, begun: BegunChange): Either[String, Seq[StagedFile]] = {
    val work = new GroupsTask(
      DatasetText.written(target.dataset),
      target.dataset.path,
      fs.getUri,
      context.broadcast(new SerializableConfiguration(hadoopConf)),
      begun,
      target.form,
      bufferBytes)
    val found = new StagedFiles(begun.maxFiles)
    val job = context.submitJob[InternalRow, TaskResult, Unit](
      rows,
      (some: Iterator[InternalRow]) => work.write(TaskContext.get(), some),
      0 until rows.getNumPartitions,
      (_, result) => found.add(result),
      ())
    found.onProblem(() => job.cancel())
    try Await.result(job, Duration.Inf)
    catch { case _: SparkException if found.problem.isDefined => }
    finally if (!job.isCompleted) job.cancel()
    found.problem.toLeft(found.files)
  }
}
