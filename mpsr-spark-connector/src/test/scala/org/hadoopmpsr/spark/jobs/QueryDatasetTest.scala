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

import java.nio.file.Files
import java.util.ArrayList
import java.util.concurrent.CountDownLatch

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.control.NonFatal

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.SparkConf
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.client.query.QueryOptions
import org.hadoopmpsr.core.place.{Place, PlaceState}
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters, TestRecords}
import org.hadoopmpsr.spark.jobs.query.{MovesToStorage, PlaceStates, QueryAnswer, ReadPart, ReadPlace}
import org.junit.jupiter.api.{AfterAll, BeforeAll, BeforeEach, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Queries on a dataset of a cluster answer as Spark's SQL does without MPSR, and say what they read. */
@TestInstance(Lifecycle.PER_CLASS)
class QueryDatasetTest {
  import SparkFixture._

  private var dfs: MiniDFSCluster = _
  private var meas: SinkDataset = _
  private val told = mutable.ArrayBuffer.empty[String]

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(TestRecords.groups)
    meas = new SinkDataset(dfs, "/cals/meas", TestRecords)
    (0 until 2).foreach(commit => meas.commit(TestRecords.rows(seed, commit, 400)))
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  @BeforeEach
  def view(): Unit = {
    told.clear()
    session.read.parquet(meas.root.toString).createOrReplaceTempView("q")
  }

  private def ask(arguments: String*): QueryAnswer = ask(meas, arguments: _*)

  private def ask(dataset: SinkDataset, arguments: String*): QueryAnswer =
    QueryDataset.query(session, dataset.root.toString, QueryOptions.parse(arguments.asJava, new ArrayList[String]), told += _)

  private def sql(query: String): Seq[Seq[Any]] = stock(session.sql(query).collect()).toSeq.map(_.toSeq)

  private def refused(message: String, arguments: String*): Unit =
    assertThatThrownBy(() => ask(arguments: _*)).isInstanceOf(classOf[java.io.IOException]).hasMessageContaining(message)

  @Test
  def statisticsOfOneSignalReadItsFilesOnly(): Unit = {
    val answer = ask("statistics", "--column", "VALUE", "--where", "signal = 'SIG3'", "--quantiles", "0.5")
    val Seq(Seq(records, nulls, nans, least)) =
      sql("SELECT count(*), count_if(value IS NULL), count_if(isnan(value)), min(value) FROM q WHERE signal = 'SIG3'")
    assertThat(answer.columns.mkString(" ")).isEqualTo("records nulls nans min max mean deviation quantiles rank_error")
    assertThat(answer.rows.head.take(4).mkString(" ")).isEqualTo(Seq(records, nulls, nans, least).mkString(" "))
    assertThat(answer.reads.map(_.group).mkString).isEqualTo("Some(signal)")
    assertThat(answer.reads.head.files).isEqualTo(2) // one of each commit
    assertThat(told.mkString("\n")).startsWith(s"reading ${answer.reads.head.files} files (${answer.reads.head.bytes} bytes) of the replica group signal")
    assertThat(answer.reads.head.bytes).isLessThan(ask("statistics", "--column", "value", "--where", "length(signal) > 0").reads.head.bytes)
  }

  @Test
  def statisticsOfDaysAreInOrder(): Unit = {
    val answer = ask("statistics", "--column", "quality", "--time", "timestamp_ns", "--interval", "1d", "--by", "system", "--from", "2014-04-30")
    val wanted = sql(
      "SELECT system, date_format(timestamp_seconds(timestamp_ns div 86400000000000 * 86400), \"yyyy-MM-dd'T'HH:mm:ss'Z'\"), count(*), " +
        "count_if(quality IS NULL), 0, min(quality), max(quality) FROM q WHERE timestamp_ns >= 1398816000000000000 GROUP BY 1, 2 ORDER BY 1, 2")
    assertThat(answer.rows.map(_.take(7).mkString(" ")).mkString("\n")).isEqualTo(wanted.map(_.mkString(" ")).mkString("\n"))
    assertThat(answer.columns.take(2).mkString(" ")).isEqualTo("system timestamp_ns")
  }

  @Test
  def theSameQueryIsAnsweredFromTheCache(): Unit = {
    val asked = Seq(
      Seq("statistics", "--column", "value", "--where", "signal = 'SIG3'", "--interval", "1d", "--time", "timestamp_ns"),
      Seq("chart", "--column", "value", "--time", "timestamp_ns", "--by", "system", "--where", "device < 'Q'", "--width", "20"),
      Seq("heatmap", "--column", "quality", "--time", "timestamp_ns", "--by", "device", "--width", "6"),
      Seq("similar", "--column", "value", "--time", "timestamp_ns", "--pattern", "0,1,0", "--distance", "1", "--interval", "1h", "--of", "records"))
    asked.foreach { arguments =>
      val wanted = ask(arguments: _*)
      val cached = arguments ++ Seq("--cache", s"${dfs.getURI}/user/answers")
      told.clear()
      val first = ask(cached: _*)
      val part = first.reads.find(_.kept.isDefined).get
      assertThat(told.mkString("\n")).contains(s"answered from the cache: 0 of ${part.files} files; reading ${part.files} files (${part.bytes} bytes) of the replica group ")
      told.clear()
      val again = ask(cached: _*)
      assertThat(told.mkString("\n")).contains(s"answered from the cache: ${part.files} of ${part.files} files").doesNotContain("reading ")
      assertThat(again.reads.flatMap(_.kept).sum).isEqualTo(part.files)
      assertThat(again.json(1)).contains(s"\"filesOfCache\":${part.files}")
      Seq(first, again).foreach { answer =>
        assertThat(answer.columns.mkString(" ")).isEqualTo(wanted.columns.mkString(" "))
        answer.rows.flatten.zip(wanted.rows.flatten).foreach {
          case (a: Double, b: Double) if !b.isNaN && !b.isInfinite => assertThat(a).isCloseTo(b, org.assertj.core.data.Offset.offset(Double.box(1e-9)))
          case (a, b) => assertThat(a).isEqualTo(b)
        }
        assertThat(answer.rows.size).isEqualTo(wanted.rows.size)
      }
    }
  }

  @Test
  def aQueryIsMadeWhereItsAnswerIsThereSoonest(): Unit = {
    val options = QueryOptions.parse(Seq("chart", "--column", "value", "--time", "timestamp_ns", "--width", "7", "--where", "device < 'Q'").asJava, new ArrayList[String])
    def query(place: ReadPlace) = QueryDataset.query(session, meas.root.toString, options, told += _, place)
    def at(startSeconds: Double): QueryAnswer =
      QueryDataset.atReader(session, state(Place.READER, 0), Some(state(Place.STORAGE, startSeconds)), 0)(query)
    val wanted = query(ReadPlace.Here).rows
    assertThat(at(1000).rows).isEqualTo(wanted)
    // executors are there at once for one that is slow to begin: nothing is read here
    assertThatThrownBy(() => QueryDataset.atReader(session, state(Place.READER, 9), Some(state(Place.STORAGE, 0)), 0)(query))
      .isInstanceOf(classOf[MovesToStorage])
    assertThat(QueryDataset.atReader(session, state(Place.READER, 0), None, 0)(query).rows).isEqualTo(wanted)
  }

  private def state(place: Place, start: Double) = new PlaceState(place, start, 1e12, 0, 4, 1e12, Long.MaxValue)

  /** Asks where executors are there at once, with five tasks, of which three wait until all is over. */
  private def moving[T](answer: (=> Unit) => T): T = {
    val gate = new CountDownLatch(1)
    QueryDatasetTest.gate = gate
    try QueryDataset.atReader(session, state(Place.READER, 0), Some(state(Place.STORAGE, 0)), 0) { place =>
        place.before(Seq(ReadPart(Some("time"), 5, 0, Some(0L), None)), 0)
        answer(session.sparkContext.parallelize(0 until 5, 5).foreach(i => if (i > 1) QueryDatasetTest.gate.await()))
      }
    finally gate.countDown()
  }

  @Test
  def aQueryMovesWhenTheRestTakesLongerThanElsewhere(): Unit = {
    val said =
      try {
        // any time is longer than none
        moving(job => job)
        "it has not moved"
      } catch { case moves: MovesToStorage => moves.choice.text }
    assertThat(said).startsWith("made at the storage: ").contains("where it is, the rest takes")
  }

  @Test
  def anAnswerThatIsThereWhenTheQueryIsToMoveIsTheAnswer(): Unit = {
    val answer = moving { job =>
      try job
      catch { case NonFatal(_) => () }
      "there"
    }
    assertThat(answer).isEqualTo("there")
  }

  @Test
  def thereAreTwoPlacesWhereExecutorsAreOtherProcesses(): Unit = {
    def states(settings: (String, String)*) = new PlaceStates(settings.foldLeft(new SparkConf(false)) { case (conf, (key, value)) => conf.set(key, value) })
    assertThat(states().areTwo).isFalse
    assertThat(states("spark.master" -> "local[4, 2]").areTwo).isFalse
    assertThat(states("spark.master" -> "yarn").areTwo).isTrue
    assertThat(states("spark.master" -> "local-cluster[2,1,1024]").areTwo).isTrue
    assertThat(states("spark.master" -> "yarn", "spark.submit.deployMode" -> "cluster").areTwo).isFalse
    val conf = dfs.getConfiguration(0)
    assertThat(states("spark.master" -> "yarn", "spark.executor.instances" -> "5", "spark.executor.cores" -> "4", "spark.executor.memory" -> "2g").storage(conf))
      .isEqualTo(new PlaceState(Place.STORAGE, 12, 5 * 200e6, 0.006, 20, 110e6, 5 * (2L << 30)))
    assertThat(states("spark.mpsr.place.start.seconds" -> "3").storage(conf).startSeconds).isEqualTo(3)
    // two executors fetch a jar of 5.5 MB at 110 MB a second
    val jar = Files.write(Files.createTempFile("some", ".jar"), new Array[Byte](5500000))
    try {
      Seq("", "file:", "file://").foreach { scheme =>
        val shipping = states("spark.mpsr.place.start.seconds" -> "3", "spark.jars" -> s"$scheme$jar, hdfs://nn/other.jar")
        assertThat(shipping.storage(conf).startSeconds).isEqualTo(3.1)
      }
    } finally Files.delete(jar)
  }

  @Test
  def boundsAreReadFromStatistics(): Unit = {
    val answer = ask("statistics", "--column", "quality", "--bounds")
    assertThat(answer.rows.map(_.mkString(" ")).mkString)
      .isEqualTo(sql("SELECT count(*), count_if(quality IS NULL), min(quality), max(quality) FROM q").map(_.mkString(" ")).mkString)
    assertThat(answer.reads.isEmpty).isTrue
    assertThat(told.mkString).isEqualTo("nothing is read: the statistics of files tell it")
  }

  @Test
  def boundsLeaveNaNsOut(): Unit = {
    val answer = ask("statistics", "--column", "value", "--bounds", "--by", "device")
    val number = "CASE WHEN NOT isnan(value) THEN value + 0 END"
    assertThat(answer.rows.map(_.mkString(" ")).mkString("\n")).isEqualTo(
      sql(s"SELECT device, count(*), count_if(value IS NULL), min($number), max($number) FROM q GROUP BY 1 ORDER BY 1").map(_.mkString(" ")).mkString("\n"))
  }

  @Test
  def aChartShowsAllRecordsWhereItIsWide(): Unit = {
    val answer = ask("chart", "--column", "value", "--time", "timestamp_ns", "--width", "100000", "--where", "signal = 'SIG3' AND NOT isnan(value)")
    val wanted = sql(
      "SELECT timestamp_ns, value + 0 FROM q WHERE signal = 'SIG3' AND value IS NOT NULL AND NOT isnan(value) ORDER BY 1, 2").map { case Seq(t: Long, v) =>
      s"${java.time.Instant.ofEpochSecond(t / 1000000000, t % 1000000000)} $v"
    }
    assertThat(answer.rows.map(_.mkString(" ")).mkString("\n")).isEqualTo(wanted.mkString("\n"))
    val days = ask("chart", "--column", "value", "--time", "timestamp_ns", "--width", "1", "--from", "2014-04-30", "--to", "2014-05-01", "--by", "system")
    assertThat(days.rows.groupBy(_.head).values.map(_.size).max).isBetween(2, 4)
    assertThat(days.reads.map(_.group).mkString).isEqualTo("Some(time)")
  }

  @Test
  def theFirstIntervalBelongsToAChart(): Unit = {
    val chart = ask("chart", "--column", "quality", "--time", "timestamp_ns", "--interval", "1d", "--of", "records", "--from", "2014-04-29T12:00:00", "--width", "100")
    assertThat(chart.rows.head.head).isEqualTo("2014-04-29T00:00:00Z")
    val days = sql("SELECT timestamp_ns div 86400000000000, count(*) FROM q WHERE timestamp_ns >= 1398772800000000000 GROUP BY 1 ORDER BY 1")
    assertThat(chart.rows.map(_(1)).mkString(" ")).isEqualTo(days.map(_(1)).mkString(" "))
  }

  @Test
  def aHeatMapHasEachRecordInACell(): Unit = {
    val answer = ask("heatmap", "--column", "quality", "--time", "timestamp_ns", "--by", "device", "--width", "6")
    val Seq(Seq(records)) = sql("SELECT count(*) FROM q")
    assertThat(answer.rows.map(_(2).asInstanceOf[Long]).sum).isEqualTo(records)
    assertThat(answer.rows.map(_(1)).distinct.size).isBetween(2, 6)
    val means = ask("heatmap", "--column", "quality", "--time", "timestamp_ns", "--by", "device", "--width", "6", "--interval", "1h", "--of", "mean")
    assertThat(means.rows.size).isEqualTo(answer.rows.size)
  }

  @Test
  def similarRecordsAndWindows(): Unit = {
    val range = ask("similar", "--column", "value", "--time", "timestamp_ns", "--least", "4", "--by", "signal", "--limit", "7")
    val wanted = sql("SELECT signal, value FROM q WHERE value >= 4 AND NOT isnan(value) ORDER BY timestamp_ns, value, signal LIMIT 7")
    assertThat(range.rows.map(row => Seq(row.head, row(2)).mkString(" ")).mkString("\n")).isEqualTo(wanted.map(_.mkString(" ")).mkString("\n"))
    val windows = ask("similar", "--column", "value", "--time", "timestamp_ns", "--pattern", "0,1,0", "--distance", "1.5", "--normalized", "--by", "signal")
    assertThat(windows.columns.mkString(" ")).isEqualTo("signal begin end distance")
    assertThat(windows.rows.size).isEqualTo(10)
    assertThat(windows.rows.map(_.last.asInstanceOf[Double]).sliding(2).forall { case Seq(a, b) => a <= b }).isTrue
    val hours = ask("similar", "--column", "value", "--time", "timestamp_ns", "--pattern", "0,1,0", "--distance", "1", "--interval", "1h", "--of", "records")
    assertThat(hours.rows.forall(_(1).toString.matches("2014-..-..T..:00:00Z"))).isTrue
  }

  @Test
  def anEmptyDatasetHasAnEmptyAnswer(): Unit = {
    val empty = new SinkDataset(dfs, "/cals/empty", TestRecords)
    assertThat(ask(empty, "chart", "--column", "value", "--time", "seen").rows.isEmpty).isTrue
    assertThat(ask(empty, "similar", "--column", "value", "--time", "seen", "--pattern", "1,2", "--distance", "1").rows.isEmpty).isTrue
    assertThat(ask(empty, "statistics", "--column", "value").csv.mkString("\n"))
      .isEqualTo("records,nulls,nans,min,max,mean,deviation\n0,0,0,,,,")
  }

  @Test
  def answersArePrinted(): Unit = {
    val answer = QueryAnswer("/d", "chart", Nil, Seq("name", "value"), Seq(Seq("a, \"b\"", 1.5), Seq(null, Double.NaN), Seq("", 2L)))
    assertThat(answer.csv.mkString("\n")).isEqualTo("name,value\n\"a, \"\"b\"\"\",1.5\n,NaN\n\"\",2")
    assertThat(answer.table.mkString("\n")).isEqualTo("name    value\na, \"b\"  1.5\n-       NaN\n        2")
    val json = new ObjectMapper().readTree(answer.json(7))
    assertThat(json.toString).isEqualTo(
      """{"dataset":"/d","query":"chart","ms":7,"reads":[],"columns":["name","value"],"rows":[["a, \"b\"",1.5],[null,"NaN"],["",2]]}""")
  }

  @Test
  def whatDoesNotFitTheDatasetIsNamed(): Unit = {
    refused("there is no column 'speed'; the columns are ", "statistics", "--column", "speed")
    refused("the column 'signal' is of type STRING, and reductions are of numbers; columns of numbers are ", "statistics", "--column", "signal")
    refused("it is not known which column has the time of a record: the columns with times are ", "chart", "--column", "value")
    refused("the column 'ok' has no times; those of times are ", "chart", "--column", "value", "--time", "ok")
    refused("the option --from has the value 'soon', which is no time", "chart", "--column", "value", "--time", "seen", "--from", "soon")
    refused("so that no time is in it; give a later end", "chart", "--column", "value", "--time", "seen", "--from", "5", "--to", "5")
    refused("the time 9000000000000000000 is beyond all DATE values", "chart", "--column", "value", "--time", "installed", "--from", "0", "--to", "9000000000000000000")
    refused("the condition 'nothing = 1' cannot be used: ", "statistics", "--column", "value", "--where", "nothing = 1")
    refused("the condition 'value >' cannot be used: ", "statistics", "--column", "value", "--where", "value >")
    refused("the answer has more than 3 rows; ask for less", "statistics", "--column", "value", "--by", "signal", "--limit", "3")
    assertThatThrownBy(() => QueryDataset.query(session, s"${dfs.getURI}/cals", QueryOptions.parse(Seq("statistics", "--column", "v").asJava, new ArrayList[String]), _ => ()))
      .hasMessageContaining("is not a dataset")
  }
}

private object QueryDatasetTest {
  @volatile private var gate: CountDownLatch = _
}
