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

import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.{BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** The ways to filter by a `timestamp_ns` column that docs/queries.md recommends leave out files. */
@TestInstance(Lifecycle.PER_CLASS)
class NanosecondsTest {
  import SparkFixture._

  @BeforeAll
  def views(): Unit = {
    session.read.parquet(dataset.root.toString).createOrReplaceTempView("m")
    session.sql("CREATE OR REPLACE TEMPORARY VIEW m_at AS SELECT *, timestamp_micros(timestamp_ns div 1000) AS at FROM m")
  }

  /** As many files of the default group are planned as for the days, and the rows are those of stock. */
  private def prunesTo(days: String, from: String, zone: String = "UTC"): Unit = withConf("spark.sql.session.timeZone" -> zone) {
    val query = s"SELECT * FROM $from"
    assertThat(filesOfTime(query)).as(query).isEqualTo(filesOfTime(s"SELECT * FROM m WHERE day IN ($days)")).isLessThan(12)
    assertThat(rows(session.sql(query)).mkString("\n")).isEqualTo(stock(rows(session.sql(query))).mkString("\n"))
  }

  private def filesOfTime(query: String): Int = "time: (\\d+) files".r.findFirstMatchIn(explain(query)).get.group(1).toInt

  @Test
  def constantsInNanoseconds(): Unit = {
    prunesTo("'2014-05-03', '2014-05-04'", "m WHERE timestamp_ns >= unix_micros(TIMESTAMP '2014-05-03 00:00:00') * 1000")
    prunesTo("'2014-05-01'", "m WHERE timestamp_ns BETWEEN unix_micros(TIMESTAMP '2014-05-01') * 1000 AND " +
      "unix_micros(TIMESTAMP '2014-05-01' + INTERVAL 6 HOURS) * 1000")
  }

  @Test
  def aViewWithATime(): Unit = {
    prunesTo("'2014-05-03', '2014-05-04'", "m_at WHERE at >= '2014-05-03'")
    prunesTo("'2014-05-01'", "m_at WHERE at >= '2014-05-01' AND at < TIMESTAMP '2014-05-01' + INTERVAL 6 HOURS")
    prunesTo("'2014-05-02'", "m_at WHERE date_trunc('day', at) = '2014-05-02'")
    prunesTo("'2014-05-02'", "m_at WHERE cast(at AS date) = '2014-05-02'")
    prunesTo("'2014-05-01', '2014-05-02'", "m_at WHERE cast(at AS date) = '2014-05-02'", "Asia/Kolkata")
    prunesTo("'2014-04-29', '2014-04-30'", "m_at WHERE year(at) = 2014 AND month(at) = 4")
  }
}
