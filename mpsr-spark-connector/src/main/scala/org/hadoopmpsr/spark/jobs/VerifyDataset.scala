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
import java.nio.charset.StandardCharsets
import java.nio.file.{Files, Paths}
import java.util.ArrayList

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.SparkSession
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.{Dataset, MpsrClient, Segments}
import org.hadoopmpsr.client.verify.VerifyOptions
import org.hadoopmpsr.core.text.PrintableText
import org.hadoopmpsr.spark.jobs.run.{DatasetText, JobEnd, SparkTasks}
import org.hadoopmpsr.spark.jobs.verify.{NameNodeSegments, SegmentCheck, UnpublishedFiles, VerifyReport}

/**
 * Reads the segments of datasets in every replica group, and prints the number of records and the content hash of each group, and
 * what is not as it was published: as JSON, or with `--text` for people. Exit codes: 0 if all groups hold the records that they
 * should and all files are as they were published, 1 if not or after an error, 2 for wrong arguments.
 */
object VerifyDataset {
  private val Usage =
    "usage: VerifyDataset hdfs://<namenode>/<dataset>... [--segment ID]... [--group NAME]... [--bandwidth N]" +
      " [--parallelism N] [--text | --json FILE]"

  def main(args: Array[String]): Unit = {
    val datasets = new ArrayList[String]
    val options =
      try VerifyOptions.parse(args.toSeq.asJava, datasets)
      catch { case e: IllegalArgumentException => JobEnd.wrong(e.getMessage, Usage) }
    if (datasets.isEmpty) {
      JobEnd.wrong("no dataset is named", Usage)
    }
    val session = SparkSession.builder().appName(s"mpsr verify ${datasets.asScala.mkString(" ")}").getOrCreate()
    val reports =
      try datasets.asScala.toSeq.map(verify(session, _, options))
      catch { case e: IOException => JobEnd.failed(MpsrClient.answer(e)) }
      finally session.stop()
    if (options.text) reports.flatMap(_.lines).foreach(line => println(PrintableText.ofMessage(line)))
    else println(VerifyReport.json(reports))
    Option(options.json).foreach(file =>
      Files.write(Paths.get(file), (VerifyReport.json(reports) + "\n").getBytes(StandardCharsets.UTF_8)))
    if (!reports.forall(_.sound)) {
      sys.exit(1)
    }
  }

  /** Checks a dataset, whose directory is given with the scheme, in a session that there is. */
  private[spark] def verify(
      session: SparkSession,
      path: String,
      options: VerifyOptions = VerifyOptions.DEFAULT): VerifyReport = {
    val context = session.sparkContext
    val conf = context.hadoopConfiguration
    val target = new Path(path)
    val fs = target.getFileSystem(conf)
    val root = fs.makeQualified(target)
    Using.resource(MpsrClient.create(new Configuration(conf), root.toUri)) { client =>
      val dataset = client.getDataset(root.toUri.getPath)
      val groups = groupsOf(dataset, options)
      val store = new NameNodeSegments(client, dataset.path)
      val unpublished = new UnpublishedFiles(fs, dataset)
      val listed = groups.map(group => group -> unpublished.listed(group)).toMap
      val segments = segmentsOf(dataset, store.segments(), options)
      val check = new SegmentCheck(
        context,
        DatasetText.of(dataset),
        root.toUri,
        context.broadcast(new SerializableConfiguration(conf)),
        new SparkTasks(context, options.parallelism, options.bandwidth),
        store)
      val sum = new VerifyReport.Sum(dataset.path, groups)
      val known = mutable.HashSet.empty[String]
      System.err.println(PrintableText.of(
        s"reading ${segments.size} segments of ${dataset.path} in the replica groups ${groups.mkString(", ")}"))
      check.check(segments, groups, () => ()) { findings =>
        findings.foreach(sum.add)
        known ++= findings.flatMap(_.groups.values.flatMap(_.files.map(_.path)))
      }
      sum.report(groups.filter(_ => options.segments.isEmpty).flatMap { group =>
        val rest = listed(group) -- known
        if (rest.isEmpty) Nil
        else unpublished.of(group, rest, store.files(group, store.segments().map(_.id)).map(_.path).toSet)
      })
    }
  }

  private def groupsOf(dataset: Dataset, options: VerifyOptions): Seq[String] = {
    val all = dataset.groups.names.asScala.toSeq
    options.groups.asScala.find(group => !all.contains(group)).foreach { group =>
      throw new IOException(s"${dataset.path} has no replica group '$group'; it has ${all.mkString(", ")}")
    }
    all.filter(group => options.groups.isEmpty || options.groups.contains(group))
  }

  private def segmentsOf(dataset: Dataset, all: Seq[Segments.Info], options: VerifyOptions): Seq[Segments.Info] = {
    val ids = all.map(_.id).toSet
    options.segments.asScala.find(id => !ids(id)).foreach { id =>
      throw new IOException(
        s"${dataset.path} has no current segment '$id'; it was replaced, or never published: 'hdfs mpsr rebuild --dry-run' and" +
          " the names of files tell the ids of segments")
    }
    all.filter(segment => options.segments.isEmpty || options.segments.contains(segment.id))
  }
}
