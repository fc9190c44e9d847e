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
package org.hadoopmpsr.spark

import java.util.concurrent.TimeUnit

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{CommonConfigurationKeysPublic, FileSystem}
import org.apache.spark.sql.{classic, DataFrame}
import org.apache.spark.sql.execution.datasources.{HadoopFsRelation, LogicalRelation}
import org.hadoopmpsr.spark.relation.{ConfKeys, DecidedParquetFormat, FileRelation}
import org.junit.jupiter.api.{AfterAll, BeforeAll, Tag, Test, TestInstance, Timeout}
import org.junit.jupiter.api.Assertions.assertTrue
import org.junit.jupiter.api.TestInstance.Lifecycle

/**
 * The group that planning chooses is about the best that there is: each query reads every group in turn, and what the
 * chosen one takes is compared with the best. Compared are bytes that the file system delivers, with costs that count
 * just these; with `-Dmpsr.regret.time=true` time on the clock, with costs for a reader that has all cores to himself, and
 * the chosen group takes turns twice: how often it is not about as good as itself tells how exact the clock is.
 * `-Dmpsr.queries=2000 -Dmpsr.regret.rows=400000` is the long form; `-Dmpsr.seed=N -Dmpsr.queries=1` repeats a query.
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.HOURS)
@Tag("long")
class RegretTest {
  import RegretTest._
  import SparkFixture._

  private val queries = sys.props.get("mpsr.queries").map(_.toInt).getOrElse(25)
  private val firstSeed = sys.props.get("mpsr.seed").map(_.toLong).getOrElse(1L)
  private val rowCount = sys.props.get("mpsr.regret.rows").map(_.toInt).getOrElse(8000)
  private val timed = sys.props.get("mpsr.regret.time").contains("true")
  private val costsBefore = source.costs
  private var tables: Seq[(TestDataset, QueryTable)] = Nil
  private var measure: Measure = _

  @BeforeAll
  def write(): Unit = {
    settings.foreach { case (key, value) => session.conf.set(key, value) }
    local.setInt(bufferSize, 128)
    tables = Seq((TestMeasurements, rowCount), (TestEvents, rowCount / 4)).map { case (table, count) =>
      val dataset = new TestDataset(session, TestDirectories.create(s"mpsr-regret-${table.name}"), table)
      val rows = table.rows(seed, 0, count)
      dataset.write(rows)
      source.publish(dataset)
      val view = s"regret_${table.name}"
      session.read.parquet(dataset.root.toString).createOrReplaceTempView(view)
      dataset -> new QueryTable(dataset, rows, Seq(view), "")
    }
    val costs = new RegretCosts(tables, costsBefore)
    source.costs = if (timed) costs.ofTime() else costs.ofBytes()
    measure = if (timed) Measure("milliseconds", _.ms, 1) else Measure("bytes", _.bytes.toDouble, 1 / costs.msPerByte)
    println(s"records of seed $seed (-Dmpsr.test.seed), ${source.costs}")
  }

  /** Reads in the background would not be counted; to compile each query takes longer than to read. */
  private val settings = Seq(
    "parquet.hadoop.vectored.io.enabled" -> "false",
    // as the sink writes times: with bounds
    "spark.sql.parquet.outputTimestampType" -> "TIMESTAMP_MICROS") ++
    (if (timed) Nil else Seq("spark.sql.codegen.wholeStage" -> "false", "spark.sql.codegen.factoryMode" -> "NO_CODEGEN"))

  /** What is asked of files shall count, not how much the local file system takes in at a time. */
  private val bufferSize = CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_KEY

  private def local: Configuration = FileSystem.getLocal(session.sparkContext.hadoopConfiguration).getConf

  @AfterAll
  def restore(): Unit = {
    source.costs = costsBefore
    settings.foreach { case (key, _) => session.conf.unset(key) }
    local.unset(bufferSize)
  }

  @Test
  def theChosenGroupIsAboutTheBest(): Unit = {
    println(s"$queries queries of seed $firstSeed (-Dmpsr.queries, -Dmpsr.seed)")
    val results = mutable.Buffer.empty[Result]
    (0 until queries).foreach { i =>
      val random = new Random(firstSeed + i)
      random.nextInt() // seeds that follow each other begin alike
      val (dataset, table) = tables(if (random.nextInt(4) == 0) 1 else 0)
      compare(firstSeed + i, dataset, new RandomQueries(table, random).single()).foreach { result =>
        results += result
        if (!result.isNear(measure.of)) println(result.text(measure))
      }
      if ((i + 1) % 100 == 0) {
        println(s"after ${i + 1} queries: ${results.count(_.isNear(measure.of))} of ${results.size}")
      }
    }
    report(results.toSeq)
    assertTrue(results.size * 10 >= queries * 8, s"only ${results.size} of $queries queries could be compared")
    if (queries >= 20 && !timed) {
      val near = results.count(_.isNear(measure.of))
      assertTrue(near * 100 >= results.size * 95, s"$near of ${results.size} are within 10 % of the best")
    }
  }

  private def compare(seed: Long, dataset: TestDataset, query: RandomQuery): Option[Result] = {
    def frame = session.sql(query.sql)
    choice(frame).map { case (chosen, explained) =>
      val expected = source.lastCandidates.filter(_.excluded == null).map(c => c.group -> c.costMs).toMap
      val groups = dataset.table.groups.names.asScala.toSeq
      groups.foreach { group =>
        val read = withConf(ConfKeys.Group -> group)(choice(frame).exists(_._1 == group) || isAnswered(frame))
        assertTrue(read, s"$seed: $group was not read for ${query.sql}")
      }
      def usage(group: String) = withConf(ConfKeys.Group -> group)(QueryUsage.of(session.sql(query.sql)))
      val used =
        if (timed) QueryUsage.least(groups :+ Again, seed)(g => usage(if (g == Again) chosen else g))
        else groups.map(g => g -> usage(g)).toMap
      Result(seed, query.sql, chosen, explained, used - Again, used.getOrElse(Again, used(chosen)), expected)
    }
  }

  /** The group that the only read of the query reads, and what EXPLAIN says of it; empty where there is no such read. */
  private def choice(frame: DataFrame): Option[(String, String)] =
    frame.asInstanceOf[classic.DataFrame].queryExecution.optimizedPlan.collectWithSubqueries {
      case FileRelation(HadoopFsRelation(_, _, _, _, format: DecidedParquetFormat, _)) =>
        format.group.map(_ -> format.shortName())
    } match {
      case Seq(one) => one
      case _ => None
    }

  /** Whether no data is read: what is known of that group's files is the answer. */
  private def isAnswered(frame: DataFrame): Boolean =
    !frame.asInstanceOf[classic.DataFrame].queryExecution.optimizedPlan.exists(_.isInstanceOf[LogicalRelation])

  private def report(results: Seq[Result]): Unit = {
    val of = measure.of
    val missed = results.filterNot(_.isNear(of))
    val near = results.size - missed.size
    val paid = results.map(r => of(r.used(r.chosen))).sum / math.max(1, results.map(_.best(of)).sum)
    println(f"${measure.name}: $near of ${results.size} (${100.0 * near / math.max(1, results.size)}%.1f %%) within 10 %% of " +
      f"the best group; in all ${paid}%.3f times the best")
    if (timed) {
      val asGood = results.count(_.isAsGoodAsItself(of))
      println(f"timed twice, $asGood (${100.0 * asGood / math.max(1, results.size)}%.1f %%) are within 10 %% of themselves")
    }
    missed.groupMapReduce(_.reason(measure))(_ => 1)(_ + _).toSeq.sortBy(-_._2).foreach { case (reason, count) =>
      println(s"  $count where $reason")
    }
  }
}

