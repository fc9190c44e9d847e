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
package org.hadoopmpsr.namenode.rebalance;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.LeavingReplicas;
import org.apache.hadoop.hdfs.server.blockmanagement.LeavingReplicas.Copy;
import org.apache.hadoop.hdfs.server.blockmanagement.LeavingReplicas.State;
import org.apache.hadoop.hdfs.server.blockmanagement.StorageBlocks;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.alloc.Throttle;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.BlockGroups;
import org.hadoopmpsr.namenode.store.LockSteps;

/**
 * Moves the blocks of a replica group off a node, once for the blocks that the node held when this object was made, up
 * to a limit. The rest, such as blocks that are being written or whose copy failed, is left for the next drain. For one
 * thread.
 */
final class NodeDrain {
    /** The maximum number of blocks of one drain; it limits the memory. */
    private static final int MOST = 100_000;

    private final MpsrNamesystem system;
    private final Counters counters;
    private final LeavingReplicas replicas;
    private final int transfers;
    private final Throttle throttle;
    private final Deque<Long> todo = new ArrayDeque<>();
    private final Set<Long> copied = new HashSet<>();
    private long found;
    private long bytes;
    private int withoutPlace;

    private NodeDrain(
            MpsrNamesystem system, Counters counters, LeavingReplicas replicas, int transfers, Throttle throttle) {
        this.system = system;
        this.counters = counters;
        this.replicas = replicas;
        this.transfers = transfers;
        this.throttle = throttle;
    }

    /**
     * Finds the blocks of the group on the node.
     *
     * @param allocation the allocation; copies count on nodes that take the group's blocks
     * @param transfers the number of blocks that may be copied at a time
     * @param throttle the throttle of the run
     */
    static NodeDrain of(
            MpsrNamesystem system,
            BlockGroups groups,
            Allocation allocation,
            Counters counters,
            DatanodeDescriptor node,
            String group,
            int transfers,
            Throttle throttle)
            throws IOException {
        LeavingReplicas replicas =
                new LeavingReplicas(system.blocks(), node, other -> allocation.takes(other.getDatanodeUuid(), group));
        NodeDrain drain = new NodeDrain(system, counters, replicas, transfers, throttle);
        for (DatanodeStorageInfo storage : node.getStorageInfos()) {
            long[] ids = blocks(system, storage);
            for (LockSteps.Range range : LockSteps.ranges(ids.length)) {
                drain.find(ids, range, groups, group);
            }
        }
        return drain;
    }

    private static long[] blocks(MpsrNamesystem system, DatanodeStorageInfo storage) throws IOException {
        StorageBlocks blocks = new StorageBlocks(storage);
        int listed = LockSteps.SIZE;
        while (listed == LockSteps.SIZE) {
            listed = system.read(() -> {
                int more = blocks.list(LockSteps.SIZE);
                system.holds().look(more);
                return more;
            });
        }
        return blocks.ids();
    }

    private void find(long[] ids, LockSteps.Range range, BlockGroups groups, String group) throws IOException {
        system.read(() -> {
            system.holds().look(range.to() - range.from());
            for (int i = range.from(); i < range.to(); i++) {
                if (groups.of(ids[i]).filter(group::equals).isPresent()) {
                    found++;
                    if (found <= MOST) {
                        todo.add(ids[i]);
                    }
                    bytes += Math.max(0, replicas.length(ids[i]));
                }
            }
            return true;
        });
    }

    /** True if all blocks up to the limit were handled. The node may still hold some of them. */
    boolean isDone() {
        return todo.isEmpty() && copied.isEmpty();
    }

    /** The number of blocks that are still to be handled, including those beyond the limit. */
    long left() {
        return Math.max(0, found - MOST) + todo.size() + copied.size();
    }

    /** The bytes of the blocks that were found. */
    long bytes() {
        return bytes;
    }

    /** The number of blocks for which no node of the group had room. */
    int withoutPlace() {
        return withoutPlace;
    }

    /** Continues: checks which copies have arrived, and orders as many as allowed. Never waits for a copy. */
    void advance() throws IOException {
        List<Copy> needed = new ArrayList<>();
        List<Long> enough = new ArrayList<>();
        system.read(() -> {
            copied.removeIf(id -> replicas.state(id) != State.COPIED);
            for (int n = 0; n < LockSteps.SIZE && !todo.isEmpty() && copied.size() + needed.size() < transfers; n++) {
                if (!throttle.isOpen(system.clock().monotonicNowNanos())) {
                    break;
                }
                look(todo.remove(), needed, enough);
            }
            return true;
        });
        // choosing takes long in a large cluster, so HDFS does it without the lock too
        Map<Copy, DatanodeStorageInfo[]> orders = new LinkedHashMap<>();
        for (Copy copy : needed) {
            DatanodeStorageInfo[] targets = replicas.target(copy);
            if (targets.length == 0) {
                withoutPlace++;
            } else {
                orders.put(copy, targets);
            }
        }
        if (!orders.isEmpty() || !enough.isEmpty()) {
            system.write("mpsrCopyBlocks", edits -> {
                orders.forEach(replicas::order);
                enough.forEach(replicas::lookAgain);
                return true;
            });
        }
        orders.keySet().forEach(copy -> copied.add(copy.block().getBlockId()));
        counters.add(Counter.DRAINED_BLOCKS, orders.size());
    }

    private void look(long id, List<Copy> needed, List<Long> enough) {
        switch (replicas.state(id)) {
            case NEEDED -> {
                String path = system.fileOf(id);
                if (path != null) {
                    needed.add(replicas.copy(id, path));
                    throttle.begin(
                            Math.max(0, replicas.length(id)), system.clock().monotonicNowNanos());
                }
            }
            case COPIED -> copied.add(id);
            case ENOUGH -> {
                if (enough.size() < transfers) {
                    enough.add(id); // the others next time: HDFS looks at all blocks of the file
                }
            }
            case DELETED, GONE, WRITTEN -> {}
        }
    }
}
