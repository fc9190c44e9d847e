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
import scala.util.Random

import org.apache.hadoop.fs.Path
import org.apache.hadoop.hdfs.MiniDFSCluster

/**
 * While one DataNode is dead, and then one of another group too, queries answer as stock did before. `-Dmpsr.queries=5000` runs
 * that many queries in each state.
 */
class LostNodesEqualityTest extends EqualitySuite(queriesByDefault = 25, queriesForAllGroups = 300) {
  import SparkFixture.{seed, session}

  private val Retries = "dfs.client.retry.window.base"
  private var clusters: Seq[(TestTable, MiniDFSCluster)] = Nil
  private lazy val groups = clusters.map { case (table, _) => new Random(seed).shuffle(table.groups.names.asScala.toSeq) }

  override protected def open(): Seq[QueriedDataset] = {
    // stock waits some seconds before it asks again for a block that nobody has
    session.sparkContext.hadoopConfiguration.setInt(Retries, 10)
    Seq(TestRecords, TestEvents).map { table =>
      val cluster = TestClusters.of(table.groups, 2)
      clusters :+= table -> cluster
      val dataset = new SinkDataset(cluster, s"/cals/${table.name}", table)
      dataset.commit(rows(table))
      (1 to 3).foreach(i => dataset.commit(table.rows(seed, i, 100)))
      dataset
    }
  }

  override protected def losses: Seq[(String, () => Unit)] =
    (0 to 1).map(i => s"dead DataNodes of each cluster: ${i + 1}" -> (() => clusters.indices.foreach(lose(_, i))))

  /** Stops the first DataNode that has a file of a group. */
  private def lose(cluster: Int, group: Int): Unit = {
    val (table, dfs) = clusters(cluster)
    val name = groups(cluster)(group)
    val root = dfs.getFileSystem.listFiles(new Path("/"), true)
    val nodes = Iterator.continually(root).takeWhile(_.hasNext).map(_.next()).toSeq
    val below = if (name == table.groups.defaultName) s"/cals/${table.name}/" else s"/$name/"
    val file = nodes.filter(f => f.getPath.toUri.getPath.contains(below) && f.getLen > 0).minBy(_.getPath.toString)
    val holder = file.getBlockLocations.head.getNames.head
    val node = dfs.getDataNodes.asScala.find(_.getDatanodeId.getXferAddr == holder).get
    val id = node.getDatanodeId
    println(s"${table.name}: a node of group $name is dead")
    dfs.stopDataNode(dfs.getDataNodes.indexOf(node))
    dfs.setDataNodeDead(id)
  }

  override protected def close(): Unit = {
    session.sparkContext.hadoopConfiguration.unset(Retries)
    clusters.foreach(_._2.shutdown(true))
  }
}
