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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.blockmanagement.HostConfigManager;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.util.ReflectionUtils;
import org.hadoopmpsr.client.log.PrintableLog;
import org.hadoopmpsr.core.alloc.LeavingNodes;
import org.hadoopmpsr.core.alloc.LeavingNodes.Fate;
import org.hadoopmpsr.core.alloc.Node;
import org.hadoopmpsr.core.group.RepresentationName;
import org.hadoopmpsr.namenode.dataset.DatasetRecord;
import org.hadoopmpsr.namenode.dataset.Datasets;
import org.hadoopmpsr.namenode.metrics.Counters;
import org.hadoopmpsr.namenode.metrics.Counters.Counter;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Whether DataNodes may leave: a replica group that datasets use keeps one in service. Thread-safe. */
public final class ServiceRule {
    private static final Logger LOG = PrintableLog.of(ServiceRule.class);

    private final MpsrNamesystem system;
    private final Allocation allocation;
    private final Datasets datasets;
    private final Counters counters;

    public ServiceRule(MpsrNamesystem system, Allocation allocation, Datasets datasets, Counters counters) {
        this.system = system;
        this.allocation = allocation;
        this.datasets = datasets;
        this.counters = counters;
    }

    /**
     * Checks what HDFS makes of its nodes if it reads its lists of hosts now. Maintenance is not refused: its nodes come back.
     *
     * @param conf names the lists
     * @throws IOException if the last node in service of a group would be decommissioned or shut out, or the lists cannot be read
     */
    public void check(Configuration conf) throws IOException {
        Set<String> used = new HashSet<>();
        for (DatasetRecord dataset : datasets.all()) {
            dataset.groups().names().forEach(name -> used.add(RepresentationName.group(name)));
        }
        if (used.isEmpty()) {
            return;
        }
        DatanodeManager nodes = system.blocks().getDatanodeManager();
        HostConfigManager lists =
                ReflectionUtils.newInstance(nodes.getHostConfigManager().getClass(), conf);
        lists.refresh();
        Map<String, List<Node>> emptied =
                LeavingNodes.emptied(allocation.members(), node -> fate(lists, nodes.getDatanode(node.uuid())));
        emptied.keySet().retainAll(used);
        if (!emptied.isEmpty()) {
            counters.increment(Counter.REFUSED_DECOMMISSIONS);
            String problem = emptied.entrySet().stream()
                    .map(entry -> text(entry.getKey(), entry.getValue()))
                    .collect(Collectors.joining("; ", "the lists of hosts are not taken over: ", ""));
            LOG.warn("MPSR: {}", problem);
            throw new IOException(problem);
        }
    }

    private static Fate fate(HostConfigManager lists, @Nullable DatanodeDescriptor node) {
        if (node == null || !lists.isIncluded(node)) {
            return Fate.LEAVES;
        }
        if (DatanodeInfo.maintenanceNotExpired(lists.getMaintenanceExpirationTimeInMS(node))) {
            return Fate.RESTS;
        }
        return lists.isExcluded(node) ? Fate.LEAVES : Fate.SERVES;
    }

    private static String text(String group, List<Node> leaving) {
        String hosts = leaving.stream().map(Node::host).sorted().collect(Collectors.joining(", "));
        return "replica group '" + group + "' would lose its last DataNode in service (" + hosts
                + "): its blocks have no other place, so that the node would never be decommissioned, and no dataset could"
                + " be written; add a DataNode to the group, or give it one of another group with hdfs mpsr groups rebalance,"
                + " or leave this one in service";
    }
}
