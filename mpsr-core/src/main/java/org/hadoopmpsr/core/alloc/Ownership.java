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
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.jspecify.annotations.Nullable;

/**
 * Decides which group each unit should belong to. A unit is a rack if there are at least as many racks as groups,
 * otherwise a node. The search starts with the group that has most of the unit. Then it gives units to groups with too
 * few nodes, and then from heavy to light groups as long as this makes the groups more even. Not thread-safe.
 */
final class Ownership {
    /** Groups whose weights differ by at most this factor count as even. */
    private static final double EVEN = 1.1;
    /** A change must lower the spread by at least this share; smaller gains are rounding errors. */
    private static final double LEAST_GAIN = 1e-6;

    /** Members that belong to one group as a whole. */
    record Unit(String name, List<Member> members) {
        long weight(@Nullable String group) {
            return members.stream()
                    .filter(m -> group == null || m.group().equals(group))
                    .mapToLong(Member::weight)
                    .sum();
        }

        /** The number of nodes that would have to move to make the unit this group's. */
        long foreign(String group) {
            return members.stream().filter(m -> !m.group().equals(group)).count();
        }
    }

    private final List<ReplicaGroup> groups;
    private final boolean byRack;
    private final List<Unit> units = new ArrayList<>();
    private final Map<Unit, String> owners = new HashMap<>();
    private final Map<String, Integer> nodes = new HashMap<>();
    private final Map<String, Double> weights = new HashMap<>();
    private final Map<Unit, String> reasons = new HashMap<>();
    private final List<String> refused = new ArrayList<>();

    /** @param members the nodes in service, all of these groups */
    Ownership(List<ReplicaGroup> groups, List<Member> members) {
        this.groups = groups;
        Map<String, List<Member>> racks = new TreeMap<>();
        members.forEach(m ->
                racks.computeIfAbsent(m.node().rack(), r -> new ArrayList<>()).add(m));
        this.byRack = racks.size() >= groups.size();
        if (byRack) {
            racks.forEach((rack, nodes) -> units.add(new Unit(rack, nodes)));
        } else {
            members.stream()
                    .sorted(Comparator.comparing((Member m) -> m.node().host())
                            .thenComparing(m -> m.node().uuid()))
                    .forEach(m -> units.add(new Unit(m.node().host(), List.of(m))));
        }
        units.forEach(this::assignToLargest);
        fillShort();
        even();
    }

    List<Unit> units() {
        return units;
    }

    String owner(Unit unit) {
        return owners.getOrDefault(unit, "");
    }

    /** The reason why the nodes of a unit move. */
    String reason(Unit unit) {
        return reasons.getOrDefault(unit, "");
    }

    /** The groups that have too few nodes in any case. */
    List<String> refused() {
        return refused;
    }

    private void assignToLargest(Unit unit) {
        ReplicaGroup largest = groups.get(0);
        for (ReplicaGroup group : groups) {
            if (unit.weight(group.name()) > unit.weight(largest.name())) {
                largest = group;
            }
        }
        give(unit, largest.name());
        if (unit.foreign(largest.name()) > 0) {
            reasons.put(
                    unit,
                    "rack " + unit.name() + " is shared by the replica groups "
                            + unit.members().stream()
                                    .map(Member::group)
                                    .distinct()
                                    .sorted()
                                    .toList() + ", and there are racks enough for each to have its own");
        }
    }

    private void give(Unit unit, String group) {
        String before = owners.put(unit, group);
        if (before != null) {
            nodes.merge(before, -unit.members().size(), Integer::sum);
            weights.merge(before, -copyWeight(unit, before), Double::sum);
        }
        nodes.merge(group, unit.members().size(), Integer::sum);
        weights.merge(group, copyWeight(unit, group), Double::sum);
    }

    /** The weight of a unit for each block copy that the group keeps. */
    private double copyWeight(Unit unit, String group) {
        return (double) unit.weight(null) / group(group).replication();
    }

    private int nodes(String group) {
        return nodes.getOrDefault(group, 0);
    }

    private boolean isShort(ReplicaGroup group, int count) {
        return count < Math.max(1, group.replication());
    }

    private boolean canGive(Unit unit) {
        ReplicaGroup owner = group(owner(unit));
        return !isShort(owner, nodes(owner.name()) - unit.members().size());
    }

    private ReplicaGroup group(String name) {
        return groups.stream().filter(g -> g.name().equals(name)).findFirst().orElseThrow();
    }

    private void fillShort() {
        for (ReplicaGroup group : groups) {
            while (isShort(group, nodes(group.name()))) {
                Unit best = units.stream()
                        .filter(u -> !owner(u).equals(group.name()) && canGive(u))
                        .min(Comparator.comparingLong((Unit u) -> u.foreign(group.name()))
                                .thenComparingInt(u -> -nodes(owner(u))))
                        .orElse(null);
                String has = "replica group '" + group.name() + "' has " + nodes(group.name())
                        + " DataNode(s) in service" + (byRack ? " on racks of its own" : "") + " and needs "
                        + Math.max(1, group.replication());
                if (best == null) {
                    refused.add(has + ", but no other group can spare one; add DataNodes");
                    break;
                }
                reasons.put(best, has);
                give(best, group.name());
            }
        }
    }

    private double weight(ReplicaGroup group) {
        return weights.getOrDefault(group.name(), 0.0);
    }

    private boolean isEven() {
        double most = groups.stream().mapToDouble(this::weight).max().orElse(0);
        double least = groups.stream().mapToDouble(this::weight).min().orElse(0);
        return most <= least * EVEN;
    }

    /** The sum of squared differences from the mean. Each change must lower it, and the search therefore ends. */
    private double spread() {
        double mean = groups.stream().mapToDouble(this::weight).average().orElse(0);
        return groups.stream().mapToDouble(g -> Math.pow(weight(g) - mean, 2)).sum();
    }

    private void even() {
        while (!isEven()) {
            double now = spread();
            Gift best = new Gift(units.get(0), "", now * (1 - LEAST_GAIN), Long.MAX_VALUE);
            for (Unit unit : units) {
                for (ReplicaGroup group : groups) {
                    if (!group.name().equals(owner(unit)) && canGive(unit)) {
                        best = better(best, gift(unit, group.name()), now);
                    }
                }
            }
            if (best.to().isEmpty()) {
                return;
            }
            String from = owner(best.unit());
            reasons.put(
                    best.unit(),
                    "replica group '" + from + "' has " + nodes(from) + " DataNodes in service and '" + best.to()
                            + "' has " + nodes(best.to()));
            give(best.unit(), best.to());
        }
    }

    /**
     * A unit that could be given to a group.
     *
     * @param spread the spread of all groups after the change
     * @param moves the number of additional nodes that would have to move
     */
    private record Gift(Unit unit, String to, double spread, long moves) {}

    private Gift gift(Unit unit, String to) {
        String from = owner(unit);
        give(unit, to);
        double spread = spread();
        give(unit, from);
        return new Gift(unit, to, spread, unit.foreign(to) - unit.foreign(from));
    }

    /** The better of two gifts: the one that makes the groups more even, or with fewer moves if both are alike. */
    private static Gift better(Gift best, Gift other, double now) {
        double gain = best.spread() - other.spread();
        boolean alike = Math.abs(gain) <= now * LEAST_GAIN;
        return gain > 0 && !alike || alike && !best.to().isEmpty() && other.moves() < best.moves() ? other : best;
    }
}
