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

import java.time.Duration

import scala.jdk.CollectionConverters._
import scala.util.Random

import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.hadoopmpsr.spark.relation.DecisionMetrics
import org.hadoopmpsr.testing.LostFiles
import org.junit.jupiter.api.{AfterAll, BeforeAll, Tag, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** Queries of a dataset in HDFS whose groups lose files one after the other: they answer as stock did before. */
@Tag("long")
@TestInstance(Lifecycle.PER_CLASS)
class LostSegmentsTest {
  import SparkFixture._

  private val queries = sys.props.get("mpsr.queries").map(_.toInt).getOrElse(12)
  private val random = new Random(seed)
  private var cluster: MiniDFSCluster = _
  private var dataset: SinkDataset = _
  private var table: QueryTable = _
  private var commits: Seq[String] = Nil

  @BeforeAll
  def publish(): Unit = {
    println(s"losses of seed $seed (-Dmpsr.test.seed)")
    cluster = TestClusters.of(TestRecords.groups)
    dataset = new SinkDataset(cluster, "/cals/lost", TestRecords)
    commits = (0 until 4).map(commit => dataset.commit(TestRecords.rows(seed, commit, 300)))
    session.read.parquet(dataset.root.toString).createOrReplaceTempView("lost")
    withConf("spark.sql.sources.useV1SourceList" -> "") {
      session.read.parquet(dataset.root.toString).createOrReplaceTempView("lost_v2")
    }
    session.sql(s"CREATE TABLE lost_table USING parquet LOCATION '${dataset.root}'")
    session.sql("MSCK REPAIR TABLE lost_table")
    stock(session.sql("SELECT DISTINCT day AS v, dayofmonth(day) % 10 AS pick FROM lost").write.saveAsTable("lost_dimension"))
    table = new QueryTable(dataset, TestRecords.rows(seed, 0, 300), Seq("lost", "lost_v2", "lost_table"), "lost_dimension")
  }

  @AfterAll
  def stop(): Unit = {
    Seq("lost_table", "lost_dimension").foreach(t => session.sql(s"DROP TABLE IF EXISTS $t"))
    if (cluster != null) cluster.shutdown(true)
  }

  /** The files of each commit in each group, by the group and the commit. */
  private def files: Map[(String, String), Seq[String]] = {
    val fs = cluster.getFileSystem
    val store = fs.globStatus(new Path("/.mpsr/datasets/*/*")).map(_.getPath).filter(p => TestRecords.groups.names.contains(p.getName))
    val roots = ("time" -> dataset.root) +: store.map(p => p.getName -> p).toSeq
    val all = for {
      (group, root) <- roots
      listed = fs.listFiles(root, true)
      file <- Iterator.continually(listed).takeWhile(_.hasNext).map(_.next().getPath.toUri.getPath)
      commit <- commits.find(c => new Path(file).getName.startsWith(c))
    } yield (group, commit) -> file
    all.groupMap(_._1)(_._2)
  }

  @Test
  def whatIsLostInSomeGroupsIsReadFromOthers(): Unit = {
    val drawn = Seq.fill(queries)(new RandomQueries(table, random).single().sql)
    // what is read as stock fails with the default group's files
    val asked = drawn.filterNot(explain(_).contains("mpsr stock")) ++ Seq(
      "SELECT count(*), min(timestamp_ns), max(timestamp_ns) FROM lost",
      "SELECT day, count(*) FROM lost_table WHERE day >= '2014-05-01' GROUP BY day",
      "SELECT count(*) FROM lost l JOIN lost_dimension d ON l.day = d.v WHERE d.pick = 1")
    val expected = stock(asked.map(answer))
    val places = random.shuffle(for (commit <- commits; group <- TestRecords.groups.names.asScala.toSeq) yield (group, commit))
    // one whole copy of each commit stays
    val kept = commits.map(c => random.shuffle(TestRecords.groups.names.asScala.toSeq).head -> c).toSet
    val unions = DecisionMetrics.sum("unions")
    places.filterNot(kept).grouped(2).foreach { lost =>
      lost.foreach { place =>
        val file = files(place)(random.nextInt(files(place).size))
        LostFiles.lose(cluster, file)
        await().atMost(Duration.ofSeconds(30)).until(() => LostFiles.isLost(cluster, file))
      }
      asked.zip(expected).foreach { case (query, rows) =>
        assertThat(answer(query): String).as(s"seed $seed: $query after losing $lost").isEqualTo(rows)
      }
    }
    assertThat(DecisionMetrics.sum("unions") - unions).isGreaterThan(0)
  }

  private def answer(query: String): String =
    try rows(session.sql(query)).mkString("\n")
    catch { case e: Exception => SparkFixture.condition(e).getOrElse(throw e) }
}
