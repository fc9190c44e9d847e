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

import java.io.IOException

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.sql.SparkSession
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.rollback.{RollbackOptions, RollbackReport}
import org.hadoopmpsr.client.run.{JobKind, RunRecord}
import org.hadoopmpsr.client.run.RunRecord.{Progress, State}
import org.hadoopmpsr.core.text.PrintableText
import org.hadoopmpsr.spark.jobs.delete.{FileTasks, FileWork}
import org.hadoopmpsr.spark.jobs.rollback.{NameNodeRollbackStore, RollbackRun}
import org.hadoopmpsr.spark.jobs.run.{DatasetJob, JobEnd, JobException, SparkTasks}

/**
 * Brings earlier states of datasets back, in all replica groups at once. `hdfs mpsr dataset rollback` starts it; schedulers may start it
 * themselves. Prints what went and what came back.
 */
object RollbackDataset extends DatasetJob[RollbackOptions](JobKind.ROLLBACK) {
  override protected def usage: String =
    "usage: RollbackDataset hdfs://<namenode>/<dataset>... --to STATE [--bandwidth N] [--parallelism N] [--run-dir DIR] [--json]"

  override protected def parse(arguments: java.util.List[String], datasets: java.util.List[String]): RollbackOptions =
    RollbackOptions.parse(arguments, datasets)

  override protected def run(session: SparkSession, path: String, options: RollbackOptions): RunRecord =
    rollback(session, path, options)._1

  override protected def report(
      session: SparkSession,
      paths: Seq[String],
      options: RollbackOptions,
      json: Boolean): Option[Boolean] = {
    val reports = paths.flatMap { path =>
      try {
        val (run, told) = rollback(session, path, options)
        if (run.state != State.DONE) throw new JobException(run.problem)
        if (!json) told.foreach(_.lines.forEach(line => println(PrintableText.ofMessage(line))))
        told
      } catch {
        case e: IOException =>
          JobEnd.say(s"$path: ${MpsrClient.answer(e)}")
          None
      }
    }
    if (json) println((new ObjectMapper).writeValueAsString(RollbackReport.json(reports.asJava)))
    Some(reports.size == paths.size)
  }

  /**
   * Brings a state of a dataset back in a session that there is, and keeps the record of the run.
   *
   * @param path the dataset's directory, with the scheme
   * @return how the run ended, and what it has done
   * @throws java.io.IOException if it failed; the message says the problem, the cause and the fix
   */
  private[spark] def rollback(
      session: SparkSession,
      path: String,
      options: RollbackOptions): (RunRecord, Option[RollbackReport]) = within(session, path, options.runDir) { job =>
    val tasks = new FileTasks(
      session.sparkContext,
      new FileWork(job.text, job.fs.getUri, job.conf, None, job.blockBytes),
      new SparkTasks(session.sparkContext, options.parallelism, options.bandwidth))
    val store = new NameNodeRollbackStore(job.client, job.fs, job.dataset, options.to)
    val run = new RollbackRun(job.dataset.path, job.dataset.groups.defaultName, store, tasks, job.reporter, job.maxFiles)
    (run.run(), run.report)
  }

  override protected def text(done: Progress): String =
    s"${done.changes} changes removed or restored ${done.segments} segments; ${done.filesWritten} files are written"
}
