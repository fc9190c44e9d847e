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
import org.hadoopmpsr.client.rebuild.RebuildOptions
import org.hadoopmpsr.client.run.{JobKind, RunRecord}
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.spark.jobs.rebuild.{NameNodeRebuildStore, RebuildRun}
import org.hadoopmpsr.spark.jobs.run.{DatasetJob, SparkTasks}

/**
 * Writes damaged files of datasets anew: each from the same segment in another replica group. `hdfs mpsr rebuild` starts it;
 * schedulers may start it themselves. The exit code is 1 also if something stays damaged.
 */
object RebuildDataset extends DatasetJob[RebuildOptions](JobKind.REBUILD) {
  override protected def usage: String =
    "usage: RebuildDataset hdfs://<namenode>/<dataset>... [--group NAME]... [--only-due] [--bandwidth N]" +
      " [--parallelism N] [--run-dir DIR] [--json]"

  override protected def parse(arguments: java.util.List[String], datasets: java.util.List[String]): RebuildOptions =
    RebuildOptions.parse(arguments, datasets)

  override protected def run(session: SparkSession, path: String, options: RebuildOptions): RunRecord =
    rebuild(session, path, options)

  override protected def isDone(run: RunRecord): Boolean = super.isDone(run) && run.problem == null

  /**
   * Rebuilds what is damaged in a dataset, in a session that there is, and keeps the record of the run.
   *
   * @param path the dataset's directory, with the scheme
   * @return how the run ended; its problem names what stays damaged
   * @throws java.io.IOException if it failed; the message says the problem, the cause and the fix
   */
  def rebuild(session: SparkSession, path: String, options: RebuildOptions): RunRecord =
    within(session, path, options.runDir) { job =>
      val tasks = new SparkTasks(session.sparkContext, options.parallelism, options.bandwidth)
      val store = new NameNodeRebuildStore(job.client, job.fs, job.dataset)
      RebuildRun.of(session, job, tasks, store, options.wants).run()
    }

  override protected def text(done: Progress): String =
    s"${done.changes} changes rebuilt ${done.segments} segments of groups; ${done.filesWritten} files are written in the" +
      s" place of ${done.files} (${done.bytes} bytes)"
}
