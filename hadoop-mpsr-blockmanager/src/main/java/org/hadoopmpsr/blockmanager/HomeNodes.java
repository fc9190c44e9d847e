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
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.Node;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a group in the order in which they take the blocks of one segment. The first nodes are the homes: a block is
 * given to one of them, drawn at random. The default policy refuses a node that is full, busy or not in service, and draws
 * again; then the other homes follow, and then the next nodes in order. Immutable.
 */
final class HomeNodes implements BlockNodes {
    /**
     * A node with at most so many transfers for each of its volumes is not too busy, however idle the rest of the group
     * is. Writers of one segment share its homes, so that a home has far more than the average. HDFS counts a block that
     * is written as two transfers, and one that is read as one.
     */
    static final int TRANSFERS_PER_VOLUME = 32;

    private final GroupNodes group;
    private final List<DatanodeDescriptor> order;
    private final int homes;

    /** @param homes the number of homes, at least 1 */
    HomeNodes(GroupNodes group, List<DatanodeDescriptor> order, int homes) {
        this.group = group;
        this.order = order;
        this.homes = Math.min(homes, order.size());
    }

    @Override
    public boolean contains(Node node) {
        return group.contains(node);
    }

    /** A segment's blocks would lie wherever its writers run. */
    @Override
    public boolean prefersWriter() {
        return false;
    }

    @Override
    public @Nullable DatanodeDescriptor draw(
            String scope, @Nullable Collection<Node> excluded, @Nullable StorageType type) {
        int first = homes > 1 ? ThreadLocalRandom.current().nextInt(homes) : 0;
        for (int i = 0; i < order.size(); i++) {
            DatanodeDescriptor next = order.get(i < homes ? (first + i) % homes : i);
            if (group.mayBeDrawn(next, scope, excluded, type)) {
                return next;
            }
        }
        return null;
    }

    @Override
    public boolean isTooBusy(DatanodeDescriptor node, double factor, boolean byVolume) {
        int few = TRANSFERS_PER_VOLUME * Math.max(1, node.getNumVolumesAvailable());
        return group.transfers(node) > few && group.isTooBusy(node, factor, byVolume);
    }

    @Override
    public int[] maxNodesPerRack(int chosen, int wanted) {
        return group.maxNodesPerRack(chosen, wanted);
    }
}
