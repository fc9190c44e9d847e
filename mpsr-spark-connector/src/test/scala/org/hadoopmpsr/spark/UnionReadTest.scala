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

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.{classic, DataFrame}
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.spark.relation.{ConfKeys, DecisionMetrics}
import org.junit.jupiter.api.{BeforeEach, Test}

/** Reads of segments of several groups. */
class UnionReadTest extends AdaptiveSparkPlanHelper {
  import SparkFixture._

  @BeforeEach
  def views(): Unit = {
    session.read.parquet(dataset.root.toString).createOrReplaceTempView("m")
    withConf("spark.sql.sources.useV1SourceList" -> "") {
      session.read.parquet(dataset.root.toString).createOrReplaceTempView("m2")
    }
  }

  private def missing[T](group: String, segments: String*)(body: => T): T = source.without(dataset, Map(group -> segments.toSet))(body)

  private def plan(frame: DataFrame): SparkPlan = {
    frame.collect()
    frame.asInstanceOf[classic.DataFrame].queryExecution.executedPlan
  }

  private def scans(frame: DataFrame): Seq[FileSourceScanExec] = collect(plan(frame)) {
    case s: FileSourceScanExec if s.output.exists(_.name == "timestamp_ns") => s
  }

  private def check(query: String, shown: String*): Unit = {
    val expected = stock((session.sql(query).schema, rows(session.sql(query)).mkString("\n")))
    val frame = session.sql(query)
    val text = explain(frame)
    shown.foreach(s => assertThat(text).contains(s))
    assertThat(frame.schema).isEqualTo(expected._1)
    assertThat(rows(frame).mkString("\n")).isEqualTo(expected._2)
  }

  private val oneSignal = "SELECT timestamp_ns, value, day FROM m WHERE signal = 'SIG3' AND quality > 0"

  @Test
  def explainSaysHowManySegmentsComeFromWhere(): Unit = missing("signal", "s1") {
    Seq(oneSignal, oneSignal.replace(" m ", " m2 ")).foreach { query =>
      check(
        query,
        "parquet[mpsr part from signal, 1 files of 1 segments; signal: ",
        "with 1 segment from other groups; time: ",
        "; 1 segment from signal, 1 segment from device (signal: degraded)]",
        "parquet[mpsr part from device, ")
    }
    val unions = DecisionMetrics.sum("unions")
    val plans = DecisionMetrics.sum("plans")
    session.sql(oneSignal).collect()
    assertThat(DecisionMetrics.sum("unions") - unions).isEqualTo(1)
    assertThat(DecisionMetrics.sum("plans") - plans).isEqualTo(1)
  }

  /** Filters reach Parquet's reader in each part, and no part reads columns that the query does not use. */
  @Test
  def eachPartIsPushedDown(): Unit = missing("signal", "s0") {
    val parts = scans(session.sql(oneSignal))
    assertThat(parts.asJava).hasSize(2)
    parts.foreach { scan =>
      assertThat(scan.metadata("PushedFilters")).contains("GreaterThan(quality,0)", "EqualTo(signal,SIG3)")
      assertThat(scan.requiredSchema.fieldNames.toSet.asJava).isSubsetOf("timestamp_ns", "value", "signal", "quality", "day")
      assertThat(scan.metrics("numFiles").value).isGreaterThan(0)
    }
    assertThat(parts.map(_.metrics("numOutputRows").value).sum).isGreaterThanOrEqualTo(session.sql(oneSignal).count())
  }

  @Test
  def theDefaultGroupMayBeAPart(): Unit = {
    missing("time", "s1") {
      check("SELECT * FROM m WHERE day = '2014-05-01'", "part from time, 1 files", "part from ")
      check("SELECT day, quality, value FROM m WHERE day >= '2014-05-02' AND timestamp_ns % 2 = 0", "part from time")
    }
    source.without(dataset, Map("signal" -> Set("s0"), "device" -> Set("s0", "s1"))) {
      check("SELECT * FROM m WHERE signal IN ('SIG3', 'SIG4')", "part from signal, ", "part from time, ")
      check("SELECT count(*), sum(quality) FROM m WHERE signal = 'SIG3'", "part from signal", "part from time")
      check("SELECT 1 FROM m WHERE signal = 'SIG3'", "part from signal", "part from time")
    }
  }

