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

import java.time.{LocalDateTime, ZoneOffset}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{classic, Column => SparkColumn, DataFrame, SparkSession}
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.apache.spark.sql.functions.{col, expr, lit}
import org.apache.spark.sql.mpsr.ThreadBytes
import org.hadoopmpsr.client.advise.AdviceTrial.Measured
import org.hadoopmpsr.core.plan.{Filter, ReadRequest}
import org.hadoopmpsr.core.schema.{ColumnType, Schema}
import org.hadoopmpsr.core.text.Backticks
import org.hadoopmpsr.spark.relation.{ConfKeys, DecidedParquetFormat}

/**
 * Reads a dataset as made-up queries do, and measures.
 *
 * @param path of the dataset
 * @param schema of its columns and of its partition fields
 * @param defaultGroup what is read without MPSR
 */
private[jobs] final class TrialQueries(session: SparkSession, path: String, schema: Schema, defaultGroup: String) {
  import TrialQueries._

  private val types = schema.columns.asScala.map(c => c.name -> c.`type`).toMap

  /**
   * What one of some queries reads, on average.
   *
   * @param requests at least one
   * @param mpsr whether replica groups are read
   */
  def measure(requests: Seq[ReadRequest], mpsr: Boolean): Measured = {
    val own = session.newSession()
    own.conf.set(ConfKeys.Enabled, mpsr.toString)
    val runs = requests.map { request =>
      run(own, request) // until the code is compiled and the files are in memory
      Seq.fill(Turns)(run(own, request))
    }
    def mean(of: Seq[Run] => Double) = runs.map(of).sum / runs.size
    new Measured(
      runs.map(_.head.group).groupBy(identity).maxBy { case (name, all) => (all.size, name) }._1,
      mean(_.head.files.toDouble),
      mean(_.map(_.bytes).sum.toDouble / Turns),
      mean(turns => turns.map(_.ms).sorted.apply(Turns / 2)),
      mean(_.map(_.ms).min),
      mean(_.map(_.ms).max))
  }

  private def run(own: SparkSession, request: ReadRequest): Run = {
    val all = own.read.parquet(path).where(condition(request.filter))
    val wanted = Option(request.columns).fold(Seq.empty[String])(_.asScala.toSeq.sorted)
    val known = wanted.filter(name => all.columns.exists(_.equalsIgnoreCase(name)))
    val frame = if (known.isEmpty) all else all.select(known.map(name => col(Backticks.around(name))): _*)
    ofFrame(frame, defaultGroup)
  }

  private def condition(filter: Filter): SparkColumn = filter match {
    case and: Filter.And => and.parts.asScala.map(condition).foldLeft(lit(true))(_ && _)
    case or: Filter.Or => or.parts.asScala.map(condition).foldLeft(lit(false))(_ || _)
    case in: Filter.In => named(in.column).isin(in.literals.asScala.map(literal(in.column, _)).toSeq: _*)
    case compare: Filter.Compare =>
      val value = literal(compare.column, compare.literal)
      compare.operator match {
        case Filter.Operator.EQ => named(compare.column) === value
        case Filter.Operator.LT => named(compare.column) < value
        case Filter.Operator.LE => named(compare.column) <= value
        case Filter.Operator.GT => named(compare.column) > value
        case Filter.Operator.GE => named(compare.column) >= value
      }
    case other => throw new IllegalArgumentException(s"no made-up query has the condition $other")
  }

  private def named(column: String) = col(Backticks.around(column))

  private def literal(column: String, value: Any): SparkColumn =
    (types.find(_._1.equalsIgnoreCase(column)).map(_._2), value) match {
      case (Some(ColumnType.DATE), days: Long) => expr(s"date_from_unix_date(${days.toInt})")
      case (Some(ColumnType.TIMESTAMP), micros: Long) => expr(s"timestamp_micros(${micros}L)")
      case (Some(ColumnType.TIMESTAMP_NTZ), micros: Long) =>
        lit(
          LocalDateTime.ofEpochSecond(
            Math.floorDiv(micros, MicrosOfSecond),
            Math.floorMod(micros, MicrosOfSecond).toInt * NanosOfMicro,
            ZoneOffset.UTC))
      case _ => lit(value)
    }
}

private[jobs] object TrialQueries extends AdaptiveSparkPlanHelper {
  private val Turns = 3
  private val MicrosOfSecond = 1000000L
  private val NanosOfMicro = 1000

  private final case class Run(group: String, files: Long, bytes: Long, ms: Double)

  private def ofFrame(frame: DataFrame, defaultGroup: String): Run = {
    val planned = frame.asInstanceOf[classic.DataFrame].queryExecution
    val scans = collect(planned.executedPlan) { case scan: FileSourceScanExec => scan }
    val start = System.nanoTime()
    val bytes = planned.toRdd
      .mapPartitions { rows =>
        val delivered = ThreadBytes.counter()
        rows.foreach(_ => ())
        Iterator(delivered())
      }
      .collect()
      .sum
    val ms = (System.nanoTime() - start) / 1e6
    val group = scans.map(_.relation.fileFormat).collectFirst { case decided: DecidedParquetFormat => decided.group }.flatten
    Run(group.getOrElse(defaultGroup), scans.flatMap(_.metrics.get("numFiles")).map(_.value).sum, bytes, ms)
  }
}
