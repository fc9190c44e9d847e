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

import org.apache.hadoop.hdfs.MiniDFSCluster
import org.hadoopmpsr.core.group.ReplicaGroups
import org.hadoopmpsr.testing.MiniCluster

/** Mini clusters, each DataNode in a rack of its own. */
object TestClusters {

  /** A NameNode with MPSR, and a DataNode for each group. */
  def of(groups: ReplicaGroups, settings: (String, String)*): MiniDFSCluster = of(groups, 1, settings: _*)

  /** With more DataNodes for each group. */
  def of(groups: ReplicaGroups, nodesOfGroup: Int, settings: (String, String)*): MiniDFSCluster = {
    val conf = MiniCluster.stock()
    settings.foreach { case (key, value) => conf.set(key, value) }
    MiniCluster.addGroups(conf, groups)
    val nodes = groups.names.size * nodesOfGroup
    MiniCluster.start(MiniCluster.builder(conf, nodes, nodes))
  }

  /** As without MPSR. */
  def plain(): MiniDFSCluster = MiniCluster.start(MiniCluster.builder(MiniCluster.stock(), 1, 1))
}
