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
package org.hadoopmpsr.core.advise;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.plan.Candidate;
import org.hadoopmpsr.core.plan.Plan;
import org.hadoopmpsr.core.plan.Planner;
import org.hadoopmpsr.core.plan.ReadRequest;
import org.jspecify.annotations.Nullable;

/**
 * Says what queries read in replica groups that need not exist yet: the planner chooses among their files as a sample of the data tells
 * them. The planner counts the one condition that leaves least. Where a query has conditions on other columns than those by which a group is
 * divided and sorted, the sampled records say which pages all of them leave: the records lie as they do in the group. Immutable.
 */
final class Estimator {
    private final DataSample sample;
    private final CostModel costs;
    private final double fileBytes;
    private final GroupSizes sizes;
    private final @Nullable StockFiles lying;
    private final String defaultGroup;

    /**
     * @param fileBytes the size to which files grow when they are merged
     * @param sizes what columns take in groups other than the default group
     * @param lying the files of the default group, if they are known
     */
    Estimator(
            DataSample sample,
            CostModel costs,
            double fileBytes,
            GroupSizes sizes,
            @Nullable StockFiles lying,
            String defaultGroup) {
        this.sample = sample;
        this.costs = costs;
        this.fileBytes = fileBytes;
        this.sizes = sizes;
        this.lying = lying;
        this.defaultGroup = defaultGroup;
    }

    /** As this, from about so many of the sampled records. */
    Estimator rough(int records) {
        return new Estimator(sample.thinned(records), costs, fileBytes, sizes, lying, defaultGroup);
    }

    /**
     * A group with its files.
     *
     * @param pages the pages of the files, as files of their own; null if nothing is known of them
     * @param own the columns by which the group is divided and sorted, in lower case
     */
    record Laid(GroupFiles files, @Nullable GroupFiles pages, Set<String> own) {
        String name() {
            return files.group().name();
        }

        /** Whether the planner's estimate counts all conditions of a query. */
        private boolean isPlanned(Question question) {
            return question.queries().shape().terms().stream()
                    .flatMap(term -> term.columns().stream())
                    .allMatch(column -> own.contains(column.toLowerCase(Locale.ROOT)));
        }
    }

    /** A group as a sample tells, or as the files lie if it is the default group and they are known. */
    Laid laid(ReplicaGroup group) {
        return lying != null && group.name().equals(defaultGroup)
                ? new Laid(lying.of(group), null, Set.of())
                : sampled(group);
    }

    /** A group as a sample tells. */
    Laid sampled(ReplicaGroup group) {
        Stream<String> divided =
                group.predicates().stream().flatMap(predicate -> Stream.of(predicate.column(), predicate.fieldName()));
        Stream<String> sorted = group.sortKeys(sample.schema()).stream().map(SortKey::column);
        SampledFiles files = new SampledFiles(sample, group, fileBytes, sizes);
        return new Laid(
                files.files(),
                files.pages(),
                Stream.concat(divided, sorted)
                        .map(column -> column.toLowerCase(Locale.ROOT))
                        .collect(Collectors.toUnmodifiableSet()));
    }

    /**
     * What a query of a class costs in a group, on average, in milliseconds.
     *
     * @param plannedMs by the planner's estimate, by which it chooses among groups
     * @param readMs by what is read
     */
    record Cost(double plannedMs, double readMs) {}

    /** What a query of a class costs in a group, on average. */
    Cost cost(Question question, Laid group) {
        double plannedMs = 0;
        double readMs = 0;
        for (ReadRequest request : question.examples()) {
            Candidate alone = plan(List.of(group.files()), group.name(), request)
                    .candidates()
                    .get(0);
            plannedMs += alone.costMs();
            readMs += readMs(alone, shareRead(question, group, request, alone));
        }
        int count = question.examples().size();
        return new Cost(plannedMs / count, readMs / count);
    }

    /** What a query of a class reads, on average, if the planner chooses among these groups. */
    Advice.Estimate estimate(Question question, List<Laid> groups, String otherwise) {
        List<GroupFiles> all = groups.stream().map(Laid::files).toList();
        double files = 0;
        double bytes = 0;
        double costMs = 0;
        Map<String, Integer> chosen = new HashMap<>();
        for (ReadRequest request : question.examples()) {
            Plan plan = plan(all, otherwise, request);
            int place = place(plan);
            Candidate candidate = plan.candidates().get(place);
            double share = shareRead(question, groups.get(place), request, candidate);
            files += candidate.files();
            bytes += share * candidate.bytes();
            costMs += readMs(candidate, share);
            chosen.merge(plan.group(), 1, Integer::sum);
        }
        int count = question.examples().size();
        String most = chosen.entrySet().stream()
                .max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse(otherwise);
        return new Advice.Estimate(most, files / count, bytes / count, costMs / count);
    }

    private Plan plan(List<GroupFiles> groups, String otherwise, ReadRequest request) {
        return Planner.plan(sample.schema(), groups, otherwise, request, costs, null);
    }

    private static int place(Plan plan) {
        List<String> names = plan.candidates().stream().map(Candidate::group).toList();
        return names.indexOf(plan.group());
    }

    /** The share of the planned bytes that lie in pages whose bounds allow for a record that passes. */
    private double shareRead(Question question, Laid group, ReadRequest request, Candidate planned) {
        if (group.isPlanned(question) || group.pages() == null || planned.bytes() <= 0) {
            return 1;
        }
        long bytes = plan(List.of(group.pages()), group.name(), request)
                .candidates()
                .get(0)
                .bytes();
        return Math.min(1, (double) bytes / planned.bytes());
    }

    private double readMs(Candidate planned, double share) {
        double openMs = Math.min(planned.costMs(), planned.files() * costs.openMs() / costs.parallelism());
        return openMs + share * (planned.costMs() - openMs);
    }

    /** What a query of a class reads, on average, without MPSR: of a dataset as the planner estimates it for the default group alone. */
    Advice.Estimate stockEstimate(Question question, ReplicaGroup stock) {
        Advice.Estimate planned = estimate(question, List.of(laid(stock)), defaultGroup);
        if (lying == null) {
            return planned;
        }
        Laid byDirectories = new Laid(lying.byDirectories(stock), null, Set.of());
        double opened = estimate(question, List.of(byDirectories), defaultGroup).files();
        double more = Math.max(0, opened - planned.files());
        return new Advice.Estimate(
                defaultGroup,
                planned.files() + more,
                planned.bytes() + more * lying.footerBytes(),
                planned.costMs() + more * costs.openMs() / costs.parallelism());
    }
}
