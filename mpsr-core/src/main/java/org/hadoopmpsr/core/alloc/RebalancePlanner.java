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
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.jspecify.annotations.Nullable;

/**
 * Plans which nodes change their group. Afterwards each group has enough nodes, the groups are even by capacity per
 * block copy, and no rack is shared if there are at least as many racks as groups. The planner is greedy: it finds few
 * moves, not provably the fewest. Equal input gives an equal plan.
 */
public final class RebalancePlanner {

    private RebalancePlanner() {}

    /**
     * Makes a plan. Nodes that are not in service, and nodes of groups that are not configured, keep their group.
     *
     * @param groups the configured groups in their order; at least one
     * @param members all nodes that have a group
     */
    public static RebalancePlan plan(List<ReplicaGroup> groups, List<Member> members) {
        Set<String> names = groups.stream().map(ReplicaGroup::name).collect(Collectors.toSet());
        List<Member> movable = members.stream()
                .filter(m -> m.inService() && names.contains(m.group()))
                .toList();
        if (movable.isEmpty()) {
            return new RebalancePlan(List.of(), List.of());
        }
        Ownership ownership = new Ownership(groups, movable);
        List<Step> open = new ArrayList<>();
        for (Ownership.Unit unit : ownership.units()) {
            List<Member> foreign = unit.members().stream()
                    .filter(m -> !m.group().equals(ownership.owner(unit)))
                    .toList();
            if (!foreign.isEmpty()) {
                open.add(new Step(foreign, ownership.owner(unit), ownership.reason(unit)));
            }
        }
        return order(groups, members, open, ownership.refused());
    }

    /** Nodes that move together: all moving nodes of a rack, or one node. */
    private record Step(List<Member> members, String to, String reason) {
        Set<String> uuids() {
            return members.stream().map(m -> m.node().uuid()).collect(Collectors.toSet());
        }
    }

    /** Orders steps so that each is possible after those before it. Steps that are never possible are refused. */
    private static RebalancePlan order(
            List<ReplicaGroup> groups, List<Member> members, List<Step> open, List<String> unmet) {
        List<NodeMove> moves = new ArrayList<>();
        List<Member> now = members;
        int number = 0;
        for (Step step = next(groups, now, open); step != null; step = next(groups, now, open)) {
            open.remove(step);
            number++;
            for (Member m : step.members()) {
                moves.add(new NodeMove(m.node(), m.group(), step.to(), number, m.usedBytes(), step.reason()));
            }
            now = Room.after(now, step.uuids(), step.to());
        }
        List<String> refused = new ArrayList<>(unmet);
        for (Step step : open) {
            String hosts =
                    step.members().stream().map(m -> m.node().host()).sorted().collect(Collectors.joining(", "));
            refused.add(hosts + " cannot move to replica group '" + step.to() + "' (" + step.reason() + "): "
                    + Room.problem(groups, now, step.uuids()));
        }
        return new RebalancePlan(moves, refused);
    }

    private static @Nullable Step next(List<ReplicaGroup> groups, List<Member> now, List<Step> open) {
        return open.stream()
                .filter(step -> Room.problem(groups, now, step.uuids()) == null)
                .findFirst()
                .orElse(null);
    }
}
