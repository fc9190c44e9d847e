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
import org.hadoopmpsr.client.adopt.AdoptOptions
import org.hadoopmpsr.client.run.{JobKind, RunRecord}
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.spark.jobs.adopt.{AdoptRun, FileReader, NameNodeAdoptStore}
import org.hadoopmpsr.spark.jobs.rebuild.SparkDeriver
import org.hadoopmpsr.spark.jobs.run.{DatasetJob, SparkTasks}

/**
 * Takes files that ordinary writers have put into datasets for segments, and writes their records in the other groups. Several
 * runs may work on a dataset at the same time: the NameNode takes each file once.
 */
object AdoptDataset extends DatasetJob[AdoptOptions](JobKind.ADOPT) {
  override protected def usage: String =
    "usage: AdoptDataset hdfs://<namenode>/<dataset>... [--now] [--bandwidth N] [--parallelism N] [--run-dir DIR] [--json]"

  override protected def parse(arguments: java.util.List[String], datasets: java.util.List[String]): AdoptOptions =
    AdoptOptions.parse(arguments, datasets)

  override protected def run(session: SparkSession, path: String, options: AdoptOptions): RunRecord =
    adopt(session, path, options)

  /**
   * Adopts what is due in a dataset, in a session that there is, and keeps the record of the run.
   *
   * @param path the dataset's directory, with the scheme
   * @return how the run ended; its problem names what was left for the next run
   * @throws java.io.IOException if it failed; the message says the problem, the cause and the fix
   */
  def adopt(session: SparkSession, path: String, options: AdoptOptions): RunRecord =
    within(session, path, options.runDir) { job =>
      val tasks = new SparkTasks(session.sparkContext, options.parallelism, options.bandwidth)
      new AdoptRun(
        job.dataset.groups,
        new NameNodeAdoptStore(job.client, job.fs, job.dataset),
        FileReader.of(session, job, tasks),
        SparkDeriver.of(session, job, tasks),
        job.reporter,
        options.rules(job.blockBytes, job.maxFiles)).run()
    }

  override protected def text(done: Progress): String =
    s"${done.changes} changes adopted ${done.files} files (${done.bytes} bytes); ${done.filesWritten} files are written in the" +
      " other groups"
}
