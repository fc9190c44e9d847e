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
package org.apache.hadoop.hdfs.server.blockmanagement;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.net.NetworkTopology;
import org.apache.hadoop.net.Node;

/** Opens package-private decisions of the default policy to a subclass in another package. Changes none of them. */
public abstract class BridgedPlacementPolicy extends BlockPlacementPolicyDefault {

    @Override
    public void initialize(
            Configuration conf, FSClusterStats stats, NetworkTopology topology, Host2NodesMap nodesByHost) {
        super.initialize(conf, stats, topology, nodesByHost);
        initialized(topology, stats != null || nodesByHost != null);
    }

    /**
     * Called when the policy is ready.
     *
     * @param inNameNode false in a process that moves blocks, such as the Balancer
     */
    protected void initialized(NetworkTopology topology, boolean inNameNode) {}

    @Override
    final boolean excludeNodeByLoad(DatanodeDescriptor node) {
        return isTooBusy(node);
    }

    /** True if a node is refused because of its load. Called only if {@code considerLoad} is on. */
    protected boolean isTooBusy(DatanodeDescriptor node) {
        return super.excludeNodeByLoad(node);
    }

    @Override
    final DatanodeStorageInfo[] chooseTarget(
            String src,
            int replicas,
            Node writer,
            Set<Node> excluded,
            long blockSize,
            List<DatanodeDescriptor> favored,
            BlockStoragePolicy storagePolicy,
            EnumSet<AddBlockFlag> flags) {
        return chooseFavored(src, replicas, writer, excluded, blockSize, favored, storagePolicy, flags);
    }

    /**
     * Chooses the targets of a new block.
     *
     * @param favored the nodes that the client asked for; null or empty if it asked for none
     */
    protected DatanodeStorageInfo[] chooseFavored(
            String src,
            int replicas,
            Node writer,
            Set<Node> excluded,
            long blockSize,
            List<DatanodeDescriptor> favored,
            BlockStoragePolicy storagePolicy,
            EnumSet<AddBlockFlag> flags) {
        return super.chooseTarget(src, replicas, writer, excluded, blockSize, favored, storagePolicy, flags);
    }
}
