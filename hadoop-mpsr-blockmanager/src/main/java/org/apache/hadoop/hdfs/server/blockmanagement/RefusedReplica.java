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

import org.apache.hadoop.hdfs.protocol.Block;

/** A replica that the NameNode rejects. */
public final class RefusedReplica {

    private RefusedReplica() {}

    /**
     * Stops counting a node's replica, and tells the node with its next heartbeats to delete the replica. Needs the
     * write lock.
     *
     * @return false, with nothing done, if no other replica is readable and stays, or if HDFS deletes nothing: in safe
     *     mode and on a standby
     */
    public static boolean delete(BlockManager blocks, Block block, DatanodeDescriptor node) {
        BlockInfo stored = blocks.getStoredBlock(block);
        if (!blocks.isPopulatingReplQueues()
                || stored != null
                        && ReadableReplicas.lasting(blocks, stored).stream().allMatch(node::equals)) {
            return false;
        }
        if (stored != null) {
            blocks.removeStoredBlock(stored, node);
        }
        blocks.addToInvalidates(block, node);
        return true;
    }
}
