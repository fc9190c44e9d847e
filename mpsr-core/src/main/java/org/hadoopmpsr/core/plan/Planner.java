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
import java.util.List;
import java.util.Locale;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.DataFile;
import org.jspecify.annotations.Nullable;

/** Chooses the cheapest representation for a filter. A plain function of its arguments. */
public final class Planner {

    private Planner() {}

    /**
     * Plans a read.
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
        Candidate best = null;
        List<DataFile> bestFiles = List.of();
        for (GroupFiles offered : groups) {
            List<DataFile> files = prune(schema, offered, filter);
            Candidate candidate = candidate(offered, files, costs);
            candidates.add(candidate);
            boolean allowed = forced == null || forced.equals(candidate.group());
            if (allowed && candidate.excluded() == null && (best == null || candidate.costMs() < best.costMs())) {
                best = candidate;
                bestFiles = files;
            }
        }
        if (best == null) {
            return stock(
                    defaultGroup,
                    candidates,
                    "no group can be read: "
                            + new Plan(defaultGroup, true, List.of(), candidates, "").candidatesText());
        }
        String reason = forced != null
                ? "the reader asked for it"
                : String.format(Locale.ROOT, "cheapest at %.1f ms", best.costMs());
        return new Plan(best.group(), false, bestFiles, candidates, reason);
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

    private static Candidate candidate(GroupFiles offered, List<DataFile> files, CostModel costs) {
        long bytes = files.stream().mapToLong(DataFile::length).sum();
        return new Candidate(offered.group().name(), files.size(), bytes, costs.costMs(files), offered.unusable());
    }
}
