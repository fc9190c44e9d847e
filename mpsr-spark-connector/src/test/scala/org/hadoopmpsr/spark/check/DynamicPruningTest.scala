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
package org.hadoopmpsr.spark.check

import org.apache.spark.sql.{classic, DataFrame}
import org.apache.spark.sql.execution.{FileSourceScanExec, SparkPlan}
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanHelper
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.spark.{SparkFixture, TestDirectories}
import org.junit.jupiter.api.{BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Partitions that are left out when a query runs, because another table says which are needed. */
@TestInstance(Lifecycle.PER_CLASS)
class DynamicPruningTest extends AdaptiveSparkPlanHelper {
  import SparkFixture._

  @BeforeAll
  def views(): Unit = {
    session.read.parquet(dataset.root.toString).createOrReplaceTempView("m")
    session.range(6).selectExpr("date_add(date'2014-04-29', cast(id AS int)) AS day", "id AS n")
      .write.parquet(small("days"))
    session.read.parquet(small("days")).createOrReplaceTempView("days")
    session.createDataFrame(Seq(("CRYO1", 1), ("VAC1", 2), ("POWER", 3))).toDF("device", "n")
      .write.parquet(small("devices"))
    session.read.parquet(small("devices")).createOrReplaceTempView("devices")
  }

  private val directory = TestDirectories.create("mpsr-small")

  private def small(name: String): String = directory.resolve(name).toString

  private def plan(frame: DataFrame): SparkPlan = {
    frame.collect()
    frame.asInstanceOf[classic.DataFrame].queryExecution.executedPlan
  }

  /** The files that the scans of the dataset, which have `timestamp_ns`, read. */
  private def filesRead(frame: DataFrame): Long =
    collect(plan(frame)) { case s: FileSourceScanExec if s.output.exists(_.name == "timestamp_ns") => s }
      .map(_.metrics("numFiles").value)
      .sum

  private def check(query: String, shown: String): Unit = {
    val expected = stock(rows(session.sql(query)))
    assertThat(explain(query)).contains(shown, "dynamicpruning")
    assertThat(rows(session.sql(query)).mkString("\n")).isEqualTo(expected.mkString("\n"))
  }

  @Test
  def theDefaultGroupIsPrunedAsOnStock(): Unit = {
    val query = "SELECT timestamp_ns FROM m JOIN days ON m.day = days.day WHERE days.n = 2"
    val onStock = stock(filesRead(session.sql(query)))
    assertThat(onStock).isEqualTo(2)
    check(query, "parquet[mpsr time: ")
    assertThat(filesRead(session.sql(query))).isEqualTo(onStock)
  }

  @Test
  def soItIsForSubqueries(): Unit = {
    val query = "SELECT timestamp_ns FROM m WHERE day IN (SELECT day FROM days WHERE n = 2)"
    check(query, "partitions of time are pruned by day when the query runs")
    assertThat(filesRead(session.sql(query))).isEqualTo(stock(filesRead(session.sql(query))))
  }

  @Test
  def aGroupThatIsMuchCheaperIsReadAllTheSame(): Unit = {
    val query = "SELECT timestamp_ns FROM m JOIN days ON m.day = days.day WHERE days.n = 2 AND signal = 'SIG3'"
    assertThat(explain(query)).contains("parquet[mpsr signal: ", "cheaper even though partitions of time are pruned by day")
    assertThat(rows(session.sql(query)).mkString("\n")).isEqualTo(stock(rows(session.sql(query))).mkString("\n"))
  }

  @Test
  def theColumnsOfAGroupsDirectoriesPruneWhereStockCannot(): Unit = {
    val query = "SELECT /*+ MPSR(device) */ timestamp_ns FROM m JOIN devices ON m.device = devices.device WHERE devices.n = 2"
    assertThat(stock(filesRead(session.sql(query)))).isEqualTo(12)
    check(query, "parquet[mpsr device: ")
    assertThat(filesRead(session.sql(query))).isEqualTo(2)
  }

  @Test
  def filtersOnThoseColumnsPruneDirectories(): Unit = {
    val query = "SELECT /*+ MPSR(device) */ * FROM m WHERE upper(device) = 'VAC2' OR device IS NULL"
    assertThat(explain(query)).contains("PartitionFilters: [((upper(device")
    assertThat(filesRead(session.sql(query))).isEqualTo(2)
    assertThat(rows(session.sql(query)).mkString("\n")).isEqualTo(stock(rows(session.sql(query))).mkString("\n"))
  }

  @Test
  def aSchemaOfTheUserThatLacksThoseColumnsIsRead(): Unit = {
    def frame(ddl: String) =
      session.read.option("mpsr.group", "device").schema(ddl).parquet(dataset.root.toString).where("system = 'VAC'")
    Seq("system string, value double", "value double, device int, system string").foreach { ddl =>
      Seq("true", "false").foreach { vectorized =>
        withConf("spark.sql.parquet.enableVectorizedReader" -> vectorized) {
          val query = frame(ddl).selectExpr("value")
          assertThat(explain(query)).contains("parquet[mpsr device: ")
          assertThat(rows(query).mkString("\n")).isEqualTo(stock(rows(frame(ddl).selectExpr("value"))).mkString("\n"))
        }
      }
    }
  }
}
