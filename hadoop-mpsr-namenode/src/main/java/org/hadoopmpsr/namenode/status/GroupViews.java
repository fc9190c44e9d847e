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
package org.hadoopmpsr.namenode.status;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.health.Health;
import org.hadoopmpsr.namenode.index.GroupIndex;
import org.hadoopmpsr.namenode.index.Indexes;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.status.MpsrInfoMXBean.Group;
import org.hadoopmpsr.namenode.status.MpsrInfoMXBean.Node;

/** The replica groups and their nodes, for operators. Takes no lock of the namesystem, and builds no index. */
public final class GroupViews {
    private static final String DEAD = "Dead";

    private final MpsrNamesystem system;
    private final MpsrConfig config;
    private final Allocation allocation;
    private final Datasets datasets;
    private final Indexes indexes;
    private final Health health;

    public GroupViews(
            MpsrNamesystem system,
            MpsrConfig config,
            Allocation allocation,
            Datasets datasets,
            Indexes indexes,
            Health health) {
        this.system = system;
        this.config = config;
        this.allocation = allocation;
        this.datasets = datasets;
        this.indexes = indexes;
        this.health = health;
    }

    /** The groups in their order; empty if their configuration has problems. */
    List<Group> groups() {
        ReplicaGroups groups = config.groups().orElse(null);
        if (groups == null) {
            return List.of();
        }
        List<Node> nodes = nodes();
        return groups.groups().stream()
                .map(g -> group(g, g.name().equals(groups.defaultName()), inGroup(nodes, g.name())))
                .toList();
    }

    /** The nodes without a group. */
    List<Node> unallocated() {
        return inGroup(nodes(), "");
    }

    private static List<Node> inGroup(List<Node> nodes, String group) {
        return nodes.stream().filter(n -> n.group().equals(group)).toList();
    }

    private Group group(ReplicaGroup group, boolean isDefault, List<Node> nodes) {
        List<GroupIndex> published = datasets.all().stream()
                .map(indexes::known)
                .filter(Objects::nonNull)
                .map(index -> index.group(group.name()))
                .toList();
        return new Group(
                group.name(),
                isDefault,
                group.predicates().stream().map(Predicate::text).toList(),
                group.sort().stream().map(SortKey::text).toList(),
                group.replication(),
                group.storedAs(),
                config.scatterWidths().of(group.name()).text(),
                nodes,
                nodes.stream().mapToLong(Node::capacityBytes).sum(),
                nodes.stream().mapToLong(Node::usedBytes).sum(),
                nodes.stream().mapToLong(Node::remainingBytes).sum(),
                published.stream().mapToLong(GroupIndex::files).sum(),
                published.stream().mapToLong(g -> g.content().count()).sum(),
                published.stream().mapToLong(GroupIndex::bytes).sum(),
                health.degradedFiles(group.name()));
    }

    /** All registered or recorded nodes, by rack and host. */
    private List<Node> nodes() {
        Map<String, String> recorded = new HashMap<>(allocation.recorded());
        Map<String, Node> nodes = new LinkedHashMap<>();
        for (DatanodeDescriptor node :
                system.blocks().getDatanodeManager().getDatanodeListForReport(DatanodeReportType.ALL)) {
            String group = recorded.remove(node.getDatanodeUuid());
            if (group != null || node.isAlive()) {
                nodes.put(node.getDatanodeUuid(), node(node, group == null ? "" : group));
            }
        }
        recorded.forEach((uuid, group) -> nodes.put(uuid, new Node(uuid, group, "", "", DEAD, 0, 0, 0)));
        List<Node> sorted = new ArrayList<>(nodes.values());
        sorted.sort(java.util.Comparator.comparing(Node::rack)
                .thenComparing(Node::host)
                .thenComparing(Node::uuid));
        return sorted;
    }

    private static Node node(DatanodeDescriptor node, String group) {
        boolean alive = node.isAlive();
        return new Node(
                node.getDatanodeUuid(),
                group,
                node.getHostName(),
                node.getNetworkLocation(),
                alive ? node.getAdminState().toString() : DEAD,
                alive ? node.getCapacity() : 0,
                alive ? node.getDfsUsed() : 0,
                alive ? node.getRemaining() : 0);
    }
}
