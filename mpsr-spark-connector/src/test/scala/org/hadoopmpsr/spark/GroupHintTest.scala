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

import org.apache.spark.sql.DataFrame
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.spark.relation.ConfKeys
import org.junit.jupiter.api.{BeforeEach, Test}

/** The hint `MPSR(group)`. */
class GroupHintTest {
  import SparkFixture._

  private val anywhere = "parquet[mpsr device: "

  @BeforeEach
  def view(): Unit = session.read.parquet(dataset.root.toString).createOrReplaceTempView("m")

  private def check(query: => DataFrame, shown: String*): Unit = {
    val expected = stock(rows(query))
    val plan = explain(query)
    shown.foreach(text => assertThat(plan).contains(text))
    assertThat(rows(query).mkString("\n")).isEqualTo(expected.mkString("\n"))
  }

  private def sql(query: String): DataFrame = session.sql(query)

  @Test
  def theQueryNamesTheGroup(): Unit = {
    check(sql("SELECT /*+ MPSR(device) */ * FROM m WHERE signal = 'SIG3'"), anywhere, "the reader asked for it")
    check(sql("SELECT /*+ mpsr('device') */ * FROM m WHERE signal = 'SIG3'"), anywhere)
    check(sql("SELECT /*+ MPSR(time) */ * FROM m WHERE signal = 'SIG3'"), "parquet[mpsr time: ", "the reader asked for it")
  }

  @Test
  def framesAndReadersNameItToo(): Unit = {
    def frame = session.read.parquet(dataset.root.toString)
    check(frame.where("signal = 'SIG3'").hint("mpsr", "device"), anywhere)
    check(frame.hint("mpsr", "device").where("signal = 'SIG3'"), anywhere)
    check(session.read.option("mpsr.group", "device").parquet(dataset.root.toString).where("signal = 'SIG3'"), anywhere)
    withConf("spark.sql.sources.useV1SourceList" -> "") {
      check(frame.hint("mpsr", "device").where("signal = 'SIG3'"), anywhere)
    }
  }

  @Test
  def theHintBeatsTheSession(): Unit = withConf(ConfKeys.Group -> "signal") {
    check(sql("SELECT * FROM m WHERE day = '2014-05-01'"), "parquet[mpsr signal: ")
    check(sql("SELECT /*+ MPSR(device) */ * FROM m WHERE signal = 'SIG3'"), anywhere)
  }

  @Test
  def eachPartOfAQueryHasItsOwn(): Unit = {
    check(
      sql("SELECT /*+ MPSR(device) */ a.signal, b.value FROM m a JOIN (SELECT /*+ MPSR(time) */ * FROM m) b " +
        "ON a.timestamp_ns = b.timestamp_ns WHERE a.signal = 'SIG3'"),
      anywhere,
      "parquet[mpsr time: ")
    check(
      sql("SELECT /*+ MPSR(device), BROADCAST(b) */ a.signal, b.value FROM m a JOIN m b " +
        "ON a.timestamp_ns = b.timestamp_ns WHERE a.signal = 'SIG3'"),
      anywhere,
      "BroadcastHashJoin")
    check(
      sql("SELECT /*+ MPSR(device) */ signal, count(*) FROM m WHERE signal = 'SIG3' GROUP BY signal ORDER BY count(*), max(day)"),
      anywhere)
    check(
      sql("WITH w AS (SELECT /*+ MPSR(device) */ * FROM m) SELECT signal FROM w WHERE signal = 'SIG3' ORDER BY timestamp_ns"),
      anywhere)
  }

  @Test
  def viewsKeepTheirs(): Unit = {
    session.sql("CREATE OR REPLACE TEMPORARY VIEW hinted AS SELECT /*+ MPSR(device) */ * FROM m")
    check(sql("SELECT * FROM hinted WHERE signal = 'SIG3'"), anywhere)
    check(sql("SELECT /*+ MPSR(time) */ * FROM hinted WHERE signal = 'SIG3'"), anywhere)
  }

  @Test
  def aGroupThatDoesNotExistIsNamedAndTheCheapestRead(): Unit = {
    val note = "there is no replica group 'nonesuch', only time, signal, device"
    check(sql("SELECT /*+ MPSR(nonesuch) */ * FROM m WHERE signal = 'SIG3'"), "parquet[mpsr signal: ", note)
    withConf(ConfKeys.Group -> "nonesuch") {
      check(sql("SELECT * FROM m WHERE signal = 'SIG3'"), "parquet[mpsr signal: ", note)
    }
  }

  @Test
  def aHintThatNamesNothingIsLeftOut(): Unit = {
    check(sql("SELECT /*+ MPSR */ * FROM m WHERE signal = 'SIG3'"), "parquet[mpsr signal: ")
    check(sql("SELECT /*+ MPSR(a, b) */ * FROM m WHERE signal = 'SIG3'"), "parquet[mpsr signal: ")
    check(sql("SELECT /*+ MPSR(device) */ id FROM range(3)"))
  }

  @Test
  def withTheExtensionOffItHasNoEffect(): Unit =
    withConf(ConfKeys.Enabled -> "false") {
      assertThat(explain("SELECT /*+ MPSR(device) */ * FROM m WHERE signal = 'SIG3'")).doesNotContain("[mpsr")
    }
}
