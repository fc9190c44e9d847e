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

import org.hadoopmpsr.spark.SparkFixture
import org.junit.jupiter.api.Assertions.{assertEquals, assertTrue}
import org.junit.jupiter.api.{BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Comparisons with zero, of which Parquet's reader has another order than a query. */
@TestInstance(Lifecycle.PER_CLASS)
class PushedZerosTest {
  import SparkFixture._

  private val inexact = "mpsr stock: Parquet's reader takes -0.0 for less than 0.0"

  @BeforeAll
  def views(): Unit = session.read.parquet(edges.root.toString).createOrReplaceTempView("edges_z")

  /** Compiling takes longer than these queries. */
  private val interpreted = Seq("spark.sql.codegen.wholeStage" -> "false", "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")

  private def check(condition: String, shown: String, pushed: Boolean = true): Unit =
    withConf(interpreted :+ "spark.sql.parquet.filterPushdown" -> pushed.toString: _*) {
      def query = session.sql(s"SELECT day, count(*), sum(id) FROM edges_z WHERE $condition GROUP BY day")
      val expected = stock(rows(query)).mkString
      for (group <- Seq("name", "day")) withConf("spark.mpsr.group" -> group) {
        val ours = query
        val plan = explain(ours)
        assertTrue(plan.contains(shown.replace("GROUP", group)), s"$condition from $group: $plan")
        assertEquals(expected, rows(ours).mkString, s"$condition from $group")
      }
    }

  @Test
  def whereTheZerosDifferTheReadIsStock(): Unit =
    Seq("x = 0", "x <=> 0", "x >= 0", "x <= -0.0D", "0 <= x", "x IN (0, 1.5)", "cast(x AS double) <= -0.0D", "NOT (x < 0)").foreach { condition =>
      check(condition, inexact)
      check(condition, "parquet[mpsr GROUP", pushed = false)
    }

  @Test
  def whereTheyDoNotDifferItIsNot(): Unit =
    Seq("x > 0", "x < 0", "x <= 0", "x >= -0.0D", "x > -0.0D", "x IN (1.5, 2.5)", "id >= 0").foreach(check(_, "parquet[mpsr GROUP"))
}
