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
package org.hadoopmpsr.spark.transform

import java.time.Duration

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.parquet.hadoop.metadata.ParquetMetadata
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.spark.sql.{DataFrame, SaveMode}
import org.assertj.core.api.Assertions.assertThat
import org.awaitility.Awaitility.await
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.adopt.AdoptOptions
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.client.delete.DeleteOptions
import org.hadoopmpsr.client.rebuild.RebuildOptions
import org.hadoopmpsr.client.run.RunRecord
import org.hadoopmpsr.spark.{SinkDataset, SparkFixture, TestClusters}
import org.hadoopmpsr.spark.jobs.{AdoptDataset, CompactDataset, DeleteRecords, RebuildDataset, VerifyDataset}
import org.hadoopmpsr.spark.jobs.run.Footers
import org.junit.jupiter.api.{AfterAll, BeforeAll, TestInstance}
import org.junit.jupiter.api.Assertions.{assertEquals, assertTrue}
import org.junit.jupiter.api.TestInstance.Lifecycle

/** A cluster whose groups are those of a table, and what is done to datasets there. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class TransformedSuite(table: TransformedTable) {
  import SparkFixture._

  protected var dfs: MiniDFSCluster = _

  @BeforeAll
  def start(): Unit = {
    println(s"records of seed $seed (-Dmpsr.test.seed)")
    dfs = TestClusters.of(table.groups, "dfs.namenode.heartbeat.recheck-interval" -> "500")
  }

  @AfterAll
  def stop(): Unit = if (dfs != null) dfs.shutdown(true)

  protected def client[T](body: MpsrClient => T): T =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI))(body)

  protected def path(dataset: SinkDataset): String = dataset.root.toUri.getPath

  /** A new dataset with some records in each of some commits. */
  protected def committed(path: String, commits: Int = 3, rows: Int = 600): SinkDataset = {
    val dataset = new SinkDataset(dfs, path, table)
    (0 until commits).foreach(i => dataset.commit(table.rows(seed, i, rows)))
    dataset
  }

  protected def read(dataset: SinkDataset): DataFrame = session.read.parquet(dataset.root.toString)

  /** With the bits of numbers, which say more than their texts. */
  protected def bits(frame: DataFrame): Seq[String] = frame.collect().map(_.toSeq.map {
    case d: Double => f"${java.lang.Double.doubleToRawLongBits(d)}%016x"
    case f: Float => f"${java.lang.Float.floatToRawIntBits(f)}%08x"
    case other => String.valueOf(other)
  }.mkString(" ")).sorted.toSeq

  /** The paths of a group's files. */
  protected def files(dataset: SinkDataset, group: String): Seq[String] = client { c =>
    val segments = c.segments(path(dataset)).segments.asScala.map(_.id).toSeq
    c.segmentFiles(path(dataset), group, segments.asJava).asScala.map(_.path).toSeq
  }

  protected def uri(file: String): String = dfs.getURI.resolve(file).toString

  protected def footer(file: String): ParquetMetadata =
    Footers.read(HadoopInputFile.fromPath(new Path(uri(file)), dfs.getConfiguration(0)))

  /** Adds files as a program without MPSR does. */
  protected def writeAsStock(dataset: SinkDataset, records: DataFrame): Unit =
    stock(records.write.mode(SaveMode.Append).partitionBy("day").parquet(dataset.root.toString))

  /** Makes a segment of such files. */
  protected def adopt(dataset: SinkDataset): Unit =
    assertThat(AdoptDataset.adopt(session, dataset.root.toString, new AdoptOptions(true, 0, 0, null)).problem).isNull()

  protected def delete(dataset: SinkDataset, where: String): RunRecord =
    DeleteRecords.delete(session, dataset.root.toString, new DeleteOptions(true, where, null, null, false, false, 0, 0, null), _ => ())

  /** One segment for all. */
  protected def compact(dataset: SinkDataset): Unit = {
    val all = CompactionOptions.parse(java.util.List.of[String]("--all"), new java.util.ArrayList)
    assertThat(CompactDataset.compact(session, dataset.root.toString, all).problem).isNull()
    assertEquals(1, client(_.segments(path(dataset))).segments.size)
  }

  /** Writes anew what is known to be damaged, and waits until nothing is. */
  protected def rebuild(dataset: SinkDataset): Unit = {
    assertThat(RebuildDataset.rebuild(session, dataset.root.toString, RebuildOptions.DEFAULT).problem).isNull()
    await().atMost(Duration.ofSeconds(60)).until(() => client(_.damage(path(dataset), 1000)).damages.isEmpty)
  }

  protected def awaitAlterations(dataset: SinkDataset): Unit =
    await().atMost(Duration.ofSeconds(60)).until(() => client(_.getDataset(path(dataset))).alterations.isEmpty)

  protected def awaitDamage(dataset: SinkDataset): Unit =
    await().atMost(Duration.ofSeconds(60)).until(() => !client(_.damage(path(dataset), 1000)).damages.isEmpty)

  protected def checkSound(dataset: SinkDataset): Unit = {
    val report = VerifyDataset.verify(session, dataset.root.toString)
    assertTrue(report.sound, s"seed $seed: ${report.lines}")
  }
}

private object TransformedSuite {

  /** Compiling takes longer than the queries of these tests. */
  val Interpreted: Seq[(String, String)] = Seq("spark.sql.codegen.wholeStage" -> "false", "spark.sql.codegen.factoryMode" -> "NO_CODEGEN")
}
