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
import java.util.LinkedHashMap

import scala.jdk.CollectionConverters._

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.sql.SparkSession
import org.hadoopmpsr.client.tune.{MeasuredRuns, TuneOptions}
import org.hadoopmpsr.core.text.PrintableText
import org.hadoopmpsr.core.tune.{Features, RunTable, Tuning, TuningText}
import org.hadoopmpsr.spark.jobs.run.JobEnd
import org.hadoopmpsr.spark.jobs.tune.{MllibTrees, TunePage}

/**
 * Prescribes settings by a tree that is learnt from measured runs; changes nothing. `hdfs mpsr tune` starts it. Exit codes: 0 if the rules
 * are printed, 1 if not, 2 for wrong arguments.
 */
object TuneSettings {
  private val Usage = "usage: TuneSettings --train DIR [--depth N] [--folds N] [--seed N] [--feature NAME=NUMBER]... [--html FILE] [--json]"

  def main(args: Array[String]): Unit = {
    val options =
      try TuneOptions.parse(args.filterNot(_ == "--json").toSeq.asJava)
      catch { case e: IllegalArgumentException => JobEnd.wrong(e.getMessage, Usage) }
    try {
      val table = RunTable.of(MeasuredRuns.read(Paths.get(options.train)))
      val asked = if (options.features.isEmpty) None else Some(Features.of(options.features))
      val session = SparkSession.builder().appName(s"mpsr tune ${options.train}").getOrCreate()
      val tuning =
        try learn(session, table, options)
        finally session.stop()
      val lines = words(tuning, asked)
      if (args.contains("--json")) println(json(tuning, asked))
      else lines.foreach(line => println(PrintableText.ofMessage(line)))
      Option(options.html).foreach(file => Files.write(Paths.get(file), TunePage.html(tuning, lines).getBytes(StandardCharsets.UTF_8)))
    } catch {
      case e: IllegalArgumentException => JobEnd.failed(e.getMessage)
      case e: IOException => JobEnd.failed(s"cannot read or write a file: $e")
    }
  }

  /** Learns in a session that there is. */
  private[spark] def learn(session: SparkSession, table: RunTable, options: TuneOptions): Tuning =
    Tuning.of(table, new MllibTrees(session), options.depth, options.folds, options.seed)

  private[spark] def words(tuning: Tuning, asked: Option[Features]): Seq[String] =
    TuningText.lines(tuning).asScala.toSeq ++ asked.toSeq.flatMap(TuningText.prescription(tuning, _).asScala)

  private[spark] def json(tuning: Tuning, asked: Option[Features]): String = {
    val all = new LinkedHashMap[String, Object](TuningText.json(tuning))
    asked.foreach(features => all.put("for", TuningText.prescriptionJson(tuning, features)))
    new ObjectMapper().writeValueAsString(all)
  }
}
