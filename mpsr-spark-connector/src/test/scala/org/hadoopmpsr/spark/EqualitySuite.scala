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

import scala.util.Random

import org.apache.spark.sql.{classic, DataFrame, Row}
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan
import org.apache.spark.sql.types.StructType
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.core.schema.ColumnName
import org.hadoopmpsr.spark.relation.{ConfKeys, DecidedParquetFormat, DecisionMetrics, DirectoryRead, FileRelation}
import org.junit.jupiter.api.{AfterAll, BeforeAll, Test, TestInstance, Timeout}
import org.junit.jupiter.api.Assertions.{assertEquals, assertTrue, fail}
import org.junit.jupiter.api.TestInstance.Lifecycle

/**
 * Random queries of datasets give with the extension what they give without it. `-Dmpsr.queries=5000` runs that many;
 * `-Dmpsr.seed=N -Dmpsr.queries=1` repeats the one that a failure names.
 *
 * @param queriesForAllGroups so many read each of the groups
 */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(value = 5, unit = TimeUnit.HOURS)
abstract class EqualitySuite(queriesByDefault: Int, queriesForAllGroups: Int) {
  import SparkFixture._

  private val queries = sys.props.get("mpsr.queries").map(_.toInt).getOrElse(queriesByDefault)
  private val firstSeed = sys.props.get("mpsr.seed").map(_.toLong).getOrElse(1L)
  private var datasets: Seq[QueriedDataset] = Nil
  private var tables: Seq[QueryTable] = Nil

  /** The datasets, which hold [[rows]] at least. */
  protected def open(): Seq[QueriedDataset]

  /** Called when the datasets are not read any more, also where [[open]] has failed. */
  protected def close(): Unit = ()

  /** What happens to the datasets between the passes. Each pass runs all queries; stock gives its answers before the first loss. */
  protected def losses: Seq[(String, () => Unit)] = Nil

  /** Whether a query may fail with the condition although stock answers. */
  protected def mayFail(condition: String, query: RandomQuery, read: String): Boolean = false

  /** Whether a query may be answered although a condition of it fails on stock, for records that another condition leaves out. */
  protected def mayAnswer: Boolean = false

  /** What `body` gives while some groups cannot serve some segments. */
  protected def damaged[T](dataset: QueriedDataset, random: Random)(body: => T): T = body

  /** Whether some queries read each group of the dataset without another one. */
  protected def isReadAlone(dataset: QueriedDataset): Boolean = true

  /** The dataset as queries read it. */
  protected def frame(dataset: QueriedDataset): DataFrame = session.read.parquet(dataset.root.toString)

  /** What `body` gives, which stock answers before the first loss; it may read something else in the places of the datasets. */
  protected def expecting[T](body: => T): T = body

  /** Whether a table of the catalog has the dataset's records. */
  protected def hasTable: Boolean = true

  /** Records of whose values queries are made. */
  protected def rows(table: TestTable): Seq[Row] = table.rows(seed, 0, 400)

  /** Each dataset as a path, a path of the second version of data sources, a table, and a view of it. */
  @BeforeAll
  def views(): Unit = {
    datasets = open()
    tables = datasets.map(queried)
  }

  private def queried(dataset: QueriedDataset): QueryTable = {
    val name = dataset.table.name
    viewsOf(dataset, frame(dataset))
    val tables = if (hasTable) tablesOf(dataset) else Nil
    val partition = ColumnName.text(dataset.table.groups.defaultGroup.partitionFields(dataset.table.schema).get(0).name)
    expecting(stock(session.sql(
      s"CREATE TABLE ${name}_dimension USING parquet AS SELECT $partition AS v, row_number() OVER (ORDER BY $partition) % 10 " +
        s"AS pick FROM (SELECT DISTINCT $partition FROM $name)")))
    new QueryTable(dataset, rows(dataset.table), Seq(name, name, s"${name}_v2") ++ tables, s"${name}_dimension")
  }

  /** Names what is read in the place of a dataset. */
  protected final def viewsOf(dataset: QueriedDataset, read: => DataFrame): Unit = {
    read.createOrReplaceTempView(dataset.table.name)
    withConf("spark.sql.sources.useV1SourceList" -> "")(read.createOrReplaceTempView(s"${dataset.table.name}_v2"))
  }

  private def tablesOf(dataset: QueriedDataset): Seq[String] = {
    val name = dataset.table.name
    session.sql(s"CREATE TABLE ${name}_table USING parquet LOCATION '${dataset.root}'")
    session.sql(s"MSCK REPAIR TABLE ${name}_table")
    val columns = dataset.logical.map(c => ColumnName.text(c.name)).mkString(", ")
    session.sql(s"CREATE VIEW ${name}_view AS SELECT $columns FROM ${name}_table")
    Seq(s"${name}_table", s"${name}_view")
  }

