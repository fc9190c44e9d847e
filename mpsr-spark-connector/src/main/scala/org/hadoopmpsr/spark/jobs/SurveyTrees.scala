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

import scala.jdk.CollectionConverters._
import scala.util.{Try, Using}

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, Path}
import org.apache.spark.sql.SparkSession
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.survey.TreeSurveyOptions
import org.hadoopmpsr.core.sampling.Estimates
import org.hadoopmpsr.core.text.PrintableText
import org.hadoopmpsr.spark.jobs.estimate.{TreePage, TreeReport, TreeText}
import org.hadoopmpsr.spark.jobs.run.JobEnd
import org.hadoopmpsr.spark.jobs.sampling.{FileSampling, Tree}

/**
 * Says what directory trees hold, by a sample of their files; changes nothing. `hdfs mpsr survey` starts it. Exit codes: 0 if the report is
 * printed, 1 if not, 2 for wrong arguments.
 */
object SurveyTrees {
  private val Usage = "usage: SurveyTrees <fs>/<directory>... [--sample N] [--precision PERCENT] [--confidence PERCENT] [--seed N]" +
    " [--chunk N] [--no-codecs] [--html FILE] [--bandwidth N] [--parallelism N] [--json]"

  /** So many looks at least, however low the precision is. */
  private val LeastSample = 30

  def main(args: Array[String]): Unit = {
    val paths = new ArrayList[String]
    val options =
      try TreeSurveyOptions.parse(args.filterNot(_ == "--json").toSeq.asJava, paths)
      catch { case e: IllegalArgumentException => JobEnd.wrong(e.getMessage, Usage) }
    if (paths.isEmpty) JobEnd.wrong("no directory is named", Usage)
    val session = SparkSession.builder().appName(s"mpsr survey ${paths.asScala.mkString(" ")}").getOrCreate()
    val report =
      try survey(session, paths.asScala.toSeq, options, JobEnd.say)
      catch { case e: IOException => JobEnd.failed(MpsrClient.answer(e)) }
      finally session.stop()
    if (args.contains("--json")) println(TreeText.json(report))
    else TreeText.lines(report).foreach(line => println(PrintableText.ofMessage(line)))
    Option(options.html).foreach(file => Files.write(Paths.get(file), TreePage.html(report).getBytes(StandardCharsets.UTF_8)))
  }

  /**
   * Surveys trees of one file system, in a session that there is.
   *
   * @param paths with the scheme
   * @param progress is told how far it is
   * @throws java.io.IOException if a path is not there or cannot be listed
   */
  private[spark] def survey(session: SparkSession, paths: Seq[String], options: TreeSurveyOptions, progress: String => Unit): TreeReport = {
    val context = session.sparkContext
    val roots = paths.map(new Path(_))
    val fs = roots.head.getFileSystem(context.hadoopConfiguration)
    val confidence = options.confidence / 100
    val z = TreeReport.normal(confidence)
    val sample = if (options.sample > 0) options.sample else sampleFor(options.precision, z)
    val tree = Tree.of(fs, roots, sample, sample, options.seed, files => progress(s"$files files are listed"))
    progress(s"${tree.all.files} files are listed; looking at ${tree.byNumber.size} of them, and at ${tree.bySize.size} places")
    val conf = context.broadcast(new SerializableConfiguration(context.hadoopConfiguration))
    var told = System.nanoTime()
    val looks = new FileSampling(context, fs.getUri, conf, options).of(
      tree,
      done =>
        if (System.nanoTime() - told > 10L * 1000 * 1000 * 1000) {
          told = System.nanoTime()
          progress(s"$done of ${tree.byNumber.size + tree.bySize.size} looks are done")
        })
    TreeReport.of(roots.map(fs.makeQualified(_).toUri.getPath), tree, looks, confidence, datasets(fs, context.hadoopConfiguration))
  }

  /** Before the listing nobody knows how many files there are: as many as the precision needs of any number of files. */
  private def sampleFor(percent: Double, z: Double): Int = {
    val needed = Estimates.sizeForShare(percent / 100, z, Long.MaxValue)
    if (needed > TreeSurveyOptions.MOST_SAMPLE) {
      throw new IOException(s"a precision of $percent % needs $needed looks, and ${TreeSurveyOptions.MOST_SAMPLE} are the most; give a" +
        s" greater ${TreeSurveyOptions.PRECISION}")
    }
    math.max(LeastSample, needed.toInt)
  }

  /** The directories that are datasets: none on a cluster without MPSR. */
  private def datasets(fs: FileSystem, conf: Configuration): Set[String] =
    Try(Using.resource(MpsrClient.create(new Configuration(conf), fs.getUri))(_.listDatasets().asScala.map(_.path).toSet)).getOrElse(Set.empty)
}
