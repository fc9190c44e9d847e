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
package org.hadoopmpsr.spark.recovery

import java.net.{BindException, URI}
import java.time.Duration

import scala.jdk.CollectionConverters._
import scala.util.Using

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.fs.FileSystem
import org.apache.hadoop.hdfs.{DistributedFileSystem, MiniDFSCluster, MiniDFSNNTopology}
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl
import org.apache.hadoop.hdfs.server.namenode.ha.{ConfiguredFailoverProxyProvider, HATestUtil}
import org.awaitility.Awaitility.await
import org.hadoopmpsr.client.MpsrClient
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto
import org.hadoopmpsr.spark.TestRecords
import org.hadoopmpsr.testing.{MiniCluster, StoppableNodes}

/** Two NameNodes, of which one is active, and nine DataNodes on five racks. For one thread. */
private[recovery] final class RecoveryCluster private (val mini: MiniDFSCluster) extends AutoCloseable {
  import RecoveryCluster._

  private val nodes = new StoppableNodes(mini)
  private var activeNow = 0

  val uri: URI = URI.create(s"hdfs://${HATestUtil.getLogicalHostname(mini)}")

  /** Of a client that finds the active NameNode. */
  val conf: Configuration = {
    val conf = new Configuration(mini.getConfiguration(0))
    HATestUtil.setupHAConfiguration(mini, conf, 0, classOf[ConfiguredFailoverProxyProvider[_]])
    conf.set("fs.defaultFS", uri.toString)
    conf
  }

  val fs: DistributedFileSystem = FileSystem.newInstance(uri, conf).asInstanceOf[DistributedFileSystem]

  private lazy val known: Seq[NodeProto] = client(_.status()).getNodeList.asScala.toSeq

  /** The group of each DataNode. The first dataset, which must be there, gives them their groups. */
  lazy val groups: Map[String, String] = known.map(node => node.getUuid -> node.getGroup).toMap

  /** The rack of each DataNode. */
  lazy val racks: Map[String, String] = known.map(node => node.getUuid -> node.getRack).toMap

  /** The settings by which others find the NameNodes. */
  def settings: Map[String, String] =
    conf.asScala.map(e => e.getKey -> conf.get(e.getKey)).filter { case (key, _) =>
      key == "dfs.nameservices" || key.contains(uri.getHost) || key.startsWith("dfs.client.")
    }.toMap

  private val ofAll = MpsrClient.create(new Configuration(conf), uri)

  def client[T](body: MpsrClient => T): T = body(ofAll)

  /** The number of the active NameNode. */
  def active: Int = activeNow

  /** The nodes in the order in which they were started first: the same in each run, as their UUIDs are not. */
  val all: Seq[String] = mini.getDataNodes.asScala.map(_.getDatanodeUuid).toSeq

  def down: Seq[String] = all.filter(nodes.down.asScala)

  def up: Seq[String] = all.filterNot(nodes.down.asScala)

  def stop(node: String): Unit = nodes.stop(node)

  def start(started: Seq[String]): Unit = {
    started.foreach { node =>
      // another process may have a connection from the DataNode's port
      await().atMost(Long).ignoreExceptionsInstanceOf(classOf[BindException]).untilAsserted(() => nodes.start(node))
    }
    awaitSeen()
    mini.triggerBlockReports()
  }

  /** Gives a node no room, or all of it again. Returns when the active NameNode knows. */
  def setFull(node: String, full: Boolean): Unit = {
    Using.resource(nodes.running(node).getFSDataset.getFsVolumeReferences) { volumes =>
      volumes.asScala.foreach(_.asInstanceOf[FsVolumeImpl].setCapacityForTesting(if (full) 1 else -1))
    }
    await().atMost(Long).until { () =>
      mini.triggerHeartbeats()
      val manager = mini.getNamesystem(activeNow).getBlockManager.getDatanodeManager
      (manager.getDatanode(node).getRemaining == 0) == full
    }
  }

  /** Lets what is read of a file next be other bytes than those that were written. */
  def corrupt(path: String): Unit =
    for (block <- located(path); location <- block.getLocations)
      mini.corruptReplica(nodes.running(location.getDatanodeUuid), block.getBlock)

  /** True if HDFS knows no sound replica of some block of the file. */
  def isUnreadable(path: String): Boolean = located(path).exists(block => block.isCorrupt || block.getLocations.isEmpty)

  private def located(path: String) =
    mini.getNameNodeRpc(activeNow).getBlockLocations(path, 0, scala.Long.MaxValue).getLocatedBlocks.asScala.toSeq

  /** Makes the other NameNode the active one. */
  def failOver(): Unit = {
    mini.transitionToStandby(activeNow)
    activeNow = 1 - activeNow
    mini.transitionToActive(activeNow)
    awaitSeen()
  }

  /** Ends the active NameNode, makes the other one active, and starts the one that ended. */
  def restartActive(): Unit = {
    val ended = activeNow
    mini.shutdownNameNode(ended)
    activeNow = 1 - ended
    mini.transitionToActive(activeNow)
    mini.restartNameNode(ended, false)
    awaitSeen()
  }

  /** Ends both NameNodes and starts them anew. */
  def restartAll(): Unit = {
    (0 until 2).foreach(mini.shutdownNameNode)
    (0 until 2).foreach(mini.restartNameNode(_, false))
    mini.transitionToActive(activeNow)
    awaitSeen()
  }

  private def awaitSeen(): Unit = await().atMost(Long).until(() => nodes.areAllSeen)

  override def close(): Unit = {
    ofAll.close()
    fs.close()
    mini.shutdown(true)
  }
}

private[recovery] object RecoveryCluster {
  val Long: Duration = Duration.ofSeconds(60)

  /** A NameNode knows by then of what a client has told a DataNode. */
  val Known: Duration = Duration.ofSeconds(10)

  private val Nodes = 9
  private val Racks = 5

  def start(): RecoveryCluster = {
    val conf = MiniCluster.stock()
    conf.setInt("dfs.mpsr.health.interval.seconds", 1)
    conf.setInt("dfs.mpsr.safemode.quiet.seconds", 1)
    conf.setInt("dfs.ha.tail-edits.period", 1)
    conf.setInt("dfs.client.retry.window.base", 10)
    conf.setInt("dfs.client.failover.sleep.base.millis", 5)
    conf.setInt("dfs.client.failover.sleep.max.millis", 50)
    conf.setInt("dfs.client.failover.max.attempts", 1000)
    conf.setInt("dfs.client.retry.max.attempts", 1000)
    MiniCluster.addGroups(conf, TestRecords.groups)
    val mini = MiniCluster.builder(conf, Nodes, Racks).nnTopology(MiniDFSNNTopology.simpleHATopology()).build()
    mini.transitionToActive(0)
    mini.waitActive(0)
    val cluster = new RecoveryCluster(mini)
    cluster.awaitSeen()
    cluster
  }
}
