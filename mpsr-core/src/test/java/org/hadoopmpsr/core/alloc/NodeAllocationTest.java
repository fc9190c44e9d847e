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

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.api.Test;

class NodeAllocationTest {
    private static final List<String> GROUPS = List.of("time", "signal", "device");

    private static List<Node> nodes(int count, int racks) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 1; i <= count; i++) {
            nodes.add(new Node("u" + i, "dn" + i, "/rack" + (1 + i % racks)));
        }
        return nodes;
    }

    private static Map<String, Long> sizes(Map<String, String> allocated) {
        return allocated.values().stream().collect(Collectors.groupingBy(g -> g, Collectors.counting()));
    }

    @Test
    void roundRobinWhereRacksAreFew() {
        assertThat(NodeAllocation.allocate(GROUPS, Map.of(), nodes(4, 1)))
                .containsExactly(
                        Map.entry("u1", "time"),
                        Map.entry("u2", "signal"),
                        Map.entry("u3", "device"),
                        Map.entry("u4", "time"));
    }

    @Test
    void wholeRacksWhereThereAreEnough() {
        Map<String, String> allocated = NodeAllocation.allocate(GROUPS, Map.of(), nodes(9, 3));
        assertThat(sizes(allocated)).isEqualTo(Map.of("time", 3L, "signal", 3L, "device", 3L));
        for (Node node : nodes(9, 3)) {
            assertThat(allocated.get(node.uuid())).isEqualTo(allocated.get(sameRack(node)));
        }
    }

    private static String sameRack(Node node) {
        return nodes(9, 3).stream()
                .filter(n -> n.rack().equals(node.rack()))
                .findFirst()
                .orElseThrow()
                .uuid();
    }

    @Test
    void aNewNodeJoinsTheGroupOfItsRack() {
        Map<String, String> before = NodeAllocation.allocate(GROUPS, Map.of(), nodes(9, 3));
        List<Node> more = new ArrayList<>(nodes(9, 3));
        more.add(new Node("new", "dn10", "/rack2"));
        assertThat(NodeAllocation.allocate(GROUPS, before, more))
                .isEqualTo(Map.of("new", before.get(sameRack(new Node("", "", "/rack2")))));
    }

    @Test
    void aReplacementJoinsTheGroupThatLostItsNode() {
        Map<String, String> before = NodeAllocation.allocate(GROUPS, Map.of(), nodes(3, 1));
        List<Node> now = new ArrayList<>(nodes(3, 1));
        now.set(1, new Node("formatted", "dn2", "/rack1"));
        assertThat(NodeAllocation.allocate(GROUPS, before, now)).isEqualTo(Map.of("formatted", before.get("u2")));
    }

    @Test
    void sharedRacksAreFoundWhereRacksSuffice() {
        Map<String, String> allocated = NodeAllocation.allocate(GROUPS, Map.of(), nodes(9, 3));
        assertThat(NodeAllocation.sharedRacks(GROUPS, allocated, nodes(9, 3))).isEmpty();

        List<Node> moved = new ArrayList<>(nodes(9, 3));
        Node node = moved.get(0);
        moved.set(0, new Node(node.uuid(), node.host(), "/rack1"));
        Set<String> groups =
                new HashSet<>(List.of(allocated.get(node.uuid()), allocated.get(sameRack(new Node("", "", "/rack1")))));
        assertThat(NodeAllocation.sharedRacks(GROUPS, allocated, moved)).isEqualTo(Map.of("/rack1", groups));

        assertThat(NodeAllocation.sharedRacks(
                        GROUPS, NodeAllocation.allocate(GROUPS, Map.of(), nodes(9, 2)), nodes(9, 2)))
                .isEmpty();
    }

    @Test
    void keepsAllocationsBalancesAndNeverMixesARackThatNeedNotBe() {
        Seeds.forAll(500, random -> {
            int racks = 1 + random.nextInt(8);
            List<Node> nodes = nodes(1 + random.nextInt(30), racks);
            int cut = random.nextInt(nodes.size() + 1);
            Map<String, String> first = NodeAllocation.allocate(GROUPS, Map.of(), nodes.subList(0, cut));
            Map<String, String> second = NodeAllocation.allocate(GROUPS, first, nodes);
            assertThat(second.keySet()).noneMatch(first::containsKey);
            Map<String, String> all = new HashMap<>(first);
            all.putAll(second);
            assertThat(all).hasSize(nodes.size());
            Map<String, String> atOnce = NodeAllocation.allocate(GROUPS, Map.of(), nodes);
            Map<String, Set<String>> groupsByRack = new HashMap<>();
            nodes.forEach(n ->
                    groupsByRack.computeIfAbsent(n.rack(), r -> new HashSet<>()).add(atOnce.get(n.uuid())));
            if (groupsByRack.size() >= GROUPS.size()) {
                assertThat(groupsByRack.values()).allMatch(g -> g.size() == 1);
            } else {
                long most =
                        sizes(atOnce).values().stream().mapToLong(n -> n).max().orElse(0);
                long fewest = GROUPS.stream()
                        .mapToLong(g -> sizes(atOnce).getOrDefault(g, 0L))
                        .min()
                        .orElse(0);
                assertThat(most - fewest).isLessThanOrEqualTo(1);
            }
        });
    }
}
