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
import java.util.{ArrayList, Collections, Locale, Map => JMap}

import scala.jdk.CollectionConverters._
import scala.util.{Try, Using}

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.SparkSession
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.advise.{AdviceView, AdviseOptions, DirectoryAdvice, WorkloadFile}
import org.hadoopmpsr.core.adopt.AdoptionRules
import org.hadoopmpsr.core.advise.Advisor
import org.hadoopmpsr.core.config.MpsrConfig
import org.hadoopmpsr.core.group.{ReplicaGroup, ReplicaGroups, SortKey}
import org.hadoopmpsr.core.text.PrintableText
import org.hadoopmpsr.spark.jobs.advise.{AdvicePrinter, DirectoryFacts, DirectoryReader}
import org.hadoopmpsr.spark.jobs.run.{JobDataset, JobEnd}

/**
 * Advises replica groups for a directory with Parquet files that is no dataset, from a workload and from the ends of some of its files;
 * changes nothing. `hdfs mpsr advise` starts it. Exit codes: 0 if the advice is printed, 1 if not, 2 for wrong arguments.
 */
object AdviseDirectory {
  private val Usage = "usage: AdviseDirectory <fs>/<directory> --from LOG [--groups N] [--budget COPIES] [--seed N] [--files N]" +
    " [--schema COLUMNS] [--json]"

  /** About how many records a sample has. */
  private val Records = 8000

  /** As many groups as HDFS keeps copies, where nothing is configured. */
  private val UsualGroups = 3

  def main(args: Array[String]): Unit = {
    val paths = new ArrayList[String]
    val options =
      try AdviseOptions.parse(args.filterNot(_ == "--json").toSeq.asJava, paths)
      catch { case e: IllegalArgumentException => JobEnd.wrong(e.getMessage, Usage) }
    if (paths.size != 1) JobEnd.wrong(s"${paths.size} directories are named; name one", Usage)
    val session = SparkSession.builder().appName(s"mpsr advise ${paths.get(0)}").getOrCreate()
    val view =
      try advise(session, paths.get(0), options, JobEnd.say)
      catch {
        case e: IOException => JobEnd.failed(s"${paths.get(0)}: ${MpsrClient.answer(e)}")
        case e: IllegalArgumentException => JobEnd.failed(s"${paths.get(0)}: ${e.getMessage}")
      } finally session.stop()
    if (args.contains("--json")) println(json(view)) else view.print(new AdvicePrinter(line => println(PrintableText.of(line))))
  }

  private[spark] def json(view: AdviceView): String = new ObjectMapper().writeValueAsString(view.json: JMap[String, _])

  /**
   * Advises groups, in a session that there is.
   *
   * @param path with the scheme
   * @param progress is told how far it is
   * @throws java.io.IOException if the directory or the workload cannot be read
   * @throws java.lang.IllegalArgumentException if there is nothing to advise from, with the reason
   */
  private[spark] def advise(session: SparkSession, path: String, options: AdviseOptions, progress: String => Unit): AdviceView = {
    val conf = session.sparkContext.hadoopConfiguration
    val target = new Path(path)
    val fs = target.getFileSystem(conf)
    val root = fs.makeQualified(target)
    if (!fs.getFileStatus(root).isDirectory) throw new FileNotFoundException(s"$root is no directory")
    val name = root.toUri.getPath
    val classes = WorkloadFile.classes(options.from, name)
    val configured = groups(conf, root)
    val facts = new DirectoryReader(session, fs, root, options, progress).read(classes.asScala.toSeq, configured.map(_.defaultGroup))
    val lies = defaultGroup(facts, configured)
    val blockBytes = fs.getDefaultBlockSize(root)
    val advice = Advisor.adviseDirectory(
      facts.files.sample(AdoptionRules.of(blockBytes, JobDataset.maxFiles(conf)), Records, options.seed),
      classes,
      lies,
      facts.files.stock(facts.sort.asJava),
      configured.toSeq.flatMap(_.exact.asScala.filter(_.name != lies.name)).asJava,
      if (options.groups > 0) options.groups else configured.fold(UsualGroups)(_.exact.size),
      MpsrConfig.read(key => conf.get(key)).costs,
      blockBytes.toDouble,
      options.seed)
    val about = new DirectoryAdvice(
      facts.count,
      facts.bytes,
      facts.read,
      facts.failed,
      facts.bytesRead,
      facts.layout,
      options.schema,
      configured.orNull)
    new AdviceView(name, if (options.budget > 0) advice.withCopies(options.budget) else advice, about)
  }

  /** The groups of the cluster; none if MPSR does not run there. */
  private def groups(conf: Configuration, root: Path): Option[ReplicaGroups] =
    Try(Using.resource(MpsrClient.create(new Configuration(conf), root.toUri))(_.configuredGroups)).toOption

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
