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

import org.apache.spark.{SparkContext, TaskContext}
import org.hadoopmpsr.core.compact.MergePart
import org.hadoopmpsr.spark.jobs.run.{BegunChange, ReadBudget, SparkTasks}

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

/** Spark's tasks do parts, the largest first. */
private[jobs] final class SparkParts(context: SparkContext, merger: PartMerger, tasks: SparkTasks) extends PartRunner {
  import SparkParts._

  override def run(
      parts: Seq[MergePart],
      change: BegunChange,
      done: MergedPart => Unit,
      pulse: () => Unit): Seq[MergedPart] = {
    val divided = SparkTasks.divided(parts, tasks.count)(_.bytes, _.files.size)
    val work = Work(merger, change, tasks.bandwidthOf(divided.size))
    val rdd = context.parallelize(divided, divided.size)
    tasks.run[Seq[MergePart], MergedPart](
      SparkTasks.notWritten(change),
      rdd,
      each => work.merge(each.flatten),
      done,
      pulse)
  }
}

private[jobs] object SparkParts {

  /** What tasks know. */
  private final case class Work(merger: PartMerger, change: BegunChange, bandwidth: Long) {

    def merge(parts: Iterator[MergePart]): Seq[MergedPart] = {
      val context = TaskContext.get()
      val budget = ReadBudget.ofTask(context, bandwidth)
      var number = SparkTasks.firstNumber(context)
      parts.map { part =>
        val merged = merger.merge(part, change, number, budget)
        number += merged.encoded.size
        merged
      }.toVector
    }
  }
}
