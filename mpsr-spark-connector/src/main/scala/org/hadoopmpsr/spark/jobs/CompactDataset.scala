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
import java.util.ArrayList

import scala.jdk.CollectionConverters._
import scala.util.Using

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.sql.SparkSession
import org.apache.spark.util.SerializableConfiguration
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.compact.{CompactionOptions, RunRecord, RunRecords}
import org.hadoopmpsr.client.compact.RunRecord.{Progress, State}
import org.hadoopmpsr.core.config.ConfigKeys
import org.hadoopmpsr.core.text.PrintableText
import org.hadoopmpsr.spark.jobs.compact.{ColumnarMerger, CompactionRun, NameNodeStore, RunReporter, SparkParts}
import org.hadoopmpsr.spark.jobs.compact.ColumnarMerger.DatasetText

/**
 * Merges small segments of datasets into large ones, in all replica groups at once. `hdfs mpsr compact` starts it;
 * schedulers may start it themselves. A dataset that cannot be compacted does not keep it from the next one. Prints what it
 * has done, with `--json` as one JSON object. Exit codes: 0 if all that is due is merged, 1 after an error or a cancel, 2
 * for wrong arguments.
 */
object CompactDataset {
  private val Usage = "usage: CompactDataset hdfs://<namenode>/<dataset>... [--target-bytes N] [--before-ms N] [--all]" +
    " [--bandwidth N] [--parallelism N] [--run-dir DIR] [--json]"

  def main(args: Array[String]): Unit = {
    val datasets = new ArrayList[String]
    val options =
      try CompactionOptions.parse(args.filterNot(_ == "--json").toSeq.asJava, datasets)
      catch { case e: IllegalArgumentException => wrong(e.getMessage) }
    if (datasets.isEmpty) {
      wrong("no dataset is named")
    }
    val session = SparkSession.builder().appName(s"mpsr compact ${datasets.asScala.mkString(" ")}").getOrCreate()
    val runs =
      try datasets.asScala.toSeq.map(path => attempt(path)(compact(session, path, options)))
      finally session.stop()
    val done = runs.collect { case Right(run) => run }
    if (args.contains("--json")) println(json(runs)) else done.foreach(run => println(text(run)))
    if (done.size < runs.size || done.exists(_.state != State.DONE)) {
      sys.exit(1)
    }
  }

  /** The record of a run, or what failed. */
  private type Ended = Either[Failure, RunRecord]

  private final case class Failure(path: String, problem: String)

  /** Prints an error without the stack trace that a message from the NameNode has. */
  private def attempt(path: String)(run: => RunRecord): Ended =
    try Right(run)
    catch {
      case e: IOException =>
        val problem = MpsrClient.answer(e)
        System.err.println(PrintableText.ofMessage(s"mpsr: $path: $problem"))
        Left(Failure(path, problem))
    }

  private def wrong(problem: String): Nothing = {
    System.err.println(PrintableText.ofMessage(s"mpsr: $problem\n$Usage"))
    sys.exit(2)
  }

  /**
   * Compacts a dataset in a session that there is, and keeps the record of the run.
   *
   * @param path the dataset's directory, with the scheme
   * @return how the run ended; its problem names what was left out
   * @throws java.io.IOException if it failed; the message says the problem, the cause and the fix
   */
  def compact(session: SparkSession, path: String, options: CompactionOptions): RunRecord = {
    val context = session.sparkContext
    val conf = context.hadoopConfiguration
    val target = new Path(path)
    val fs = target.getFileSystem(conf)
    val root = fs.makeQualified(target)
    Using.resource(MpsrClient.create(new Configuration(conf), root.toUri)) { client =>
      val dataset = client.getDataset(root.toUri.getPath)
      val blockBytes = fs.getDefaultBlockSize(root)
      val rules = options.rules(blockBytes, conf.getInt(ConfigKeys.MAX_COMMIT_FILES.name, DefaultMaxFiles))
      val first = new RunRecord(
        dataset.path,
        context.applicationId,
        context.sparkUser,
        State.RUNNING,
        System.currentTimeMillis(),
        System.currentTimeMillis(),
        null,
        Progress.NONE,
        Progress.NONE,
        null)
      val records = new RunRecords(fs, conf, options.runDir)
      val merger = new ColumnarMerger(
        DatasetText.of(dataset),
        fs.getUri,
        context.broadcast(new SerializableConfiguration(conf)),
        rules.fileBytes)
      new CompactionRun(
        new NameNodeStore(client, fs, dataset),
        new SparkParts(context, merger, options.parallelism, options.bandwidth),
        new RunReporter(records, dataset.id, first, () => System.currentTimeMillis()),
        rules).run()
    }
  }

  private val DefaultMaxFiles = ConfigKeys.MAX_COMMIT_FILES.defaultValue.toInt

  private def text(run: RunRecord): String = PrintableText.ofMessage(
    s"${run.dataset}: ${run.state.name.toLowerCase}, ${run.done.merges} merges replaced ${run.done.segments} segments;" +
      s" ${run.done.files} files (${run.done.bytes} bytes) became ${run.done.filesWritten}" +
      (if (run.done.duplicates > 0) s", without ${run.done.duplicates} duplicates" else "") +
      Option(run.problem).fold("")("; " + _))

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
          .put("merges", run.done.merges)
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
}
