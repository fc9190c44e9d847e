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
import org.hadoopmpsr.spark.{SparkFixture, TestDirectories, TestTypes}
import org.junit.jupiter.api.{BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Conditions that fail for some records fail for the same queries as on stock, whichever group is read. */
@TestInstance(Lifecycle.PER_CLASS)
class FallibleConditionsTest {
  import SparkFixture._

  private val edgeGroups = Seq("name", "month", "text", "day")

  @BeforeAll
  def views(): Unit = {
    session.read.parquet(edges.root.toString).createOrReplaceTempView("edges_m")
    withConf("spark.sql.sources.useV1SourceList" -> "")(session.read.parquet(edges.root.toString).createOrReplaceTempView("edges_v2"))
    val days = TestDirectories.create("mpsr-edge-days").resolve("days").toString
    session.sql("SELECT date'2014-03-30' AS day, 1 AS pick UNION ALL SELECT date'1970-01-01', 2 UNION ALL SELECT date'1582-10-04', 3")
      .write.parquet(days)
    session.read.parquet(days).createOrReplaceTempView("edges_days")
    session.udf.register("as_number", (text: String) => text.toInt)
  }

  /** The error, or the rows. */
  private def outcome(query: String): String =
    try rows(session.sql(query)).mkString("\n")
    catch { case e: Exception => condition(e).getOrElse(throw e) }

  private def check(query: String, fails: Boolean, shown: String = "parquet[mpsr ", groups: Seq[String] = edgeGroups): Unit =
    Seq("true", "false").foreach { vectorized =>
      withConf("spark.sql.ansi.enabled" -> "true", "spark.sql.parquet.enableVectorizedReader" -> vectorized) {
        val expected = stock(outcome(query))
        assertThat(expected.matches("[A-Z_.]+")).as(s"$query fails on stock: $expected").isEqualTo(fails)
        groups.foreach { group =>
          withConf("spark.mpsr.group" -> group) {
            assertThat(outcome(query)).as(s"$query from $group").isEqualTo(expected)
            if (!fails) assertThat(explain(query)).contains(shown)
          }
        }
      }
    }

  private val late = "day = DATE'2014-03-30'"

  @Test
  def partitionsAreChosenBeforeConditionsThatFailForOthers(): Unit = {
    check(s"SELECT id FROM edges_m WHERE cast(txt AS int) >= 1 AND $late", fails = false)
    check(s"SELECT id FROM edges_m WHERE 10 / n > 1 AND day > DATE'1970-01-01'", fails = false)
    check(s"SELECT id FROM edges_m WHERE element_at(array(1, 2), n) = 1 AND $late AND n < 30", fails = true)
    check(s"SELECT id FROM edges_m WHERE as_number(txt) >= 1 AND year(day) = 2014", fails = false)
    check(s"SELECT id FROM edges_m WHERE (cast(txt AS int) = 1 AND $late) OR (cast(txt AS int) = 2 AND day = DATE'1970-01-01')",
      fails = false)
    check(s"SELECT id FROM edges_m WHERE cast(txt AS int) >= 1 AND day = (SELECT max(day) FROM edges_days)", fails = false)
    check(s"SELECT count(*), max(cast(txt AS int)) FROM edges_m WHERE $late", fails = false)
  }

  @Test
  def conditionsThatFailForARecordOfTheirPartitions(): Unit = {
    check("SELECT id FROM edges_m WHERE cast(txt AS int) >= 1", fails = true)
    check("SELECT id FROM edges_m WHERE cast(txt AS int) >= 1 AND day = DATE'1582-10-04'", fails = true)
    check("SELECT id FROM edges_m WHERE 10 / n > 1 AND day < DATE'1970-01-01'", fails = true)
    check("SELECT id FROM edges_m WHERE assert_true(n > 0) IS NULL AND name = 'a'", fails = true)
    check("SELECT id FROM edges_m WHERE n + 2147483647 > 0 AND name = 'b'", fails = true)
    // the reader skips all records
    check("SELECT id FROM edges_m WHERE n + 2147483647 > 0 AND name = 'none'", fails = false, "mpsr stock: a condition that may fail ")
  }

  @Test
  def conditionsThatFailForAnything(): Unit = {
    check(s"SELECT id FROM edges_m WHERE raise_error('x') IS NULL AND $late", fails = true)
    check(s"SELECT id FROM edges_m WHERE $late AND raise_error('x') IS NULL", fails = true)
    check(s"SELECT count(*) FROM edges_m WHERE raise_error('x') IS NULL AND day = DATE'2020-01-01'", fails = true)
    check(s"SELECT id FROM edges_m WHERE day = DATE'2020-01-01' AND assert_true(day < DATE'2020-01-01') IS NULL", fails = false)
    check(s"SELECT id FROM edges_m WHERE name = 'a' AND cast(cast(day AS string) AS int) = 1", fails = true)
    check(s"SELECT id FROM edges_m WHERE $late AND length(concat(name, if(cast(substr(cast(day AS string), 1, 4) AS int) = 2014, '', 'y'))) > 0",
      fails = false)
  }

  @Test
  def recordsThatAReaderSkips(): Unit = {
    // the condition before leaves out the records for which the other fails, in each group
    check(s"SELECT id FROM edges_m WHERE n > 0 AND name = 'b' AND 10 / n > 1", fails = false)
    check(s"SELECT id FROM edges_m WHERE 10 / n > 1 AND n > 0 AND $late", fails = false, "mpsr stock: a condition that may fail ")
    check(s"SELECT id FROM edges_m WHERE (x > 3 OR d > DATE'1970-01-01') AND 10 / n > 1 AND $late", fails = false, "mpsr stock: ")
  }

  @Tag("long")
  @Test
  def partitionsThatAJoinLeavesOut(): Unit = {
    val join = "JOIN edges_days e ON m.day = e.day WHERE e.pick = 1"
    check(s"SELECT m.id FROM edges_m m $join AND cast(m.txt AS int) >= 1", fails = false, "mpsr stock: an expression that may fail ")
    check(s"SELECT m.id, m.t FROM (SELECT id, day, cast(txt AS int) AS t FROM edges_m) m $join", fails = false, "mpsr stock: ")
    check("SELECT id FROM edges_m WHERE cast(txt AS int) >= 1 AND day IN (SELECT day FROM edges_days WHERE pick = 1)",
      fails = false, "mpsr stock: ")
    check(s"SELECT a.id FROM edges_m a JOIN edges_m b ON a.id = b.id WHERE cast(a.txt AS int) >= 1 AND a.$late AND b.$late",
      fails = false)
  }

  /** Of files, too, whose columns have names in backticks, in which the reader skips records. */
  @Test
  def recordsThatAReaderSkipsByColumnsOfAnyName(): Unit = {
    val types = datasets.find(_.table == TestTypes).get
    session.read.parquet(types.root.toString).createOrReplaceTempView("types_m")
    val typeGroups = types.table.groups.names.toArray(Array.empty[String]).toSeq
    val stock = "mpsr stock: a condition that may fail "
    Seq("`Id, no.` < 0", "`Id, no.` = 1000000", "`small=no/yes` < -32768S").foreach { none =>
      check(s"SELECT `Id, no.` FROM types_m WHERE 10 / n > 1 AND $none", fails = false, stock, typeGroups)
    }
    check("SELECT `Id, no.` FROM types_m WHERE 10 / n > 1 AND `Id, no.` >= 0", fails = true, stock, typeGroups)
  }

  @Tag("long")
  @Test
  def version2LeavesOutNoPartitionsWhenTheQueryRuns(): Unit = {
    val latest = "day = (SELECT max(day) FROM edges_days)"
    check(s"SELECT id FROM edges_v2 WHERE $latest AND cast(txt AS int) >= 1", fails = true)
    check(s"SELECT id FROM edges_v2 WHERE cast(txt AS int) >= 1 AND $latest", fails = true)
    check(s"SELECT id FROM edges_v2 WHERE $latest AND day = DATE'1582-10-04' AND cast(txt AS int) >= 1", fails = true)
    check(s"SELECT id FROM edges_v2 WHERE try_cast(txt AS int) >= 1 AND $latest", fails = false)
    check(s"SELECT id FROM edges_v2 WHERE cast(txt AS int) >= 1 AND $late", fails = false)
    check("SELECT m.id FROM edges_v2 m JOIN edges_days e ON m.day = e.day WHERE e.pick = 1 AND cast(m.txt AS int) >= 1", fails = true)
  }

  @Test
  def withoutAnsiModeNothingFails(): Unit =
    withConf("spark.sql.ansi.enabled" -> "false") {
      val query = "SELECT id FROM edges_m WHERE cast(txt AS int) >= 1 AND n + 2147483647 > 0 AND 10 % n = 1 AND name = 'a'"
      val expected = stock(outcome(query))
      edgeGroups.foreach(group => withConf("spark.mpsr.group" -> group) {
        assertThat(explain(query)).contains(s"parquet[mpsr $group")
        assertThat(outcome(query)).isEqualTo(expected)
      })
    }
}
