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

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.history.AsOf;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.core.transform.Accuracy;
import org.jspecify.annotations.Nullable;

/**
 * What a reader asks of a dataset.
 *
 * @param filter the filter that the needed records pass
 * @param columns the columns that the reader reads, including those of the filter, by name without regard to case; null
 *     for all. Estimates use them, and a group that has rounded values of one is not planned without {@code accuracies}
 * @param parallelism the number of tasks that the reader runs at a time; 0 if the reader does not say. The caller of
 *     the planner adapts the costs to it
 * @param hosts the hosts that read, by the names that HDFS has; empty if the reader does not say. More than {@value
 *     #MOST_HOSTS} hosts count as everywhere
 * @param listed the totals of the reader's own listing of the default representation, which may be old. The plan is
 *     then of the state that was listed; null for the present state
 * @param compared true if the reader reads no file and only compares the files with a listing: the plan then includes
 *     files that cannot be read now, and no block locations
 * @param parts true if the reader can read some segments from one group and the rest from others; false if it reads one
 *     group
 * @param untracked true if the reader also reads those files of the default group that came without a commit, which a plan
 *     names and does not have; false if a default group with such files is of no use to it
 * @param asOf the earlier state that is read; null for the present one, or the listed one
 * @param transforms the transforms of columns that the reader reads, as {@link
 *     org.hadoopmpsr.core.transform.TransformRegistry#known} names them; empty if it reads columns only as they are
 * @param accuracies how far off values may be that the reader gets, by the names of columns without regard to case; it reads other columns
 *     exactly
 */
public record ReadRequest(
        Filter filter,
        @Nullable Set<String> columns,
        int parallelism,
        Set<String> hosts,
        @Nullable FileTotals listed,
        boolean compared,
        boolean parts,
        boolean untracked,
        @Nullable AsOf asOf,
        Set<String> transforms,
        Map<String, Accuracy> accuracies) {
    /** The maximum number of hosts in a request. */
    private static final int MOST_HOSTS = 1_000;

    public ReadRequest {
        hosts = hosts.size() > MOST_HOSTS ? Set.of() : Set.copyOf(hosts);
        transforms = Set.copyOf(transforms);
        accuracies = accuracies.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        entry -> entry.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue, Accuracy::and));
        columns = columns == null
                ? null
                : columns.stream().map(c -> c.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * True if the bounds of row groups and pages separate nearly all passing records from the others, and dictionaries
     * would add little: the filter asks for a few values of the group's lead column, and each value fills pages.
     *
     * @param leadRows as in {@link PlanPart#leadRows}
     */
    public boolean isFoundByBounds(ReplicaGroup group, long leadRows) {
        return leadRows > FileStatistics.PAGE_ROWS
                && group.lead().isColumn()
                && new Conditions(filter).bindsToValues(group.lead().column());
    }

    /** A request for the present state. */
    public ReadRequest(Filter filter, @Nullable Set<String> columns, int parallelism, Set<String> hosts) {
        this(filter, columns, parallelism, hosts, null, false, false, false, null, Set.of(), Map.of());
    }

    /** A request of a reader that states neither tasks nor hosts. */
    public ReadRequest(Filter filter, @Nullable Set<String> columns) {
        this(filter, columns, 0, Set.of());
    }

    /** This request for the state that was listed. */
    public ReadRequest of(FileTotals listing) {
        return new ReadRequest(
                filter, columns, parallelism, hosts, listing, compared, parts, untracked, asOf, transforms, accuracies);
    }

    /** This request of a reader that can read several groups. */
    public ReadRequest inParts() {
        return new ReadRequest(
                filter, columns, parallelism, hosts, listed, compared, true, untracked, asOf, transforms, accuracies);
    }

    /** This request of a reader that also reads files without a commit. */
    public ReadRequest withUntracked() {
        return new ReadRequest(
                filter, columns, parallelism, hosts, listed, compared, parts, true, asOf, transforms, accuracies);
    }

    /** This request of a reader that reads columns in transforms. */
    public ReadRequest knowing(Set<String> known) {
        return new ReadRequest(
                filter, columns, parallelism, hosts, listed, compared, parts, untracked, asOf, known, accuracies);
    }

    /** This request of a reader that gets some columns with errors. */
    public ReadRequest within(Map<String, Accuracy> accepted) {
        return new ReadRequest(
                filter, columns, parallelism, hosts, listed, compared, parts, untracked, asOf, transforms, accepted);
    }

    /** This request for an earlier state, which no listing tells. */
    public ReadRequest asOf(AsOf state) {
        return new ReadRequest(
                filter, columns, parallelism, hosts, null, compared, parts, untracked, state, transforms, accuracies);
    }

    /** A request for the files that may have passing records, to compare them with a listing. */
    public static ReadRequest ofFiles(Filter filter) {
        return new ReadRequest(filter, Set.of(), 0, Set.of(), null, true, false, false, null, Set.of(), Map.of());
    }

    /** A request for all columns of the passing records. */
    public static ReadRequest ofAllColumns(Filter filter) {
        return new ReadRequest(filter, null);
    }
}
