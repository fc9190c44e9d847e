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

import org.apache.spark.sql.SparkSession
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.repair.RepairOptions
import org.hadoopmpsr.client.repair.RepairOptions.Deed
import org.hadoopmpsr.client.run.{JobKind, RunRecord}
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.core.text.PrintableText
import org.hadoopmpsr.spark.jobs.rebuild.{NameNodeRebuildStore, RebuildRun, SparkDeriver}
import org.hadoopmpsr.spark.jobs.repair.{AcceptRun, DifferenceReport, Differences, NameNodeAcceptStore, SparkComparer}
import org.hadoopmpsr.spark.jobs.run.{DatasetJob, JobDataset, JobEnd, JobException, SparkTasks}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Repairs what somebody has changed by hand in datasets: says what differs, writes the published records anew, or takes what was
 * made by hand for the records. `hdfs mpsr repair` starts it; schedulers may start it themselves. The exit code is 1 also if
 * something stays damaged; with `--dry-run`, if something differs.
 */
object RepairDataset extends DatasetJob[RepairOptions](JobKind.REPAIR) {
  override protected def usage: String =
    "usage: RepairDataset hdfs://<namenode>/<dataset>... --dry-run|--execute|--accept [--group NAME]... [--examples N]" +
      " [--bandwidth N] [--parallelism N] [--run-dir DIR] [--json]"

  override protected def parse(arguments: java.util.List[String], datasets: java.util.List[String]): RepairOptions =
    RepairOptions.parse(arguments, datasets)

  override protected def run(session: SparkSession, path: String, options: RepairOptions): RunRecord =
    repair(session, path, options)

  override protected def isDone(run: RunRecord): Boolean = super.isDone(run) && run.problem == null

  override protected def report(
      session: SparkSession,
      paths: Seq[String],
      options: RepairOptions,
      json: Boolean): Option[Boolean] = Option.when(options.deed == Deed.DRY_RUN) {
    val reports = paths.flatMap { path =>
      try Some(differences(session, path, options))
      catch {
        case e: IOException =>
          JobEnd.say(s"$path: ${MpsrClient.answer(e)}")
          None
      }
    }
    if (json) println(DifferenceReport.json(reports))
    else reports.flatMap(_.lines).foreach(line => println(PrintableText.ofMessage(line)))
    reports.size == paths.size && reports.forall(_.isEmpty)
  }

  /**
   * Says what differs in a dataset; changes nothing.
   *
   * @param path the dataset's directory, with the scheme
   */
  private[jobs] def differences(session: SparkSession, path: String, options: RepairOptions): DifferenceReport =
    within(session, path, options.runDir) { job =>
      val tasks = new SparkTasks(session.sparkContext, options.parallelism, options.bandwidth)
      val comparer = new SparkComparer(session, job.text, job.fs.getUri, job.conf, tasks, options.examples)
      val found = new Differences(job.dataset.schema, job.dataset.groups, store(job), comparer).of(options.wants)
      DifferenceReport(job.dataset.path, found)
    }

  /**
   * Writes the published records of a dataset anew where they are damaged, or accepts what one group has, in a session that there
   * is, and keeps the record of the run.
   *
   * @param path the dataset's directory, with the scheme
   * @return how the run ended; its problem names what stays damaged
   * @throws java.io.IOException if it failed; the message says the problem, the cause and the fix
   */
  def repair(session: SparkSession, path: String, options: RepairOptions): RunRecord =
    within(session, path, options.runDir) { job =>
      val tasks = new SparkTasks(session.sparkContext, options.parallelism, options.bandwidth)
      val groups = job.dataset.groups
      if (options.deed == Deed.ACCEPT) {
        val group = options.groups.asScala.headOption.getOrElse(groups.defaultName)
        if (groups.find(group).isEmpty) {
          throw new JobException(s"--group: there is no replica group '$group' in ${groups.names}")
        }
        if (groups.find(group).get.isLossy) {
          throw new JobException(s"--group: group '$group' has rounded values (${groups.find(group).get.transforms.lossy.text}), which are" +
            " no records to accept; name a group that holds the records themselves")
        }
        val accepts = new NameNodeAcceptStore(job.client, job.fs, job.dataset)
        new AcceptRun(groups, group, accepts, SparkDeriver.of(session, job, tasks), job.reporter).run()
      } else RebuildRun.of(session, job, tasks, store(job), options.wants).run()
    }

  private def store(job: JobDataset) = new NameNodeRebuildStore(job.client, job.fs, job.dataset, foreign = true)

  override protected def text(done: Progress): String =
    s"${done.changes} changes repaired ${done.segments} segments of groups; ${done.filesWritten} files are written"
}
