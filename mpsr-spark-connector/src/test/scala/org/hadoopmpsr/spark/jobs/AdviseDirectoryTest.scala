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
import java.nio.charset.StandardCharsets.UTF_8
import java.nio.file.{Files, Path => LocalPath}
import java.time.Duration
import java.util.{ArrayList, Collections, List => JList}

import scala.collection.mutable
import scala.jdk.CollectionConverters._
import scala.util.Using

import com.fasterxml.jackson.databind.{JsonNode, ObjectMapper}
import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.hadoop.hdfs.protocol.HdfsConstants
import org.apache.spark.sql.DataFrame
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.awaitility.Awaitility.await
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.adopt.{AdoptOptions, SurveyOptions}
import org.hadoopmpsr.client.advise.AdviseOptions
import org.hadoopmpsr.client.run.RunRecord.State
import org.hadoopmpsr.client.workload.{WorkloadJson, WorkloadReport}
import org.hadoopmpsr.core.group.{Codec, Predicate, ReplicaGroup, ReplicaGroups, SortKey}
import org.hadoopmpsr.core.workload.{Amount, Asked, AskedShape, WorkloadLog}
import org.hadoopmpsr.core.workload.AskedShape.Measured
import org.hadoopmpsr.core.workload.Term.Operator
import org.hadoopmpsr.spark.{SparkFixture, TestClusters, TestDirectories}
import org.hadoopmpsr.spark.jobs.advise.ProposalTrial
import org.junit.jupiter.api.{AfterAll, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.Assertions.{assertEquals, assertTrue}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Groups are advised for an archive that is no dataset, and the command that the advice prints makes one of it. */
@Tag("long")
@TestInstance(Lifecycle.PER_CLASS)
class AdviseDirectoryTest {
  import SparkFixture._

  private val days = 12
  private val signals = 40
  private val where = "/archive/turbines"

  /** Equal records, which stay as they are. */
  private val kept = "/archive/kept"
  private lazy val local: LocalPath = TestDirectories.create("mpsr-advise")
  private var dfs: MiniDFSCluster = _

  private def group(name: String, predicate: String) =
    new ReplicaGroup(name, Collections.singletonList(Predicate.parse(predicate)), Collections.emptyList[SortKey](), 1, Codec.parse("zstd"))

  /** As somebody has configured them who knew nothing of what is asked. */
  private val groups = new ReplicaGroups(JList.of(group("time", "day(at)"), group("second", "month(at)"), group("third", "year(at)")), "time")

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(groups)
    Seq(where, kept).foreach(path => write(s"${dfs.getURI}$path"))
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  private def write(path: String): Unit = withConf("spark.sql.parquet.outputTimestampType" -> "TIMESTAMP_MICROS") {
    stock(
      session.range(0, days * 5000L, 1, 2)
        .selectExpr(
          "timestamp_seconds(1493596800 + id % 12 * 86400 + id div 12 * 17) AS at",
          s"format_string('S%03d', cast(pmod(hash(id, $seed), $signals) AS int)) AS signal",
          s"rand($seed) * 100 AS value")
        .selectExpr("*", "concat('D', pmod(hash(signal), 5)) AS device", "to_date(at) AS day")
        .repartition(2)
        .write.partitionBy("day").parquet(path))
  }

  private def terms(some: Measured*): JList[Measured] = some.asJava

  /** Most ask for a signal, some for a day, few for a device in some hours. */
  private lazy val log: String = {
    val asked = new WorkloadLog(100)
    Seq(
      terms(Measured.values("signal", 1)) -> 80,
      terms(Measured.values("day", 1)) -> 15,
      terms(Measured.values("device", 1), Measured.range("at", Operator.RANGE, 0.02)) -> 5).foreach { case (shape, count) =>
      (1 to count).foreach { ms =>
        asked.asked("d", "form", new Asked(AskedShape.of(shape, null), null, Amount.NONE, Amount.NONE, Collections.emptyList(), null), ms.toLong)
      }
    }
    val report = new WorkloadReport(1, 100, 0, Seq(where, kept).map(new WorkloadReport.OfDataset(_, "stock", asked.classes("d"))).asJava)
    Files.write(local.resolve("log.json"), new ObjectMapper().writeValueAsString(WorkloadJson.of(report)).getBytes(UTF_8)).toString
  }

  private def options(files: Int = AdviseOptions.USUAL_FILES, measureBytes: Long = AdviseOptions.USUAL_MEASURE_BYTES, trialBytes: Long = 0) =
    new AdviseOptions(log, 0, 0, seed, files, null, measureBytes, trialBytes, null)

  /** Advice can do without records, but here it can read them. */
  private def told(progress: String): Unit = assertThat(progress).doesNotContain("could not")

  private def advise(options: AdviseOptions, path: String = where): JsonNode =
    new ObjectMapper().readTree(AdviseDirectory.json(AdviseDirectory.advise(session, s"${dfs.getURI}$path", options, told)))

  private def listing(): Seq[String] = {
    val all = dfs.getFileSystem.listFiles(new Path("/"), true)
    Iterator.continually(all).takeWhile(_.hasNext).map(_.next()).map(file => s"${file.getPath} ${file.getLen} ${file.getModificationTime}").toSeq.sorted
  }

  private def answers(): Seq[Seq[String]] = {
    val frame = session.read.parquet(s"${dfs.getURI}$where").select("at", "signal", "value", "device", "day")
    Seq[DataFrame => DataFrame](
      _.where("signal = 'S007'"),
      _.where("day = '2017-05-03'").groupBy("signal").count(),
      _.where("device = 'D2' AND at BETWEEN '2017-05-02 03:00:00' AND '2017-05-02 09:00:00'")).map(query => rows(query(frame)))
  }

  /** The words of a command as a shell takes them: none of them holds a quote here. */
  private def words(command: String): Seq[String] = {
    val found = mutable.ArrayBuffer.empty[String]
    "'([^']*)'|(\\S+)".r.findAllMatchIn(command).foreach(word => found += Option(word.group(1)).getOrElse(word.group(2)))
    found.toSeq
  }

  @Test
  def theAdviceMakesADatasetThatAnswersWithLess(): Unit = {
    val before = listing()
    val files = before.count(line => line.contains(where) && line.contains(".parquet "))
    val some = advise(options(files = 5))
    assertEquals(files, some.get("directory").get("files").asInt)
    assertEquals(5, some.get("directory").get("filesMeasured").asInt)
    assertEquals(0, advise(options(files = 5, measureBytes = 0)).get("directory").get("filesMeasured").asInt)
    assertEquals(5, some.get("directory").get("filesRead").asInt)
    val advice = advise(options())
    assertEquals(advice, advise(options()), "equal seeds")
    assertEquals(before, listing(), "nothing is changed")
    assertEquals(files, advice.get("directory").get("filesRead").asInt)
    assertThat(advice.get("directory").get("predicates").get(0).asText).isEqualTo("day(at)")
    assertThat(advice.get("groups").size).isEqualTo(3)
    assertThat(advice.get("advisedMs").asDouble).isLessThan(advice.get("stockMs").asDouble * 0.8)
    val classes = advice.get("classes").elements.asScala.map(one => one.get("conditions").asText -> one).toMap
    val bySignal = classes("signal = 1 value")
    assertThat(bySignal.get("stock").get("files").asDouble).as("without MPSR all files are opened").isEqualTo(files.toDouble)
    assertThat(bySignal.get("advised").get("files").asDouble).isLessThan(files / 4.0)
    assertThat(bySignal.get("advised").get("group").asText).isNotEqualTo("time")
    assertThat(classes("day = 1 value").get("stock").get("files").asDouble).isEqualTo(files.toDouble / days)

    val steps = advice.get("steps").elements.asScala.map(_.asText).toSeq
    assertThat(steps.size).isEqualTo(1)
    val command = words(steps.head)
    assertEquals(Seq("hdfs", "mpsr", "dataset", "adopt", where), command.take(5))
    val expected = stock(answers())
    // as the command starts the job: files do not wait for others
    val parsed = SurveyOptions.parse((AdoptOptions.NOW +: command.drop(5)).asJava, new ArrayList)
    val run = AdoptDirectory.adopt(session, s"${dfs.getURI}$where", parsed)
    assertThat(run.state).isEqualTo(State.DONE)
    assertThat(run.problem).isNull()
    assertEquals(files.toLong, run.done.files)
    val made = Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(_.getDataset(where))
    advice.get("groups").elements.asScala.foreach { wanted =>
      val found = made.groups.find(wanted.get("name").asText).get
      assertEquals(wanted.get("predicates").asText, found.predicates.asScala.map(_.text).mkString(", "))
      assertEquals(wanted.get("sort").asText, found.sort.asScala.map(_.text).mkString(", "))
    }
    assertEquals(expected, answers())
    assertEquals(expected, stock(answers()))
    val again = trial(where, options(trialBytes = 1 << 20))
    assertThat(again.get("classes").get(0).has("stock")).isTrue()
    assertThat(bytes(again, "advised", "measured")).isLessThan(bytes(again, "stock", "measured"))
    assertThat(leftOfTrials().asJava).isEmpty()
    val verified = VerifyDataset.verify(session, s"${dfs.getURI}$where")
    assertTrue(verified.sound, verified.json)
    val frame = session.read.parquet(s"${dfs.getURI}$where").where("signal = 'S007'")
    assertThat(explain(frame)).contains(s"parquet[mpsr ${bySignal.get("advised").get("group").asText}: ")
    assertThatThrownBy(() =>
      AdoptDirectory.adopt(
        session,
        s"${dfs.getURI}$where",
        SurveyOptions.parse(JList.of("--execute", "--group", "second=device"), new ArrayList)))
      .hasMessageContaining("it is a dataset, whose groups stay")
  }

  /** What there is of trials: files, and datasets. */
  private def leftOfTrials(): Seq[String] = {
    val fs = dfs.getFileSystem
    val trials = new Path(fs.getHomeDirectory, ProposalTrial.Below)
    val directories = if (fs.exists(trials)) fs.listStatus(trials).map(_.getPath.toString).toSeq else Nil
    directories ++ Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(
      _.listDatasets().asScala.map(_.path).filter(_.contains(ProposalTrial.Below)).toList)
  }

  /** The NameNode removes files of dropped datasets after the next look at their copies. */
  private def waitFor(files: Seq[String]): Unit =
    await().atMost(Duration.ofMinutes(2)).untilAsserted(() => assertEquals(files, listing(), "the trial has left nothing"))

  private def trial(path: String, options: AdviseOptions): JsonNode =
    new ObjectMapper().readTree(AdviseDirectory.json(AdviseDirectory.verified(session, s"${dfs.getURI}$path", options, told)._1)).get("trial")

  private def bytes(all: JsonNode, side: String, what: String): Double =
    all.get("all").elements.asScala.find(_.get("read").asText == side).get.get(s"${what}Bytes").asDouble

  @Test
  def whatIsAdvisedIsTriedWithSomeOfTheFiles(): Unit = {
    val before = listing()
    val whole = Long.MaxValue / 2
    val measured = trial(kept, options(trialBytes = whole))
    assertThat(leftOfTrials().asJava).isEmpty()
    waitFor(before)
    assertEquals(before.count(line => line.contains(kept) && line.contains(".parquet ")), measured.get("files").asInt)
    assertEquals(measured.get("allBytes").asLong, measured.get("bytes").asLong)
    assertThat(bytes(measured, "advised", "measured")).isLessThan(bytes(measured, "stock", "measured") * 0.8)
    val bySignal = measured.get("classes").elements.asScala.find(_.get("conditions").asText == "signal = 1 value").get
    assertThat(bySignal.get("stock").get("measured").get("files").asDouble).as("without MPSR all files are opened").isEqualTo(measured.get("files").asDouble)
    val advised = bySignal.get("advised")
    assertThat(advised.get("measured").get("group").asText).isEqualTo(advised.get("predicted").get("group").asText)
    assertThat(advised.get("measured").get("files").asDouble).isEqualTo(advised.get("predicted").get("files").asDouble)
    assertThat(advised.get("measured").get("leastMs").asDouble).isLessThanOrEqualTo(advised.get("measured").get("mostMs").asDouble)
    val some = trial(kept, options(trialBytes = measured.get("bytes").asLong / 4))
    assertThat(some.get("bytes").asLong).isLessThanOrEqualTo(measured.get("bytes").asLong / 3)
    assertThat(leftOfTrials().asJava).isEmpty()
  }

  @Test
  def aTrialWithoutSpaceOrThatFailsLeavesNothing(): Unit = {
    val fs = dfs.getFileSystem
    val home = fs.getHomeDirectory
    fs.mkdirs(home)
    val before = listing()
    fs.setQuota(home, HdfsConstants.QUOTA_DONT_SET, 1024L)
    try assertThatThrownBy(() => trial(kept, options(trialBytes = 1 << 20))).isInstanceOf(classOf[IOException]).hasMessageContaining(
        s"the quota of ${home.toUri.getPath} leaves").hasMessageContaining("--sample")
    finally fs.setQuota(home, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET)
    assertThat(leftOfTrials().asJava).isEmpty()
    // space is lost while the groups are written
    val limited = (line: String) => if (line.startsWith("writing ")) fs.setQuota(home, 1L, HdfsConstants.QUOTA_DONT_SET)
    try
      assertThatThrownBy(() =>
        AdviseDirectory.verified(session, s"${dfs.getURI}$kept", options(trialBytes = 1 << 20), limited))
        .isInstanceOf(classOf[IOException])
    finally fs.setQuota(home, HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET)
    assertThat(leftOfTrials().asJava).isEmpty()
    waitFor(before)
  }

  @Test
  def whatCannotBeAdvisedIsTold(): Unit = {
    assertThatThrownBy(() => advise(options(), "/archive/missing")).isInstanceOf(classOf[IOException])
    dfs.getFileSystem.create(new Path("/archive/empty/day=2017-05-01/notes.txt")).close()
    assertThatThrownBy(() => advise(options(), "/archive/empty")).hasMessageContaining("has no query of /archive/empty, but of [/archive/turbines, /archive/kept]")
  }
}
