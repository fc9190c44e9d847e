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
package org.hadoopmpsr.spark.jobs.query

import java.util.{List => JList}

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.spark.sql.{AnalysisException, Column, DataFrame, Row, SparkSession}
import org.apache.spark.sql.catalyst.parser.ParseException
import org.apache.spark.sql.functions.{col, lit, max, min}
import org.apache.spark.sql.types._
import org.hadoopmpsr.client.Dataset
import org.hadoopmpsr.client.query.{QueryKind, QueryOption, QueryOptions}
import org.hadoopmpsr.core.text.Backticks
import org.hadoopmpsr.spark.jobs.run.JobException
import org.hadoopmpsr.spark.reduction.{Reductions, TimeRange}
import org.hadoopmpsr.spark.reduction.answer.GoneLooks
import org.hadoopmpsr.spark.relation.ConfKeys

/**
 * A query on a dataset: records that pass the conditions, perhaps statistics of intervals in their place, and then the reduction
 * that is asked for.
 *
 * @param base a session with MPSR's extension
 * @param root the directory, with the scheme
 * @param progress is told what is read, before it is
 * @param place may end the query before it reads, or while it does
 */
private[jobs] final class DatasetQuery(base: SparkSession, root: String, dataset: Dataset, options: QueryOptions, progress: String => Unit, place: ReadPlace) {
  private val session = {
    val own = base.newSession()
    own.conf.set("spark.sql.session.timeZone", "UTC")
    own.conf.set("spark.sql.datetime.java8API.enabled", "true")
    Option(options.get(QueryOption.CACHE)).foreach(own.conf.set(ConfKeys.AnswersDirectory, _))
    own
  }
  private val all = {
    val directory = new Path(root)
    // Spark takes columns from files, where there are some
    val isEmpty = !directory.getFileSystem(session.sparkContext.hadoopConfiguration).listFiles(directory, true).hasNext
    if (isEmpty) session.createDataFrame(JList.of[Row](), QueriedColumns.types(dataset)) else session.read.parquet(root)
  }
  private val columns = new QueriedColumns(dataset, all.schema)
  private val value = columns.numbers(options.get(QueryOption.COLUMN))
  private val by = options.by.asScala.toSeq.map(columns.any)
  private var reads = Seq.empty[ReadPart]
  private val reductions = new Reductions(read => {
    val part = ReadPart(Some(read.groups.mkString(" and ")), read.files, read.bytes, Some(read.records), Some(read.kept))
    place.before(Seq(part), resultBytes)
    reads :+= part
    progress(read.text + (if (read.files == 0) "" else s"; reading ${part.text}"))
  })

  /**
   * Asks for the answer.
   *
   * @throws JobException if the query does not fit the dataset, with a message for the user
   */
  def answer(): QueryAnswer = {
    val (names, rows) =
      try options.kind match {
          case QueryKind.STATISTICS => statistics()
          case QueryKind.CHART => picture(chart)
          case QueryKind.HEATMAP => picture(heatMap)
          case QueryKind.SIMILAR => similar()
        }
      catch { case e: IllegalArgumentException => throw new JobException(e.getMessage, e) }
    QueryAnswer(dataset.path, options.kind.text, reads, names, rows)
  }

  /** About how many bytes of partial results a file gives: a chart's points, or statistics. */
  private def resultBytes: Long = options.kind match {
    case QueryKind.CHART => 68L * options.width
    case QueryKind.HEATMAP => 100L * options.width
    case _ => 100L
  }

  private def column(name: String): Column = col(Backticks.around(name))

  private def stated(option: QueryOption): Option[String] = Option(options.get(option))

  private lazy val axis: TimeAxis = columns.times(stated(QueryOption.TIME))

  private def bound(option: QueryOption): Option[Long] = stated(option).map(axis.units(option.text, _))

  /** The length of intervals. */
  private lazy val interval: Option[Long] = stated(QueryOption.INTERVAL).map(axis.length)

  /** The records that pass the conditions. */
  private lazy val records: DataFrame = {
    val ranged =
      if (options.has(QueryOption.FROM) || options.has(QueryOption.TO))
        TimeRange.of(all, axis.name, bound(QueryOption.FROM), bound(QueryOption.TO))
      else all
    stated(QueryOption.WHERE).fold(ranged)(where(ranged, _))
  }

  private def where(frame: DataFrame, text: String): DataFrame = {
    def refused(e: Exception, fix: String) = {
      val line = e.getMessage.linesIterator.map(_.trim).find(_.nonEmpty).getOrElse(e.toString)
      throw new JobException(s"the condition '$text' cannot be used: $line; $fix")
    }
    try frame.where(text)
    catch {
      case e: ParseException => refused(e, "write it as after WHERE in Spark's SQL, such as \"signal = 'X'\"")
      case e: AnalysisException => refused(e, "use the columns of the dataset and functions of Spark")
    }
  }

  /** The rows that are reduced, and the column of their values: records, or statistics of intervals in their place. */
  private lazy val (reduced: DataFrame, of: String) = stated(QueryOption.OF).fold((records, value.name)) { measure =>
    (reductions.intervals(records, axis.name, value.name, interval.get, 0, by, Nil), measure)
  }

  private def statistics(): (Seq[String], Seq[Seq[Any]]) = {
    val shares = options.shares.asScala.toSeq.map(_.doubleValue)
    if (options.has(QueryOption.BOUNDS)) bounds()
    else if (interval.isDefined)
      collected(reductions.intervals(records, axis.name, value.name, interval.get, 0, by, shares), by :+ axis.name, Set(by.size))
    else collected(reductions.statistics(records, value.name, by, shares), by, Set.empty)
  }

  /** Where there are NaNs, bounds without them are not those of Spark's functions. */
  private def bounds(): (Seq[String], Seq[Seq[Any]]) = {
    val found @ (_, rows) = collected(reductions.bounds(records, value.name, by), by, Set.empty)
    val hasNaN = rows.exists(_.takeRight(2).exists { case number: Double => number.isNaN; case _ => false })
    if (!hasNaN) found
    else {
      val wanted = by ++ Seq("records", "nulls", "min", "max")
      collected(reductions.statistics(records, value.name, by, Nil).select(wanted.map(column): _*), by, Set.empty)
    }
  }

  private def picture(draw: (Long, Long) => (Seq[String], Seq[Seq[Any]])): (Seq[String], Seq[Seq[Any]]) = {
    val (from, to) = (bound(QueryOption.FROM), bound(QueryOption.TO))
    val ends =
      if (from.isDefined && to.isDefined) Row(null, null)
      else shown(records.agg(min(column(axis.name)), max(column(axis.name)))).collect().head
    def found(i: Int) = if (ends.isNullAt(i)) None else Some(axis.units("--time", axis.text(ends.get(i))))
    (from.orElse(found(0)), to.orElse(found(1).map(_ + 1))) match {
      // the first interval begins before its first record
      case (Some(begin), Some(end)) => draw(begin - interval.fold(0L)(Math.floorMod(begin, _)), end)
      case _ => draw(0, 1) // there are no records, so that the range does not matter
    }
  }

  private def chart(begin: Long, end: Long): (Seq[String], Seq[Seq[Any]]) = {
    val frame = reductions.chart(reduced, axis.name, of, begin, end, options.width, by)
    collected(frame, by ++ Seq("time", "value"), Set(by.size))
  }

  private def heatMap(begin: Long, end: Long): (Seq[String], Seq[Seq[Any]]) = {
    val frame = reductions.heatMap(reduced, axis.name, of, by.head, begin, end, options.width)
    collected(frame, by :+ axis.name, Set(by.size))
  }

  private def similar(): (Seq[String], Seq[Seq[Any]]) =
    if (options.has(QueryOption.PATTERN)) {
      shown(reduced.select((by ++ Seq(axis.name, of)).map(column): _*))
      val frame = reductions.similar(reduced, axis.name, of, options.pattern, options.limit, by)
      (frame.columns.toSeq, rowsOf(frame.collect(), Set(by.size, by.size + 1)))
    } else {
      val (least, most) = (options.least.orElse(Double.NegativeInfinity), options.most.orElse(Double.PositiveInfinity))
      // NaN is greater than all numbers, also than infinity
      val inRange = reduced.where(column(of) >= literal(least) && column(of) <= literal(most))
      val names = by ++ Seq(axis.name, of)
      val sorted = inRange.select(names.map(column): _*).orderBy((Seq(axis.name, of) ++ by).map(column): _*).limit(options.limit)
      (names, rowsOf(shown(sorted).collect(), Set(by.size)))
    }

  /** A whole number is compared with whole numbers without a cast, so that planning can use the condition. */
  private def literal(number: Double): Column =
    if (value.dataType != DoubleType && number.isWhole && Math.abs(number) < Exact) lit(number.toLong) else lit(number)

  /** Says what a frame is going to read. */
  private def shown(frame: DataFrame): DataFrame = {
    val parts = ReadPart.of(frame)
    if (parts.nonEmpty || reads.isEmpty) place.before(parts, resultBytes)
    reads ++= parts
    // a reduction of which answers are kept has said what it reads
    if (parts.nonEmpty || reads.isEmpty) progress(if (parts.isEmpty) "nothing is read: the statistics of files tell it" else s"reading ${parts.map(_.text).mkString(", and ")}")
    frame
  }

  /**
   * The rows of a frame in order; the frame has no more than the limit.
   *
   * @param order the columns by which rows are sorted
   * @param times the places of columns with times
   */
  private def collected(frame: DataFrame, order: Seq[String], times: Set[Int]): (Seq[String], Seq[Seq[Any]]) = {
    val sorted = if (order.isEmpty) frame else frame.orderBy(order.map(column): _*).limit(options.limit + 1)
    val rows = shown(sorted).collect()
    if (rows.length > options.limit) {
      throw new JobException(
        s"the answer has more than ${options.limit} rows; ask for less (a shorter range, longer intervals, fewer series), or give a" +
          " greater --limit")
    }
    (frame.columns.toSeq, rowsOf(rows, times))
  }

  private def rowsOf(rows: Array[Row], times: Set[Int]): Seq[Seq[Any]] = rows.toSeq.map(_.toSeq.zipWithIndex.map {
    case (null, _) => null
    case (time, i) if times(i) => axis.text(time)
    case (number: Double, _) => number + 0.0
    case (number: Float, _) => number.toDouble + 0.0
    case (number @ (_: Long | _: Int | _: Short | _: Byte | _: Boolean), _) => number
    case (decimal: java.math.BigDecimal, _) => decimal.doubleValue
    case (values: collection.Seq[_], _) => values.toSeq
    case (other, _) => String.valueOf(other)
  })

  /** Up to here all whole numbers are floating-point ones. */
  private val Exact = 9007199254740992.0
}

private[jobs] object DatasetQuery {
  private val MostMs = 10000L

  /** What is to be done after the answers: waits, ten seconds at most, until answers of files that are gone have been looked for. */
  def finish(): Unit = GoneLooks.finish(MostMs)
}
