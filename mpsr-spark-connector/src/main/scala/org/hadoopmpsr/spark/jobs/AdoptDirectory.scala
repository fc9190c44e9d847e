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

import java.io.{FileNotFoundException, IOException}

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.SparkSession
import org.hadoopmpsr.client.{Dataset, MpsrClient}
import org.hadoopmpsr.client.adopt.SurveyOptions
import org.hadoopmpsr.client.run.{JobKind, RunRecord}
import org.hadoopmpsr.client.run.RunRecord.Progress
import org.hadoopmpsr.core.group.{AlteredGroups, ReplicaGroups}
import org.hadoopmpsr.core.schema.{Column, Schema}
import org.hadoopmpsr.core.text.PrintableText
import org.hadoopmpsr.spark.jobs.run.{DatasetJob, JobEnd, SparkTasks}
import org.hadoopmpsr.spark.jobs.survey.{FoundFile, Survey, SurveyReport, SurveyWork}
import org.hadoopmpsr.spark.versions.OptionConverters._
import org.hadoopmpsr.spark.versions.Scala213._

/**
 * Turns directories with files into datasets, and adopts the files; with `--dry-run` says only what would become of them.
 * `hdfs mpsr dataset adopt` starts it. The exit code is 1 also if some files stay as they are.
 */
object AdoptDirectory extends DatasetJob[SurveyOptions](JobKind.ADOPT_DIRECTORY) {
  override protected def usage: String =
    "usage: AdoptDirectory hdfs://<namenode>/<directory>... --dry-run|--execute [--schema COLUMNS] [--group GROUP=PREDICATES;SORT] [--bandwidth N]" +
      " [--parallelism N] [--run-dir DIR] [--json]"

  override protected def parse(arguments: java.util.List[String], datasets: java.util.List[String]): SurveyOptions =
    SurveyOptions.parse(arguments, datasets)

  override protected def report(
      session: SparkSession,
      paths: Seq[String],
      options: SurveyOptions,
      json: Boolean): Option[Boolean] = Option.when(!options.execute) {
    val reports = paths.flatMap { path =>
      try Some(survey(session, path, options))
      catch {
        case e: IOException =>
          JobEnd.say(s"$path: ${MpsrClient.answer(e)}")
          None
      }
    }
    reports.foreach(report => if (json) println(report.json) else report.lines.foreach(line => println(PrintableText.ofMessage(line))))
    reports.size == paths.size && reports.forall(_.isWell)
  }

  override protected def run(session: SparkSession, path: String, options: SurveyOptions): RunRecord = adopt(session, path, options)

  override protected def isDone(run: RunRecord): Boolean = super.isDone(run) && run.problem == null

  /**
   * Says what would become of a directory, in a session that there is. Changes nothing.
   *
   * @param path with the scheme
   */
  def survey(session: SparkSession, path: String, options: SurveyOptions): SurveyReport =
    connected(session, path)((client, root) => survey(session, client, root, options))

  /**
   * Makes a dataset of a directory, if it is none, and adopts its files. Ends a pause.
   *
   * @param path with the scheme
   * @return how the run ended; its problem names what stays as it is
   * @throws java.io.IOException if it failed, or there can be no dataset; the message says the problem, the cause and the fix
   */
  def adopt(session: SparkSession, path: String, options: SurveyOptions): RunRecord = {
    connected(session, path) { (client, root) =>
      datasetAt(client, root) match {
        case Some(dataset) =>
          checkColumns(dataset, options)
          checkGroups(dataset, options)
          if (dataset.adoptionPaused) client.alterations.pauseAdoption(dataset.path, dataset.id, false)
        case None =>
          val found = survey(session, client, root, options)
          found.problems.headOption.foreach(problem => throw new IOException(s"it cannot become a dataset: $problem"))
          client.createDatasetAround(root.toUri.getPath, Schema.parse(found.schema.get), options.groups)
      }
    }
    val run = AdoptDataset.adopt(session, path, options.adoption)
    val left = connected(session, path)((client, root) => client.untracked(root.toUri.getPath).asScala.filter(_.unfit != null))
    left.headOption.filter(_ => run.problem == null).fold(run) { first =>
      run.withProblem(s"${left.size} files stay as they are, in the default group alone: ${first.path}: ${first.unfit}")
    }
  }

  private def connected[T](session: SparkSession, path: String)(work: (MpsrClient, Path) => T): T = {
    val conf = session.sparkContext.hadoopConfiguration
    val target = new Path(path)
    val root = target.getFileSystem(conf).makeQualified(target)
    Using.resource(MpsrClient.create(new Configuration(conf), root.toUri))(work(_, root))
  }

  private def datasetAt(client: MpsrClient, root: Path): Option[Dataset] =
    client.listDatasets().asScala.find(_.path == root.toUri.getPath)

  private def wanted(options: SurveyOptions): Seq[Column] =
    Option(options.schema).fold(Seq.empty[Column])(Schema.parse(_).columns.asScala.toSeq)

  /** A dataset that is there keeps its columns. */
  private def checkColumns(dataset: Dataset, options: SurveyOptions): Unit =
    wanted(options).find(column => !dataset.schema.columns.contains(column)).foreach { column =>
      throw new IOException(
        s"it is a dataset, whose columns stay, and has no column '${column.ddl}'; leave out ${SurveyOptions.SCHEMA}")
    }

  /** ... and its groups. */
  private def checkGroups(dataset: Dataset, options: SurveyOptions): Unit =
    options.groups.asScala.find(wanted => !dataset.groups.meant(wanted.group).toScala.exists(_.predicates == wanted.predicates)).foreach { wanted =>
      throw new IOException(s"it is a dataset, whose groups stay, and has no group '${wanted.text}'; leave out ${SurveyOptions.GROUP}," +
        " and alter the group with 'hdfs mpsr dataset alter'")
    }

  private def wantedGroups(client: MpsrClient, options: SurveyOptions): ReplicaGroups =
    try AlteredGroups.ofNew(client.configuredGroups, options.groups)
    catch { case e: IllegalArgumentException => throw new IOException(s"it cannot become a dataset with these groups: ${e.getMessage}", e) }

  private def survey(session: SparkSession, client: MpsrClient, root: Path, options: SurveyOptions): SurveyReport = {
    val context = session.sparkContext
    val fs = root.getFileSystem(context.hadoopConfiguration)
    if (!fs.getFileStatus(root).isDirectory) throw new FileNotFoundException(s"$root is no directory")
    val dataset = datasetAt(client, root)
    val files = dataset match {
      case None => FoundFile.below(fs, root)
      case Some(found) =>
        val untracked = client.untracked(found.path).asScala.map(_.path).toSet
        FoundFile.below(fs, root).filter(file => untracked(file.path))
    }
    dataset.foreach { found =>
      checkColumns(found, options)
      checkGroups(found, options)
    }
    val work = new SurveyWork(session, fs, root)
    val tasks = new SparkTasks(context, options.adoption.parallelism, options.adoption.bandwidth)
    val groups = dataset.fold(wantedGroups(client, options))(_.groups)
    val report = new Survey(root.toUri.getPath, groups, dataset.map(_.schema), wanted(options)).of(work.footers(files, tasks))
    if (options.execute) report
    else report.copy(forecast = work.forecast(report, files, groups, options, tasks))
  }

  override protected def text(done: Progress): String =
    s"${done.changes} changes adopted ${done.files} files (${done.bytes} bytes); ${done.filesWritten} files are written in the" +
      " other groups"
}
