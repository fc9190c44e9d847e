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
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.MiniDFSCluster
import org.hadoopmpsr.client.{Dataset, MpsrClient, StagedFile}
import org.hadoopmpsr.core.commit.CommitSource
import org.hadoopmpsr.core.layout.PartitionPath
import org.hadoopmpsr.core.schema.Schema
import org.hadoopmpsr.core.stats.FileStatistics

/** A NameNode with MPSR and a DataNode for each group, with the fixture's dataset. */
final class TestCluster private (val dfs: MiniDFSCluster) extends AutoCloseable {

  /** The dataset directory. */
  val url: String = s"${dfs.getURI}/cals/meas"

  /** Makes a dataset of the schema with the fixture's files. */
  def publish(path: String, schema: Schema): Unit =
    Using.resource(MpsrClient.create(new Configuration(dfs.getConfiguration(0)), dfs.getURI)) { client =>
      commit(client, client.createDataset(path, schema))
    }

  private def commit(client: MpsrClient, created: Dataset): Unit = {
    val dataset = SparkFixture.dataset
    val staging = client.beginCommit(created.path, created.id, TestCluster.CommitId).require.stagingDir
    val staged = for {
      group <- dataset.groupFiles().asScala
      (file, i) <- group.files.asScala.zipWithIndex
    } yield {
      val fields = group.group.partitionFields(TestRecords.schema)
      val partition = PartitionPath.of(fields, file.statistics.partition)
      val relative = s"$partition/${TestCluster.CommitId}-$i.parquet"
      val target = new Path(s"$staging/${group.group.name}/$relative")
      dfs.getFileSystem.copyFromLocalFile(new Path("file://" + file.path), target)
      val its = file.statistics
      new StagedFile(
        group.group.name,
        relative,
        new FileStatistics(TestCluster.CommitId, its.content, its.partition, its.columns))
    }
    val sources = java.util.Collections.singletonList(new CommitSource("topic", 0, 0, 1600))
    client.publish(created.path, created.id, TestCluster.CommitId, sources, staged.asJava)
  }

  override def close(): Unit = dfs.shutdown(true)
}

object TestCluster {
  /** The commit of all files. */
  val CommitId = "commit"

  def withDataset(): TestCluster = {
    val cluster = new TestCluster(TestClusters.of(TestRecords.groups))
    cluster.publish("/cals/meas", TestRecords.schema)
    cluster
  }
}