  @Test
  def joinsSubqueriesAndUnionsReadParts(): Unit = source.without(dataset, Map("signal" -> Set("s0"), "time" -> Set("s1"))) {
    check("SELECT a.value, b.quality FROM m a JOIN m b ON a.timestamp_ns = b.timestamp_ns WHERE a.signal = 'SIG3'", "part from signal")
    check("SELECT * FROM m WHERE signal = 'SIG3' AND quality IN (SELECT max(quality) FROM m WHERE signal = 'SIG4')", "part from signal")
    check("SELECT * FROM m a WHERE signal = 'SIG3' AND EXISTS (SELECT 1 FROM m b WHERE b.device = a.device AND b.quality = 3)")
    check("SELECT * FROM m WHERE day = (SELECT max(day) FROM m)", "part from ")
    check("SELECT signal FROM m WHERE signal = 'SIG3' UNION SELECT device FROM m WHERE signal = 'SIG4'", "part from signal")
    check("WITH c AS (SELECT * FROM m WHERE signal = 'SIG3') SELECT * FROM c a JOIN c b ON a.timestamp_ns = b.timestamp_ns")
    check("SELECT max(value) OVER (PARTITION BY device ORDER BY timestamp_ns) FROM m WHERE signal = 'SIG3'", "part from signal")
  }

  /** Partitions are left out by a join in each part that has them. */
  @Test
  def eachPartIsPrunedWhenTheQueryRuns(): Unit = {
    val directory = TestDirectories.create("mpsr-days").resolve("d").toString
    session.range(6).selectExpr("date_add(date'2014-04-29', cast(id AS int)) AS day", "id AS n").write.parquet(directory)
    session.read.parquet(directory).createOrReplaceTempView("some_days")
    val query = "SELECT timestamp_ns FROM m JOIN some_days d ON m.day = d.day WHERE d.n = 2"
    val onStock = stock(scans(session.sql(query))).map(_.metrics("numFiles").value).sum
    assertThat(onStock).isEqualTo(2)
    missing("time", "s1") {
      check(query, "part from time", "dynamicpruning")
      val ofTime = scans(session.sql(query)).filter(_.relation.toString.contains("part from time"))
      assertThat(ofTime.map(_.metrics("numFiles").value).asJava).containsExactly(1L)
      // also where the other part is the chosen group, which does not have these partitions
      val named = query.replace("SELECT ", "SELECT /*+ MPSR(signal) */ ")
      source.without(dataset, Map("signal" -> Set("s0"), "device" -> Set("s0"))) {
        check(named.replace("WHERE", "WHERE signal = 'SIG3' AND"), "part from time", "part from signal")
      }
    }
  }

  /** A segment counts once. */
  @Test
  def aggregatesAreAnsweredFromFilesOfSeveralGroups(): Unit =
    source.without(dataset, Map("time" -> Set("s0"), "device" -> Set("s1"), "signal" -> Set("s1"))) {
      Seq(
        "SELECT count(*) FROM m",
        "SELECT min(timestamp_ns), max(quality), count(label) FROM m WHERE timestamp_ns IS NOT NULL").foreach { query =>
        val before = DecisionMetrics.sum("answered")
        check(query)
        assertThat(DecisionMetrics.sum("answered") - before).as(query).isEqualTo(1)
      }
      check("SELECT max(day), min(day) FROM m")
      check("SELECT day, count(*), max(quality) FROM m GROUP BY day")
      check("SELECT system, count(*) FROM m WHERE device <> 'POWER' GROUP BY system")
    }

  @Test
  def hostsGetThePartsThatTheyHold(): Unit = missing("signal", "s1") {
    withConf(ConfKeys.LocalityHosts -> "host1,localhost") {
      check(oneSignal, "part from signal")
      assertThat(scans(session.sql(oneSignal)).map(_.getClass.getSimpleName).asJava).containsExactly("LocalScanExec", "LocalScanExec")
    }
  }

  @Test
  def aNamedGroupIsReadAsFarAsItCanBe(): Unit = missing("device", "s0") {
    check("SELECT /*+ MPSR(device) */ * FROM m WHERE signal = 'SIG3'", "part from device, ", "the reader asked for it; 1 segment from device")
  }

  /** What no group has is read as without MPSR, which may still find it. */
  @Test
  def whatNoGroupHasIsLeftToStock(): Unit =
    source.without(dataset, dataset.table.groups.names.toArray.map(g => s"$g" -> Set("s0")).toMap) {
      assertThat(explain(oneSignal)).contains("mpsr stock: no group can be read: ", "no other group has all records of 1 segment")
    }

  @Test
  def framesOfPartsCanBeCachedAndWritten(): Unit = missing("signal", "s1") {
    val expected = stock(rows(session.sql(oneSignal)))
    val frame = session.sql(oneSignal)
    val target = TestDirectories.create("mpsr-written").resolve("t").toString
    frame.write.parquet(target)
    assertThat(rows(session.read.parquet(target)).mkString("\n")).isEqualTo(expected.mkString("\n"))
    frame.cache()
    try assertThat(rows(frame).mkString("\n")).isEqualTo(expected.mkString("\n"))
    finally frame.unpersist()
    assertThat(session.sql(oneSignal).inputFiles.toSet.asJava).isEqualTo(stock(session.sql(oneSignal).inputFiles.toSet).asJava)
  }
}
