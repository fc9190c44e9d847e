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
import scala.util.control.NonFatal

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.spark.SparkConf
import org.apache.spark.sql.{AnalysisException, SparkSession}
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.query.QueryOptions
import org.hadoopmpsr.core.text.PrintableText
import org.hadoopmpsr.core.place.PlaceState
import org.hadoopmpsr.spark.jobs.query.{AtReader, DatasetQuery, MovesToStorage, PlaceStates, QueryAnswer, ReadPlace}
import org.hadoopmpsr.spark.jobs.run.JobEnd

/**
 * Reduces the records of a dataset to few numbers, and prints them: for people, as CSV, or as JSON. What is read is told on standard
 * error. `hdfs mpsr query` starts it. Exit codes: 0 if there is an answer, 1 if not, 2 for wrong arguments.
 */
object QueryDataset {
  private val Usage = "usage: QueryDataset statistics|chart|heatmap|similar hdfs://<namenode>/<dataset> --column NAME [OPTION]..."
  /** How often a query at the reader is looked at. */
  private val LookMs = 1000L
  private val Bar = "spark.ui.showConsoleProgress"

  def main(args: Array[String]): Unit = {
    val datasets = new ArrayList[String]
    val options =
      try QueryOptions.parse(args.toSeq.asJava, datasets)
      catch { case e: IllegalArgumentException => JobEnd.wrong(e.getMessage, Usage) }
    if (datasets.size != 1) {
      JobEnd.wrong(s"${datasets.size} datasets are named; name one", Usage)
    }
    val (answer, ms) =
      try placed(new SparkConf, datasets.get(0), options)
      catch {
        case e: IOException => JobEnd.failed(s"${datasets.get(0)}: ${MpsrClient.answer(e)}")
        case e: AnalysisException => JobEnd.failed(s"${datasets.get(0)}: ${e.getMessage}")
      }
    lines(answer, options, ms).foreach(println)
    progress(s"${answer.rows.size} rows in $ms ms")
    System.out.flush()
    DatasetQuery.finish()
  }

  /**
   * Asks where the answer is there soonest, or where the options say. Where there are two places, it begins in this process, which plans
   * before it reads.
   *
   * @param conf of Spark, as the query was started with it
   * @return the answer, and the milliseconds without the start of Spark
   */
  private def placed(conf: SparkConf, path: String, options: QueryOptions): (QueryAnswer, Long) = {
    val states = new PlaceStates(conf)
    val name = s"mpsr query ${options.kind.text} $path"
    def atStorage() = inSession(builder(conf).appName(name))(query(_, path, options, progress))
    if (!states.areTwo || options.place == QueryOptions.ReadPlace.STORAGE) atStorage()
    else
      try inSession(builder(conf).appName(name).master("local[*]")) { session =>
          val hadoop = session.sparkContext.hadoopConfiguration
          val storage = if (options.place == QueryOptions.ReadPlace.AUTO) Some(states.storage(hadoop)) else None
          atReader(session, states.reader(hadoop), storage)(query(session, path, options, progress, _))
        }
      catch {
        case moves: MovesToStorage =>
          progress(moves.choice.text)
          atStorage()
      }
  }

  /**
   * Reads in this process, as long as it is not better elsewhere.
   *
   * @throws MovesToStorage if it is
   */
  private[spark] def atReader[T](session: SparkSession, reader: PlaceState, storage: Option[PlaceState], intervalMs: Long = LookMs)(
      body: ReadPlace => T): T = {
    val place = new AtReader(session.sparkContext, reader, storage, intervalMs, progress)
    session.sparkContext.addSparkListener(place)
    try body(place)
    catch { case NonFatal(e) => throw place.moves.getOrElse(e) }
    finally session.sparkContext.removeSparkListener(place)
  }

  private def inSession[T](builder: SparkSession.Builder)(body: SparkSession => T): (T, Long) = {
    val session = builder.getOrCreate()
    val begun = System.nanoTime()
    try {
      val answer = body(session)
      (answer, (System.nanoTime() - begun) / 1000000)
    } finally session.stop()
  }

  private def progress(line: String): Unit = System.err.println(PrintableText.of(s"mpsr: $line"))

  /** With the extension, whatever the configuration of Spark has; and with Spark's bar of progress on a terminal. */
  private def builder(conf: SparkConf): SparkSession.Builder = {
    val builder = ExtendedSession.builder(conf)
    if (System.console() == null || conf.contains(Bar)) builder else builder.config(Bar, "true")
  }

  private def lines(answer: QueryAnswer, options: QueryOptions, ms: Long): Seq[String] = options.format match {
    case QueryOptions.Format.JSON => Seq(answer.json(ms))
    case QueryOptions.Format.CSV => answer.csv
    case QueryOptions.Format.TABLE => answer.table
  }

  /**
   * Asks in a session that there is, with the extension.
   *
   * @param path the dataset's directory, with the scheme
   * @param progress is told what is read, before it is
   * @param place may end the query before it reads, or while it does
   * @throws java.io.IOException if there is no answer, with a message for the user
   */
  private[spark] def query(
      session: SparkSession,
      path: String,
      options: QueryOptions,
      progress: String => Unit,
      place: ReadPlace = ReadPlace.Here): QueryAnswer = {
    val conf = session.sparkContext.hadoopConfiguration
    val target = new Path(path)
    val root = target.getFileSystem(conf).makeQualified(target)
    val dataset = Using.resource(MpsrClient.create(new Configuration(conf), root.toUri))(_.getDataset(root.toUri.getPath))
    new DatasetQuery(session, root.toString, dataset, options, progress, place).answer()
  }
}
