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
package org.hadoopmpsr.core.plan;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.files.Segments;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cheapest groups for segments that a group cannot serve. Groups are evaluated when the first such segment is asked
 * for. For one thread.
 */
final class OtherGroups {
    private final Schema schema;
    private final List<GroupFiles> groups;
    private final ReadRequest readRequest;
    private final Conditions conditions;
    private final CostModel costs;
    private final WorkLimit limit;
    private @Nullable List<SegmentEstimate> estimates;

    /** @param groups all groups, in configured order */
    OtherGroups(
            Schema schema,
            List<GroupFiles> groups,
            ReadRequest readRequest,
            Conditions conditions,
            CostModel costs,
            WorkLimit limit) {
        this.schema = schema;
        this.groups = groups.stream().filter(g -> g.unusable() == null).toList();
        this.readRequest = readRequest;
        this.conditions = conditions;
        this.costs = costs;
        this.limit = limit;
    }

    /**
     * The files of the segments that a group is missing, by the groups that serve them.
     *
     * @param unserved the segments that no group can serve; the parts lack their records
     */
    record Rest(List<Part> parts, Set<String> unserved) {
        private static final Rest NOTHING = new Rest(List.of(), Set.of());
    }

    /** The files that come from one group. */
    record Part(FileTally tally, Segments segments) {}

    /**
     * What other groups have to give where a group serves all segments but these. Each segment comes from the group that reads
     * it with the least work. If one group can serve them all with nearly as little, all come from this group, because
     * each further part is a further scan.
     */
    Rest of(Set<String> missing) {
        if (missing.isEmpty()) {
            return Rest.NOTHING;
        }
        Map<SegmentEstimate, Set<String>> sources = new LinkedHashMap<>();
        Set<String> unserved = new TreeSet<>();
        double cheapestMs = 0;
        for (String segment : new TreeSet<>(missing)) {
            SegmentEstimate source = cheapest(segment);
            if (source == null) {
                unserved.add(segment);
            } else {
                sources.computeIfAbsent(source, s -> new HashSet<>()).add(segment);
                cheapestMs += source.costMs(segment);
            }
        }
        SegmentEstimate alone = sources.size() > 1 && unserved.isEmpty() ? alone(missing, cheapestMs) : null;
        if (alone != null) {
            sources = Map.of(alone, missing);
        }
        List<Part> parts = new ArrayList<>();
        sources.forEach((source, segments) -> {
            FileTally tally = source.tally(segments);
            if (!tally.files().isEmpty()) {
                parts.add(new Part(tally, Segments.only(segments)));
            }
        });
        return new Rest(parts, unserved);
    }

    private @Nullable SegmentEstimate cheapest(String segment) {
        SegmentEstimate cheapest = null;
        for (SegmentEstimate group : estimates()) {
            if (group.serves(segment) && (cheapest == null || group.costMs(segment) < cheapest.costMs(segment))) {
                cheapest = group;
            }
        }
        return cheapest;
    }

    /** The cheapest group that serves all these segments, if that costs little more than the given milliseconds. */
    private @Nullable SegmentEstimate alone(Set<String> segments, double cheapestMs) {
        SegmentEstimate best = null;
        double bestMs = cheapestMs * Planner.TIE;
        for (SegmentEstimate group : estimates()) {
            double costMs = segments.stream().mapToDouble(group::costMs).sum();
            if (costMs <= bestMs && segments.stream().allMatch(group::serves)) {
                best = group;
                bestMs = costMs;
            }
        }
        return best;
    }

    private List<SegmentEstimate> estimates() {
        if (estimates == null) {
            Set<String> wanted = new HashSet<>();
            groups.forEach(g -> wanted.addAll(g.missing().ids()));
            estimates = groups.stream()
                    .map(g -> new SegmentEstimate(schema, g, readRequest, conditions, costs, limit, wanted))
                    .toList();
        }
        return estimates;
    }
}
