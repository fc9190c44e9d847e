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
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.alloc.Throttle;
import org.hadoopmpsr.core.layout.MoveRecord;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.BlockGroups;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Makes the recorded moves of nodes, step by step. It moves the blocks of the old group off the nodes of a step, one
 * node after the other, and gives the nodes their new groups when none of them holds such a block any more. A node, or
 * a rack if there are enough racks, therefore never holds blocks of two groups. A restart or a failover continues the
 * run. {@link #advance} is for one thread, the other methods are thread-safe.
 */
public final class RebalanceRun {
    private static final Logger LOG = PrintableLog.of(RebalanceRun.class);
    /** The time between two checks that nodes are empty: longer than a call that started with the earlier view. */
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(2);

    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
    /** The search for blocks may take one part in this many of the time. */
    private static final int SCAN_SHARE = 10;

    private final MpsrNamesystem system;
    private final Obstacles obstacles;
    private final Allocation allocation;
    private final BlockGroups groups;
    private final Counters counters;

    private final Map<String, Long> left = new ConcurrentHashMap<>();
    private volatile String waiting = "";
    private Set<String> step = Set.of();
    private @Nullable NodeDrain drain;
    private String drained = "";
    private String withoutPlace = "";
    private long nextLookNs;
    private boolean foundEmpty;
    private Throttle throttle;

    public RebalanceRun(
            MpsrNamesystem system, Obstacles obstacles, Allocation allocation, BlockGroups groups, Counters counters) {
        this.system = system;
        this.obstacles = obstacles;
        this.allocation = allocation;
        this.groups = groups;
        this.counters = counters;
        this.nextLookNs = system.clock().monotonicNowNanos();
        this.throttle = new Throttle(0, nextLookNs);
    }

    /** The reason why the run does not continue; empty if it continues, or there is no move. */
    public String waiting() {
        return waiting;
    }

    /** The number of blocks left on a node of the current step, or null if it is unknown. */
    @Nullable
    Long left(String uuid) {
        return left.get(uuid);
    }

    /** Does everything that is possible now. Costs almost nothing if there is no move. */
    public void advance() throws IOException {
        if (system.safeMode().isOn() || !allocation.isCurrent()) {
            return;
        }
        Set<String> now = allocation.draining();
        if (!now.equals(step)) {
            step = now;
            drain = null;
            foundEmpty = false;
            waiting = "";
            withoutPlace = "";
            left.clear();
            nextLookNs = system.clock().monotonicNowNanos();
        }
        if (step.isEmpty()) {
            return;
        }
        if (drain != null) {
            goOn(drain);
        } else if (system.clock().monotonicNowNanos() - nextLookNs >= 0) {
            look();
        }
    }

    private void goOn(NodeDrain node) throws IOException {
        node.advance();
        left.put(drained, node.left());
        if (node.isDone()) {
            drain = null;
            withoutPlace = node.withoutPlace() == 0
                    ? ""
                    : node.withoutPlace() + " block(s) of " + drained + " found no place on the other DataNodes of its"
                            + " replica group";
            waiting = withoutPlace;
        }
    }

    private void look() throws IOException {
        long start = system.clock().monotonicNowNanos();
        String problem = system.read(() -> obstacles.inNodes(step));
        if (problem == null) {
            problem = lookAtBlocks();
        }
        if (problem != null) {
            waiting = problem;
            foundEmpty = false;
        }
        long now = system.clock().monotonicNowNanos();
        long pause = problem != null ? PAUSE_NS : foundEmpty ? SETTLE_NS : 0;
        nextLookNs = now + Math.max(pause, SCAN_SHARE * (now - start));
    }

    /** Starts with the first node that holds blocks; if there is none, ends the step. Returns the obstacle, or null. */
    private @Nullable String lookAtBlocks() throws IOException {
        for (String uuid : new TreeSet<>(step)) {
            DatanodeDescriptor node = system.blocks().getDatanodeManager().getDatanode(uuid);
            String group = allocation.recorded().get(uuid);
            MoveRecord move = allocation.moves().get(uuid);
            if (node == null || group == null || move == null) {
                return null; // changed a moment ago
            }
            NodeDrain found = NodeDrain.of(
                    system, groups, allocation, counters, node, group, move.transfers(), throttle(move.bandwidth()));
            left.put(uuid, found.left());
            if (!found.isDone()) {
                String problem = obstacles.inRoom(step, uuid, found.bytes());
                foundEmpty = false;
                if (problem == null) {
                    drain = found;
                    drained = uuid;
                    waiting = withoutPlace;
                }
                return problem;
            }
        }
        waiting = "";
        String open = system.read(() -> obstacles.inOpenFiles(step));
        if (open != null || !foundEmpty) {
            foundEmpty = open == null;
            return open;
        }
        return endStep();
    }

    /** The throttle, which stays one object as long as the rate is unchanged, and thereby limits all scans together. */
    private Throttle throttle(long bandwidth) {
        if (throttle.bytesPerSecond() != bandwidth) {
            throttle = new Throttle(bandwidth, system.clock().monotonicNowNanos());
        }
        return throttle;
    }

    private @Nullable String endStep() throws IOException {
        return system.write("mpsrMoveNodes", edits -> {
            if (!allocation.draining().equals(step)) {
                return null; // cancelled a moment ago
            }
            String reason = obstacles.inNodes(step);
            reason = reason == null ? obstacles.inOpenFiles(step) : reason;
            reason = reason == null ? obstacles.onRacks(step) : reason;
            if (reason == null) {
                for (String uuid : step) {
                    LOG.info(
                            "MPSR: DataNode {} leaves replica group {} for {}",
                            uuid,
                            allocation.recorded().get(uuid),
                            allocation.moves().get(uuid));
                }
                allocation.move(edits, step);
                counters.add(Counter.MOVED_NODES, step.size());
            }
            return reason;
        });
    }
}
