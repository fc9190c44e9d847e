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
package org.hadoopmpsr.spark.jobs.run

import scala.collection.mutable
import scala.concurrent.{Await, TimeoutException}
import scala.concurrent.duration._
import scala.reflect.ClassTag

import org.apache.spark.{SparkContext, SparkException, TaskContext}
import org.apache.spark.rdd.RDD

/**
 * Spark's tasks work for a change.
 *
 * @param parallelism the most tasks at a time; 0 for as many as Spark has places
 * @param bandwidth the most bytes that all tasks together read in a second; 0 for no limit
 */
private[spark] final class SparkTasks(context: SparkContext, parallelism: Int, bandwidth: Long) {
  import SparkTasks._

  private val places = math.max(1, context.defaultParallelism)

  /** In how many tasks work is to be divided. */
  def count: Int = if (parallelism > 0) parallelism else TasksOfPlace * places

  /** The most bytes that each of some tasks may read in a second; 0 for no limit. */
  def bandwidthOf(tasks: Int): Long =
    if (bandwidth == 0) 0L
    else math.max(1, bandwidth / math.max(1, math.min(tasks, if (parallelism > 0) parallelism else places)))

  /**
   * Works on each partition, and returns all results in the order of the partitions.
   *
   * @param failure what it means if a task fails, for the message
   * @param done is told each result as its task ends, on any thread
   * @param pulse is called again and again until then; what it throws ends the work
   */
  def run[T, R: ClassTag](
      failure: String,
      rdd: RDD[T],
      work: Iterator[T] => Seq[R],
      done: R => Unit,
      pulse: () => Unit): Seq[R] = {
    val results = Array.fill[Seq[R]](rdd.getNumPartitions)(Nil)
    val job = context.submitJob[T, Seq[R], Unit](
      rdd,
      work,
      results.indices,
      (task, result) => {
        results(task) = result
        result.foreach(done)
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
      case e: SparkException => throw failed(failure, e)
    } finally if (!job.isCompleted) job.cancel()
    results.toSeq.flatten
  }

  /** Spark's message is one line with the task's own, and then stack traces. */
  private def failed(failure: String, e: SparkException): JobException = {
    val message = Option(e.getMessage).getOrElse(e.toString).linesIterator.next()
    new JobException(s"$failure: $message; see the log of the task, and start the job again", e)
  }
}

private[spark] object SparkTasks {
  private val TasksOfPlace = 10
  private val PulseEvery = 1.second

  /** What it means if a task that writes files fails. */
  def notWritten(change: BegunChange): String = s"the files of change ${change.id} could not be written, and it is not published"

  /** Numbers files by the attempt, so that what another attempt of the task leaves has other names. */
  def firstNumber(task: TaskContext): Int = (task.taskAttemptId() % Attempts).toInt * FilesOfAttempt

  /** A change has fewer attempts of tasks than this, and an attempt writes fewer files. */
  private val Attempts = 20000
  private val FilesOfAttempt = 100000

  /** Pieces of work in so many tasks that read about as much; the largest tasks come first. */
  def divided[T](pieces: Seq[T], tasks: Int)(bytes: T => Long, files: T => Int): Seq[Seq[T]] = {
    final class Load(val pieces: mutable.ArrayBuffer[T], var bytes: Long)
    val loads = mutable.PriorityQueue.empty[Load](Ordering.by(load => -load.bytes))
    (0 until math.max(1, math.min(tasks, pieces.size))).foreach(_ => loads += new Load(mutable.ArrayBuffer.empty, 0))
    pieces.sortBy(-bytes(_)).foreach { piece =>
      val least = loads.dequeue()
      least.pieces += piece
      least.bytes += bytes(piece) + FileBytes * files(piece)
      loads += least
    }
    loads.toSeq.filter(_.pieces.nonEmpty).sortBy(-_.bytes).map(_.pieces.toVector)
  }

  /** What opening a file costs, in bytes that are read in that time. */
  private val FileBytes = 1L << 18
}
