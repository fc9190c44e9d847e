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
package org.hadoopmpsr.spark.jobs.compact

import scala.collection.mutable
import scala.concurrent.{Await, TimeoutException}
import scala.concurrent.duration._

import org.apache.spark.{SparkContext, SparkException, TaskContext}
import org.hadoopmpsr.core.compact.MergePart

/** Has the parts of a merge done. */
private[jobs] trait PartRunner {

  /**
   * Returns the results of all parts, one for each, when all are done.
   *
   * @param done is told each part as it ends, on any thread
   * @param pulse is called again and again until then; what it throws ends the work
   */
  def run(parts: Seq[MergePart], change: BegunChange, done: MergedPart => Unit, pulse: () => Unit): Seq[MergedPart]
}

/**
 * Spark's tasks do parts, the largest first.
 *
 * @param parallelism the most tasks at a time; 0 for as many as Spark has places
 * @param bandwidth the most bytes that all tasks together read in a second; 0 for no limit
 */
private[jobs] final class SparkParts(context: SparkContext, merger: PartMerger, parallelism: Int, bandwidth: Long)
    extends PartRunner {
  import SparkParts._

  override def run(
      parts: Seq[MergePart],
      change: BegunChange,
      done: MergedPart => Unit,
      pulse: () => Unit): Seq[MergedPart] = {
    val places = math.max(1, context.defaultParallelism)
    val tasks = divided(parts, if (parallelism > 0) parallelism else TasksOfPlace * places)
    val share = if (bandwidth == 0) 0L else math.max(1, bandwidth / math.min(tasks.size, if (parallelism > 0) parallelism else places))
    val work = Work(merger, change, share)
    val results = Array.fill[Seq[MergedPart]](tasks.size)(Nil)
    val rdd = context.parallelize(tasks, tasks.size)
    val job = context.submitJob[Seq[MergePart], Seq[MergedPart], Unit](
      rdd,
      (each: Iterator[Seq[MergePart]]) => work.merge(each.flatten),
      tasks.indices,
      (task, merged) => {
        results(task) = merged
        merged.foreach(done)
      },
      ())
    try {
      while (!job.isCompleted) {
        pulse()
        try Await.ready(job, PulseEvery)
        catch { case _: TimeoutException => }
      }
      Await.result(job, Duration.Inf)
    } catch {
      case e: SparkException => throw failed(change, e)
    } finally if (!job.isCompleted) job.cancel()
    results.toSeq.flatten
  }

  /** Spark's message is one line with the task's own, and then stack traces. */
  private def failed(change: BegunChange, e: SparkException): CompactionException = {
    val message = Option(e.getMessage).getOrElse(e.toString).linesIterator.next()
    new CompactionException(
      s"the files of change ${change.id} could not be merged: $message; nothing of this change is published. See the log of" +
        " the task, and start the compaction again",
      e)
  }
}

private[jobs] object SparkParts {
  private val TasksOfPlace = 10
  private val PulseEvery = 1.second

  /** What tasks know. */
  private final case class Work(merger: PartMerger, change: BegunChange, bandwidth: Long) {

    /** Numbers files by the attempt, so that what another attempt of the task leaves has other names. */
    def merge(parts: Iterator[MergePart]): Seq[MergedPart] = {
      val context = TaskContext.get()
      val budget = ReadBudget.ofTask(context, bandwidth)
      var number = (context.taskAttemptId() % Attempts).toInt * FilesOfAttempt
      parts.map { part =>
        val merged = merger.merge(part, change, number, budget)
        number += merged.encoded.size
        merged
      }.toVector
    }
  }

  /** A change has fewer attempts of tasks than this, and an attempt writes fewer files. */
  private val Attempts = 20000
  private val FilesOfAttempt = 100000

  /** Parts in so many tasks that read about as much; the largest tasks come first. */
  private[compact] def divided(parts: Seq[MergePart], tasks: Int): Seq[Seq[MergePart]] = {
    final class Load(val parts: mutable.ArrayBuffer[MergePart], var bytes: Long)
    val loads = mutable.PriorityQueue.empty[Load](Ordering.by(load => -load.bytes))
    (0 until math.max(1, math.min(tasks, parts.size))).foreach(_ => loads += new Load(mutable.ArrayBuffer.empty, 0))
    parts.sortBy(-_.bytes).foreach { part =>
      val least = loads.dequeue()
      least.parts += part
      least.bytes += part.bytes + FileBytes * part.files.size
      loads += least
    }
    loads.toSeq.filter(_.parts.nonEmpty).sortBy(-_.bytes).map(_.parts.toVector)
  }

  /** What opening a file costs, in bytes that are merged in that time. */
  private val FileBytes = 1L << 18
}
