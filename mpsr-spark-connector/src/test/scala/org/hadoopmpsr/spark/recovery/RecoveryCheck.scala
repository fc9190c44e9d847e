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
package org.hadoopmpsr.spark.recovery

import java.util.concurrent.atomic.AtomicBoolean

import scala.collection.mutable
import scala.concurrent.{Await, ExecutionContext, Future}
import scala.concurrent.duration._
import scala.jdk.CollectionConverters._
import scala.util.{Failure, Success, Try}
import scala.util.control.NonFatal

import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.functions.{col, lit}
import org.apache.spark.sql.types.StructType
import org.assertj.core.api.Assertions.{assertThat, assertThatList}
import org.awaitility.Awaitility.await
import org.hadoopmpsr.spark.SparkFixture
import org.hadoopmpsr.spark.jobs.VerifyDataset
import org.hadoopmpsr.spark.relation.ConfKeys
import org.hadoopmpsr.spark.versions.Scala213._

/** Compares what queries answer with the records that there should be. */
private[recovery] final class RecoveryCheck(recovery: Recovery) {
  import RecoveryCheck._
  import recovery._

  private def text(row: Row): String =
    SparkFixture.text(Row.fromSeq(dataset.logical.map(column => dataset.value(row, column.name))))

  private var columns = Option.empty[StructType]

  /**
   * Asks each group, and the cheapest one. The answers are those of the records that were committed. Two kinds of damage are
   * excepted: where records have no live copy, a query may fail; and after somebody has deleted files of the default group,
   * everything is read as stock reads it.
   */
  def queries(): Unit =
    if (isReadAsStock) asStock()
    else planned(any(Filters)).foreach(queries => check(queries, Try(queries.run())))

  /** The same with queries that run while something happens. They answer as before it or as after it. */
  def queriesWhile(happen: => Unit): Unit = {
    val queries = planned(any(Filters))
    val running = Future(queries.map(some => some -> Try(some.run())))(ExecutionContext.global)
    Try(Await.ready(running, random.nextInt(MostMillis).millis))
    happen
    Await.result(running, Duration.Inf).foreach { case (some, answers) => check(some.orAsNow(answer(some.filter)), answers) }
  }

  /** Plans and asks queries all the time while something happens. They answer as before it or as after it. */
  def manyQueriesWhile(happen: => Unit): Unit = {
    val filter = any(Filters)
    val before = answer(filter)
    val ended = new AtomicBoolean
    val running = Future {
      val answers = mutable.Set.empty[Seq[String]]
      while ({ answers += SparkFixture.rows(all.where(filter._1)); !ended.get }) {}
      answers
    }(ExecutionContext.global)
    try happen
    finally ended.set(true)
    val after = answer(filter)
    Await.result(running, Duration.Inf).foreach { found =>
      assertThat(found == before || found == after).as(s"${filter._1} answers $found, but before $before, and after $after").isTrue
    }
  }

  def isReadAsStock: Boolean = damages.exists(damage => damage.isDefault && damage.deleted)

  private def asStock(): Unit = {
    val filter = any(Filters)
    Try(SparkFixture.stock(SparkFixture.rows(all.where(filter._1)))).foreach { stock =>
      val queries = plan(filter)
      queries.one.keys.foreach(group => assertThatList(queries.runOne(group).asJava).as(s"$queries in $group").isEqualTo(stock.asJava))
    }
  }

  private def check(queries: Queries, answers: Try[Map[String, Seq[String]]]): Unit = answers match {
    case Success(answers) => answers.foreach { case (group, rows) => check(queries, group, rows) }
    case Failure(e) if !mayFail => throw new AssertionError(s"$queries failed though each record has a live copy", e)
    case Failure(_) => queries.one.keys.foreach(group => Try(queries.runOne(group)).foreach(check(queries, group, _)))
  }

  private def check(queries: Queries, group: String, answer: Seq[String]): Unit =
    if (!queries.others.contains(answer)) assertThatList(answer.asJava).as(s"$queries in $group").isEqualTo(queries.committed.asJava)

  /** True if records have no live copy. */
  private def mayFail: Boolean = hasUnreadable || corrupt.nonEmpty && {
    readCorrupt()
    Try(await().atMost(RecoveryCluster.Known).until(() => hasUnreadable)).isSuccess
  }

  /** Empty if records have no live copy: Spark may find no file then that tells the columns. */
  private def planned(filter: Filter): Option[Queries] =
    try Some(plan(filter))
    catch { case NonFatal(_) if mayFail => None }

  private def plan(filter: Filter): Queries = {
    val condition = filter._1
    val read = all
    val one =
      representations.map(group => group -> read.hint("mpsr", group).where(condition)).toMap + (Cheapest -> read.where(condition))
    val queries = new Queries(filter, one, answer(filter))
    SparkFixture.explain(queries.together)
    queries
  }

  private def answer(filter: Filter): Seq[String] = answer(filter, rows ++ untracked)

  private def answer(filter: Filter, among: Iterable[Row]): Seq[String] =
    among.filter(row => filter._2(name => dataset.value(row, name))).map(text).toSeq.sorted

  /** Asks each group for an earlier state. */
  def past(state: String, held: Seq[Row]): Unit = {
    val filter = any(Filters)
    val read = SparkFixture.session.read.option(ConfKeys.AsOfOption, state).parquet(dataset.root.toString)
    val expected = answer(filter, held)
    (representations.map(group => group -> read.hint("mpsr", group)) :+ (Cheapest -> read)).foreach { case (group, frame) =>
      val found = SparkFixture.rows(frame.where(filter._1))
      assertThatList(found.asJava).as(s"${filter._1} in $group as of $state").isEqualTo(expected.asJava)
    }
  }

  /** Spark mostly knows the columns, and sometimes looks for them in a file. */
  private def all: DataFrame = {
    val read = SparkFixture.session.read
    columns.filter(_ => random.nextInt(4) > 0).foreach(read.schema)
    val frame = read.parquet(dataset.root.toString)
    columns = Some(frame.schema)
    frame
  }

  /** All records have a copy in each group, and HDFS misses no block of any. */
  def whole(): Unit = {
    assertThatList(damages.asJava).isEmpty()
    val queries = plan(Filters.head)
    check(queries, Try(queries.run()))
    try assertThat(VerifyDataset.verify(SparkFixture.session, dataset.root.toString).sound).isTrue
    finally SparkFixture.session.conf.unset(ConfKeys.Enabled)
    await().atMost(RecoveryCluster.Long).untilAsserted { () =>
      assertThat(lacking.asJava).as("records by live copies, where some lack copies").isEmpty()
    }
  }

  private def lacking: Map[Int, Long] = {
    val told = cluster.client(_.status()).getRedundancyList.asScala.filter(_.getPath == path)
    told.flatMap(_.getRedundancyList.asScala).map(r => r.getCopies -> r.getRecords).toMap
  }
}

