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
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.junit.jupiter.api.Test;

class RebalancePlannerTest {
    private static final List<ReplicaGroup> GROUPS = List.of(group("a", 1), group("b", 1), group("c", 1));

    private static ReplicaGroup group(String name, int replication) {
        return new ReplicaGroup(name, List.of(), List.of(), replication, Codec.parse("none"));
    }

    /** Nodes from texts such as {@code n1 /r1 a 40}: host, rack, group, and used bytes of a capacity of 100. */
    private static List<Member> members(String... texts) {
        return Arrays.stream(texts)
                .map(text -> {
                    String[] p = text.split(" ");
                    long used = p.length > 3 ? Long.parseLong(p[3]) : 0;
                    return new Member(new Node("u-" + p[0], p[0], p[1]), p[2], true, 100, used, 100 - used);
                })
                .toList();
    }

    private static List<String> moves(RebalancePlan plan) {
        return plan.moves().stream()
                .map(m -> m.step() + " " + m.node().host() + " " + m.from() + ">" + m.to())
                .toList();
    }

    @Test
    void evenGroupsOnTheirOwnRacksStayAsTheyAre() {
        assertThat(RebalancePlanner.plan(GROUPS, members("n1 /r1 a", "n2 /r2 b", "n3 /r3 c", "n4 /r1 a", "n5 /r2 b")))
                .isEqualTo(new RebalancePlan(List.of(), List.of()));
        assertThat(RebalancePlanner.plan(GROUPS, List.of())).isEqualTo(new RebalancePlan(List.of(), List.of()));
    }

    @Test
    void nodesGoToTheSmallestGroupWhereRacksAreFew() {
        RebalancePlan plan = RebalancePlanner.plan(
                GROUPS, members("n1 /r a 10", "n2 /r a 20", "n3 /r a 10", "n4 /r a 10", "n5 /r b", "n6 /r c"));

        assertThat(moves(plan)).containsExactly("1 n1 a>b", "2 n2 a>c");
        assertThat(plan.moves().get(1))
                .isEqualTo(new NodeMove(
                        new Node("u-n2", "n2", "/r"),
                        "a",
                        "c",
                        2,
                        // after the first step it holds its share of what the first node held
                        20,
                        "replica group 'a' has 3 DataNodes in service and 'c' has 1"));
        assertThat(plan.refused()).isEmpty();
    }

    @Test
    void aSharedRackGoesToTheGroupThatHasMostOfIt() {
        RebalancePlan plan = RebalancePlanner.plan(
                GROUPS, members("n1 /r1 a", "n2 /r1 a", "n3 /r1 b", "n4 /r2 b", "n5 /r2 b", "n6 /r3 c", "n7 /r3 c"));

        assertThat(moves(plan)).containsExactly("1 n3 b>a");
        assertThat(plan.moves().get(0).reason())
                .isEqualTo("rack /r1 is shared by the replica groups [a, b], and there are racks enough for each to"
                        + " have its own");
    }

    @Test
    void ofRacksThatMakeGroupsEvenTheOneWithTheFewestMovesIsTaken() {
        assertThat(moves(RebalancePlanner.plan(
                        List.of(group("a", 1), group("b", 1)),
                        members(
                                "n1 /r1 a",
                                "n2 /r1 a",
                                "n3 /r2 a",
                                "n4 /r2 b",
                                "n5 /r3 a",
                                "n6 /r3 a",
                                "n7 /r4 b",
                                "n8 /r4 b"))))
                .containsExactly("1 n3 a>b");
    }

    @Test
    void aWholeRackMovesInOneStep() {
        List<Member> members =
                members("n1 /r1 a", "n2 /r1 a", "n3 /r2 a", "n4 /r2 a", "n5 /r3 a", "n6 /r3 b", "n7 /r4 c");

        RebalancePlan plan = RebalancePlanner.plan(GROUPS, members);

        assertThat(moves(plan)).containsExactly("1 n1 a>c", "1 n2 a>c", "2 n5 a>b");
        assertDisjoint(GROUPS, apply(members, plan));
    }

    @Test
    void aGroupWithoutNodesGetsOne() {
        RebalancePlan plan = RebalancePlanner.plan(GROUPS, members("n1 /r a", "n2 /r a", "n3 /r b"));

        assertThat(moves(plan)).containsExactly("1 n1 a>c");
        assertThat(plan.moves().get(0).reason())
                .isEqualTo("replica group 'c' has 0 DataNode(s) in service and needs 1");
    }

    @Test
    void aGroupKeepsAsManyNodesAsItHasCopies() {
        List<ReplicaGroup> groups = List.of(group("a", 2), group("b", 1));

        assertThat(RebalancePlanner.plan(groups, members("n1 /r a", "n2 /r a")))
                .isEqualTo(new RebalancePlan(
                        List.of(),
                        List.of("replica group 'b' has 0 DataNode(s) in service and needs 1, but no other group can"
                                + " spare one; add DataNodes")));
        assertThat(Room.problem(groups, members("n1 /r a", "n2 /r a", "n3 /r b"), Set.of("u-n1")))
                .isEqualTo("replica group 'a' would keep 1 DataNode(s) in service and needs 2; add DataNodes");
    }