  @AfterAll
  def drop(): Unit = {
    tables.foreach { table =>
      session.sql(s"DROP VIEW IF EXISTS ${table.name}_view")
      session.sql(s"DROP TABLE IF EXISTS ${table.name}_table")
      session.sql(s"DROP TABLE IF EXISTS ${table.name}_dimension")
    }
    close()
  }

  @Test
  def randomQueriesAnswerAsStock(): Unit = {
    println(s"$queries queries of seed $firstSeed (-Dmpsr.queries, -Dmpsr.seed)")
    val all = (0 until queries).map(i => drawn(firstSeed + i))
    if (losses.isEmpty) pass(all)
    else {
      val answered = expecting(all.map(query => query.copy(expected = Some(withConf(query.settings: _*)(expected(query))))))
      losses.foreach { case (loss, lose) =>
        println(loss)
        lose()
        pass(answered)
      }
    }
  }

  /** Failures of queries; after some of them, no more queries run. */
  private final class WrongAnswers {
    private var all: Seq[AssertionError] = Nil

    def fail(message: String, failure: Throwable): Int = {
      all :+= new AssertionError(message, failure)
      if (all.size == WrongAnswers.Most) check()
      0
    }

    def check(): Unit = if (all.nonEmpty) {
      val error = new AssertionError(s"${all.size} queries, ${all.map(_.getMessage).mkString("\n")}", all.head)
      all.tail.foreach(error.addSuppressed)
      throw error
    }
  }

  private object WrongAnswers {
    val Most = 10
  }

  /** A query with what it runs under. */
  private case class Drawn(
      seed: Long,
      random: Random,
      query: RandomQuery,
      table: QueryTable,
      settings: Seq[(String, String)],
      expected: Option[Outcome] = None) {
    def message: String = s"-Dmpsr.seed=$seed -Dmpsr.queries=1: ${query.sql} with ${settings.mkString(", ")}"
  }

  private def drawn(querySeed: Long): Drawn = {
    val random = new Random(querySeed)
    random.nextInt() // seeds that follow each other begin alike
    val table = pick(random, tables)
    val query = new RandomQueries(table, random).next()
    Drawn(querySeed, random, query, table, settingsFor(query, random))
  }

  /**
   * An adaptive join whose one side turns out to be empty cancels the other side, whose condition has failed before or not: stock Spark
   * answers such a query or fails, as its tasks happen to run.
   */
  private def settingsFor(query: RandomQuery, random: Random): Seq[(String, String)] = {
    val isRace = query.mayFail && query.sql.contains(" JOIN ")
    randomSettings(random).map { case (key, value) => key -> (if (isRace && key == "spark.sql.adaptive.enabled") "false" else value) }
  }

  private def pass(all: Seq[Drawn]): Unit = {
    val failuresBefore = DecisionMetrics.sum("failures")
    val groupsBefore = groupCounts()
    val answeredBefore = DecisionMetrics.sum("answered")
    val unionsBefore = DecisionMetrics.sum("unions")
    val wrong = new WrongAnswers
    var useful, redirected, usefulRedirected, notEmpty, refused, failed, failedAlone = 0
    all.zipWithIndex.foreach { case (drawn, i) =>
      val query = drawn.query
      val before = redirections
      val rows =
        try withConf(drawn.settings: _*)(damaged(drawn.table.dataset, drawn.random)(compare(drawn)))
        catch { case e @ (_: Exception | _: AssertionError) => wrong.fail(drawn.message, e) }
      val wasRedirected = redirections > before
      useful += (if (query.useful) 1 else 0)
      redirected += (if (wasRedirected) 1 else 0)
      usefulRedirected += (if (query.useful && wasRedirected) 1 else 0)
      notEmpty += (if (rows > 0) 1 else 0)
      refused += (if (rows == -1) 1 else 0)
      failed += (if (rows == -2) 1 else 0)
      failedAlone += (if (rows == -3) 1 else 0)
      if ((i + 1) % 500 == 0) println(s"${i + 1} queries equal, $redirected redirected")
    }
    val groups = groupCounts().map { case (group, n) => group -> (n - groupsBefore.getOrElse(group, 0L)) }
    println(s"$queries queries, $notEmpty with rows, $refused refused by Spark, $failed failed, $failedAlone failed without stock, $redirected redirected; " +
      s"$usefulRedirected of the $useful with a useful filter; " +
      s"${DecisionMetrics.sum("answered") - answeredBefore} aggregates answered without data; " +
      s"reads by group ${groups.toSeq.sorted.mkString(", ")}, of several groups ${DecisionMetrics.sum("unions") - unionsBefore}")
    wrong.check()
    assertThat(DecisionMetrics.sum("failures")).isEqualTo(failuresBefore)
    if (queries >= 60) {
      assertTrue(usefulRedirected * 100 >= useful * 60, s"$usefulRedirected of $useful useful were redirected")
      assertThat(notEmpty).isGreaterThan(queries / 3)
      assertThat(refused).isLessThan(queries / 20)
      assertThat(failed).isGreaterThan(0)
    }
    if (queries >= queriesForAllGroups) {
      groups.foreach { case (group, n) => assertTrue(n > 0, s"$group was never read") }
    }
  }

