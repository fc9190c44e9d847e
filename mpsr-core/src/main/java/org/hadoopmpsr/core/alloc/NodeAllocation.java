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
package org.hadoopmpsr.core.alloc;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Gives DataNodes to replica groups. The next node goes to the group with the fewest known nodes, then to the group
 * with the fewest recorded nodes, then to the first group in order. A node that replaces a lost node therefore joins
 * the group that lost it. With at least as many racks as groups, whole racks are given instead of nodes. Copies of a
 * record in different groups then never share a rack.
 */
public final class NodeAllocation {

    private NodeAllocation() {}

    /**
     * Allocates the nodes that have no group yet. Existing allocations stay unchanged.
     *
     * @param groups the names of the groups in their order; at least one
     * @param allocated the recorded group by node uuid
     * @param nodes all known nodes, allocated or not
     * @return the group by uuid of each node that was not allocated
     */
    public static Map<String, String> allocate(List<String> groups, Map<String, String> allocated, List<Node> nodes) {
        Map<String, List<Node>> racks = new TreeMap<>();
        nodes.forEach(
                n -> racks.computeIfAbsent(n.rack(), r -> new ArrayList<>()).add(n));
        boolean byRack = racks.size() >= groups.size();
        Map<String, String> all = new HashMap<>(allocated);
        Map<String, String> added = new LinkedHashMap<>();
        Set<String> known = new HashSet<>();
        nodes.forEach(n -> known.add(n.uuid()));
        List<List<Node>> order = new ArrayList<>(racks.values());
        if (byRack) {
            // racks that already belong to one group first, then large racks before small ones
            order.sort(Comparator.comparing(
                            (List<Node> rack) -> groupsOf(rack, allocated).isEmpty())
                    .thenComparing(rack -> -rack.size()));
        }
        for (List<Node> rack : order) {
            rack.sort(Comparator.comparing(Node::host).thenComparing(Node::uuid));
            for (Node node : rack) {
                if (!all.containsKey(node.uuid())) {
                    Set<String> owners = groupsOf(rack, all);
                    boolean owned = byRack && owners.size() == 1 && groups.containsAll(owners);
                    String group = owned ? owners.iterator().next() : smallest(groups, all, known);
                    all.put(node.uuid(), group);
                    added.put(node.uuid(), group);
                }
            }
        }
        return added;
    }

    private static Set<String> groupsOf(List<Node> rack, Map<String, String> allocated) {
        Set<String> groups = new HashSet<>();
        for (Node node : rack) {
            String group = allocated.get(node.uuid());
            if (group != null) {
                groups.add(group);
            }
        }
        return groups;
    }

    /**
     * The racks that several groups share although there are enough racks for each group to have racks of its own. The
     * loss of such a rack may lose several copies of a record.
     *
     * @param nodes the known nodes
     * @return the groups by rack; empty if no rack is shared or there are too few racks
     */
    public static Map<String, Set<String>> sharedRacks(
            List<String> groups, Map<String, String> allocated, List<Node> nodes) {
        Map<String, Set<String>> byRack = new TreeMap<>();
        for (Node node : nodes) {
            String group = allocated.get(node.uuid());
            if (group != null) {
                byRack.computeIfAbsent(node.rack(), r -> new TreeSet<>()).add(group);
            }
        }
        if (byRack.size() < groups.size()) {
            return Map.of();
        }
        byRack.values().removeIf(shared -> shared.size() < 2);
        return byRack;
    }

    private static String smallest(List<String> groups, Map<String, String> allocated, Set<String> known) {
        return Collections.min(
                groups,
                Comparator.<String>comparingLong(group -> size(group, allocated, known))
                        .thenComparingLong(group -> size(group, allocated, allocated.keySet())));
    }

    private static long size(String group, Map<String, String> allocated, Set<String> counted) {
        return allocated.entrySet().stream()
                .filter(node -> node.getValue().equals(group) && counted.contains(node.getKey()))
                .count();
    }
}
