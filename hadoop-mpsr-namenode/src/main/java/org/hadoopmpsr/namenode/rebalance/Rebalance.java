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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeMoveProto;
import org.hadoopmpsr.client.proto.MpsrProtos.NodeProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceRequestProto;
import org.hadoopmpsr.client.proto.MpsrProtos.RebalanceResponseProto;
import org.hadoopmpsr.core.alloc.NodeMove;
import org.hadoopmpsr.core.alloc.RebalancePlan;
import org.hadoopmpsr.core.alloc.RebalancePlanner;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.layout.MoveRecord;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.Readiness;

/** What an administrator does to the allocation of nodes: plan, start and cancel moves, and forget nodes. */
public final class Rebalance {
    /** A petabyte; far from what a long cannot hold. */
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

    public RebalanceRun run() {
        return run;
    }

    /** Answers with the moves that could be made, or are being made after the call. */
    public RebalanceResponseProto call(RebalanceRequestProto request) throws IOException {
        system.checkWritable();
        system.checkSuperuser("mpsrRebalance", layout.nodesDir());
        switch (request.getAction()) {
            case EXECUTE -> start(request.getTransfers(), request.getBandwidth());
            case CANCEL -> cancel();
            case SHOW -> {}
        }
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

    private void cancel() throws IOException {
        if (allocation.moves().isEmpty()) {
            return;
        }
        system.write("mpsrCancelRebalance", edits -> {
            allocation.deleteMoves(edits);
            return true;
        });
    }

    private RebalanceResponseProto planned() throws IOException {
        RebalancePlan plan = plan();
        RebalanceResponseProto.Builder answer =
                RebalanceResponseProto.newBuilder().setRunning(false).addAllRefused(plan.refused());
        for (NodeMove move : plan.moves()) {
            answer.addMove(NodeMoveProto.newBuilder()
                    .setNode(NodeProto.newBuilder()
                            .setUuid(move.node().uuid())
                            .setHost(move.node().host())
                            .setRack(move.node().rack())
                            .setGroup(move.from()))
                    .setTo(move.to())
                    .setStep(move.step())
                    .setReason(move.reason())
                    .setBytes(move.bytes()));
        }
        return answer.build();
    }

    private RebalanceResponseProto running() {
        RebalanceResponseProto.Builder answer =
                RebalanceResponseProto.newBuilder().setRunning(true);
        Set<String> draining = allocation.draining();
        allocation.moves().entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<String, MoveRecord> m) ->
                                m.getValue().step())
                        .thenComparing(Map.Entry::getKey))
                .forEach(move -> {
                    NodeMoveProto.Builder proto = NodeMoveProto.newBuilder()
                            .setNode(node(move.getKey()))
                            .setTo(move.getValue().to())
                            .setStep(move.getValue().step())
                            .setDraining(draining.contains(move.getKey()));
                    Long left = run.left(move.getKey());
                    answer.addMove(left == null ? proto : proto.setBlocksLeft(left));
                });
        return run.waiting().isEmpty()
                ? answer.build()
                : answer.setWaiting(run.waiting()).build();
    }

    private NodeProto node(String uuid) {
        DatanodeDescriptor node = system.blocks().getDatanodeManager().getDatanode(uuid);
        return NodeProto.newBuilder()
                .setUuid(uuid)
                .setHost(node == null ? "" : node.getHostName())
                .setRack(node == null ? "" : node.getNetworkLocation())
                .setGroup(allocation.recorded().getOrDefault(uuid, ""))
                .build();
    }

    /**
     * Removes the records of nodes, with the moves that were planned for them; nodes without a record are passed over.
     *
     * @return the nodes, with the groups that they had
     * @throws IOException when one is alive; no record is removed then
     */
    public List<NodeProto> forget(List<String> uuids) throws IOException {
        system.checkWritable();
        system.checkSuperuser("mpsrForgetNodes", layout.nodesDir());
        List<String> recorded = uuids.stream()
                .filter(allocation.recorded()::containsKey)
                .distinct()
                .toList();
        List<NodeProto> nodes =
                new ArrayList<>(recorded.stream().map(this::node).toList());
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
