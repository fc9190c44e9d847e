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
package org.hadoopmpsr.blockmanager;

import java.util.Collection;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;

/** The DataNodes from which the targets of one block are chosen. */
interface BlockNodes {

    /** True if a block may lie on this node. */
    boolean contains(Node node);

    /** True if a writer that is one of the nodes gets the first copy of a block. */
    boolean prefersWriter();

    /**
     * Draws one of the nodes.
     *
     * @param scope a rack, or a level above it; with {@code ~} in front, everything outside of it
     * @param excluded nodes that are not drawn; null for none
     * @param type the storage type that the node must have; null for any
     * @return null if no node is eligible
     */
    @Nullable
    DatanodeDescriptor draw(String scope, @Nullable Collection<Node> excluded, @Nullable StorageType type);

    /**
     * True if a node has too many transfers for one more.
     *
     * @param factor how many times the average of the nodes a node may have
     * @param byVolume true to compare the transfers of each volume too
     */
    boolean isTooBusy(DatanodeDescriptor node, double factor, boolean byVolume);

    /**
     * The maximum number of replicas on one rack, in the form that the default policy expects.
     *
     * @return the number of replicas that can still be placed, and the maximum per rack
     */
    int[] maxNodesPerRack(int chosen, int wanted);
}
