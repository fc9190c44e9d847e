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

import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.spark.{SparkFixture, TestDirectories}
import org.hadoopmpsr.spark.relation.ConfKeys
import org.junit.jupiter.api.{BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/**
 * Conditions that fail for records that other conditions leave out: the number in the names of devices is at another place for
 * each system, and the group `device` has directories of both columns.
 */
@TestInstance(Lifecycle.PER_CLASS)
class DirectoryConditionsTest {
  import SparkFixture._

  private val number = "cast(substr(m.device, 4) AS int)"

  /** Not evaluated for directories, as they do not have all of its columns. */
  private val first = "concat(m.system, m.quality) LIKE 'VAC%'"

  private val hint = "/*+ MPSR(device) */"

  @BeforeAll
  def views(): Unit = {
    session.read.parquet(dataset.root.toString).createOrReplaceTempView("m")
    val devices = TestDirectories.create("mpsr-numbers").resolve("devices").toString
    session.createDataFrame(Seq(("VAC1", 1), ("VAC2", 2), ("POWER", 3))).toDF("device", "n").write.parquet(devices)
    session.read.parquet(devices).createOrReplaceTempView("numbers")
    session.udf.register("number_of", (device: String) => device.substring(3).toInt)
  }

  private def check(query: String, shown: String*): Unit = {
    val expected = stock(rows(session.sql(query)))
    assertThat(expected.size).isPositive
    assertThat(explain(query)).contains("parquet[mpsr device: " +: shown: _*)
    assertThat(rows(session.sql(query)).mkString("\n")).isEqualTo(expected.mkString("\n"))
  }

  @Test
  def castsThatMayFail(): Unit = {
    check(s"SELECT $hint * FROM m WHERE $first AND $number >= 2", "PartitionFilters: [],")
    check(s"SELECT $hint * FROM m WHERE $first AND ($number >= 2 OR m.quality > 3)")
    check(s"SELECT $hint * FROM (SELECT *, $number AS n FROM m WHERE $first) WHERE n IN (1, 2)")
    check(s"SELECT $hint count(*), max(value) FROM m WHERE $first AND $number = 2")
  }

  @Test
  def functionsOfTheUser(): Unit =
    check(s"SELECT $hint * FROM m WHERE $first AND number_of(m.device) >= 2", "PartitionFilters: [],")

  @Tag("long")
  @Test
  def keysOfJoins(): Unit =
    // otherwise Spark makes conditions of keys before reads are decided
    Seq("true", "false").foreach { inferred =>
      withConf("spark.sql.constraintPropagation.enabled" -> inferred) {
        check(s"SELECT $hint m.* FROM m JOIN numbers d ON $number = d.n WHERE $first AND d.device = 'VAC2'")
        check(s"SELECT $hint a.* FROM (SELECT *, $number AS n FROM m WHERE $first) a JOIN numbers d ON a.n = d.n " +
          "WHERE d.device = 'VAC2'")
        check(s"SELECT $hint a.n, c FROM (SELECT $number AS n, count(*) AS c FROM m WHERE $first GROUP BY $number) a " +
          "JOIN numbers d ON a.n = d.n WHERE d.device = 'VAC2'")
        check("SELECT u.* FROM (SELECT value, length(label) AS n FROM m UNION ALL " +
          s"SELECT $hint value, $number AS n FROM m WHERE $first) u JOIN numbers d ON u.n = d.n WHERE d.device = 'VAC2'")
      }
    }

  @Test
  def subqueriesThatBecomeJoins(): Unit = {
    check(s"SELECT $hint * FROM m WHERE $first AND $number IN (SELECT n FROM numbers WHERE device = 'VAC2')")
    check(s"SELECT $hint * FROM m WHERE $first AND EXISTS (SELECT 1 FROM numbers d WHERE d.n = $number AND d.device = 'VAC2')")
    check(s"SELECT $hint * FROM m WHERE $first AND EXISTS (SELECT 1 FROM numbers d WHERE d.device = m.device AND $number = 2)")
    check(s"SELECT * FROM numbers WHERE device = 'VAC2' AND n IN (SELECT $hint $number FROM m WHERE $first)")
    check(s"SELECT * FROM numbers d WHERE device = 'VAC2' AND EXISTS (SELECT $hint 1 FROM m WHERE $first AND $number = d.n)")
  }

  @Test
  def tableExpressionsThatAreReadOnce(): Unit =
    check(s"WITH w AS (SELECT $hint $number AS n, collect_set(quality) AS q FROM m WHERE $first GROUP BY $number) " +
      "SELECT a.n, size(b.q) FROM w a JOIN w b ON a.n = b.n JOIN numbers d ON a.n = d.n WHERE d.device = 'VAC2'")

  @Test
  def whatCannotFailIsEvaluatedForDirectories(): Unit = {
    check(
      s"SELECT $hint * FROM m WHERE device > 'VAC1' AND system IN ('VAC', 'CRYO') AND device LIKE '%C%2' AND value IS NULL",
      "PartitionFilters: [isnotnull(device#")
    check(s"SELECT $hint * FROM m WHERE trim(lower(system)) = 'vac' AND length(device) = 4", "PartitionFilters: [isnotnull(device#", "(trim(lower(system#")
    check(s"SELECT $hint * FROM m WHERE $first AND $number = 2 AND year(day) = 2014", "PartitionFilters: []")
  }

  @Test
  def stocksOwnPartitionColumnsAreEvaluatedToo(): Unit =
    withConf(ConfKeys.Group -> "time")(assertThat(explain("SELECT * FROM m WHERE cast(substr(day, 1, 4) AS int) = 2014"))
      .contains("PartitionFilters: [isnotnull(day#", "(cast(substr("))
}
