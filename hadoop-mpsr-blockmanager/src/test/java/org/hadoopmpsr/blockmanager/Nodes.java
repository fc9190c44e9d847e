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
package org.hadoopmpsr.blockmanager;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.net.NetworkTopology;
import org.jspecify.annotations.Nullable;

/** A topology of DataNodes and their groups, without a cluster. */
final class Nodes {
    static final long STALE_MS = 30_000;

    private final NetworkTopology topology = new NetworkTopology();
    private final List<DatanodeDescriptor> nodes = new ArrayList<>();
    private final Map<String, String> groups = new HashMap<>();
    private final Set<String> draining = new HashSet<>();

    /** Adds a node in service; the group is null for a node that is not allocated. */
    DatanodeDescriptor add(String rack, @Nullable String group) {
        int i = nodes.size();
        DatanodeDescriptor node =
                new DatanodeDescriptor(new DatanodeID("127.0.0.1", "h" + i, "u" + i, 9000 + i, 0, 0, 0), rack);
        node.setAlive(true);
        topology.add(node);
        nodes.add(node);
        if (group != null) {
            groups.put("u" + i, group);
        }
        return node;
    }

    /** Marks a node as one that is to leave its group. */
    void drain(DatanodeDescriptor node) {
        draining.add(node.getDatanodeUuid());
    }

    NetworkTopology topology() {
        return topology;
    }

    PlacementView view() {
        return new PlacementView(groups, draining, path -> Optional.empty(), SegmentPlaces.NONE, null);
    }

    GroupNodes group(String name) {
        return new GroupNodes(topology, view(), name, STALE_MS, null);
    }
}
