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
package org.hadoopmpsr.spark.jobs

import java.io.IOException

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.{DataFrame, SaveMode}
import org.apache.spark.sql.functions.col
import org.assertj.core.api.Assertions.{assertThat, assertThatCollection, assertThatList, assertThatThrownBy}
import org.awaitility.Awaitility.await
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.adopt.{AdoptOptions, SurveyOptions}
import org.hadoopmpsr.client.run.RunRecord.State
import org.hadoopmpsr.core.schema.NestedType
import org.hadoopmpsr.spark.{SparkFixture, TestClusters, TestRecords}
import org.junit.jupiter.api.{AfterAll, BeforeAll, Test, TestInstance}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** An archive of ordinary files becomes a dataset where it lies, and an archive again. */
@TestInstance(Lifecycle.PER_CLASS)
class AdoptDirectoryTest {
  import SparkFixture._

  /** What a survey cannot say of the files: the unit of whole numbers, and nested columns. */
  private val Nanos = ("timestamp_ns timestamp_ns not null" +:
    TestRecords.schema.columns.asScala.toSeq.filter(_.`type`.isInstanceOf[NestedType]).map(_.ddl)).mkString(", ")
  private var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(TestRecords.groups, "dfs.mpsr.health.interval.seconds" -> "1")
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  private def fs = dfs.getFileSystem

  private def client[T](body: MpsrClient => T): T =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(body)

  private def options(execute: Boolean, schema: String) = new SurveyOptions(execute, schema, 1 << 20, new AdoptOptions(true, 0, 0, null))

  private def write(frame: DataFrame, path: String): Unit =
    stock(frame.write.mode(SaveMode.Append).partitionBy("day").parquet(path))

  private def files(path: String): Seq[Path] = {
    val all = fs.listFiles(new Path(path), true)
    Iterator.continually(all).takeWhile(_.hasNext).map(_.next().getPath).filter(file => file.getName.endsWith(".parquet") && !file.toString.contains("/_")).toSeq
  }

