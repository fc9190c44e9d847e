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

import org.apache.spark.sql.classic
import org.apache.spark.sql.execution.FileSourceScanExec
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.{Tag, Test}

/** Queries of arrays, structs and maps give with the extension what they give without it, in every group. */
class NestedReadTest {
  import SparkFixture._

  private val queries = Seq(
    "SELECT * FROM m",
    "SELECT pos FROM m WHERE signal = 'SIG3'",
    "SELECT pos.x, timestamp_ns FROM m WHERE pos.y > 10",
    "SELECT count(*), sum(pos.y), min(pos.x + 0.0D), max(pos.x) FROM m WHERE system = 'VAC' AND pos.x IS NOT NULL",
    "SELECT pos.parts.name, samples FROM m WHERE pos IS NULL OR size(pos.parts) = 0",
    "SELECT timestamp_ns, p.name, p.n FROM m LATERAL VIEW OUTER explode(pos.parts) AS p WHERE device = 'CRYO1'",
    "SELECT samples[0], size(samples) FROM m WHERE size(samples) > 0 AND signal IN ('SIG1', 'SIG2')",
    "SELECT s, count(*) FROM m LATERAL VIEW explode(samples) AS s GROUP BY s",
    "SELECT array_contains(samples, 0.25F), count(*) FROM m WHERE day = '2014-05-01' GROUP BY 1",
    "SELECT tags['k0'], timestamp_ns FROM m WHERE tags['k0'] >= 2",
    "SELECT k, sum(v) FROM m LATERAL VIEW explode(tags) AS k, v WHERE signal < 'SIG2' GROUP BY k",
    "SELECT count(pos), count(samples), count(tags), count(*) FROM m",
    "SELECT count(tags) FROM m WHERE system = 'POWER'",
    "SELECT min(pos), max(samples) FROM m WHERE device = 'VAC2'",
    "SELECT pos, count(*) FROM m WHERE timestamp_ns % 5 = 0 GROUP BY pos",
    "SELECT DISTINCT samples FROM m WHERE label = 'a'",
    "SELECT a.timestamp_ns FROM m a JOIN m b ON a.pos = b.pos AND a.timestamp_ns = b.timestamp_ns WHERE a.signal = 'SIG7'",
    "SELECT named_struct('p', pos.x, 'q', samples) FROM m WHERE pos.y IN (1, 2, 3) AND day >= '2014-05-02'")

  // compiling takes longer than these queries
  private val interpreted = Seq("spark.sql.codegen.wholeStage" -> "false", "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")

  private lazy val expected: Map[String, Seq[String]] = {
    session.read.parquet(dataset.root.toString).createOrReplaceTempView("m")
    withConf(interpreted: _*)(stock(queries.map(query => query -> rows(session.sql(query))).toMap))
  }

  /** Each query reads the group that the extension decides on, or one that is asked for; `first` shifts which. */
  private def answersAsStock(first: Int, settings: (String, String)*): Unit = {
    val answers = expected
    val groups = None +: TestRecords.groups.names.asScala.toSeq.map(Some(_))
    withConf(interpreted ++ settings: _*) {
      session.read.parquet(dataset.root.toString).createOrReplaceTempView("m")
      queries.zipWithIndex.foreach { case (query, i) =>
        val group = groups((first + i) % groups.size)
        withConf(group.map("spark.mpsr.group" -> _).toSeq: _*) {
          assertThat(answers(query).asJava).as(query).isNotEmpty()
          assertThat(rows(session.sql(query)).asJava).as(s"seed $seed, $query in $group").isEqualTo(answers(query).asJava)
        }
      }
    }
  }

  @Test
  def answersAsStockWithVersion1(): Unit = answersAsStock(0, "spark.sql.sources.useV1SourceList" -> "parquet")

  @Tag("long")
  @Test
  def answersAsStockWithVersion2(): Unit = answersAsStock(1, "spark.sql.sources.useV1SourceList" -> "")

  @Tag("long")
  @Test
  def answersAsStockWithoutVectors(): Unit = answersAsStock(2, "spark.sql.parquet.enableVectorizedReader" -> "false")

  /** The schema is the one that Spark infers, and only the leaves are read that a query wants. */
  @Test
  def prunesWithinStructs(): Unit = {
    session.read.parquet(dataset.root.toString).createOrReplaceTempView("m")
    TestRecords.groups.names.forEach { group =>
      withConf("spark.mpsr.group" -> group, "spark.sql.maxMetadataStringLength" -> "1000") {
        val plan = explain("SELECT pos.x FROM m WHERE pos.y > 10 AND signal = 'SIG3'")
        assertThat(plan).as(group).contains("mpsr").contains("pos:struct<x:double,y:int>")
        assertThat(plan).as(group).doesNotContain("stock")
      }
    }
  }

  /** Parquet's reader leaves out row groups by conditions on fields, as on stock. */
  @Test
  def readersSkipRowGroupsByFields(): Unit = {
    session.read.parquet(dataset.root.toString).createOrReplaceTempView("m")
    def rowsRead(pushed: String): Long =
      withConf("spark.sql.adaptive.enabled" -> "false", "spark.sql.optimizer.nestedPredicatePushdown.supportedFileSources" -> pushed) {
        val frame = session.sql("SELECT timestamp_ns FROM m WHERE pos.y > 100 AND length(signal) > 0")
        val plan = frame.asInstanceOf[classic.DataFrame].queryExecution.executedPlan
        assertEquals(0, frame.collect().length)
        plan.collectLeaves().collect { case scan: FileSourceScanExec => scan.metrics("numOutputRows").value }.sum
      }
    TestRecords.groups.names.forEach { group =>
      withConf("spark.mpsr.group" -> group) {
        assertEquals(0L, rowsRead("parquet"), group)
        assertEquals(1600L, rowsRead("orc"), group)
      }
    }
  }
}
