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
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.files.Segments;
import org.hadoopmpsr.core.group.LossyReads;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/** Chooses the cheapest representation for a read request. A pure function of its arguments. */
public final class Planner {
    /** Estimates that differ by less than this factor count as equal. */
    static final double TIE = 1.1;

    private Planner() {}

    /**
     * Plans a read. Among groups whose costs are within a tenth of the cheapest, the planner takes the group whose
     * predicates the filter binds most. The partitions of that group were made for such reads, while bounds of values
     * prune only where records happen to lie well. A group that turns out to be more expensive than the others is given
     * up before all its files are evaluated.
     *
     * <p>A group that cannot serve some segments is read for all others; each of these segments comes from the group that
     * reads it with the least work. The cost is the sum over the parts.
     *
     * @param groups the representations in configured order, including the default group's
     * @param defaultGroup the name of the default group
     * @param forced the group that the reader asks for, which is taken if it can be read; null for the cheapest
     * @param workLimit ends the planning
     * @throws IllegalArgumentException if the forced group does not exist
     * @throws WorkLimit.Overrun from {@code workLimit}
     */
    public static Plan plan(
            Schema schema,
            List<GroupFiles> groups,
            String defaultGroup,
            ReadRequest readRequest,
            CostModel costs,
            @Nullable String forced,
            WorkLimit workLimit) {
        if (forced != null && groups.stream().noneMatch(g -> g.group().name().equals(forced))) {
            throw new IllegalArgumentException("there is no replica group '" + forced + "'; the groups are "
                    + groups.stream().map(g -> g.group().name()).toList());
        }
        Conditions conditions = new Conditions(readRequest.filter());
        List<GroupFiles> offered =
                groups.stream().map(g -> readable(schema, g, readRequest)).toList();
        List<GroupEstimate> surveys = offered.stream()
                .map(g -> new GroupEstimate(schema, g, readRequest, conditions, costs, workLimit))
                .toList();
        OtherGroups others = new OtherGroups(schema, offered, readRequest, conditions, costs, workLimit);
        // first the groups to choose from, the one with the fewest files first: its cost tells when to give up others
        List<GroupEstimate> order = surveys.stream()
                .filter(GroupEstimate::isUsable)
                .sorted(Comparator.comparing((GroupEstimate s) -> !mayTake(s, forced))
                        .thenComparingInt(GroupEstimate::mayRead))
                .toList();
        double limit = Double.MAX_VALUE;
        List<PlanOption> options = new ArrayList<>();
        for (GroupEstimate survey : order) {
            Candidate own = survey.lookAtFiles(limit);
            PlanOption option = own.atLeast() ? null : option(survey, own, others, conditions);
            if (option != null && mayTake(survey, forced)) {
                options.add(option);
                limit = Math.min(limit, option.costMs() * TIE);
            }
        }
        List<Candidate> candidates =
                surveys.stream().map(GroupEstimate::candidate).toList();
        if (options.isEmpty() && forced != null) {
            return instead(plan(schema, groups, defaultGroup, readRequest, costs, null, workLimit), candidates, forced);
        }
        if (options.isEmpty()) {
            return stock(defaultGroup, candidates, "no group can be read: " + Plan.candidatesText(candidates));
        }
        PlanOption cheapest = Collections.min(options, Comparator.comparingDouble(PlanOption::costMs));
        PlanOption chosen = options.stream()
                .filter(o -> o.costMs() <= cheapest.costMs() * TIE)
                .max(Comparator.comparingInt(PlanOption::bound)
                        .thenComparing(PlanOption::costMs, Comparator.reverseOrder()))
                .orElse(cheapest);
        return new Plan(false, chosen.parts(), candidates, chosen.reason(cheapest, forced != null));
    }

    /** A group is no use to a reader who does not know how it holds a column, or needs better values than it has. */
    private static GroupFiles readable(Schema schema, GroupFiles group, ReadRequest readRequest) {
        return group.unusable() != null
                ? group
                : group.group()
                        .transforms()
                        .unreadable(readRequest.transforms())
                        .or(() -> LossyReads.problem(
                                schema, group.group(), readRequest.columns(), readRequest.accuracies()))
                        .map(group::unusable)
                        .orElse(group);
    }

    /** The plan for a reader whose group cannot be read: the cheapest of the other groups holds the same records. */
    private static Plan instead(Plan others, List<Candidate> candidates, String forced) {
        return others.stock()
                ? others
                : new Plan(
                        false,
                        others.parts(),
                        others.candidates(),
                        others.reason() + "; group " + forced + ", which the reader asked for, cannot be read: "
                                + candidates.stream()
                                        .filter(c -> c.group().equals(forced))
                                        .map(Candidate::excluded)
                                        .findFirst()
                                        .orElseThrow());
    }

    /**
     * The option to read a group, with other groups for the segments that it cannot serve. Null if there is none: no other group
     * can serve one of these segments, or the group itself has nothing to read.
     */
    private static @Nullable PlanOption option(
            GroupEstimate survey, Candidate own, OtherGroups others, Conditions conditions) {
        OtherGroups.Rest rest = others.of(survey.missing().ids());
        if (!rest.unserved().isEmpty()) {
            survey.exclude(survey.missing().reason() + "; no other group has all records of "
                    + Candidate.count(rest.unserved().size()));
            return null;
        }
        if (own.files() == 0 && !rest.parts().isEmpty()) {
            survey.exclude(survey.missing().reason());
            return null;
        }
        PlanOption option = PlanOption.of(own, survey, rest.parts(), boundPredicates(survey.group(), conditions));
        survey.complete(option.candidate());
        return option;
    }

    /** Plans a read without a limit of work. */
    public static Plan plan(
            Schema schema,
            List<GroupFiles> groups,
            String defaultGroup,
            ReadRequest readRequest,
            CostModel costs,
            @Nullable String forced) {
        return plan(schema, groups, defaultGroup, readRequest, costs, forced, WorkLimit.NONE);
    }

    private static boolean mayTake(GroupEstimate survey, @Nullable String forced) {
        return forced == null || forced.equals(survey.group().name());
    }

    /** The number of the group's leading predicates whose column the filter binds to values. */
    private static int boundPredicates(ReplicaGroup group, Conditions conditions) {
        int count = 0;
        while (count < group.predicates().size()
                && conditions.bindsToValues(group.predicates().get(count).column())) {
            count++;
        }
        return count;
    }

    /** The plan that leaves the reader on the default representation. */
    public static Plan stock(String defaultGroup, List<Candidate> candidates, String reason) {
        return new Plan(true, List.of(new PlanPart(defaultGroup, Segments.ALL, 0, List.of(), 0)), candidates, reason);
    }
}
