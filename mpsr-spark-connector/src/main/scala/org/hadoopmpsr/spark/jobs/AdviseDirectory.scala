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
import java.nio.charset.StandardCharsets
import java.nio.file.{Files, Paths}
import java.util.{ArrayList, Collections, Locale, Map => JMap}

import scala.annotation.tailrec
import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.{Try, Using}

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.SparkConf
import org.apache.spark.sql.SparkSession
import org.hadoopmpsr.client.{Dataset, MpsrClient}
import org.hadoopmpsr.client.adopt.AdoptOptions
import org.hadoopmpsr.client.advise.{AdviceTrial, AdviceView, AdviseOptions, DatasetAdvice, DirectoryAdvice, WorkloadFile}
import org.hadoopmpsr.core.adopt.AdoptionRules
import org.hadoopmpsr.core.advise.{Advice, Advisor, GroupSizes}
import org.hadoopmpsr.core.config.MpsrConfig
import org.hadoopmpsr.core.cost.CostModel
import org.hadoopmpsr.core.group.{ReplicaGroup, ReplicaGroups, SortKey}
import org.hadoopmpsr.core.plan.{Filter, ReadRequest}
import org.hadoopmpsr.core.text.PrintableText
import org.hadoopmpsr.spark.jobs.advise.{AdvicePrinter, DirectoryFacts, DirectoryReader, ProposalTrial, SizeMeasurement, TrialPage, TrialSource}
import org.hadoopmpsr.spark.jobs.run.{JobDataset, JobEnd}
import org.hadoopmpsr.spark.jobs.survey.FoundFile
import org.hadoopmpsr.spark.versions.OptionConverters._

/**
 * Advises replica groups for a directory with Parquet files that is no dataset, from a workload and from the ends of some of its files;
 * changes nothing. With `--verify`, also for a dataset, tries the groups with some of the files. `hdfs mpsr advise` starts it. Exit codes: 0 if the advice is printed, 1 if not, 2 for wrong arguments.
 */
object AdviseDirectory {
  private val Usage = "usage: AdviseDirectory <fs>/<directory> --from LOG [--groups N] [--budget COPIES] [--seed N] [--files N]" +
    " [--schema COLUMNS] [--measure BYTES] [--verify [--sample BYTES] [--html FILE]] [--json]"

  /** About how many records a sample has. */
  private val Records = 8000

  /** So often other layouts are measured and the advice is made anew. */
  private val MostMeasurements = 4

  /** As many groups as HDFS keeps copies, where nothing is configured. */
  private val UsualGroups = 3

  def main(args: Array[String]): Unit = {
    val paths = new ArrayList[String]
    val options =
      try AdviseOptions.parse(args.filterNot(_ == "--json").toSeq.asJava, paths)
      catch { case e: IllegalArgumentException => JobEnd.wrong(e.getMessage, Usage) }
    if (paths.size != 1) JobEnd.wrong(s"${paths.size} directories are named; name one", Usage)
    val session = sessionFor(paths.get(0), options)
    try {
      val (view, trial) = verified(session, paths.get(0), options, JobEnd.say)
      if (args.contains("--json")) println(json(view)) else view.print(new AdvicePrinter(line => println(PrintableText.of(line))))
      for (file <- Option(options.html); measured <- trial) {
        val words = mutable.ArrayBuffer.empty[String]
        view.print(new AdvicePrinter(words += _))
        Files.write(Paths.get(file), TrialPage.html(paths.get(0), measured, words.toSeq).getBytes(StandardCharsets.UTF_8))
      }
    } catch {
      case e: IOException => JobEnd.failed(s"${paths.get(0)}: ${MpsrClient.answer(e)}")
      case e: IllegalArgumentException => JobEnd.failed(s"${paths.get(0)}: ${e.getMessage}")
    } finally session.stop()
  }

  /** A trial reads groups, whatever the configuration of Spark has. */
  private def sessionFor(path: String, options: AdviseOptions): SparkSession = {
    val builder = if (options.trialBytes == 0) SparkSession.builder() else ExtendedSession.builder(new SparkConf)
    builder.appName(s"mpsr advise $path").getOrCreate()
  }

  /**
   * Advises groups, in a session that there is, and tries them if the options say it, for which the session needs the extension.
   *
   * @param path of a directory, or of a dataset if the groups are tried, with the scheme
   * @param progress is told how far it is
   * @throws java.io.IOException if the directory or the workload cannot be read, or the trial cannot be made
   * @throws java.lang.IllegalArgumentException if there is nothing to advise from, with the reason
   */
  private[spark] def verified(
      session: SparkSession,
      path: String,
      options: AdviseOptions,
      progress: String => Unit): (AdviceView, Option[AdviceTrial]) =
    if (options.trialBytes == 0) (advise(session, path, options, progress), None)
    else {
      val conf = session.sparkContext.hadoopConfiguration
      val target = new Path(path)
      val fs = target.getFileSystem(conf)
      val root = fs.makeQualified(target)
      Using.resource(client(conf, root)) { client =>
        client.listDatasets().asScala.find(_.path == root.toUri.getPath) match {
          case Some(dataset) => tried(session, client, dataset, root, options, progress)
          case None =>
            val (view, advice) = advised(session, path, options, progress)
            val files = FoundFile.below(fs, root).map(file => file.path -> file.length).sortBy(_._1)
            val classes = WorkloadFile.classes(options.from, root.toUri.getPath)
            val trial = new ProposalTrial(session, root, classes, options, costs(conf), adopted(session), progress)
              .run(TrialSource(root.toUri.getPath, files), Seq(AdviceTrial.ADVISED -> advice.groups.asScala.toSeq))
            (view.`with`(trial), Some(trial))
        }
      }
    }

