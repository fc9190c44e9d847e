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

import java.io.IOException
import java.util.{ArrayList, List => JList}

import scala.annotation.tailrec
import scala.jdk.CollectionConverters._
import scala.util.{Failure => Failed, Success, Try, Using}

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.SparkSession
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.{Dataset, MpsrClient}
import org.hadoopmpsr.client.run.{JobKind, RunRecord, RunRecords}
import org.hadoopmpsr.client.run.RunRecord.{Progress, State}
import org.hadoopmpsr.core.config.ConfigKeys
import org.hadoopmpsr.core.text.PrintableText
import org.hadoopmpsr.spark.log.PrintableLogging

/**
 * The main program of a job that changes datasets, one after the other. Prints what it has done, with `--json` as one JSON
 * object. A dataset in which it fails does not keep it from the next one. Exit codes: 0 if all is done that is due, 1 if not, 2
 * for wrong arguments.
 *
 * @tparam O the options
 */
private[jobs] abstract class DatasetJob[O](kind: JobKind) extends PrintableLogging {
  import DatasetJob._

  protected def usage: String

  /** @throws IllegalArgumentException with a message for the user */
  protected def parse(arguments: JList[String], datasets: JList[String]): O

  /** Does a dataset, whose directory is given with the scheme. */
  protected def run(session: SparkSession, path: String, options: O): RunRecord

  /** Whether all is done. */
  protected def isDone(run: RunRecord): Boolean = run.state == State.DONE

  /**
   * Prints a report in place of runs, if the options want one.
   *
   * @param paths the datasets' directories, with the scheme
   * @return whether all is in order; none if there is no report to print
   */
  protected def report(session: SparkSession, paths: Seq[String], options: O, json: Boolean): Option[Boolean] = None

  /** What was done, for people. */
  protected def text(done: Progress): String

  def main(args: Array[String]): Unit = {
    val datasets = new ArrayList[String]
    val options =
      try parse(args.filterNot(_ == "--json").toSeq.asJava, datasets)
      catch { case e: IllegalArgumentException => JobEnd.wrong(e.getMessage, usage) }
    if (datasets.isEmpty) {
      JobEnd.wrong("no dataset is named", usage)
    }
    val name = s"mpsr ${kind.command} ${datasets.asScala.mkString(" ")}"
    val session = SparkSession.builder().appName(name).getOrCreate()
    val paths = datasets.asScala.toSeq
    val inJson = args.contains("--json")
    val isWell =
      try report(session, paths, options, inJson).getOrElse {
        val runs = paths.map(path => attempt(path)(run(session, path, options)))
        val done = runs.collect { case Right(run) => run }
        if (inJson) println(json(runs)) else done.foreach(run => println(line(run)))
        done.size == runs.size && done.forall(isDone)
      } finally session.stop()
    if (!isWell) {
      sys.exit(1)
    }
  }

  /** Prints an error without the stack trace that a message from the NameNode has. */
  private def attempt(path: String)(run: => RunRecord): Ended =
    try Right(run)
    catch {
      case e: IOException =>
        val problem = MpsrClient.answer(e)
        JobEnd.say(s"$path: $problem")
        Left(Failure(path, problem))
    }

  private def line(run: RunRecord): String = PrintableText.ofMessage(
    s"${run.dataset}: ${run.state.name.toLowerCase}, ${text(run.done)}" + Option(run.problem).fold("")("; " + _))

  private def json(runs: Seq[Ended]): String = {
    val mapper = new ObjectMapper
    val report = mapper.createObjectNode()
    val datasets = report.putArray("datasets")
    runs.foreach {
      case Left(failure) =>
        datasets.addObject().put("path", failure.path).put("state", "failed").put("problem", failure.problem)
      case Right(run) =>
        datasets
          .addObject()
          .put("path", run.dataset)
          .put("state", run.state.name.toLowerCase)
          .put("application", run.application)
          .put(kind.changes, run.done.changes)
          .put("segments", run.done.segments)
          .put("files", run.done.files)
          .put("bytes", run.done.bytes)
          .put("filesWritten", run.done.filesWritten)
          .put("duplicates", run.done.duplicates)
          .put("ms", run.updatedMs - run.startedMs)
          .put("problem", run.problem)
    }
    mapper.writeValueAsString(report)
  }

  /**
   * Works on a dataset with a client; what reports to the job's reporter keeps the record of the run. Where the work fails and the
   * groups or columns of the dataset were altered meanwhile, it begins anew, with those of now.
   *
   * @param path the dataset's directory, with the scheme
   * @param runDir the directory of the record, or null for the default
   */
  protected def within[T](session: SparkSession, path: String, runDir: String)(work: JobDataset => T): T = {
    val conf = session.sparkContext.hadoopConfiguration
    val target = new Path(path)
    val fs = target.getFileSystem(conf)
    val root = fs.makeQualified(target)
    Using.resource(MpsrClient.create(new Configuration(conf), root.toUri)) { client =>
      @tailrec
      def attempt(dataset: Dataset, left: Int): T = {
        val done = Try(work(job(session, client, fs, root, dataset, runDir)))
        val now = if (left > 0 && hasFailed(done)) Try(client.getDataset(root.toUri.getPath)).toOption else None
        now match {
          case Some(altered) if isAltered(dataset, altered) =>
            logWarning(s"the groups or columns of ${dataset.path} were altered meanwhile; the work begins anew")
            attempt(altered, left - 1)
          case _ => done.get
        }
      }
      attempt(client.getDataset(root.toUri.getPath), MostAlterations)
    }
  }

  private def job(
      session: SparkSession,
      client: MpsrClient,
      fs: FileSystem,
      root: Path,
      dataset: Dataset,
      runDir: String): JobDataset = {
    val context = session.sparkContext
    val conf = context.hadoopConfiguration
    val now = System.currentTimeMillis()
    val first = new RunRecord(
      dataset.path,
      context.applicationId,
      context.sparkUser,
      State.RUNNING,
      now,
      now,
      null,
      Progress.NONE,
      Progress.NONE,
      null)
    JobDataset(
      client,
      fs,
      dataset,
      DatasetText.of(dataset),
      context.broadcast(new SerializableConfiguration(conf)),
      fs.getDefaultBlockSize(root),
      JobDataset.maxFiles(conf),
      new RunReporter(new RunRecords(kind, fs, conf, runDir), dataset.id, first, () => System.currentTimeMillis()))
  }
}

