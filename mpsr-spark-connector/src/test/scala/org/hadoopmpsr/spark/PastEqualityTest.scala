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
import org.apache.hadoop.fs.{FileUtil, Path}
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.apache.spark.sql.DataFrame
import org.assertj.core.api.Assertions.assertThat
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.compact.CompactionOptions
import org.hadoopmpsr.client.delete.DeleteOptions
import org.hadoopmpsr.spark.jobs.{CompactDataset, DeleteRecords}
import org.hadoopmpsr.spark.relation.ConfKeys
import org.junit.jupiter.api.Tag

/** An earlier state of datasets answers as stock Spark answered then, from a copy of the files of then. */
@Tag("long")
class PastEqualityTest extends EqualitySuite(queriesByDefault = 30, queriesForAllGroups = 60) {
  import SparkFixture._

  private var clusters: Seq[MiniDFSCluster] = Nil
  private var copies: Seq[(QueriedDataset, String)] = Nil

  override protected def open(): Seq[QueriedDataset] = Seq(TestRecords, TestEvents).map { table =>
    val cluster = TestClusters.of(table.groups)
    clusters :+= cluster
    val dataset = new SinkDataset(cluster, s"/cals/${table.name}", table)
    val path = dataset.root.toUri.getPath
    dataset.commit(rows(table))
    dataset.commit(table.rows(seed, 1, 200))
    Using.resource(MpsrClient.create(new Configuration(cluster.getConfiguration(0)), cluster.getURI))(_.tag(path, null, "then", null))
    val copy = s"${cluster.getURI}/copies/${table.name}"
    val fs = cluster.getFileSystem
    assertThat(FileUtil.copy(fs, dataset.root, fs, new Path(copy), false, fs.getConf)).isTrue
    copies :+= dataset -> copy

    // each of them replaces files of then
    dataset.commit(table.rows(seed, 2, 100))
    val gone = new DeleteOptions(true, if (table == TestRecords) "quality > 0" else "kind = 1", null, null, false, false, 0, 0, null)
    assertThat(DeleteRecords.delete(session, dataset.root.toString, gone, _ => ()).problem).isNull()
    val all = CompactionOptions.parse(java.util.List.of("--all"), new java.util.ArrayList)
    assertThat(CompactDataset.compact(session, dataset.root.toString, all).problem).isNull()
    dataset.commit(table.rows(seed, 3, 100))
    dataset
  }

  override protected def frame(dataset: QueriedDataset): DataFrame =
    session.read.option(ConfKeys.AsOfOption, "then").parquet(dataset.root.toString)

  override protected def losses: Seq[(String, () => Unit)] = Seq("the state of then is read" -> (() => ()))

  override protected def expecting[T](body: => T): T = {
    copies.foreach { case (dataset, copy) => viewsOf(dataset, stock(session.read.parquet(copy))) }
    try body
    finally copies.foreach { case (dataset, _) => viewsOf(dataset, frame(dataset)) }
  }

  /** Nothing is left to stock. */
  override protected def mayAnswer: Boolean = true

  /** Tables have the partitions of now. */
  override protected def hasTable: Boolean = false

  override protected def close(): Unit = clusters.foreach(_.shutdown(true))
}
