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
package org.hadoopmpsr.namenode.nodes;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.alloc.Member;
import org.hadoopmpsr.core.alloc.Node;
import org.hadoopmpsr.core.alloc.NodeAllocation;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.layout.MoveRecord;
import org.hadoopmpsr.core.layout.StoreLayout;
import org.hadoopmpsr.namenode.store.Listeners;
import org.hadoopmpsr.namenode.store.Namespace;
import org.slf4j.Logger;

/** The present and the planned replica group of each DataNode, as directories in the store record them. Thread-safe. */
public final class Allocation {
    private static final Logger LOG = PrintableLog.of(Allocation.class);
    private static final long ON_THE_WAY_NS = TimeUnit.MINUTES.toNanos(10);

    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private final Map<String, Long> changedNs = new ConcurrentHashMap<>();
    private volatile Map<String, String> recorded = Map.of();
    private volatile Map<String, MoveRecord> moves = Map.of();
    private volatile List<String> unknownRecords = List.of();
    private volatile long loadedFor = Long.MIN_VALUE;
    private final Listeners listeners = new Listeners();

    public Allocation(MpsrNamesystem system, Namespace namespace, StoreLayout layout) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
    }

    /** The listeners that are called whenever the records were read again or changed. */
    public Listeners listeners() {
        return listeners;
    }

    /** Reads the records again. */
    public void load() throws IOException {
        long transition = system.ha().transition();
        system.read(() -> {
            Map<String, String> groups = new HashMap<>();
            Map<String, MoveRecord> toMove = new HashMap<>();
            List<String> unknown = new ArrayList<>();
            for (INode group : namespace.children(layout.nodesDir())) {
                for (INode node : Namespace.children(group)) {
                    groups.put(node.getLocalName(), group.getLocalName());
                    for (INode child : Namespace.children(node)) {
                        MoveRecord move = MoveRecord.parse(child.getLocalName()).orElse(null);
                        if (move == null) {
                            unknown.add(child.getFullPathName());
                        } else if (!move.to().equals(group.getLocalName())) { // else it has moved
                            toMove.put(node.getLocalName(), move);
                        }
                    }
                }
            }
            recorded.forEach((uuid, group) -> {
                if (!group.equals(groups.getOrDefault(uuid, group))) {
                    changed(uuid); // another NameNode was active then
                }
            });
            recorded = Map.copyOf(groups);
            moves = Map.copyOf(toMove);
            if (!unknown.equals(unknownRecords)) {
                unknown.forEach(record -> LOG.warn("MPSR: {} is of an unknown form and is ignored", record));
            }
            unknownRecords = List.copyOf(unknown);
            return true;
        });
        loadedFor = transition;
        listeners.tell();
    }

    /** The group by node uuid. Immutable. */
    public Map<String, String> recorded() {
        return recorded;
    }

    /** True if the records were read since this NameNode last became active or standby. */
    public boolean isCurrent() {
        return loadedFor == system.ha().transition();
    }

    /** The nodes that are to change their group, by uuid. Immutable. */
    public Map<String, MoveRecord> moves() {
        return moves;
    }

    /** The paths of records of moves whose form is not known, which are ignored. */
    public List<String> unknownRecords() {
        return unknownRecords;
    }

    /** The nodes of the first unfinished step, which accept no more blocks of their group. */
    public Set<String> draining() {
        int first = moves.values().stream().mapToInt(MoveRecord::step).min().orElse(0);
        Set<String> draining = new HashSet<>();
        moves.forEach((uuid, move) -> {
            if (move.step() == first) {
                draining.add(uuid);
            }
        });
        return draining;
    }

    /** True if the node accepts blocks of the group. */
    public boolean takes(String uuid, String group) {
        return group.equals(recorded.get(uuid)) && !draining().contains(uuid);
    }

    /** True if the node got another group so recently that blocks of the old group may still be on their way. */
    public boolean hasChanged(String uuid) {
        Long changed = changedNs.get(uuid);
        return changed != null && system.clock().monotonicNowNanos() - changed < ON_THE_WAY_NS;
    }

    private interface Change {
        void run() throws IOException;
    }

    /** Makes a change and calls the listeners, also if the change fails half-way. */
    private void change(Change change) throws IOException {
        try {
            change.run();
        } finally {
            listeners.tell();
        }
    }

    private void changed(String uuid) {
        changedNs.keySet().removeIf(node -> !hasChanged(node));
        changedNs.put(uuid, system.clock().monotonicNowNanos());
    }

    /** Records that nodes are to change their groups, by uuid. Needs the write lock. */
    public void recordMoves(NamespaceEdits edits, Map<String, MoveRecord> planned) throws IOException {
        change(() -> {
            for (Map.Entry<String, MoveRecord> move : planned.entrySet()) {
                recordMove(edits, move.getKey(), move.getValue());
            }
        });
    }

    private void recordMove(NamespaceEdits edits, String uuid, MoveRecord move) throws IOException {
        for (INode old : Namespace.children(namespace.require(dir(uuid)))) {
            edits.delete(old.getFullPathName()); // left by a crash
        }
        edits.mkdirs(dir(uuid) + "/" + move.name(), NamespaceEdits.Access.own());
        Map<String, MoveRecord> all = new HashMap<>(moves);
        all.put(uuid, move);
        moves = Map.copyOf(all);
    }

    /** Deletes the records of all unfinished moves, and those that are not known. Needs the write lock. */
    public void deleteMoves(NamespaceEdits edits) throws IOException {
        change(() -> {
            for (String uuid : moves.keySet()) {
                deleteMove(edits, uuid);
            }
            for (String record : unknownRecords) {
                edits.delete(record);
            }
            unknownRecords = List.of();
        });
    }

    private void deleteMove(NamespaceEdits edits, String uuid) throws IOException {
        edits.delete(dir(uuid) + "/" + require(uuid).name());
        Map<String, MoveRecord> all = new HashMap<>(moves);
        all.remove(uuid);
        moves = Map.copyOf(all);
    }

    /** Gives nodes their new groups. For each node, one edit decides. Needs the write lock. */
    public void move(NamespaceEdits edits, Set<String> uuids) throws IOException {
        change(() -> {
            for (String uuid : uuids) {
                move(edits, uuid);
            }
        });
    }

    private void move(NamespaceEdits edits, String uuid) throws IOException {
        MoveRecord move = require(uuid);
        edits.mkdirs(layout.nodesDir() + "/" + move.to(), NamespaceEdits.Access.own());
        if (!move.to().equals(recorded.get(uuid))) {
            edits.rename(dir(uuid), layout.nodeDir(move.to(), uuid));
        }
        Map<String, String> all = new HashMap<>(recorded);
        all.put(uuid, move.to());
        recorded = Map.copyOf(all);
        changed(uuid);
        deleteMove(edits, uuid);
    }

    /** Removes the records of nodes, with their moves. Needs the write lock. */
    public void forget(NamespaceEdits edits, List<String> uuids) throws IOException {
        change(() -> {
            for (String uuid : uuids) {
                forget(edits, uuid);
            }
        });
    }

    private void forget(NamespaceEdits edits, String uuid) throws IOException {
        edits.delete(dir(uuid));
        Map<String, String> all = new HashMap<>(recorded);
        all.remove(uuid);
        recorded = Map.copyOf(all);
        Map<String, MoveRecord> left = new HashMap<>(moves);
        left.remove(uuid);
        moves = Map.copyOf(left);
    }

    private MoveRecord require(String uuid) {
        return Objects.requireNonNull(moves.get(uuid));
    }

    private String dir(String uuid) {
        return layout.nodeDir(Objects.requireNonNull(recorded.get(uuid)), uuid);
    }

    /** The live nodes that have a group. */
    public List<Member> members() {
        List<Member> members = new ArrayList<>();
        for (DatanodeDescriptor node :
                system.blocks().getDatanodeManager().getDatanodeListForReport(DatanodeReportType.LIVE)) {
            String group = recorded.get(node.getDatanodeUuid());
            if (group != null) {
                members.add(new Member(
                        new Node(node.getDatanodeUuid(), node.getHostName(), node.getNetworkLocation()),
                        group,
                        node.isInService(),
                        node.getCapacity(),
                        node.getDfsUsed(),
                        node.getRemaining()));
            }
        }
        return members;
    }

    /** The DataNodes that are registered and alive. */
    public List<Node> live() {
        List<Node> nodes = new ArrayList<>();
        for (DatanodeDescriptor node :
                system.blocks().getDatanodeManager().getDatanodeListForReport(DatanodeReportType.LIVE)) {
            nodes.add(new Node(node.getDatanodeUuid(), node.getHostName(), node.getNetworkLocation()));
        }
        return nodes;
    }

    /** True when a live node has no group yet. */
    public boolean isIncomplete() {
        return live().stream().anyMatch(n -> !recorded.containsKey(n.uuid()));
    }

    /**
     * Allocates every live node that has no group, and records the groups. Needs the write lock.
     *
     * @return the groups of the newly allocated nodes, by uuid
     */
    public Map<String, String> allocateNew(NamespaceEdits edits, ReplicaGroups groups) throws IOException {
        Map<String, String> added = NodeAllocation.allocate(groups.names(), recorded, live());
        NamespaceEdits.Access access = NamespaceEdits.Access.own();
        edits.mkdirs(layout.nodesDir(), access);
        for (Map.Entry<String, String> node : added.entrySet()) {
            edits.mkdirs(layout.nodeDir(node.getValue(), node.getKey()), access);
        }
        Map<String, String> all = new HashMap<>(recorded);
        all.putAll(added);
        recorded = Map.copyOf(all);
        listeners.tell();
        return added;
    }
}
