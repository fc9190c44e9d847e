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

import org.apache.spark.sql.SparkSession
import org.hadoopmpsr.spark.relation.ConfKeys
import org.hadoopmpsr.spark.versions.TestVersions

/** One session for all suites, with the extension and with its rule on [[InMemoryPlanSource]], and one
 * dataset. */
object SparkFixture {
  val seed: Long = sys.props.get("mpsr.test.seed").map(_.toLong).getOrElse(20140429L)
  val source = new InMemoryPlanSource

  lazy val session: SparkSession = {
    val session = SparkSession
      .builder()
      .master("local[2]")
      .appName("mpsr tests")
      .config("spark.ui.enabled", "true")
      .config("spark.ui.port", "0")
      .config("spark.driver.bindAddress", "127.0.0.1")
      .config("spark.driver.host", "127.0.0.1")
      .config("spark.sql.shuffle.partitions", "2")
      // else each of more than 32 directories is listed by a task of its own
      .config("spark.sql.sources.parallelPartitionDiscovery.parallelism", "2")
      .config("spark.sql.session.timeZone", "UTC")
      .config("spark.sql.datetime.java8API.enabled", "true")
      // the defaults of Spark 4, for what tests write
      .config("spark.sql.parquet.datetimeRebaseModeInWrite", "CORRECTED")
      .config("spark.sql.parquet.int96RebaseModeInWrite", "CORRECTED")
      .config("spark.sql.warehouse.dir", TestDirectories.create("mpsr-warehouse").toString)
      .config("spark.sql.extensions", classOf[MpsrSparkSessionExtensions].getName)
      .withExtensions(_.injectPreCBORule(s => new ReadRule(s, source)))
      .getOrCreate()
    session.sparkContext.setLogLevel("WARN")
    session
  }

  lazy val dataset: TestDataset = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    val dataset = new TestDataset(session, TestDirectories.create("mpsr-dataset"))
    (0 until 2).foreach(commit => dataset.write(TestRecords.rows(seed, commit, 800)))
    source.publish(dataset)
    dataset
  }

  /** Times have bounds in its files, as in the sink's. */
  lazy val edges: TestDataset = withConf("spark.sql.parquet.outputTimestampType" -> "TIMESTAMP_MICROS")(written(TestEdges))

  /** [[dataset]] and five with other columns and groups. */
  lazy val datasets: Seq[TestDataset] = Seq(dataset, written(TestEvents), written(TestShifts), edges, written(TestTypes), places)

  /** Its groups are made of values within structs; times have bounds in its files, as in the sink's. */
  lazy val places: TestDataset = withConf("spark.sql.parquet.outputTimestampType" -> "TIMESTAMP_MICROS")(written(TestPlaces))

  private def written(table: TestTable): TestDataset = {
    val dataset = new TestDataset(session, TestDirectories.create(s"mpsr-${table.name}"), table)
    table.rows(seed, 0, 400).grouped(200).foreach(dataset.write)
    source.publish(dataset)
    dataset
  }

  /** What `body` gives without MPSR. */
  def stock[T](body: => T): T = withConf(ConfKeys.Enabled -> "false")(body)

  def withConf[T](settings: (String, String)*)(body: => T): T = {
    val before = settings.map { case (k, _) => k -> session.conf.getOption(k) }
    settings.foreach { case (k, v) => session.conf.set(k, v) }
    try body
    finally before.foreach {
      case (k, Some(v)) => session.conf.set(k, v)
      case (k, None) => session.conf.unset(k)
    }
  }

  /** The class of the error that made a query fail, where it has one. */
  def condition(error: Throwable): Option[String] =
    Iterator.iterate(error)(_.getCause).takeWhile(_ != null).flatMap(TestVersions.condition(_)).toSeq.lastOption

  /** The physical plan as EXPLAIN prints it. */
  def explain(query: String): String = explain(session.sql(query))

  def explain(frame: org.apache.spark.sql.DataFrame): String =
    frame.asInstanceOf[org.apache.spark.sql.classic.DataFrame].queryExecution.executedPlan.toString

  /** A value as text, which tells -0.0 from 0.0. */
  def text(value: Any): String = value match {
    case row: org.apache.spark.sql.Row => row.toSeq.map(text).mkString("[", ",", "]")
    case values: Iterable[_] => values.map(text).mkString("(", ", ", ")")
    case bytes: Array[Byte] => bytes.mkString("X", " ", "")
    case v => String.valueOf(v)
  }

  /** Rows as text in an order of their own. */
  def rows(frame: org.apache.spark.sql.DataFrame): Seq[String] = frame.collect().map(text).sorted.toSeq
}
