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

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import com.fasterxml.jackson.databind.node.ObjectNode
import org.apache.spark.sql.SparkSession
import org.hadoopmpsr.client.Dataset.Purged
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.delete.{DeleteOptions, RemainingCopies}
import org.hadoopmpsr.client.run.{JobKind, RunRecord}
import org.hadoopmpsr.client.run.RunRecord.{Progress, State}
import org.hadoopmpsr.core.text.PrintableText
import org.hadoopmpsr.spark.jobs.delete._
import org.hadoopmpsr.spark.jobs.run.{DatasetJob, JobDataset, JobEnd, JobException, SparkTasks}
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Takes records away from datasets, in all replica groups at once. `hdfs mpsr dataset delete` and `hdfs mpsr dataset expire` start it;
 * schedulers may start it themselves. Prints what would be deleted, or a certificate of what is.
 */
object DeleteRecords extends DatasetJob[DeleteOptions](JobKind.DELETE) {
  override protected def usage: String =
    "usage: DeleteRecords hdfs://<namenode>/<dataset>... --where CONDITION|--before-ms N [--column NAME] --dry-run|--execute" +
      " [--purge] [--in-parts] [--bandwidth N] [--parallelism N] [--run-dir DIR] [--json]"

  override protected def parse(arguments: java.util.List[String], datasets: java.util.List[String]): DeleteOptions =
    DeleteOptions.parse(arguments, datasets)

  override protected def run(session: SparkSession, path: String, options: DeleteOptions): RunRecord =
    delete(session, path, options, _ => ())

  override protected def report(
      session: SparkSession,
      paths: Seq[String],
      options: DeleteOptions,
      json: Boolean): Option[Boolean] = {
    val mapper = new ObjectMapper
    val out = mapper.createObjectNode()
    val all = out.putArray(if (options.execute) "certificates" else "datasets")
    lazy val copies = out.putArray("copies")
    def tell(lines: Seq[String], node: => JsonNode): Unit =
      if (json) all.add(node) else lines.foreach(line => println(PrintableText.ofMessage(line)))
    val well = paths.map { path =>
      try {
        if (options.execute) {
          var none = true
          val run =
            delete(session, path, options, certificate => { none = false; tell(certificate.lines, certificate.json(mapper)) })
          if (run.state != State.DONE) throw new JobException(run.problem)
          if (none && !json) println(PrintableText.ofMessage(s"$path: no record is to be deleted"))
          val (purged, left) = afterwards(session, path, options)
          tellCopies(path, purged, left, if (json) Some(copies.addObject()) else None)
        } else {
          val found = forecast(session, path, options)
          tell(found.lines, found.json(mapper))
        }
        true
      } catch {
        case e: IOException =>
          JobEnd.say(s"$path: ${MpsrClient.answer(e)}")
          false
      }
    }
    if (json) println(mapper.writeValueAsString(out))
    Some(well.forall(identity))
  }

  /** Purges, if that is wanted, and looks for the copies that are left. */
  private def afterwards(
      session: SparkSession,
      path: String,
      options: DeleteOptions): (Option[Purged], RemainingCopies) =
    within(session, path, options.runDir) { job =>
      val purged = Option.when(options.purge)(job.client.purgeReplaced(job.dataset.path, job.dataset.id))
      val now = job.client.getDataset(job.dataset.path)
      (purged, RemainingCopies.of(job.fs, session.sparkContext.hadoopConfiguration, now))
    }

  private def tellCopies(
      path: String,
      purged: Option[Purged],
      left: RemainingCopies,
      json: Option[ObjectNode]): Unit = json match {
    case Some(node) =>
      node.put("dataset", path)
      purged.foreach(p => node.put("purgedFiles", p.files).put("purgedBytes", p.bytes).put("staged", p.staged))
      left.json.forEach((name, value) => node.putPOJO(name, value))
    case None =>
      val lines = purged.map(p => s"  ${RemainingCopies.purged(p)}").toSeq ++ left.lines.asScala
      lines.foreach(line => println(PrintableText.ofMessage(line)))
  }

  /** What is used for a dataset. */
  private final class Parts(session: SparkSession, job: JobDataset, options: DeleteOptions) {
    private val (schema, groups) = (job.dataset.schema, job.dataset.groups)
    private val text = Option(options.where)
      .getOrElse(DeleteCondition.before(groups, job.dataset.columns, options.column, options.beforeMs))
    val condition: DeleteCondition = DeleteCondition.of(session, groups, job.dataset.columns, text)
    val store = new NameNodeDeleteStore(job.client, job.fs, job.dataset)
    val tasks = new FileTasks(
      session.sparkContext,
      new FileWork(job.text, job.fs.getUri, job.conf, Some(condition.row), job.blockBytes),
      new SparkTasks(session.sparkContext, options.parallelism, options.bandwidth))
    private val besides = new UntrackedRecords(session, job.fs, job.dataset.path, groups, job.dataset.columns, condition.text)
    val planner = new DeletePlanner(schema, groups, store, tasks, condition, besides)
    val limits = DeleteRun.limits(job.maxFiles)
  }

  /**
   * Says what would be deleted; changes nothing.
   *
   * @param path the dataset's directory, with the scheme
   */
  private[jobs] def forecast(session: SparkSession, path: String, options: DeleteOptions): DeleteForecast =
    within(session, path, options.runDir) { job =>
      val parts = new Parts(session, job, options)
      val plan = parts.planner.plan(() => ())
      val changes = DeleteRun.divided(job.dataset.groups.defaultName, plan, parts.limits).size
      DeleteForecast(job.dataset.path, parts.condition.text, plan, changes)
    }

  /**
   * Takes records away from a dataset in a session that there is, and keeps the record of the run.
   *
   * @param path the dataset's directory, with the scheme
   * @param told is given the certificate of each change, also if a later one fails
   * @return how the run ended
   * @throws java.io.IOException if it failed; the message says the problem, the cause and the fix
   */
  private[spark] def delete(
      session: SparkSession,
      path: String,
      options: DeleteOptions,
      told: Certificate => Unit): RunRecord = within(session, path, options.runDir) { job =>
    val parts = new Parts(session, job, options)
    val run = new DeleteRun(
      job.dataset.path,
      job.dataset.groups.defaultName,
      parts.condition,
      parts.store,
      parts.planner,
      parts.tasks,
      job.reporter,
      parts.limits,
      options.inParts,
      session.sparkContext.sparkUser)
    try run.run()
    finally run.certificates.foreach(told)
  }

  override protected def text(done: Progress): String =
    s"${done.changes} changes took records from ${done.segments} segments; ${done.filesWritten} files are written"
}
