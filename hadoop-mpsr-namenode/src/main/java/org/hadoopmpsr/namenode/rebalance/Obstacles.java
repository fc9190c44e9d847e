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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.LeavingReplicas;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.apache.hadoop.hdfs.server.namenode.OpenFiles;
import org.hadoopmpsr.core.alloc.Member;
import org.hadoopmpsr.core.alloc.Racks;
import org.hadoopmpsr.core.alloc.Room;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.layout.MoveRecord;
import org.hadoopmpsr.namenode.nodes.Allocation;
import org.hadoopmpsr.namenode.nodes.Placement;
import org.jspecify.annotations.Nullable;

/**
 * Finds what keeps nodes from leaving their groups now. Nodes are given by uuid. Each answer is a sentence, or null if
 * there is no obstacle.
 */
public final class Obstacles {
    private final MpsrNamesystem system;
    private final MpsrConfig config;
    private final Allocation allocation;
    private final Placement placement;

    public Obstacles(MpsrNamesystem system, MpsrConfig config, Allocation allocation, Placement placement) {
        this.system = system;
        this.config = config;
        this.allocation = allocation;
        this.placement = placement;
    }

    private @Nullable DatanodeDescriptor node(String uuid) {
        return system.blocks().getDatanodeManager().getDatanode(uuid);
    }

    /** A node whose blocks HDFS does not know completely, or whose copies it does not count. Needs the read lock. */
    @Nullable
    String inNodes(Set<String> leaving) {
        for (String uuid : leaving) {
            DatanodeDescriptor node = node(uuid);
            if (node == null || !node.isAlive()) {
                return "DataNode " + (node == null ? uuid : node.getHostName()) + " is not alive; start it, or forget"
                        + " it when it will not come back, or cancel";
            }
            if (!node.isInService()) {
                return "DataNode " + node.getHostName() + " is not in service; put it into service, or cancel";
            }
            String incomplete = LeavingReplicas.incomplete(node);
            if (incomplete != null) {
                return "DataNode " + node.getHostName() + ": " + incomplete;
            }
        }
        return null;
    }

    /**
     * A lack of nodes or room in the rest of the groups.
     *
     * @param counted the node whose blocks were counted
     * @param bytes the bytes of those blocks
     */
    @Nullable
    String inRoom(Set<String> leaving, String counted, long bytes) {
        List<Member> members = allocation.members().stream()
                .map(m -> m.node().uuid().equals(counted)
                        ? new Member(m.node(), m.group(), m.inService(), m.capacityBytes(), bytes, m.remainingBytes())
                        : m)
                .toList();
        return Room.problem(config.declared(), members, leaving);
    }

    /** A file of a node's group that is being written to the node. Needs the read lock. */
    @Nullable
    String inOpenFiles(Set<String> leaving) throws IOException {
        for (String uuid : leaving) {
            DatanodeDescriptor node = node(uuid);
            String group = allocation.recorded().getOrDefault(uuid, "");
            if (node != null) {
                String path = OpenFiles.on(
                        system.directory(),
                        node,
                        p -> placement.groupOf(p).filter(group::equals).isPresent());
                if (path != null) {
                    return path + " is being written to DataNode " + node.getHostName();
                }
            }
        }
        return null;
    }

    /** A node of another group on the racks of these nodes, which would share the rack with their new group. */
    @Nullable
    String onRacks(Set<String> leaving) {
        Map<String, String> moving = new HashMap<>();
        for (String uuid : leaving) {
            MoveRecord move = allocation.moves().get(uuid);
            if (move != null) {
                moving.put(uuid, move.to());
            }
        }
        return Racks.problem(config.declared().size(), allocation.members(), moving);
    }
}
