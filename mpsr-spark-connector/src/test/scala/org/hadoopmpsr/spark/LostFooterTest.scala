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

import org.apache.hadoop.fs.Path
import org.apache.spark.SparkException
import org.apache.spark.sql.DataFrame
import org.assertj.core.api.Assertions.{assertThat, assertThatThrownBy}
import org.hadoopmpsr.spark.relation.DecisionMetrics
import org.junit.jupiter.api.{AfterAll, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Reads while the DataNode is gone that has the file from which Spark takes the columns. */
@TestInstance(Lifecycle.PER_CLASS)
class LostFooterTest {
  import SparkFixture._

  private var cluster: TestCluster = _
  private val filter = "signal = 'SIG3'"

  /** The ways in which Spark comes to look for columns. */
  private def reads: Seq[() => DataFrame] = Seq(
    () => session.read.parquet(cluster.url),
    () => session.read.format("parquet").load(cluster.url),
    () => session.read.option("path", cluster.url).option("mergeSchema", "false").load(),
    () => session.sql(s"SELECT * FROM parquet.`${cluster.url}`"),
    () => session.sql(s"SELECT /*+ MPSR(signal) */ * FROM (SELECT * FROM parquet.`${cluster.url}`)"))

  private var expected: Seq[(String, Seq[String])] = Nil
  private val dayOfTable = "SELECT * FROM lost WHERE day = '2014-05-01'"
  private var ofTable: Seq[String] = Nil
  private var atOnce: Seq[(String, Seq[String])] = Nil

  private def answers: Seq[(String, Seq[String])] = reads.map { read =>
    val frame = read()
    frame.schema.json -> rows(frame.where(filter))
  }

  @BeforeAll
  def lose(): Unit = {
    cluster = TestCluster.withDataset()
    val schemas = DecisionMetrics.sum("schemas")
    expected = answers
    session.sql(s"CREATE TABLE lost USING parquet LOCATION '${cluster.url}'")
    session.sql("MSCK REPAIR TABLE lost")
    ofTable = rows(session.sql(dayOfTable))
    assertThat(DecisionMetrics.sum("schemas")).isEqualTo(schemas)
    val dfs = cluster.dfs
    val files = dfs.getFileSystem.listFiles(new Path("/cals/meas"), true)
    val first = Iterator.continually(files).takeWhile(_.hasNext).map(_.next()).minBy(_.getPath.toString)
    val hosts = first.getBlockLocations.flatMap(_.getNames).toSet
    val holders = dfs.getDataNodes.asScala.filter(node => hosts(node.getDatanodeId.getXferAddr)).toSeq
    assertThat(holders.asJava).isNotEmpty
    val ids = holders.map(_.getDatanodeId)
    holders.foreach(node => dfs.stopDataNode(dfs.getDataNodes.indexOf(node)))
    atOnce = answers
    ids.foreach(dfs.setDataNodeDead)
  }

  @AfterAll
  def stop(): Unit = {
    session.sql("DROP TABLE IF EXISTS lost")
    if (cluster != null) cluster.close()
  }

  @Test
  def columnsAreThoseOfBefore(): Unit = {
    val before = DecisionMetrics.sum("schemas")
    assertThat(answers.asJava).isEqualTo(expected.asJava)
    assertThat(DecisionMetrics.sum("schemas")).isGreaterThanOrEqualTo(before + reads.size)
    assertThat(explain(reads.head().where("day = '2014-05-01'"))).contains("time: degraded: ").doesNotContain("stock")
  }

  @Test
  def soTheyAreBeforeTheNameNodeKnowsOfTheLoss(): Unit = assertThat(atOnce.asJava).isEqualTo(expected.asJava)

  /** What was listed is compared with the files that are lost. */
  @Test
  def partitionsOfATableAreReadFromAnotherGroup(): Unit = {
    assertThat(explain(dayOfTable)).contains("time: degraded: ").doesNotContain("stock")
    assertThat(rows(session.sql(dayOfTable)).asJava).isNotEmpty.isEqualTo(ofTable.asJava)
  }

  @Test
  def theSecondVersionOfDataSourcesIsToldThem(): Unit =
    withConf("spark.sql.sources.useV1SourceList" -> "") {
      assertThat(answers.map(_._2).asJava).isEqualTo(expected.map(_._2).asJava)
    }

  @Tag("long")
  @Test
  def withoutTheRuleTheJobFails(): Unit =
    stock {
      assertThatThrownBy(() => session.read.parquet(cluster.url)).isInstanceOf(classOf[SparkException])
    }
}
