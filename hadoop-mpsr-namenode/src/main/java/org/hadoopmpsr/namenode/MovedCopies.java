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
package org.hadoopmpsr.namenode;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.RefusedReplica;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.StandbyException;
import org.hadoopmpsr.namenode.Counters.Counter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The copies that moves made on DataNodes which are not of their block's replica group, or may not be, until they are
 * deleted. All NameNodes are told of a move, so each remembers them; the active one has them deleted, also those that
 * one before it had told a DataNode to delete, for that may have been lost. Not kept over a restart. Thread-safe.
 */
final class MovedCopies {
    private static final Logger LOG = LoggerFactory.getLogger(MovedCopies.class);
    /** Bounds the memory; older ones are forgotten. */
    private static final int MOST = 10_000;
    /** Then a DataNode that has not deleted a copy is told once more. */
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(60);
    /** Then it is tried again to have a copy deleted that could not be. */
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    private final MpsrNamesystem system;
    private final Allocation allocation;
    private final BlockGroups groups;
    private final Counters counters;
    private final Map<Copy, Order> copies = new LinkedHashMap<>();

    /** A block's copy on a node. */
    private record Copy(long block, String node) {}

    /**
     * What was done about a copy.
     *
     * @param given true when the node was told to delete it
     * @param nextNs not before this it is told, or told again
     */
    private record Order(Block block, boolean given, long nextNs) {}

    MovedCopies(MpsrNamesystem system, Allocation allocation, BlockGroups groups, Counters counters) {
        this.system = system;
        this.allocation = allocation;
        this.groups = groups;
        this.counters = counters;
    }

    /** Remembers a copy, which {@link #deleteWrong} judges when this NameNode is active. */
    synchronized void remember(Block block, String node) {
        copies.putIfAbsent(new Copy(block.getBlockId(), node), new Order(block, false, System.nanoTime()));
        if (copies.size() > MOST) {
            copies.remove(copies.keySet().iterator().next());
        }
    }

    /** The node has the copy no more. */
    synchronized void forget(long block, String node) {
        copies.remove(new Copy(block, node));
    }

    synchronized boolean any() {
        return !copies.isEmpty();
    }

    /** The ids of the blocks whose copies on the node must not be counted. */
    Set<Long> wrongOn(String node) throws IOException {
        Set<Long> wrong = remembered().keySet().stream()
                .filter(copy -> copy.node().equals(node))
                .map(Copy::block)
                .collect(Collectors.toSet());
        for (Long block : List.copyOf(wrong)) {
            if (!isWrong(block, node)) {
                wrong.remove(block);
            }
        }
        return wrong;
    }

    private synchronized Map<Copy, Order> remembered() {
        return new LinkedHashMap<>(copies);
    }

    private boolean isWrong(long block, String node) throws IOException {
        Optional<String> group = groups.of(block);
        return group.isPresent() && !allocation.takes(node, group.get());
    }

    /**
     * On the active NameNode, when it knows the groups of nodes and blocks: does not count what is wrong, and has it deleted; forgets the others. No effect while
     * HDFS deletes nothing, as in safe mode.
     */
    void deleteWrong() throws IOException {
        if (!any()
                || !system.ha().isWritable()
                || !allocation.isCurrent()
                || system.safeMode().isOn()
                || !system.blocks().isPopulatingReplQueues()) {
            return;
        }
        List<Copy> wrong = new ArrayList<>();
        long now = System.nanoTime();
        for (Map.Entry<Copy, Order> entry : remembered().entrySet()) {
            Copy copy = entry.getKey();
            if (!isWrong(copy.block(), copy.node())) {
                forget(copy.block(), copy.node());
            } else if (now - entry.getValue().nextNs() >= 0) {
                wrong.add(copy);
            }
        }
        if (!wrong.isEmpty()) {
            try {
                system.writeEvenInSafeMode("mpsrRefuseMoves", edits -> {
                    wrong.forEach(this::delete);
                    return true;
                });
            } catch (StandbyException e) {
                LOG.debug("the NameNode that is active now does it", e);
            }
        }
    }

    private synchronized void delete(Copy copy) {
        Order order = copies.get(copy);
        DatanodeDescriptor node = system.blocks().getDatanodeManager().getDatanode(copy.node());
        if (order == null) {
            return;
        }
        boolean given = node != null && RefusedReplica.delete(system.blocks(), order.block(), node);
        if (given && !order.given()) {
            counters.increment(Counter.REFUSED_MOVES);
            LOG.info("MPSR: refused a move of {} to {}, which is not of its replica group", order.block(), node);
        }
        copies.put(
                copy,
                new Order(order.block(), given || order.given(), System.nanoTime() + (given ? AGAIN_NS : RETRY_NS)));
    }
}
