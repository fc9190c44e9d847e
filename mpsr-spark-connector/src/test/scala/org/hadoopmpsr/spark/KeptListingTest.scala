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

import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.{FileSystem, FileUtil, Path}
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.{classic, DataFrame}
import org.apache.spark.sql.execution.datasources.FileIndex
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.spark.relation.{ConfKeys, FileRelation}
import org.junit.jupiter.api.{AfterAll, BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.Assertions.assertEquals
import org.junit.jupiter.api.Assumptions.assumeTrue
import org.junit.jupiter.api.TestInstance.Lifecycle

/** A session that keeps answers lists a dataset again as soon as it has changed, and not before. */
@TestInstance(Lifecycle.PER_CLASS)
class KeptListingTest {
  import SparkFixture._

  private val keeping = ConfKeys.AnswersBytes -> "1000000"
  private var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = {
    assumeTrue(!org.apache.spark.SPARK_VERSION.startsWith("3."), "Spark 3.5 lists before any rule runs")
    dfs = TestClusters.of(TestRecords.groups)
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  private def committed(name: String): SinkDataset = {
    val dataset = new SinkDataset(dfs, s"/cals/$name", TestRecords)
    dataset.commit(TestRecords.rows(seed, 0, 40))
    dataset
  }

  private def fs: FileSystem = dfs.getFileSystem

  private def index(frame: DataFrame): FileIndex = frame
    .asInstanceOf[classic.DataFrame].queryExecution.analyzed
    .collectFirst { case FileRelation(files) => files.location }.get

  private def read(dataset: SinkDataset): DataFrame = session.read.parquet(dataset.root.toString)

  private def rows(frame: DataFrame): Seq[String] = frame.collect().toSeq.map(text).sorted

  /** Reads twice; the first read lists, the second one does not, and both have what stock Spark has. */
  private def listsOnce(dataset: SinkDataset, before: Option[FileIndex], what: String): FileIndex = {
    val wanted = stock(rows(read(dataset)))
    withConf(keeping) {
      val first = read(dataset)
      before.foreach(old => assertThat(index(first)).as(what).isNotSameAs(old))
      assertEquals(wanted, rows(first), what)
      val second = read(dataset)
      assertThat(index(second)).as(what).isSameAs(index(first))
      assertThat(second.schema).isEqualTo(first.schema)
      assertEquals(wanted, rows(second), what)
      // each has columns of its own, so that both may be in one query
      assertThat(first.join(second, first("signal") === second("signal")).count()).isGreaterThanOrEqualTo(wanted.size.toLong)
      index(second)
    }
  }

  @Test
  def aDatasetThatHasChangedIsListedAgain(): Unit = {
    val dataset = committed("changes")
    var last = listsOnce(dataset, None, "first")
    val segment = dataset.commit(TestRecords.rows(seed, 1, 30))
    last = listsOnce(dataset, Some(last), "append")
    dataset.rewrite("again", Seq(segment), TestRecords.rows(seed, 2, 30))
    last = listsOnce(dataset, Some(last), "rewritten")
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(_.dropDataset(dataset.root.toUri.getPath, true))
    fs.delete(dataset.root, true)
    val anew = committed("changes")
    last = listsOnce(anew, Some(last), "made anew, of equal files but for their times")
  }

  @Test
  def filesOfOrdinaryWritersAreListedEachTime(): Unit = {
    val dataset = committed("ordinary")
    val last = listsOnce(dataset, None, "first")
    val day = fs.listStatus(dataset.root).filter(_.isDirectory).head.getPath
    val file = fs.listStatus(day).head.getPath
    FileUtil.copy(fs, file, fs, new Path(day, "ordinary.parquet"), false, dfs.getConfiguration(0))
    withConf(keeping) {
      val first = read(dataset)
      assertThat(index(first)).isNotSameAs(last)
      assertThat(index(read(dataset))).isNotSameAs(index(first))
      assertEquals(stock(rows(read(dataset))), rows(first))
    }
  }

  @Test
  def onlyReadsThatAskForTheSameAreListedOnce(): Unit = {
    val dataset = committed("options")
    val path = dataset.root.toString
    val last = listsOnce(dataset, None, "first")
    val strings = session.read.parquet(path).select("signal").schema
    val others: Seq[() => DataFrame] = Seq(
      () => session.read.option("mergeSchema", "true").parquet(path),
      () => session.read.option("pathGlobFilter", "*none*").schema(strings).parquet(path),
      () => session.read.schema(strings).parquet(path),
      () => session.read.parquet(path, path),
      () => session.read.parquet(s"$path/*"),
      () => withConf("spark.sql.sources.partitionColumnTypeInference.enabled" -> "false")(session.read.parquet(path)),
      () => withConf(ConfKeys.AnswersBytes -> "0")(session.read.parquet(path)),
      () => stock(session.read.parquet(path)))
    withConf(keeping) {
      others.zipWithIndex.foreach { case (other, number) =>
        assertThat(index(other())).as(s"$number").isNotSameAs(last)
        // and what it has listed is not taken for a read without
        assertThat(index(read(dataset))).as(s"after $number").isSameAs(last)
      }
      assertThat(index(session.read.format("parquet").load(path))).isSameAs(last)
      assertThat(index(session.read.option("path", path).format("parquet").load())).isSameAs(last)
      assertThat(index(session.newSession().read.parquet(path))).isNotSameAs(last)
    }
  }
}
