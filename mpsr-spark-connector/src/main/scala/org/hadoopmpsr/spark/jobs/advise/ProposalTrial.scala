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
package org.hadoopmpsr.spark.jobs.advise

import java.io.IOException
import java.util.{ArrayList, Collections, List => JList}
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._
import scala.util.{Try, Using}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, FileUtil, Path}
import org.apache.hadoop.fs.permission.FsPermission
import org.apache.hadoop.util.{ShutdownHookManager, StringUtils}
import org.apache.spark.TaskContext
import org.apache.spark.sql.SparkSession
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.adopt.AdoptOptions
import org.hadoopmpsr.client.advise.{AdviceTrial, AdviseOptions}
import org.hadoopmpsr.core.adopt.AdoptionRules
import org.hadoopmpsr.core.advise.{Advice, Advisor, DirectoryFiles, GroupSizes}
import org.hadoopmpsr.core.cost.CostModel
import org.hadoopmpsr.core.group.{ReplicaGroup, ReplicaGroups, SortKey, WantedGroup}
import org.hadoopmpsr.core.workload.QueryClass
import org.hadoopmpsr.spark.jobs.run.{JobDataset, SparkTasks}

/**
 * Files that a trial copies some of.
 *
 * @param root of the dataset or directory, without scheme
 * @param files of the default group with their lengths, in the order of their paths
 */
private[jobs] final case class TrialSource(root: String, files: Seq[(String, Long)])

/**
 * Builds groups from some files of a dataset or directory, in a dataset of its own that only the user may read, and measures what queries
 * read there. What it has made goes at the end, whatever the end is.
 *
 * @param root of the dataset or directory, with the scheme
 * @param options those of the advice
 * @param adopt makes groups of the files of a dataset, by its directory with the scheme; tells what has gone wrong
 * @param progress is told how far it is
 */
