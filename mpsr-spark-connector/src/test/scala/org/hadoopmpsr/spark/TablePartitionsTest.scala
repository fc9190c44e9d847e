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

import java.time.LocalDate

import scala.jdk.CollectionConverters._

import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.{Row, SparkSession}
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.spark.relation.ConfKeys
import org.junit.jupiter.api.{AfterAll, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Tables with partitions over datasets in HDFS, which answer what they do in a session of their own that is stock's. */
@TestInstance(Lifecycle.PER_CLASS)
class TablePartitionsTest {
  import SparkFixture._

  private var cluster: MiniDFSCluster = _
  private lazy val plain: SparkSession = {
    val other = session.newSession()
    other.conf.set(ConfKeys.Enabled, "false")
    other
  }

  @BeforeAll
  def start(): Unit = cluster = TestClusters.of(TestRecords.groups)

  @AfterAll
  def stop(): Unit = if (cluster != null) cluster.shutdown(true)

  private val first = LocalDate.parse("2014-04-29")
  private val second = first.plusDays(1)

  private def dayOf(row: Row): LocalDate = LocalDate.ofEpochDay(Math.floorDiv(row.getLong(3), 86400000000000L))

  private def rowsOf(commit: Int, day: LocalDate): Seq[Row] =
    TestRecords.rows(seed, commit, 300).filter(dayOf(_) == day)

  /** A dataset of two commits and a table of it with all partitions. */
  private def withTable(name: String)(body: SinkDataset => Unit): Unit = {
    val dataset = new SinkDataset(cluster, s"/cals/$name", TestRecords)
    (0 until 2).foreach(i => dataset.commit(TestRecords.rows(seed, i, 300)))
    withTable(name, dataset)(body(dataset))
  }

  private def withTable(name: String, dataset: QueriedDataset)(body: => Unit): Unit = {
    session.sql(s"CREATE TABLE $name USING parquet LOCATION '${dataset.root}'")
    try {
      session.sql(s"MSCK REPAIR TABLE $name")
      body
    } finally session.sql(s"DROP TABLE $name")
  }

  /** What the query answers in both sessions. */
  private def equal(query: String, shown: String, not: String = "nothing"): Seq[String] = {
    val expected = rows(plain.sql(query))
    assertThat(explain(query)).contains(shown).doesNotContain(not)
    val found = rows(session.sql(query))
    assertThat(found.asJava).isEqualTo(expected.asJava)
    found
  }

  private def redirected(query: String): Seq[String] = equal(query, "parquet[mpsr ", "mpsr stock")

  @Test
  def aPartitionIsListedWhenItIsFirstAskedFor(): Unit = withTable("asked") { dataset =>
    Seq("", "/*+ MPSR(signal) */").foreach { hint =>
      def query(day: LocalDate) = s"SELECT $hint * FROM asked WHERE day = '$day' AND quality > 0"
      def count(day: LocalDate) = s"SELECT signal, count(*), min(timestamp_ns) FROM asked WHERE day = '$day' GROUP BY signal"
      session.sql("REFRESH TABLE asked")
      plain.sql("REFRESH TABLE asked")
      assertThat(redirected(query(first)).asJava).isNotEmpty
      redirected(count(first))
      val before = session.newSession().sql(query(second)).count()
      dataset.commit(rowsOf(2, second))
      assertThat(redirected(query(second)).size).isGreaterThan(before.toInt)
      redirected(query(first))
      redirected(count(second))
    }
  }

  @Test
  def aPartitionThatChangedSinceItWasListedIsStock(): Unit = withTable("changed") { dataset =>
    val query = s"SELECT * FROM changed WHERE day IN ('$first', '$second') AND signal > 'SIG3'"
    val before = redirected(query)
    dataset.commit(rowsOf(2, first))
    assertThat(equal(query, "mpsr stock: the listing of ").asJava).isEqualTo(before.asJava)
    assertThat(explain(query)).contains("in 2 partitions is of another generation: it lacks /cals/changed/day=2014-04-29/")
    redirected(s"SELECT * FROM changed WHERE day = '$second'")
    Seq(session, plain).foreach(_.sql("REFRESH TABLE changed"))
    assertThat(redirected(query).size).isGreaterThan(before.size)
  }

  @Test
  def aPartitionThatTheTableLacksMattersWhereItIsSelected(): Unit = withTable("lacking") { _ =>
    session.sql(s"ALTER TABLE lacking DROP PARTITION (day = '$second')")
    redirected(s"SELECT * FROM lacking WHERE day = '$first'")
    redirected(s"SELECT * FROM lacking WHERE date_format(day, 'MMdd') = '0429'")
    redirected(s"SELECT * FROM lacking WHERE day > '$second' AND signal = 'SIG3'")
    redirected(s"SELECT * FROM lacking WHERE day = '2013-01-01'")
    val lacks = "mpsr stock: the listing of the table lacks /cals/lacking/day=2014-04-30"
    assertThat(equal(s"SELECT * FROM lacking WHERE day = '$second'", lacks).asJava).isEmpty()
    equal(s"SELECT * FROM lacking WHERE date_format(day, 'MM') = '04'", lacks)
    equal("SELECT * FROM lacking WHERE signal = 'SIG3'", "mpsr stock: the listing of ")
  }

  /** What is left has as many files and bytes as the dataset had before its second commit. */
  @Test
  def asManyFilesAndBytesAreNoState(): Unit = {
    val dataset = new SinkDataset(cluster, "/cals/as_many", TestRecords)
    val row = rowsOf(0, first).head
    dataset.commit(Seq(row))
    dataset.commit(Seq(Row.fromSeq(row.toSeq.updated(3, row.getLong(3) + 86400000000000L))))
    val lengths = Seq(first, second).flatMap { day =>
      cluster.getFileSystem.listStatus(new Path(s"/cals/as_many/day=$day")).map(_.getLen)
    }
    assertThat(lengths.distinct.asJava).as("lengths of both files").hasSize(1)
    withTable("as_many", dataset) {
      redirected("SELECT * FROM as_many")
      session.sql(s"ALTER TABLE as_many DROP PARTITION (day = '$first')")
      Seq("*", "/*+ MPSR(signal) */ *", "min(day), count(*)").foreach { columns =>
        val found = equal(s"SELECT $columns FROM as_many", "mpsr stock: the listing of 1 files, ")
        assertThat(found.asJava).hasSize(1).allMatch(_.contains(second.toString))
      }
    }
  }

  @Test
  @Tag("long")
  def directoriesWithEscapedNames(): Unit = {
    val events = TestClusters.of(TestEvents.groups)
    try {
      val dataset = new SinkDataset(events, "/cals/100% für #1", TestEvents)
      (0 until 2).foreach(i => dataset.commit(TestEvents.rows(seed, i, 300)))
      withTable("regions", dataset) {
        Seq(
          "true",
          "name = 'abc'",
          "region = 'a/b=c%'",
          "region = 'Asien süd' AND n > 20",
          "region IS NULL",
          "region = '01' AND kind = 1",
          "trim(region) = 'a/b=c%' OR kind = 0 AND n > 3").foreach { filter =>
          assertThat(redirected(s"SELECT * FROM regions WHERE $filter").asJava).as(filter).isNotEmpty
        }
        session.sql("ALTER TABLE regions DROP PARTITION (region = 'a/b=c%', kind = 1)")
        redirected("SELECT * FROM regions WHERE region <> 'a/b=c%' AND name = 'abc'")
        equal("SELECT * FROM regions WHERE kind = 1", "mpsr stock: the listing of the table lacks ")
      }
    } finally events.shutdown(true)
  }
}
