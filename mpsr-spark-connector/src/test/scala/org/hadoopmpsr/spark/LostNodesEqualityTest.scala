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
import org.apache.hadoop.hdfs.protocol.DatanodeID
import org.junit.jupiter.api.Tag

/**
 * While one DataNode is dead, and then one of another group too, queries answer as stock did before: when the NameNode does not know
 * of the death yet, and when it does. `-Dmpsr.queries=5000` runs that many queries in each state.
 */
@Tag("long")
class LostNodesEqualityTest extends EqualitySuite(queriesByDefault = 12, queriesForAllGroups = Int.MaxValue) {
  import SparkFixture.{seed, session}

  /** Stock waits some seconds before it asks again for a block that nobody has. */
  private val Retries = "dfs.client.retry.window.base"
  private var clusters: Seq[LostNodesEqualityTest.Cluster] = Nil

  override protected def open(): Seq[QueriedDataset] = {
    session.sparkContext.hadoopConfiguration.setInt(Retries, 10)
    Seq(TestRecords, TestEvents).map { table =>
      val cluster = TestClusters.of(table.groups, 2, Retries -> "10")
      clusters :+= new LostNodesEqualityTest.Cluster(table, cluster, seed)
      val dataset = new SinkDataset(cluster, s"/cals/${table.name}", table)
      dataset.commit(rows(table))
      (1 to 3).foreach(i => dataset.commit(table.rows(seed, i, 100)))
      dataset
    }
  }

  override protected def losses: Seq[(String, () => Unit)] = {
    def each(step: LostNodesEqualityTest.Cluster => Unit) = () => clusters.foreach(step)
    Seq(
      "a DataNode of each cluster has died" -> each(_.stop(0)),
      "the NameNodes know" -> each(_.declareDead()),
      "one of another group has died" -> each(_.stop(1)),
      "the NameNodes know" -> each(_.declareDead()))
  }

  /** A condition that may fail is evaluated for all records of a lost file, of which stock's reader skips some. */
  override protected def mayFail(condition: String, query: RandomQuery, read: String): Boolean =
    query.mayFail && read.contains("[mpsr stock: a condition that may fail") && !condition.startsWith("FAILED_READ_FILE")

  override protected def close(): Unit = {
    session.sparkContext.hadoopConfiguration.unset(Retries)
    clusters.foreach(_.dfs.shutdown(true))
  }
}

private object LostNodesEqualityTest {

  /** A cluster with one dataset. */
  private final class Cluster(table: TestTable, val dfs: MiniDFSCluster, seed: Long) {
    private val groups = new Random(seed).shuffle(table.groups.names.asScala.toSeq)
    private var stopped: DatanodeID = _

    /** Stops the first DataNode that has a file of one of the groups, which are in an order of the seed. */
    def stop(group: Int): Unit = {
      val name = groups(group)
      val found = dfs.getFileSystem.listFiles(new Path("/"), true)
      val below = if (name == table.groups.defaultName) s"/cals/${table.name}/" else s"/$name/"
      val file = Iterator.continually(found).takeWhile(_.hasNext).map(_.next())
        .filter(f => f.getPath.toUri.getPath.contains(below) && f.getLen > 0).minBy(_.getPath.toString)
      val holder = file.getBlockLocations.head.getNames.head
      val node = dfs.getDataNodes.asScala.find(_.getDatanodeId.getXferAddr == holder).get
      println(s"${table.name}: $holder of group $name stops")
      stopped = node.getDatanodeId
      dfs.stopDataNode(dfs.getDataNodes.indexOf(node))
    }

    /** Lets the NameNode know that the DataNode that was stopped last is dead. */
    def declareDead(): Unit = dfs.setDataNodeDead(stopped)
  }
}