private[recovery] object RecoveryCheck {

  /** The values of a record, by column. */
  type Values = String => Any

  /** A condition in SQL, and whether it is true for a record. */
  type Filter = (String, Values => Boolean)

  /** Queries that something happens to have run for less than so long. */
  private val MostMillis = 300

  private val Cheapest = "the cheapest group"

  /**
   * A filter asked of each group and of the cheapest one.
   *
   * @param one by group, what Spark is asked
   * @param committed the answer from the records that there should be
   * @param others answers that are as good
   */
  private final class Queries(
      val filter: Filter,
      val one: Map[String, DataFrame],
      val committed: Seq[String],
      val others: Set[Seq[String]] = Set.empty) {

    /** These, which may also see what has happened since they were planned. */
    def orAsNow(answer: Seq[String]): Queries = new Queries(filter, one, committed, others + answer)

    /** One query, whose rows begin with the group. */
    val together: DataFrame = one.map { case (group, frame) => frame.select(lit(group), col("*")) }.reduce(_.union(_))

    def run(): Map[String, Seq[String]] = {
      val rows = together.collect().toSeq.groupMap(_.getString(0))(row => SparkFixture.text(Row.fromSeq(row.toSeq.tail)))
      one.keys.map(group => group -> rows.getOrElse(group, Nil).sorted).toMap
    }

    def runOne(group: String): Seq[String] = SparkFixture.rows(one(group))

    override def toString: String = filter._1
  }

  /** Each filter, and whether it holds for the values of a record. */
  val Filters: Seq[Filter] = Seq(
    "true" -> (_ => true),
    "signal = 'SIG3'" -> (_("signal") == "SIG3"),
    "signal IN ('SIG4', 'SIG11') AND day > '2014-05-01'" ->
      (v => Set("SIG4", "SIG11")(v("signal").toString) && v("day").toString > "2014-05-01"),
    "device = 'VAC2' AND quality = 2" -> (v => v("device") == "VAC2" && v("quality") == 2),
    "system = 'CRYO' AND label IS NULL" -> (v => v("system") == "CRYO" && v("label") == null),
    "day = '2014-05-01'" -> (_("day").toString == "2014-05-01"),
    "timestamp_ns > 1398900000000000000" -> (_("timestamp_ns").asInstanceOf[Long] > 1398900000000000000L))
}