    @Test
    void whatDoesNotFitIsRefused() {
        RebalancePlan plan = RebalancePlanner.plan(GROUPS, members("n1 /r a 60", "n2 /r a 60", "n3 /r b"));
        assertThat(plan.moves()).isEmpty();
        assertThat(plan.refused())
                .containsExactly("n1 cannot move to replica group 'c' (replica group 'c' has 0 DataNode(s) in service"
                        + " and needs 1): the other DataNodes of replica group 'a' have 40 bytes left, too little for"
                        + " the 60 bytes to be copied to them; add DataNodes");
    }

    @Test
    void capacityCountsAndNotTheNumberOfNodes() {
        List<Member> members = new ArrayList<>(members("n1 /r a", "n2 /r a", "n3 /r a", "n4 /r a"));
        members.add(new Member(new Node("u-n5", "n5", "/r"), "b", true, 420, 0, 420));

        assertThat(RebalancePlanner.plan(List.of(group("a", 1), group("b", 1)), members)
                        .moves())
                .isEmpty();
        assertThat(moves(RebalancePlanner.plan(List.of(group("a", 1), group("b", 2)), members)))
                .as("b needs twice the room")
                .containsExactly("1 n1 a>b");
    }

    @Test
    void nodesOutOfServiceOrOfForeignGroupsStay() {
        List<Member> members = new ArrayList<>(members("n1 /r a", "n2 /r a", "n3 /r a", "n4 /r b", "n5 /r old"));
        members.set(0, new Member(new Node("u-n1", "n1", "/r"), "a", false, 100, 0, 100));

        assertThat(moves(RebalancePlanner.plan(GROUPS, members))).containsExactly("1 n2 a>c");
    }

    @Test
    void aNodeThatCameToTheRackMeanwhileIsSeen() {
        List<Member> members = members("n1 /r1 a", "n2 /r1 a", "n3 /r2 b");

        assertThat(Racks.problem(2, members, Map.of("u-n1", "b", "u-n2", "b"))).isNull();
        assertThat(Racks.problem(2, members, Map.of("u-n1", "b")))
                .isEqualTo("DataNode n2 of replica group 'a' is on rack /r1 too; cancel, and plan again");
        assertThat(Racks.problem(3, members, Map.of("u-n1", "b")))
                .as("racks are too few")
                .isNull();
    }

    @Test
    void everyStepIsSafeAndTheResultNeedsNoPlan() {
        Seeds.forAll(400, random -> {
            List<ReplicaGroup> groups =
                    List.of(group("a", 1 + random.nextInt(2)), group("b", 1), group("c", 1 + random.nextInt(3)));
            List<Member> members = randomMembers(random);
            RebalancePlan plan = RebalancePlanner.plan(groups, members);

            List<Member> now = members;
            for (Map.Entry<Integer, List<NodeMove>> step : plan.moves().stream()
                    .collect(Collectors.groupingBy(NodeMove::step, TreeMap::new, Collectors.toList()))
                    .entrySet()) {
                Set<String> uuids =
                        step.getValue().stream().map(m -> m.node().uuid()).collect(Collectors.toSet());
                assertThat(Room.problem(groups, now, uuids)).isNull();
                now = Room.after(now, uuids, step.getValue().get(0).to());
                assertThat(now).allSatisfy(m -> assertThat(m.remainingBytes()).isNotNegative());
                assertThat(now.stream().mapToLong(m -> m.usedBytes() + m.remainingBytes()))
                        .allMatch(bytes -> bytes <= 1_000);
            }
            if (plan.refused().isEmpty()) {
                assertThat(RebalancePlanner.plan(groups, now)).isEqualTo(new RebalancePlan(List.of(), List.of()));
                assertDisjoint(groups, now);
                for (ReplicaGroup group : groups) {
                    assertThat(now)
                            .filteredOn(m -> m.group().equals(group.name()))
                            .hasSizeGreaterThanOrEqualTo(group.replication());
                }
            }
        });
    }

    private static List<Member> randomMembers(Random random) {
        int racks = 1 + random.nextInt(6);
        List<Member> members = new ArrayList<>();
        for (int i = 0; i < 6 + random.nextInt(20); i++) {
            long used = random.nextInt(600);
            Node node = new Node("u" + i, "n" + i, "/r" + random.nextInt(racks));
            String group = String.valueOf("aaabbc".charAt(random.nextInt(6)));
            members.add(new Member(node, group, true, 1_000, used, 1_000 - used));
        }
        return members;
    }

    private static List<Member> apply(List<Member> members, RebalancePlan plan) {
        List<Member> now = members;
        for (NodeMove move : plan.moves()) {
            now = Room.after(now, Set.of(move.node().uuid()), move.to());
        }
        return now;
    }

    private static void assertDisjoint(List<ReplicaGroup> groups, List<Member> members) {
        Map<String, Set<String>> byRack = new TreeMap<>();
        members.forEach(m ->
                byRack.computeIfAbsent(m.node().rack(), r -> new TreeSet<>()).add(m.group()));
        Set<String> all = new HashSet<>();
        members.forEach(m -> all.add(m.group()));
        if (byRack.size() >= groups.size()) {
            assertThat(byRack.values()).allMatch(g -> g.size() == 1);
            assertThat(all).hasSize(groups.size());
        }
    }
}