object RegretTest {
  private val Near = 1.1

  /** Stands for the chosen group's other turns. */
  private val Again = "again"

  /** @param perMs what a millisecond of a plan's cost stands for */
  private final case class Measure(name: String, of: QueryUsage => Double, perMs: Double)

  /**
   * @param again what the chosen group took in its other turns, where time counts
   * @param expected the cost of each group in the plan
   */
  private final case class Result(
      seed: Long,
      sql: String,
      chosen: String,
      explained: String,
      used: Map[String, QueryUsage],
      again: QueryUsage,
      expected: Map[String, Double]) {

    /** Why another group was chosen than the best. */
    def reason(measure: Measure): String = {
      import measure.{of, perMs}
      val best = used.minBy(u => of(u._2))._1
      val tooDear = expected(best) * perMs / of(used(best))
      val tooCheap = of(used(chosen)) / (expected(chosen) * perMs)
      if (expected(best) <= expected(chosen)) "the costs were about equal, and a group made for the filter was taken"
      else if (tooDear >= tooCheap) s"the best group was taken for dearer than it is (${times(tooDear)})"
      else s"the chosen group was taken for cheaper than it is (${times(tooCheap)})"
    }

    def text(measure: Measure): String = {
      import measure.{of, perMs}
      val each = used.map { case (g, u) => f"$g ${of(u)}%.0f (expected ${expected(g) * perMs}%.0f)" }.mkString(", ")
      f"  ${regret(of)}%.2f times the ${measure.name}: -Dmpsr.seed=$seed chose $chosen ($each): $sql%n    $explained"
    }

    private def times(factor: Double): String =
      if (factor < 1.25) "less than 1.25 times" else if (factor < 2) "1.25 to 2 times" else "twice or more"

    def best(of: QueryUsage => Double): Double = used.values.map(of).min

    private def regret(of: QueryUsage => Double): Double = of(used(chosen)) / math.max(1, best(of))

    def isNear(of: QueryUsage => Double): Boolean = of(used(chosen)) <= Near * best(of)

    /** Whether it would be near if its own other turns were those of the best. */
    def isAsGoodAsItself(of: QueryUsage => Double): Boolean = of(used(chosen)) <= Near * of(again)
  }
}
