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

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;

/** Finds the replicas of a block that a client can read. */
public final class ReadableReplicas {

    private ReadableReplicas() {}

    /** The DataNodes that hold a replica which is neither corrupt, nor on a failed storage, nor on a dead node. */
    public static List<DatanodeDescriptor> of(BlockManager blocks, BlockInfo block) {
        List<DatanodeDescriptor> nodes = new ArrayList<>();
        for (DatanodeStorageInfo storage : blocks.getStorages(block)) {
            DatanodeDescriptor node = storage.getDatanodeDescriptor();
            boolean failed = storage.getState() == DatanodeStorage.State.FAILED;
            if (!failed && node.isAlive() && !blocks.isReplicaCorrupt(block, node)) {
                nodes.add(node);
            }
        }
        return nodes;
    }

    /** Those of them that stay: HDFS has not decided to delete them. */
    public static List<DatanodeDescriptor> lasting(BlockManager blocks, BlockInfo block) {
        List<DatanodeDescriptor> nodes = of(blocks, block);
        nodes.removeIf(node -> blocks.isExcess(node, block) || blocks.containsInvalidateBlock(node, block));
        return nodes;
    }

    /** True if a replica of the block is known to be corrupt. */
    public static boolean areCorrupt(BlockManager blocks, BlockInfo block) {
        return blocks.numCorruptReplicas(block) > 0;
    }

    /**
     * Those of them whose node sent a heartbeat within HDFS's {@code dfs.namenode.stale.datanode.interval}. HDFS
     * declares a node dead long after this.
     */
    public static List<DatanodeDescriptor> fresh(BlockManager blocks, BlockInfo block) {
        long staleMs = blocks.getDatanodeManager().getStaleInterval();
        List<DatanodeDescriptor> nodes = of(blocks, block);
        nodes.removeIf(node -> node.isStale(staleMs));
        return nodes;
    }
}