private object DatasetJob {

  /** The record of a run, or what failed. */
  private type Ended = Either[Failure, RunRecord]

  private final case class Failure(path: String, problem: String)

  /** Whoever alters a dataset more often while a job works on it should wait. */
  private val MostAlterations = 10

  private def hasFailed(done: Try[Any]): Boolean = done match {
    case Failed(_: IOException) => true
    case Success(run: RunRecord) => run.problem != null
    case Success((run: RunRecord, _)) => run.problem != null
    case _ => false
  }

  private def isAltered(before: Dataset, now: Dataset): Boolean = before.id == now.id &&
    (before.groups != now.groups || before.writtenGroups != now.writtenGroups || before.schema != now.schema)
}

/**
 * The dataset of a job.
 *
 * @param blockBytes the size of an HDFS block
 * @param maxFiles the most files that a change may have
 */
private[jobs] final case class JobDataset(
    client: MpsrClient,
    fs: FileSystem,
    dataset: Dataset,
    text: DatasetText,
    conf: Broadcast[SerializableConfiguration],
    blockBytes: Long,
    maxFiles: Int,
    reporter: RunReporter)

private[jobs] object JobDataset {

  /** The most files that a change may have. */
  def maxFiles(conf: Configuration): Int =
    conf.getInt(ConfigKeys.MAX_COMMIT_FILES.name, ConfigKeys.MAX_COMMIT_FILES.defaultValue.toInt)
}