  /** @return how many rows there are, or -1 where there is no answer either way, or -2 where both fail, or -3 where stock does not */
  private def compare(drawn: Drawn): Int = {
    import drawn.{message, query}
    val answer = drawn.expected.getOrElse(expected(drawn))
    val found = outcome(query, frame => assertTrue(undecided(frame).isEmpty, s"not decided: ${undecided(frame)}, $message"))
    (answer, found) match {
      case (Right((schema, rows)), Right((foundSchema, foundRows))) =>
        assertEquals(schema, foundSchema, message)
        assertEquals(rows.mkString("\n"), foundRows.mkString("\n"), message)
        rows.size
      case _ =>
        def read = explain(session.sql(query.sql))
        if (answer.left.toOption == found.left.toOption) (if (query.mayFail) -2 else -1)
        else if (answer.isRight && found.left.exists(mayFail(_, query, read))) -3
        else if (found.isRight && query.mayFail && mayAnswer) -2
        else fail(s"$message: $found in place of $answer\n$read\n")
    }
  }

  private def expected(drawn: Drawn): Outcome = stock(outcome(drawn.query, frame => assertEquals(0, decided(frame), drawn.message)))

  /** The error's class, or the answer. */
  private type Outcome = Either[String, (StructType, Seq[String])]

  private def outcome(query: RandomQuery, check: DataFrame => Unit): Outcome =
    try {
      val frame = session.sql(query.sql)
      check(frame)
      Right((frame.schema, texts(frame, query)))
    } catch { case e: Exception => Left(SparkFixture.condition(e).getOrElse(throw e)) }

  private def texts(frame: DataFrame, query: RandomQuery): Seq[String] = {
    val texts = frame.collect().map(text).toSeq
    if (query.ordered) texts else texts.sorted
  }

  private def relations(frame: DataFrame): Seq[LogicalPlan] =
    frame.asInstanceOf[classic.DataFrame].queryExecution.optimizedPlan.collectWithSubqueries { case p if p.children.isEmpty => p }

  private def decided(frame: DataFrame): Int = relations(frame).count {
    case FileRelation(r) => r.fileFormat.isInstanceOf[DecidedParquetFormat]
    case _ => false
  }

  /** Reads of datasets that nothing was decided for, of either version of data sources. */
  private def undecided(frame: DataFrame): Seq[LogicalPlan] = relations(frame).collect {
    case p @ DirectoryRead(read) if datasets.exists(_.root == read.root) => p
  }

  private def redirections: Long = DecisionMetrics.sum("redirected") + DecisionMetrics.sum("unions")

  private def groupCounts(): Map[String, Long] =
    datasets.filter(isReadAlone).flatMap(_.table.groups.names.toArray.toSeq.tail).map(g => s"$g" -> DecisionMetrics.sum(s"redirected.$g")).toMap

  private def randomSettings(random: Random): Seq[(String, String)] = Seq(
    "spark.sql.session.timeZone" -> pick(random, Seq("UTC", "America/New_York", "Asia/Kolkata", "Pacific/Auckland")),
    "spark.sql.parquet.enableVectorizedReader" -> pick(random, Seq("true", "true", "false")),
    "spark.sql.adaptive.enabled" -> random.nextBoolean().toString,
    "spark.sql.ansi.enabled" -> random.nextBoolean().toString,
    "spark.sql.datetime.java8API.enabled" -> random.nextBoolean().toString,
    "spark.sql.autoBroadcastJoinThreshold" -> pick(random, Seq("10MB", "-1")),
    "spark.sql.cbo.enabled" -> (random.nextInt(4) == 0).toString,
    "spark.sql.optimizer.dynamicPartitionPruning.reuseBroadcastOnly" -> random.nextBoolean().toString) ++ {
    // compiling takes longer than these queries
    val compiled = random.nextInt(4) == 0
    Seq(
      "spark.sql.codegen.wholeStage" -> compiled.toString,
      "spark.sql.codegen.factoryMode" -> (if (compiled) "FALLBACK" else "NO_CODEGEN"))
  } :+ (ConfKeys.LocalityHosts -> pick(random, Seq("", "host1,localhost")))

  private def pick[T](random: Random, choices: Seq[T]): T = choices(random.nextInt(choices.size))
}
