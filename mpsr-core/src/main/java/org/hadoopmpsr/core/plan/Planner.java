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
import java.util.Locale;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.DataFile;
import org.jspecify.annotations.Nullable;

/** Chooses the cheapest representation for a filter. A plain function of its arguments. */
public final class Planner {
    /** Estimates that differ by less are taken for equal. */
    private static final double TIE = 1.1;

    private Planner() {}

    /**
     * Plans a read. Of groups whose costs are within a tenth of the cheapest, that one is taken whose predicates the
     * filter binds most: its partitions were made for such reads, while bounds of values prune only as long as records
     * happen to lie well.
     *
     * @param groups the representations in configured order, the default group's among them
     * @param defaultGroup the name of the default group
     * @param forced the group that the reader insists on, or null for the cheapest
     * @throws IllegalArgumentException when the forced group does not exist
     */
    public static Plan plan(
            Schema schema,
            List<GroupFiles> groups,
            String defaultGroup,
            Filter filter,
            CostModel costs,
            @Nullable String forced) {
        if (forced != null && groups.stream().noneMatch(g -> g.group().name().equals(forced))) {
            throw new IllegalArgumentException("there is no replica group '" + forced + "'; the groups are "
                    + groups.stream().map(g -> g.group().name()).toList());
        }
        List<Candidate> candidates = new ArrayList<>();
        List<Option> options = new ArrayList<>();
        Conditions conditions = new Conditions(filter);
        for (GroupFiles offered : groups) {
            List<DataFile> files = prune(schema, offered, filter);
            Candidate candidate = candidate(schema, offered, conditions, files, costs);
            candidates.add(candidate);
            if (candidate.excluded() == null && (forced == null || forced.equals(candidate.group()))) {
                options.add(new Option(candidate, files, boundPredicates(offered.group(), conditions)));
            }
        }
        if (options.isEmpty()) {
            return stock(
                    defaultGroup,
                    candidates,
                    "no group can be read: "
                            + new Plan(defaultGroup, true, List.of(), candidates, "").candidatesText());
        }
        Option cheapest = Collections.min(options, Comparator.comparingDouble(Option::costMs));
        Option chosen = options.stream()
                .filter(o -> o.costMs() <= cheapest.costMs() * TIE)
                .max(Comparator.comparingInt(Option::bound).thenComparing(Option::costMs, Comparator.reverseOrder()))
                .orElse(cheapest);
        return new Plan(
                chosen.candidate().group(), false, chosen.files(), candidates, reason(chosen, cheapest, forced));
    }

    private record Option(Candidate candidate, List<DataFile> files, int bound) {
        double costMs() {
            return candidate.costMs();
        }
    }

    private static String reason(Option chosen, Option cheapest, @Nullable String forced) {
        if (forced != null) {
            return "the reader asked for it";
        }
        return chosen.costMs() == cheapest.costMs()
                ? String.format(Locale.ROOT, "cheapest at %.1f ms", chosen.costMs())
                : "about as cheap as " + cheapest.candidate().group() + " and partitioned by what is asked for";
    }

    /** How many of the group's first predicates have their column bound to values by the filter. */
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
        return new Plan(defaultGroup, true, List.of(), candidates, reason);
    }

    private static List<DataFile> prune(Schema schema, GroupFiles offered, Filter filter) {
        if (offered.unusable() != null) {
            return List.of();
        }
        Pruner pruner = new Pruner(schema, offered.group().predicates());
        return offered.files().stream()
                .filter(f -> pruner.mayMatch(filter, f.statistics()))
                .toList();
    }

    private static Candidate candidate(
            Schema schema, GroupFiles offered, Conditions conditions, List<DataFile> files, CostModel costs) {
        RowEstimate estimate = new RowEstimate(offered.group().sortColumns(schema), conditions);
        double bytes = 0;
        for (DataFile file : files) {
            bytes += file.length() * estimate.share(file.statistics());
        }
        double costMs = costs.costMs(files.size(), (long) bytes);
        return new Candidate(offered.group().name(), files.size(), (long) bytes, costMs, offered.unusable());
    }
}