private[jobs] final class ProposalTrial(
    session: SparkSession,
    root: Path,
    classes: JList[QueryClass],
    options: AdviseOptions,
    costs: CostModel,
    adopt: (String, AdoptOptions) => Option[String],
    progress: String => Unit) {
  import ProposalTrial._

  private val conf = session.sparkContext.hadoopConfiguration
  private val fs = root.getFileSystem(conf)
  private val parent = new Path(fs.makeQualified(fs.getHomeDirectory), Below)
  private val work = new Path(parent, session.sparkContext.applicationId + "-" + System.currentTimeMillis())

  /**
   * Measures.
   *
   * @param sides the ways to read that are compared, with their groups, the default group first
   * @throws java.io.IOException if there is too little space, or the dataset cannot be made, with the cause and the fix
   */
  def run(source: TrialSource, sides: Seq[(String, Seq[ReplicaGroup])]): AdviceTrial =
    Using.resource(connected()) { client =>
      val configured = client.configuredGroups
      sides.foreach { case (_, groups) => checkNames(configured, groups) }
      val drawn = draw(source)
      checkSpace(drawn.map(_._2).sum, sides.map(_._2.size).sum)
      removeLeft(client)
      val hook: Runnable = () => Using(connected())(remove(_, work))
      ShutdownHookManager.get().addShutdownHook(hook, HookPriority, HookSeconds, TimeUnit.SECONDS)
      try {
        if (!fs.mkdirs(work, OwnerOnly)) throw new IOException(s"cannot make the directory $work")
        fs.setPermission(work, OwnerOnly)
        val measured = sides.map { case (name, groups) => side(client, configured, source, drawn, name, groups) }
        val all = measured.head.zipWithIndex.map { case ((queries, first), i) =>
          new AdviceTrial.OfClass(queries, (first ++ measured.tail.map(_(i)._2.last)).asJava)
        }
        new AdviceTrial(drawn.size, drawn.map(_._2).sum, source.files.map(_._2).sum, all.asJava)
      } finally {
        remove(client, work)
        Try(ShutdownHookManager.get().removeShutdownHook(hook)) // it fails while the process ends, where the hook has run
      }
    }

  private def connected() = MpsrClient.create(new Configuration(conf), root.toUri)

  /** At even distances, about as many bytes as are wanted; at least one file. */
  private def draw(source: TrialSource): Seq[(String, Long)] = {
    val files = source.files.filter(_._2 > 0)
    if (files.isEmpty) throw new IOException(s"there is no file with records in ${source.root} to try the groups with")
    val mean = math.max(1L, files.map(_._2).sum / files.size)
    val wanted = math.max(1L, math.min(files.size.toLong, options.trialBytes / mean)).toInt
    DirectoryFiles.draw(files.size, wanted, options.seed).asScala.map(place => files(place)).toSeq
  }

  /** Groups of a dataset have names that the NameNode knows. */
  private def checkNames(configured: ReplicaGroups, groups: Seq[ReplicaGroup]): Unit =
    if (groups.size > configured.exact.size) {
      throw new IOException(s"a trial of ${groups.size} groups needs as many on the NameNode, which has ${configured.exact.size}:" +
        s" ${configured.exact.asScala.map(_.name).mkString(", ")}; name more in dfs.mpsr.replica.groups of hdfs-site.xml, or want fewer with" +
        s" ${AdviseOptions.GROUPS}")
    }

  /** By names that the NameNode knows: their own, where it knows them. */
  private def names(configured: ReplicaGroups, groups: Seq[ReplicaGroup]): Map[String, String] = {
    val known = configured.exact.asScala.map(_.name).toSeq
    val kept = groups.tail.map(_.name).filter(name => name != configured.defaultName && known.contains(name))
    val free = known.filterNot(name => name == configured.defaultName || kept.contains(name))
    val others = groups.tail.map(_.name).filterNot(kept.contains).zip(free).toMap
    (groups.tail.map(group => group.name -> others.getOrElse(group.name, group.name)) :+ (groups.head.name -> configured.defaultName)).toMap
  }

  private def checkSpace(bytes: Long, copies: Int): Unit = {
    val needed = bytes * (copies + SpareCopies)
    def fix = s"free some, or take fewer bytes with ${AdviseOptions.SAMPLE}"
    val free = fs.getStatus(parent).getRemaining
    if (free < needed) {
      throw new IOException(s"a trial with ${size(bytes)} needs ${size(needed)} in all groups, and HDFS has ${size(free)} left; $fix")
    }
    Iterator.iterate(parent)(_.getParent).takeWhile(_ != null).filter(fs.exists(_)).foreach { directory =>
      val usage = fs.getQuotaUsage(directory)
      val left = usage.getSpaceQuota - usage.getSpaceConsumed
      if (usage.getSpaceQuota >= 0 && left < needed) {
        throw new IOException(s"a trial with ${size(bytes)} needs ${size(needed)} in all groups, and the quota of ${directory.toUri.getPath}" +
          s" leaves ${size(math.max(0, left))}; $fix")
      }
    }
  }

  private def side(
      client: MpsrClient,
      configured: ReplicaGroups,
      source: TrialSource,
      drawn: Seq[(String, Long)],
      name: String,
      groups: Seq[ReplicaGroup]): Seq[(QueryClass, Seq[AdviceTrial.Side])] = {
    val target = new Path(work, name)
    progress(s"copying ${drawn.size} files, ${size(drawn.map(_._2).sum)}, for the groups of $name")
    copy(source, drawn.map(_._1), target)
    val own = names(configured, groups)
    val back = own.map(_.swap)
    val all = new AdviseOptions(options.from, 0, 0, options.seed, drawn.size, options.schema, options.measureBytes, 0, null)
    val facts = new DirectoryReader(session, fs, target, all, progress).read(classes.asScala.toSeq, groups, Some(groups.head))
    val lies = new ReplicaGroup(own(groups.head.name), facts.layout.predicates, Collections.emptyList[SortKey](), 1, groups.head.codec)
    val built = lies +: groups.tail.map(group => new ReplicaGroup(own(group.name), group.predicates, group.sort, 1, group.codec))
    val measurement = new SizeMeasurement(session, fs, target, facts, lies, options.measureBytes, options.seed, progress)
    val known = measurement.records(SampledRecords)
    val sizes = measurement.of(built.tail, GroupSizes.NONE)
    build(client, configured, target, facts, built)
    val blockBytes = fs.getDefaultBlockSize(target)
    val sample = facts.files.sample(AdoptionRules.of(blockBytes, JobDataset.maxFiles(conf)), known.asJava, SampledRecords, options.seed)
    val predictions = Advisor.predictDirectory(
      sample,
      classes,
      built.asJava,
      facts.files.stock(facts.sort.asJava),
      costs,
      blockBytes.toDouble,
      sizes,
      options.seed)
    val queries = new TrialQueries(session, target.toString, sample.schema, lies.name)
    val found = predictions.asScala.toSeq.zipWithIndex.map { case (prediction, i) =>
      progress(s"$name: queries of class ${i + 1} of ${predictions.size}")
      val requests = prediction.examples.asScala.toSeq
      def renamed(e: Advice.Estimate) =
        new Advice.Estimate(back.getOrElse(e.group, e.group), e.files, e.bytes, e.costMs)
      def measured(mpsr: Boolean) = {
        val m = queries.measure(requests, mpsr)
        new AdviceTrial.Measured(back.getOrElse(m.group, m.group), m.files, m.bytes, m.ms, m.leastMs, m.mostMs)
      }
      prediction.queries -> Seq(
        new AdviceTrial.Side(AdviceTrial.STOCK, renamed(prediction.stock), measured(mpsr = false)),
        new AdviceTrial.Side(name, renamed(prediction.advised), measured(mpsr = true)))
    }
    remove(client, target)
    found
  }

  private def copy(source: TrialSource, files: Seq[String], target: Path): Unit = {
    val context = session.sparkContext
    val shared = context.broadcast(new SerializableConfiguration(conf))
    val (from, to) = (root.toUri, target.toString)
    val tasks = new SparkTasks(context, 0, 0)
    val pairs = files.map(file => file -> s"$to/${file.stripPrefix(source.root).stripPrefix("/")}")
    val rdd = context.parallelize(pairs, math.max(1, math.min(pairs.size, tasks.count)))
    tasks.run[(String, String), Int](
      "the files could not be copied",
      rdd,
      some => {
        val its = shared.value.value
        val system = FileSystem.get(from, its)
        some.map { case (file, copy) =>
          val part = new Path(s"$copy.${TaskContext.get().taskAttemptId()}.tmp")
          FileUtil.copy(system, new Path(file), system, part, false, true, its)
          if (!system.rename(part, new Path(copy))) system.delete(part, false) // another attempt of the task was sooner
          1
        }.toVector
      },
      _ => (),
      () => ())
  }

  /** As an adoption does it, with these groups alone. */
  private def build(client: MpsrClient, configured: ReplicaGroups, target: Path, facts: DirectoryFacts, groups: Seq[ReplicaGroup]): Unit = {
    val path = target.toUri.getPath
    val wanted = groups.map(group => new WantedGroup(group.name, group.predicates, group.sort, null))
    val made = client.createDatasetAround(path, facts.layout.schema, wanted.asJava)
    val others = configured.names.asScala.filterNot(name => groups.exists(_.name == name))
    others.foreach(name => client.alterations.drop(path, made.id, name))
    progress(s"writing ${groups.tail.map(_.name).mkString(", ")}")
    val runs = new Path(work, "runs").toUri.getPath
    adopt(target.toString, AdoptOptions.parse(JList.of(AdoptOptions.NOW, AdoptOptions.RUN_DIR, runs), new ArrayList)).foreach { problem =>
      throw new IOException(s"the groups could not be built: $problem")
    }
    client.untracked(path).asScala.find(_.unfit != null).foreach { file =>
      throw new IOException(s"the groups could not be built from ${file.path}: ${file.unfit}")
    }
  }

  /** Of runs that were killed without a chance to tidy up. */
  private def removeLeft(client: MpsrClient): Unit =
    if (fs.exists(parent)) {
      val before = System.currentTimeMillis() - LeftMs
      fs.listStatus(parent).filter(_.getModificationTime < before).foreach { left =>
        progress(s"removing what a killed trial has left: ${left.getPath}")
        remove(client, left.getPath)
      }
    }

  /** Removes a directory and the datasets in it. */
  private def remove(client: MpsrClient, directory: Path): Unit = {
    val path = directory.toUri.getPath
    for (below <- client.listDatasets().asScala.map(_.path) if below == path || below.startsWith(path + "/")) {
      client.dropDataset(below, true)
      ()
    }
    fs.delete(directory, true)
  }
}

private[jobs] object ProposalTrial {
  /** Below the home directory. */
  val Below = ".mpsr/advise"

  /** About how many records a sample has. */
  private val SampledRecords = 8000

  /** For files that are being copied and written. */
  private val SpareCopies = 1
  private val OwnerOnly = new FsPermission("700")

  /** Before Spark and file systems end. */
  private val HookPriority = 100
  private val HookSeconds = 30L
  private val LeftMs = 24L * 3600 * 1000

  private def size(bytes: Long) = StringUtils.byteDesc(bytes)
}