  @Test
  def anArchiveBecomesADatasetWhereItLies(): Unit = {
    val path = s"${dfs.getURI}/archive/meas"
    val records = stock(session.read.parquet(dataset.root.toString)).where("day < '2014-05-02'")
    write(records, path)
    // older writers had fewer columns, and narrower ones
    write(records.where("signal = 'SIG3'").drop("label", "total").withColumn("value", col("value").cast("float")), path)
    fs.create(new Path(path, "day=2014-05-01/notes.txt")).close()
    fs.create(new Path(path, "_temporary/0/half.parquet")).close()
    val before = files(path).toSet
    val queries = Seq[DataFrame => DataFrame](
      identity,
      _.where("signal = 'SIG3'"),
      _.where("system = 'VAC' AND value > 0"),
      _.where("day = '2014-05-01'").groupBy("device").count(),
      _.selectExpr("count(*)", "min(seen)", "max(total)"))
    def read = session.read.schema(records.schema).parquet(path)
    // stock Spark fails at notes.txt
    def answers = withConf("spark.sql.files.ignoreCorruptFiles" -> "true")(queries.map(query => rows(query(read)).asJava))
    val expected = stock(answers)

    val found = AdoptDirectory.survey(session, path, options(execute = false, Nanos))
    assertThatList(found.problems.asJava).isEmpty()
    assertThat(found.schema.get).startsWith("signal string, device string, system string, timestamp_ns timestamp_ns not null, value double")
    assertThat(found.all.files).isEqualTo(before.size + 1L)
    assertThat(found.fit.files).isEqualTo(before.size.toLong)
    assertThatList(found.unfit.map(file => new Path(file.path).getName).asJava).containsExactly("notes.txt")
    assertThat(found.unfit.head.reason).contains("is not a Parquet file")
    val others = TestRecords.groups.names.asScala.toSeq.filter(_ != TestRecords.groups.defaultName)
    assertThatCollection(found.forecast.get.written.keySet).containsExactlyInAnyOrderElementsOf(others.asJava)
    assertThat(found.forecast.get.ms).isPositive
    assertThat(found.storedAfter).isEqualTo(found.fit.bytes + others.map(found.bytesWritten).sum)
    assertThat(found.lines.last).contains(s"${found.bytesWritten(others.head)} written for ${others.head}", "with this Spark it takes about")
    val untried = AdoptDirectory.survey(session, path, new SurveyOptions(false, Nanos, 0, new AdoptOptions(true, 0, 0, null)))
    assertThat(untried.storedAfter).as("without a trial").isEqualTo(found.fit.bytes * 3)
    assertThat(found.isWell).isFalse
    assertThatList(client(_.listDatasets()).asScala.map(_.path).asJava).as("nothing is changed").doesNotContain("/archive/meas")
    assertThatList(stock(answers).asJava).isEqualTo(expected.asJava)

    val run = AdoptDirectory.adopt(session, path, options(execute = true, Nanos))
    assertThat(run.state).isEqualTo(State.DONE)
    assertThat(run.done.files).isEqualTo(before.size.toLong)
    assertThat(run.problem).contains("1 files stay as they are", "notes.txt", "is not a Parquet file")
    assertThatCollection(files(path).toSet.asJava).isEqualTo(before.asJava)
    others.foreach { group =>
      val written = client(_.getDataset("/archive/meas")).representations.asScala.find(_.group == group).get.bytes
      assertThat(found.bytesWritten(group)).isBetween(written * 4 / 5, written * 6 / 5)
    }
    assertThatList(answers.asJava).isEqualTo(expected.asJava)
    assertThatList(stock(answers).asJava).isEqualTo(expected.asJava)

    Seq("day=2014-05-01/notes.txt", "_temporary").foreach(name => fs.delete(new Path(path, name), true))
    client(_.alterations.pauseAdoption("/archive/meas", null, true))
    write(records.where("signal = 'SIG5'"), path)
    val later = files(path).toSet
    val more = stock(answers)
    val paused = AdoptDataset.adopt(session, path, new AdoptOptions(true, 0, 0, null))
    assertThat(paused.problem).contains("the adoption is paused")
    assertThat(paused.done.files).isZero
    assertThatList(answers.asJava).isEqualTo(more.asJava)

    val again = AdoptDirectory.adopt(session, path, options(execute = true, null))
    assertThat(again.done.files).as("the pause has ended").isEqualTo((later.size - before.size).toLong)
    assertThat(again.problem).isNull()
    assertThat(AdoptDirectory.adopt(session, path, options(execute = true, Nanos)).problem).as("the command again").isNull()
    assertThatThrownBy(() => AdoptDirectory.adopt(session, path, options(execute = true, "value float")))
      .hasMessageContaining("it is a dataset, whose columns stay, and has no column 'value float'")
    assertThat(AdoptDirectory.survey(session, path, options(execute = false, null)).all.files).isZero
    assertThatList(answers.asJava).isEqualTo(more.asJava)
    assertThat(explain(read.where("signal = 'SIG3'"))).contains("parquet[mpsr signal: ")
    assertThat(VerifyDataset.verify(session, path).sound).isTrue
    await().until(() => later.forall(file => fs.getFileBlockLocations(file, 0, 1).head.getHosts.length == 1))
    assertThatList(stock(answers).asJava).isEqualTo(more.asJava)

    client(_.dropDataset("/archive/meas", true))
    await().until(() => later.forall(file => fs.getFileStatus(file).getReplication == 3))
    assertThatList(answers.asJava).isEqualTo(more.asJava)
    assertThatCollection(files(path).toSet.asJava).isEqualTo(later.asJava)
  }

  @Test
  def whatCannotBecomeADatasetIsToldAndStaysAsItIs(): Unit = {
    val path = s"${dfs.getURI}/archive/others"
    write(stock(session.read.parquet(dataset.root.toString)).limit(10), path)
    val found = AdoptDirectory.survey(session, path, options(execute = false, null))
    assertThat(found.isWell).isFalse
    assertThat(found.problems.mkString).contains("replica group 'time'", "timestamp_ns")
    assertThatThrownBy(() => AdoptDirectory.adopt(session, path, options(execute = true, null)))
      .isInstanceOf(classOf[IOException])
      .hasMessageContaining("it cannot become a dataset: replica group 'time'")
    assertThatList(client(_.listDatasets()).asScala.map(_.path).asJava).doesNotContain("/archive/others")
    assertThatThrownBy(() => AdoptDirectory.survey(session, s"${dfs.getURI}/archive/missing", options(execute = false, null)))
      .isInstanceOf(classOf[IOException])
  }
}
