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
package org.hadoopmpsr.namenode.copies;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.ReadableReplicas;
import org.apache.hadoop.hdfs.server.blockmanagement.RefusedReplica;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.ipc.StandbyException;
import org.hadoopmpsr.blockmanager.WrongCopies;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.BlockGroups;
import org.slf4j.Logger;

/**
 * The copies that moves made on DataNodes outside of their block's replica group, or possibly outside, until they are
 * deleted. All NameNodes learn of a move, and each remembers the copies. The active NameNode has them deleted,
 * including those that an earlier active NameNode told a DataNode to delete, because that order may have been lost. The
 * memory ends with the process; {@link FirstReports} finds the copies again after a start. Thread-safe.
 */
public final class MovedCopies implements WrongCopies {
    private static final Logger LOG = PrintableLog.of(MovedCopies.class);
    /** The maximum number of remembered copies; the oldest are forgotten. */
    private static final int MOST = 10_000;
    /** The maximum number of copies in one hold of the write lock; the rest waits for the next call. */
    private static final int BATCH = 1_000;

    /** After this time, a DataNode that has not deleted a copy is told again. */
    private static final long AGAIN_NS = TimeUnit.SECONDS.toNanos(60);
    /** After this time, a failed deletion is tried again. */
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(1);

    /** After this time, a found copy is checked again for being in excess. */
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(10);

    /** After this number of orders, a DataNode is no longer told: the copy is gone, or the node cannot delete it. */
    private static final int MOST_TIMES = 10;

    private static final long NEVER = Long.MIN_VALUE;

    private final MpsrNamesystem system;
    private final Allocation allocation;
    private final BlockGroups groups;
    private final Counters counters;
    private final Map<Copy, Order> copies = new LinkedHashMap<>();

    /** The origin of a copy. */
    public enum Origin {
        /** The copy was made by a move. Moves to a draining node are never valid. */
        MOVED,
        /** The copy arrived late, on a node that has another group by now. */
        LATE,
        /**
         * The copy was there when the NameNode started, for an unknown reason. It is deleted only if it is in excess.
         */
        FOUND
    }

    /** A copy of a block on a node. */
    private record Copy(long block, String node) {}

    /**
     * What was done about a copy.
     *
     * @param times how often the node was told to delete it
     * @param given true when that was so at the last try
     * @param transition of the NameNode when that was tried: HDFS forgets such orders with the next one
     * @param nextNs not before this it is tried again
     */
    private record Order(Block block, Origin origin, int times, boolean given, long transition, long nextNs) {}

    public MovedCopies(MpsrNamesystem system, Allocation allocation, BlockGroups groups, Counters counters) {
        this.system = system;
        this.allocation = allocation;
        this.groups = groups;
        this.counters = counters;
    }

    /** Remembers a copy, which {@link #deleteWrong} judges when this NameNode is active. */
    public synchronized void remember(Block block, String node, Origin origin) {
        copies.putIfAbsent(new Copy(block.getBlockId(), node), new Order(block, origin, 0, false, NEVER, 0));
        if (copies.size() > MOST) {
            copies.remove(copies.keySet().iterator().next());
        }
    }

    /** The node has the copy no more. */
    public synchronized void forget(long block, String node) {
        copies.remove(new Copy(block, node));
    }

    public synchronized boolean any() {
        return !copies.isEmpty();
    }

    /** The ids of the blocks whose copies on the node are to be deleted. There are others of each. */
    public synchronized Set<Long> refusedOn(String node) {
        return copies.entrySet().stream()
                .filter(e -> e.getKey().node().equals(node) && e.getValue().given())
                .map(e -> e.getKey().block())
                .collect(Collectors.toSet());
    }

    private synchronized Map<Copy, Order> remembered() {
        return new LinkedHashMap<>(copies);
    }

    private boolean isWrong(Copy copy, Order order) throws IOException {
        Optional<String> group = groups.of(copy.block());
        return group.isPresent()
                && (order.origin() == Origin.MOVED
                        ? !allocation.takes(copy.node(), group.get())
                        : !group.get().equals(allocation.recorded().get(copy.node())));
    }

    /**
     * Stops counting wrong copies and has them deleted, also if the block's file was deleted meanwhile; forgets all
     * others. Only on the active NameNode, when it knows the groups of nodes and blocks. Does nothing while HDFS
     * deletes nothing, as in safe mode.
     */
    public void deleteWrong() throws IOException {
        if (!any()
                || !system.ha().isWritable()
                || !allocation.isCurrent()
                || system.safeMode().isOn()
                || !system.blocks().isPopulatingReplQueues()) {
            return;
        }
        List<Copy> wrong = new ArrayList<>();
        long now = system.clock().monotonicNowNanos();
        for (Map.Entry<Copy, Order> entry : remembered().entrySet()) {
            Copy copy = entry.getKey();
            Order order = entry.getValue();
            if (order.transition() == system.ha().transition() && now - order.nextNs() < 0) {
                continue;
            }
            if (order.times() >= MOST_TIMES || groups.isKnown(copy.block()) && !isWrong(copy, order)) {
                forget(copy.block(), copy.node());
            } else if (wrong.size() < BATCH) {
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

    /** True if the block has enough copies in its group. Needs the lock. */
    private boolean isOneTooMany(Block block) {
        BlockInfo stored = system.blocks().getStoredBlock(block);
        String file = system.fileOf(block.getBlockId());
        Optional<String> group = file == null ? Optional.empty() : groups.ofFile(file);
        return stored == null
                || group.isEmpty()
                || ReadableReplicas.lasting(system.blocks(), stored).stream()
                                .filter(n ->
                                        group.get().equals(allocation.recorded().get(n.getDatanodeUuid())))
                                .count()
                        >= stored.getReplication();
    }

    @Override
    public synchronized Set<String> among(Set<String> nodes) {
        Set<String> wrong = new HashSet<>();
        copies.forEach((copy, order) -> {
            BlockInfo stored = nodes.contains(copy.node()) ? system.blocks().getStoredBlock(order.block()) : null;
            if (stored != null
                    && ReadableReplicas.of(system.blocks(), stored).stream()
                            .map(DatanodeDescriptor::getDatanodeUuid)
                            .collect(Collectors.toSet())
                            .containsAll(nodes)
                    && isWrongUnderLock(copy, order)) {
                wrong.add(copy.node());
            }
        });
        return wrong;
    }

    private boolean isWrongUnderLock(Copy copy, Order order) {
        try {
            return isWrong(copy, order);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // resolves no path, so cannot happen
        }
    }

    private synchronized void delete(Copy copy) {
        Order order = copies.get(copy);
        DatanodeDescriptor node = system.blocks().getDatanodeManager().getDatanode(copy.node());
        if (order == null) {
            return;
        }
        boolean given = node != null
                && (order.origin() != Origin.FOUND || isOneTooMany(order.block()))
                && RefusedReplica.delete(system.blocks(), order.block(), node);
        if (given && order.times() == 0) {
            counters.increment(Counter.REFUSED_MOVES);
            LOG.info("MPSR: has the copy of {} on {} deleted, which is not of its replica group", order.block(), node);
        }
        long retryNs = order.origin() == Origin.FOUND ? LOOK_NS : RETRY_NS;
        copies.put(
                copy,
                new Order(
                        order.block(),
                        order.origin(),
                        order.times() + (given ? 1 : 0),
                        given,
                        system.ha().transition(),
                        system.clock().monotonicNowNanos() + (given || node == null ? AGAIN_NS : retryNs)));
    }
}
