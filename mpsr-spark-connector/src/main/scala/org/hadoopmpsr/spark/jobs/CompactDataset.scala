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
package org.hadoopmpsr.spark.jobs

import org.apache.spark.sql.SparkSession
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.client.run.{JobKind, RunRecord}
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.spark.jobs.compact.{ColumnarMerger, CompactionRun, NameNodeStore, SparkParts}
import org.hadoopmpsr.spark.jobs.run.{DatasetJob, SparkTasks}

/**
 * Merges small segments of datasets into large ones, in all replica groups at once. `hdfs mpsr compact` starts it;
 * schedulers may start it themselves.
 */
object CompactDataset extends DatasetJob[CompactionOptions](JobKind.COMPACT) {
  override protected def usage: String =
    "usage: CompactDataset hdfs://<namenode>/<dataset>... [--target-bytes N] [--before-ms N] [--all]" +
      " [--bandwidth N] [--parallelism N] [--run-dir DIR] [--json]"

  override protected def parse(arguments: java.util.List[String], datasets: java.util.List[String]): CompactionOptions =
    CompactionOptions.parse(arguments, datasets)

  override protected def run(session: SparkSession, path: String, options: CompactionOptions): RunRecord =
    compact(session, path, options)

  /**
   * Compacts a dataset in a session that there is, and keeps the record of the run.
   *
   * @param path the dataset's directory, with the scheme
   * @return how the run ended; its problem names what was left out
   * @throws java.io.IOException if it failed; the message says the problem, the cause and the fix
   */
  def compact(session: SparkSession, path: String, options: CompactionOptions): RunRecord =
    within(session, path, options.runDir) { job =>
      val rules = options.rules(job.blockBytes, job.maxFiles)
      val merger = new ColumnarMerger(job.text, job.fs.getUri, job.conf, rules.fileBytes)
      val tasks = new SparkTasks(session.sparkContext, options.parallelism, options.bandwidth)
      new CompactionRun(
        new NameNodeStore(job.client, job.fs, job.dataset),
        new SparkParts(session.sparkContext, merger, tasks),
        job.reporter,
        rules).run()
    }

  override protected def text(done: Progress): String =
    s"${done.changes} merges replaced ${done.segments} segments; ${done.files} files (${done.bytes} bytes) became" +
      s" ${done.filesWritten}" + (if (done.duplicates > 0) s", without ${done.duplicates} duplicates" else "")
}
