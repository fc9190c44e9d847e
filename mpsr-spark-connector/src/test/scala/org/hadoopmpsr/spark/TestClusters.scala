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

import org.apache.hadoop.conf.Configuration
import org.apache.hadoop.hdfs.{HdfsConfiguration, MiniDFSCluster}
import org.hadoopmpsr.core.group.ReplicaGroups

/** Mini clusters, each DataNode in a rack of its own. */
object TestClusters {

  /** A NameNode with MPSR, and a DataNode for each group. */
  def of(groups: ReplicaGroups): MiniDFSCluster = {
    val conf = configuration()
    conf.set("dfs.block.replicator.classname", "org.hadoopmpsr.blockmanager.MpsrBlockPlacementPolicy")
    conf.set("dfs.namenode.plugins", "org.hadoopmpsr.namenode.MpsrPlugin")
    conf.set("dfs.mpsr.replica.groups", groups.names.asScala.mkString(","))
    groups.groups.forEach { g =>
      conf.set(s"dfs.mpsr.replica.group.${g.name}.predicates", g.predicates.asScala.map(_.text).mkString(", "))
    }
    start(conf, groups.names.size)
  }

  /** As without MPSR. */
  def plain(): MiniDFSCluster = start(configuration(), 1)

  private def configuration(): Configuration = {
    val conf = new HdfsConfiguration
    conf.setInt("dfs.heartbeat.interval", 1)
    conf.setInt("dfs.namenode.redundancy.interval.seconds", 1)
    conf.set("dfs.client.block.write.locateFollowingBlock.initial.delay.ms", "10")
    conf
  }

  private def start(conf: Configuration, nodes: Int): MiniDFSCluster = {
    val cluster = new MiniDFSCluster.Builder(conf, TestDirectories.create("mpsr-dfs").toFile)
      .numDataNodes(nodes)
      .racks(Array.tabulate(nodes)(i => s"/r$i"))
      .build()
    cluster.waitActive()
    cluster
  }
}
