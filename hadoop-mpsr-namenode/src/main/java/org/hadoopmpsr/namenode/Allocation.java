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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.alloc.Node;
import org.hadoopmpsr.core.alloc.NodeAllocation;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.hadoopmpsr.core.config.ConfigProblem;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.layout.StoreLayout;

/** Which DataNode belongs to which replica group, as directories in the store record it. Thread-safe. */
final class Allocation {
    private final MpsrNamesystem system;
    private final Namespace namespace;
    private final StoreLayout layout;
    private volatile Map<String, String> recorded = Map.of();

    Allocation(MpsrNamesystem system, Namespace namespace, StoreLayout layout) {
        this.system = system;
        this.namespace = namespace;
        this.layout = layout;
    }

    /** Reads the records anew. */
    void load() throws IOException {
        recorded = system.read(() -> {
            Map<String, String> groups = new HashMap<>();
            for (INode group : namespace.children(layout.nodesDir())) {
                Namespace.children(group).forEach(node -> groups.put(node.getLocalName(), group.getLocalName()));
            }
            return Map.copyOf(groups);
        });
    }

    /** The group by node uuid. Immutable. */
    Map<String, String> recorded() {
        return recorded;
    }

    /** The DataNodes that are registered and alive. */
    List<Node> live() {
        List<Node> nodes = new ArrayList<>();
        for (DatanodeDescriptor node :
                system.blocks().getDatanodeManager().getDatanodeListForReport(DatanodeReportType.LIVE)) {
            nodes.add(new Node(node.getDatanodeUuid(), node.getHostName(), node.getNetworkLocation()));
        }
        return nodes;
    }

    /** True when a live node has no group yet. */
    boolean isIncomplete() {
        return live().stream().anyMatch(n -> !recorded.containsKey(n.uuid()));
    }

    /**
     * Gives every live node that has none its group, and records it. Needs the write lock.
     *
     * @return the nodes that got a group, by uuid
     */
    Map<String, String> allocateNew(NamespaceEdits edits, ReplicaGroups groups) throws IOException {
        Map<String, String> added = NodeAllocation.allocate(groups.names(), recorded, live());
        NamespaceEdits.Access access =
                new NamespaceEdits.Access(NamespaceEdits.self(), null, FsPermission.createImmutable((short) 0755));
        edits.mkdirs(layout.nodesDir(), access);
        for (Map.Entry<String, String> node : added.entrySet()) {
            edits.mkdirs(layout.nodeDir(node.getValue(), node.getKey()), access);
        }
        Map<String, String> all = new HashMap<>(recorded);
        all.putAll(added);
        recorded = Map.copyOf(all);
        return added;
    }

    /** What keeps the groups from working with the nodes that are recorded or live. */
    List<ConfigProblem> problems(List<ReplicaGroup> groups) {
        List<String> names = groups.stream().map(ReplicaGroup::name).distinct().toList();
        if (names.isEmpty()) {
            return List.of();
        }
        Map<String, String> all = new HashMap<>(recorded);
        all.putAll(NodeAllocation.allocate(names, recorded, live()));
        List<ConfigProblem> problems = new ArrayList<>();
        if (names.size() > all.size()) {
            problems.add(new ConfigProblem(
                    ConfigKeys.GROUPS.name(),
                    String.join(",", names),
                    names.size() + " replica groups, but only " + all.size() + " DataNodes",
                    "start more DataNodes or configure fewer groups"));
        }
        for (ReplicaGroup group : groups) {
            long nodes = all.values().stream().filter(group.name()::equals).count();
            if (nodes == 0 && names.size() <= all.size()) {
                problems.add(new ConfigProblem(
                        ConfigKeys.GROUPS.name(),
                        group.name(),
                        "replica group '" + group.name() + "' has no DataNode: all are allocated to other groups",
                        "start more DataNodes"));
            } else if (nodes > 0 && nodes < group.replication()) {
                problems.add(new ConfigProblem(
                        ConfigKeys.REPLICATION.of(group.name()),
                        String.valueOf(group.replication()),
                        "replica group '" + group.name() + "' has only " + nodes + " DataNodes",
                        "start more DataNodes or set it to " + nodes + " or less"));
            }
        }
        return problems;
    }
}
