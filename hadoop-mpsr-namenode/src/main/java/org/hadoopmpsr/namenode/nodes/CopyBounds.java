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

import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.elastic.ElasticSettings;

/** How many copies of a block a group's nodes may have. Thread-safe. */
public final class CopyBounds {
    private final MpsrNamesystem system;
    private final ElasticSettings settings;
    private final Allocation allocation;

    public CopyBounds(MpsrNamesystem system, ElasticSettings settings, Allocation allocation) {
        this.system = system;
        this.settings = settings;
        this.allocation = allocation;
    }

    /**
     * The most copies that a file of a group may have: one less than the group has nodes, because a node cannot be decommissioned
     * where each of them has a copy; but never fewer than the group's number, and not more without further copies. Nodes that leave
     * the group or are out of service do not count. Silent nodes do: they come back, or are forgotten.
     *
     * @param replication the group's number
     */
    public int most(String group, int replication) {
        if (!settings.isOn()) {
            return replication;
        }
        long nodes = allocation.recorded().keySet().stream()
                .filter(uuid -> allocation.takes(uuid, group) && isInService(uuid))
                .count();
        return (int) Math.max(replication, nodes - 1);
    }

    /** Also of a node that has not registered since the NameNode was started. */
    private boolean isInService(String uuid) {
        DatanodeDescriptor node = system.blocks().getDatanodeManager().getDatanode(uuid);
        return node == null || node.isInService();
    }
}
