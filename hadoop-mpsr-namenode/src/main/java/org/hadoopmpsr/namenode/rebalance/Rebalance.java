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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.alloc.Node;
import org.hadoopmpsr.core.alloc.NodeMove;
import org.hadoopmpsr.core.alloc.RebalancePlan;
import org.hadoopmpsr.core.alloc.RebalancePlanner;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.layout.MoveRecord;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.Readiness;
import org.hadoopmpsr.namenode.rebalance.RebalanceState.GroupedNode;
import org.hadoopmpsr.namenode.rebalance.RebalanceState.OpenMove;

/** The administrator's operations on the allocation of nodes: plan, start and cancel moves, and forget nodes. */
public final class Rebalance {
    /** A petabyte, which is far below the limit of a long. */
    private static final long MAX_BANDWIDTH = 1L << 50;

    private final MpsrNamesystem system;
    private final StoreLayout layout;
    private final MpsrConfig config;
    private final Readiness readiness;
    private final Allocation allocation;
    private final RebalanceRun run;

    public Rebalance(
            MpsrNamesystem system,
            StoreLayout layout,
            MpsrConfig config,
            Readiness readiness,
            Allocation allocation,
            RebalanceRun run) {
        this.system = system;
        this.layout = layout;
        this.config = config;
        this.readiness = readiness;
        this.allocation = allocation;
        this.run = run;
    }

    /** The moves that are possible, or that are being made. */
    public RebalanceState show() throws IOException {
        check();
        return state();
    }

    /**
     * Starts the possible moves, unless moves are being made already.
     *
     * @param transfers the number of blocks that may be copied at a time
     * @param bandwidth the bytes that may be copied per second; 0 for no limit
     */
    public RebalanceState execute(int transfers, long bandwidth) throws IOException {
        check();
        start(transfers, bandwidth);
        return state();
    }

    /** Cancels the unfinished moves. */
    public RebalanceState cancel() throws IOException {
        check();
        takeBack();
        return state();
    }

    private void check() throws IOException {
        system.checkWritable();
        system.checkSuperuser("mpsrRebalance", layout.nodesDir());
    }

    private RebalanceState state() throws IOException {
        return allocation.moves().isEmpty() ? planned() : running();
    }

    private RebalancePlan plan() throws IOException {
        readiness.refresh();
        if (readiness.status().state() == Readiness.State.OFF) {
            throw new IOException(readiness.status().message());
        }
        return RebalancePlanner.plan(
                config.groups().map(ReplicaGroups::groups).orElse(List.of()), allocation.members());
    }

    private void start(int transfers, long bandwidth) throws IOException {
        if (transfers < 1) {
            throw new IOException("cannot copy " + transfers + " blocks at a time; give a number from 1");
        }
        if (bandwidth < 0 || bandwidth > MAX_BANDWIDTH) {
            throw new IOException("cannot copy " + bandwidth + " bytes per second; give a number from 1 to "
                    + MAX_BANDWIDTH + ", or 0 for no limit");
        }
        if (!allocation.moves().isEmpty()) {
            return;
        }
        Map<String, String> seen = allocation.recorded();
        RebalancePlan plan = plan();
        if (plan.moves().isEmpty()) {
            return;
        }
        system.write("mpsrRebalance", edits -> {
            if (!allocation.recorded().equals(seen) || !allocation.moves().isEmpty()) {
                throw new IOException("the allocation of nodes changed while the plan was made; try again");
            }
            Map<String, MoveRecord> moves = new LinkedHashMap<>();
            for (NodeMove move : plan.moves()) {
                moves.put(move.node().uuid(), new MoveRecord(move.step(), move.to(), transfers, bandwidth));
            }
            allocation.recordMoves(edits, moves);
            return true;
        });
    }

    private void takeBack() throws IOException {
        if (allocation.moves().isEmpty() && allocation.unknownRecords().isEmpty()) {
            return;
        }
        system.write("mpsrCancelRebalance", edits -> {
            allocation.deleteMoves(edits);
            return true;
        });
    }

    private RebalanceState.Planned planned() throws IOException {
        RebalancePlan plan = plan();
        return new RebalanceState.Planned(plan.moves(), plan.refused());
    }

    private RebalanceState.Running running() {
        Set<String> draining = allocation.draining();
        List<OpenMove> moves = allocation.moves().entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<String, MoveRecord> m) ->
                                m.getValue().step())
                        .thenComparing(Map.Entry::getKey))
                .map(move -> new OpenMove(
                        node(move.getKey()),
                        move.getValue().to(),
                        move.getValue().step(),
                        draining.contains(move.getKey()),
                        run.left(move.getKey())))
                .toList();
        return new RebalanceState.Running(moves, run.waiting());
    }

    private GroupedNode node(String uuid) {
        DatanodeDescriptor node = system.blocks().getDatanodeManager().getDatanode(uuid);
        return new GroupedNode(
                new Node(uuid, node == null ? "" : node.getHostName(), node == null ? "" : node.getNetworkLocation()),
                allocation.recorded().getOrDefault(uuid, ""));
    }

    /**
     * Removes the records of nodes, with their planned moves. Nodes without a record are ignored.
     *
     * @return the nodes, with their former groups
     * @throws IOException if one of the nodes is alive; no record is removed then
     */
    public List<GroupedNode> forget(List<String> uuids) throws IOException {
        system.checkWritable();
        system.checkSuperuser("mpsrForgetNodes", layout.nodesDir());
        List<String> recorded = uuids.stream()
                .filter(allocation.recorded()::containsKey)
                .distinct()
                .toList();
        List<GroupedNode> nodes = recorded.stream().map(this::node).toList();
        if (!nodes.isEmpty()) {
            system.write("mpsrForgetNodes", edits -> {
                String alive = allocation.live().stream()
                        .filter(n -> recorded.contains(n.uuid()))
                        .map(n -> n.host() + " (" + n.uuid() + ")")
                        .collect(Collectors.joining(", "));
                if (!alive.isEmpty()) {
                    throw new IOException("cannot forget " + alive + ": alive; decommission and stop a DataNode first");
                }
                allocation.forget(edits, recorded);
                return true;
            });
        }
        return nodes;
    }
}
