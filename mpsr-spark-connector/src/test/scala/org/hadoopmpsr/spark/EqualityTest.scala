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

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Assertions.{assertEquals, assertTrue}
import org.junit.jupiter.api.{BeforeAll, Test, TestInstance, Timeout}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Random queries give with the rule what they give without it. */
@TestInstance(Lifecycle.PER_CLASS)
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class EqualityTest {
  import SparkFixture._

  private val queries = sys.props.get("mpsr.test.queries").map(_.toInt).getOrElse(40)

  @BeforeAll
  def views(): Unit = Seq("m", "n").foreach { view =>
    session.read.parquet(dataset.root.toString).createOrReplaceTempView(view)
  }

  @Test
  def randomQueriesAnswerAsStock(): Unit = {
    println(s"queries of seed $seed (-Dmpsr.test.seed)")
    val random = new Random(seed)
    val generator = new RandomQueries(random)
    val groupsBefore = TestRecords.groups.names.toArray.toSeq.map(g => DecisionMetrics.sum(s"redirected.$g"))
    val failuresBefore = DecisionMetrics.sum("failures")
    var planned = 0
    var notEmpty = 0
    (1 to queries).foreach { i =>
      val query = generator.next()
      withConf("spark.sql.parquet.enableVectorizedReader" -> (random.nextInt(4) > 0).toString) {
        val expected = stock(rows(session.sql(query)))
        val frame = session.sql(query)
        val message = s"query $i of seed $seed: $query"
        val plan = explain(frame)
        // no scan is left of a contradiction
        assertTrue(plan.contains("parquet[mpsr ") || !plan.contains("FileScan"), message)
        assertEquals(expected.mkString("\n"), rows(frame).mkString("\n"), message)
        planned += 1
        notEmpty += (if (expected.nonEmpty) 1 else 0)
      }
    }
    val redirected = TestRecords.groups.names.toArray.toSeq.map(g => DecisionMetrics.sum(s"redirected.$g"))
    println(s"$planned queries, $notEmpty with rows; redirected by group $redirected")
    assertThat(notEmpty).isGreaterThan(queries / 2)
    assertThat(redirected(1) - groupsBefore(1)).isGreaterThan(queries / 10L)
    assertThat(redirected(2) - groupsBefore(2)).isGreaterThan(queries / 10L)
    assertThat(DecisionMetrics.sum("failures")).isEqualTo(failuresBefore)
  }
}
