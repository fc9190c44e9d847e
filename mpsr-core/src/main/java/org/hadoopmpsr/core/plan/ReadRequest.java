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
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.FileTotals;
import org.jspecify.annotations.Nullable;

/**
 * What a reader asks of a dataset.
 *
 * @param filter what records it needs
 * @param columns the columns that it reads, those of the filter among them, by name without regard to case; null for all. Only
 *     estimates use it
 * @param parallelism how many tasks the reader runs at a time; 0 when it does not say. Whoever plans takes the costs for it
 * @param hosts those that it reads on, by the names that HDFS has; empty when it does not say, and of more than
 *     {@value #MOST_HOSTS}, which are taken for everywhere
 * @param listed what it has listed of the default representation, perhaps a while ago, and so the state of the dataset that
 *     it shall read; null for the present one
 * @param compared true when it reads no file but compares them with a listing: those that cannot be read now are among them,
 *     and where they lie is not looked up
 */
public record ReadRequest(
        Filter filter,
        @Nullable Set<String> columns,
        int parallelism,
        Set<String> hosts,
        @Nullable FileTotals listed,
        boolean compared) {
    /** So many hosts are told at most. */
    private static final int MOST_HOSTS = 1_000;

    public ReadRequest {
        hosts = hosts.size() > MOST_HOSTS ? Set.of() : Set.copyOf(hosts);
        columns = columns == null
                ? null
                : columns.stream().map(c -> c.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Whether the bounds of row groups and pages tell nearly all records that pass from the others, and dictionaries little
     * more: a few values of the group's lead column are asked for, which fill pages.
     *
     * @param leadRows as {@link Plan#leadRows} tells
     */
    public boolean isFoundByBounds(ReplicaGroup group, long leadRows) {
        return leadRows > FileStatistics.PAGE_ROWS && new Conditions(filter).bindsToValues(group.leadColumn());
    }

    /** Of the present state. */
    public ReadRequest(Filter filter, @Nullable Set<String> columns, int parallelism, Set<String> hosts) {
        this(filter, columns, parallelism, hosts, null, false);
    }

    /** The same of a reader that does not say how many tasks it runs, and where. */
    public ReadRequest(Filter filter, @Nullable Set<String> columns) {
        this(filter, columns, 0, Set.of());
    }

    /** The same of the state that was listed. */
    public ReadRequest of(FileTotals listing) {
        return new ReadRequest(filter, columns, parallelism, hosts, listing, compared);
    }

    /** The files that may have records that pass, to be compared with a listing. */
    public static ReadRequest ofFiles(Filter filter) {
        return new ReadRequest(filter, Set.of(), 0, Set.of(), null, true);
    }

    /** All columns of the records that pass. */
    public static ReadRequest ofAllColumns(Filter filter) {
        return new ReadRequest(filter, null);
    }
}