  private def tried(
      session: SparkSession,
      client: MpsrClient,
      dataset: Dataset,
      root: Path,
      options: AdviseOptions,
      progress: String => Unit): (AdviceView, Option[AdviceTrial]) = {
    val conf = session.sparkContext.hadoopConfiguration
    val classes = DatasetAdvice.classes(client, dataset, options.from)
    val advice = DatasetAdvice.of(client, dataset, classes, conf, options)
    val default = dataset.groups.defaultName
    val plan = client.plan(dataset.path, ReadRequest.ofFiles(Filter.ALL), default, Collections.emptyList[String]()).toScala
    val files = plan.fold(Seq.empty[(String, Long)])(_.files.asScala.map(file => file.path -> file.length).toSeq.sortBy(_._1))
    val advised = AdviceTrial.ADVISED -> advice.groups.asScala.toSeq
    val sides = if (advice.isAsToday) Seq(advised) else Seq(AdviceTrial.TODAY -> advice.today.asScala.toSeq, advised)
    val trial = new ProposalTrial(session, root, classes, options, costs(conf), adopted(session), progress).run(TrialSource(dataset.path, files), sides)
    (new AdviceView(dataset.path, advice).`with`(trial), Some(trial))
  }

  private def adopted(session: SparkSession)(path: String, options: AdoptOptions): Option[String] =
    Option(AdoptDataset.adopt(session, path, options).problem)

  private def client(conf: Configuration, root: Path) = MpsrClient.create(new Configuration(conf), root.toUri)

  private def costs(conf: Configuration): CostModel = MpsrConfig.read(key => conf.get(key)).costs

  private[spark] def json(view: AdviceView): String = new ObjectMapper().writeValueAsString(view.json: JMap[String, _])

  /**
   * Advises groups, in a session that there is.
   *
   * @param path with the scheme
   * @param progress is told how far it is
   * @throws java.io.IOException if the directory or the workload cannot be read
   * @throws java.lang.IllegalArgumentException if there is nothing to advise from, with the reason
   */
  private[spark] def advise(session: SparkSession, path: String, options: AdviseOptions, progress: String => Unit): AdviceView =
    advised(session, path, options, progress)._1

  private def advised(
      session: SparkSession,
      path: String,
      options: AdviseOptions,
      progress: String => Unit): (AdviceView, Advice) = {
    if (options.from == null) {
      throw new IOException(s"the option ${AdviseOptions.FROM} is missing: of a directory that is no dataset nobody counts queries")
    }
    val conf = session.sparkContext.hadoopConfiguration
    val target = new Path(path)
    val fs = target.getFileSystem(conf)
    val root = fs.makeQualified(target)
    if (!fs.getFileStatus(root).isDirectory) throw new FileNotFoundException(s"$root is no directory")
    val name = root.toUri.getPath
    val classes = WorkloadFile.classes(options.from, name)
    val configured = groups(conf, root)
    val facts = new DirectoryReader(session, fs, root, options, progress)
      .read(classes.asScala.toSeq, configured.toSeq.flatMap(_.exact.asScala), configured.map(_.defaultGroup))
    val lies = defaultGroup(facts, configured)
    val blockBytes = fs.getDefaultBlockSize(root)
    val measurement = new SizeMeasurement(session, fs, root, facts, lies, options.measureBytes, options.seed, progress)
    val sample = facts.files.sample(AdoptionRules.of(blockBytes, JobDataset.maxFiles(conf)), measurement.records(Records).asJava, Records, options.seed)
    val others = configured.toSeq.flatMap(_.exact.asScala.filter(_.name != lies.name)).asJava
    val count = if (options.groups > 0) options.groups else configured.fold(UsualGroups)(_.exact.size)
    def adviceBy(sizes: GroupSizes) = Advisor.adviseDirectory(
      sample,
      classes,
      lies,
      facts.files.stock(facts.sort.asJava),
      others,
      count,
      costs(conf),
      blockBytes.toDouble,
      sizes,
      options.seed)
    // what is measured of a layout may make another one better, of which the mean was taken until then
    @tailrec
    def settled(sizes: GroupSizes, left: Int): Advice = {
      val advice = adviceBy(sizes)
      val known = measurement.of(advice.groups.asScala.toSeq.filter(_.name != lies.name), sizes)
      if (known == sizes) advice
      else if (left == 0) adviceBy(known)
      else settled(known, left - 1)
    }
    val advice = settled(GroupSizes.NONE, MostMeasurements)
    val about = new DirectoryAdvice(
      facts.found.size,
      facts.bytes,
      facts.places.size,
      facts.failed,
      facts.bytesRead,
      measurement.files,
      measurement.bytes,
      facts.layout,
      options.schema,
      configured.orNull)
    val spread = if (options.budget > 0) advice.withCopies(options.budget) else advice
    (new AdviceView(name, spread, about), spread)
  }

  /** The groups of the cluster; none if MPSR does not run there. */
  private def groups(conf: Configuration, root: Path): Option[ReplicaGroups] =
    Try(Using.resource(client(conf, root))(_.configuredGroups)).toOption

  /** As the directory lies: what is configured, with other predicates if need be. */
  private def defaultGroup(facts: DirectoryFacts, configured: Option[ReplicaGroups]): ReplicaGroup = {
    val predicates = facts.layout.predicates
    configured.map(_.defaultGroup) match {
      case Some(group) if group.predicates == predicates => group
      case Some(group) => new ReplicaGroup(group.name, predicates, Collections.emptyList[SortKey](), group.replication, group.codec)
      case None => new ReplicaGroup(predicates.get(0).fieldName.toLowerCase(Locale.ROOT), predicates, Collections.emptyList[SortKey](), 1, facts.codec)
    }
  }
}
