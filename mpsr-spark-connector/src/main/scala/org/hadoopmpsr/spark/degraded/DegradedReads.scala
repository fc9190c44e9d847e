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
package org.hadoopmpsr.spark.degraded

import java.util.WeakHashMap

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.SparkContext
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.execution.datasources.PartitionedFile
import org.apache.spark.util.LongAccumulator
import org.hadoopmpsr.client.degraded.PlannedFileSystem

/**
 * How long tasks try.
 *
 * @param timeoutMs after so many milliseconds without an answer, a DataNode is given up
 * @param failures how often a task may fail before its job fails
 */
private[degraded] final case class Limits(timeoutMs: Int, failures: Int)

/** Makes readers, in the driver. Safe for use by several threads. */
private[spark] object DegradedReads {
  private val LocalWithRetries = """local\[[^,\]]*,\s*(\d+)\s*\]""".r
  private val Counter = "mpsr.degraded.reads"

  private val counters = new WeakHashMap[SparkContext, LongAccumulator]

  /** Counts the parts of files that tasks of the application read from another group. Spark shows it with each stage. */
  def counter(context: SparkContext): LongAccumulator =
    counters.synchronized(counters.computeIfAbsent(context, _.longAccumulator(Counter)))

  /**
   * A reader of planned files.
   *
   * @param conf the configuration of the read, which is completed
   * @param stock makes Spark's reader with that configuration
   * @param dataset the dataset directory, qualified
   * @param group the group whose files are planned
   * @param timeoutMs after so many milliseconds without an answer, a DataNode is given up
   */
  def reader(
      context: SparkContext,
      conf: Configuration,
      stock: => PartitionedFile => Iterator[InternalRow],
      dataset: Path,
      group: String,
      form: ReadForm,
      timeoutMs: Int): PartitionedFile => Iterator[InternalRow] = {
    PlannedFileSystem.addTo(conf, timeoutMs)
    new DegradedReader(stock, dataset.toUri, group, form, Limits(timeoutMs, mostFailures(context)), counter(context))
  }

  /** How often a task may fail before its job fails. */
  private def mostFailures(context: SparkContext): Int = context.master match {
    case LocalWithRetries(failures) => failures.toInt
    case local if local.startsWith("local") && !local.startsWith("local-cluster") => 1
    case _ => context.getConf.getInt("spark.task.maxFailures", 4)
  }
}
