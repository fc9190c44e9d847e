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

import org.apache.spark.{SparkContext, TaskContext}
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.core.compact.SegmentFile
import org.hadoopmpsr.spark.jobs.run.{BegunChange, ReadBudget, SparkTasks}
import org.hadoopmpsr.spark.versions.Scala213._

/** Spark's tasks work on files, the largest first. For one thread. */
private[jobs] final class FileTasks(context: SparkContext, work: FileWork, tasks: SparkTasks) {
  import FileTasks._

  /**
   * How many records of each segment's files the condition is true for.
   *
   * @param pulse is called again and again; what it throws ends the work
   */
  def count(files: Seq[SegmentFile], pulse: () => Unit): Map[String, Long] = if (files.isEmpty) Map.empty
  else {
    val divided = SparkTasks.divided(files, tasks.count)(_.length, _ => 1)
    val counting = Counting(work, tasks.bandwidthOf(divided.size))
    tasks
      .run[Seq[SegmentFile], (String, Long)](
        "the records that go could not be counted",
        context.parallelize(divided, divided.size),
        counting.of,
        _ => (),
        pulse)
      .groupMapReduce(_._1)(_._2)(_ + _)
  }

  /**
   * Writes the records that stay; returns one result for each piece.
   *
   * @param done is told each piece as it ends, on any thread
   * @param pulse as for [[count]]
   */
  def rewrite(pieces: Seq[FilePiece], change: BegunChange, done: Progress => Unit, pulse: () => Unit): Seq[RewrittenFile] =
    if (pieces.isEmpty) Nil
    else {
      val divided = SparkTasks.divided(pieces, tasks.count)(_.file.length, _ => 1)
      val rewriting = Rewriting(work, change, tasks.bandwidthOf(divided.size))
      tasks.run[Seq[FilePiece], RewrittenFile](
        SparkTasks.notWritten(change),
        context.parallelize(divided, divided.size),
        rewriting.of,
        part => done(new Progress(0, 0, 1, part.file.length, part.encoded.size, 0)),
        pulse)
    }
}

private object FileTasks {

  private final case class Counting(work: FileWork, bandwidth: Long) {
    def of(files: Iterator[Seq[SegmentFile]]): Seq[(String, Long)] = {
      val budget = ReadBudget.ofTask(TaskContext.get(), bandwidth)
      files.flatten.map(file => file.segment -> work.count(file, budget)).toVector
    }
  }

  private final case class Rewriting(work: FileWork, change: BegunChange, bandwidth: Long) {
    def of(pieces: Iterator[Seq[FilePiece]]): Seq[RewrittenFile] = {
      val context = TaskContext.get()
      val budget = ReadBudget.ofTask(context, bandwidth)
      var number = SparkTasks.firstNumber(context)
      pieces.flatten.map { piece =>
        val rewritten = work.rewrite(piece, change, number, budget)
        number += rewritten.encoded.size
        rewritten
      }.toVector
    }
  }
}
