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

import org.apache.spark.sql.{classic, Column, DataFrame}
import org.apache.spark.sql.catalyst.expressions.AttributeReference
import org.apache.spark.sql.catalyst.plans.logical.AttachDistributedSequence
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types.LongType
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.spark.relation.DecisionMetrics
import org.hadoopmpsr.spark.versions.TestVersions
import org.junit.jupiter.api.{BeforeEach, Tag, Test}

/** Queries that give records values by the order in which they are read, which differs from group to group. */
@Tag("long")
class RecordOrderTest {
  import SparkFixture._

  private val reason = "parquet[mpsr stock: the query has row numbers, random values or samples"

  @BeforeEach
  def view(): Unit = {
    source.failure = None
    read.createOrReplaceTempView("m")
  }

  private def read: DataFrame = session.read.parquet(dataset.root.toString)

  private def check(query: => DataFrame): Unit = {
    val expected = stock(rows(query))
    val frame = query
    assertThat(explain(frame)).contains(reason).doesNotContain("parquet[mpsr signal", "parquet[mpsr device", "parquet[mpsr time")
    assertThat(rows(frame).mkString("\n")).isEqualTo(expected.mkString("\n"))
  }

  /** Two selections of one frame by the numbers of its rows; each would be read from another group. */
  private def paired(number: Column): DataFrame = {
    val numbered = read.withColumn("id", number)
    numbered.where("signal = 'SIG3'").select("id", "value", "signal")
      .join(numbered.where("device = 'VAC2'").select("id", "timestamp_ns", "device"), "id")
  }

  @Test
  def rowsArePairedByTheirNumbersAsOnStock(): Unit = {
    check(paired(monotonically_increasing_id()))
    check(paired(spark_partition_id()))
    check(paired(rand(7)))
    TestVersions.shuffled(array(lit(1), lit(2), lit(3)), 7).foreach(shuffled => check(paired(shuffled.cast("string"))))
    check(paired(expr("uuid(7)")))
    check(paired(udf((value: Long) => value).asNondeterministic().apply(col("timestamp_ns"))))
  }

  @Tag("long")
  @Test
  def filtersAndAggregatesOfThemAreSoToo(): Unit = {
    check(read.where(rand(7) < 0.3).where("signal = 'SIG3'"))
    check(read.where("signal = 'SIG3'").groupBy(spark_partition_id()).count())
    check(read.where("signal = 'SIG3'").withColumn("id", monotonically_increasing_id()).agg(max("id")))
  }

  @Test
  def aSampleIsTheSameWhateverIsAskedOfIt(): Unit = {
    def sample = read.sample(0.3, 7).where("signal = 'SIG3'")
    check(sample)
    check(read.randomSplit(Array(0.5, 0.5), 7).head.where("device = 'VAC2'"))
    check(session.sql("SELECT * FROM m TABLESAMPLE (30 PERCENT) REPEATABLE (7) WHERE signal = 'SIG3'"))
    assertThat(sample.count()).isEqualTo(sample.collect().length.toLong)
    assertThat(read.sample(0.3, 7).select("signal").count()).isEqualTo(read.sample(0.3, 7).collect().length.toLong)
  }

  @Test
  def indexesOfPandasAreSoToo(): Unit = {
    val frame = read.where("signal = 'SIG3'").asInstanceOf[classic.DataFrame]
    val index = AttributeReference("index", LongType, nullable = false)()
    val indexed = AttachDistributedSequence(index, frame.queryExecution.analyzed)
    val plan = session.asInstanceOf[classic.SparkSession].sessionState.executePlan(indexed).executedPlan
    assertThat(plan.toString).contains(reason)
  }

  @Test
  def subqueriesAreSoByThemselves(): Unit = {
    val query = "SELECT value FROM m WHERE signal = 'SIG3' AND timestamp_ns > " +
      "(SELECT min(timestamp_ns) FROM m TABLESAMPLE (30 PERCENT) REPEATABLE (7))"
    val expected = stock(rows(session.sql(query)))
    assertThat(explain(query)).contains(reason, "parquet[mpsr signal: ")
    assertThat(rows(session.sql(query))).isEqualTo(expected)
  }

  @Test
  def twoReadsOfOneTableExpressionAreSoToo(): Unit =
    check(session.sql("WITH w AS (SELECT *, monotonically_increasing_id() AS id FROM m) " +
      "SELECT a.id, a.value, b.device FROM w a JOIN w b ON a.id = b.id WHERE a.signal = 'SIG3' AND b.device = 'VAC2'"))

  @Test
  def whatElseQueriesHaveIsRedirected(): Unit =
    Seq(
      "SELECT value, current_timestamp(), now(), current_date(), current_user() FROM m WHERE signal = 'SIG3'",
      "SELECT first(value), any_value(value), collect_list(value), last(quality) FROM m WHERE signal = 'SIG3'",
      "SELECT count(DISTINCT value), count(DISTINCT quality), max(day) FROM m WHERE signal = 'SIG3'",
      "SELECT row_number() OVER (PARTITION BY label ORDER BY timestamp_ns) FROM m WHERE signal = 'SIG3'",
      "SELECT value FROM m WHERE signal = 'SIG3' AND timestamp_ns > (SELECT first(timestamp_ns) FROM m)",
      "SELECT value FROM m TABLESAMPLE (5 ROWS) WHERE signal = 'SIG3'",
      "SELECT value, assert_true(signal = 'SIG3') FROM m WHERE signal = 'SIG3'",
      "SELECT value FROM m JOIN (SELECT rand(7) AS r, id FROM range(10)) ON id = quality WHERE signal = 'SIG3'",
      "SELECT value FROM m WHERE signal = 'SIG3' LIMIT 3").foreach { query =>
      assertThat(explain(query)).contains("parquet[mpsr ").doesNotContain("mpsr stock")
    }

  @Test
  def metricsTellHowManyThereWere(): Unit = {
    val before = DecisionMetrics.sum("stock.order")
    paired(monotonically_increasing_id()).collect()
    assertThat(DecisionMetrics.sum("stock.order")).isEqualTo(before + 2)
  }
}
