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
package org.hadoopmpsr.core.stats;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.hadoopmpsr.core.hash.ContentHash;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of one file of a representation. Immutable.
 *
 * @param commitId the commit that published the file
 * @param content the number of records and their content hash
 * @param partition the partition tuple, a value for each predicate of the group
 * @param columns statistics by lower-case column name; a missing column is unknown
 * @param rowGroups in the order of the file; empty if nothing tells where they lie
 */
public record FileStatistics(
        String commitId,
        ContentHash content,
        List<@Nullable Object> partition,
        Map<String, ColumnStatistics> columns,
        List<RowGroup> rowGroups) {
    /**
     * The maximum number of records in a page of files that ingest writes. A reader with page indexes reads at least
     * one page.
     */
    public static final int PAGE_ROWS = 20_000;

    public FileStatistics {
        partition = Collections.unmodifiableList(new ArrayList<>(partition));
        Map<String, ColumnStatistics> lower = new TreeMap<>();
        columns.forEach((name, statistics) -> lower.put(name.toLowerCase(Locale.ROOT), statistics));
        columns = Collections.unmodifiableMap(lower);
        rowGroups = List.copyOf(rowGroups);
    }

    /** Statistics that do not tell where row groups lie. */
    public FileStatistics(
            String commitId,
            ContentHash content,
            List<@Nullable Object> partition,
            Map<String, ColumnStatistics> columns) {
        this(commitId, content, partition, columns, List.of());
    }

    /** The number of records. */
    public long rows() {
        return content.count();
    }

    /**
     * Statistics that hold for the records of both files together: a filter that may match in one of the files may
     * match here, even if the statistics of the other file are false. The partition tuple keeps only values that are
     * equal in both, and of the contents only the number of records is kept.
     */
    public FileStatistics union(FileStatistics other) {
        List<@Nullable Object> common = new ArrayList<>(partition);
        for (int i = 0; i < common.size(); i++) {
            boolean same = i < other.partition.size() && Objects.equals(common.get(i), other.partition.get(i));
            common.set(i, same ? common.get(i) : null);
        }
        Map<String, ColumnStatistics> both = new HashMap<>();
        columns.forEach((name, column) -> {
            ColumnStatistics its = other.columns.get(name);
            if (its != null) {
                both.put(name, column.union(rows(), its, other.rows()));
            }
        });
        return new FileStatistics("", new ContentHash(sum(rows(), other.rows()), 0, 0), common, both);
    }

    /** The sum of two numbers of records; a negative number counts as none, and a sum that is too large as the maximum. */
    public static long sum(long rows, long otherRows) {
        long sum = Math.max(0, rows) + Math.max(0, otherRows);
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** These statistics without columns and row groups. */
    public FileStatistics withoutColumns() {
        return new FileStatistics(commitId, content, partition, Map.of());
    }

    /** These statistics with these columns alone, in lower case. */
    public FileStatistics withColumns(Set<String> names) {
        Map<String, ColumnStatistics> kept = new HashMap<>();
        names.forEach(name -> {
            ColumnStatistics column = columns.get(name);
            if (column != null) {
                kept.put(name, column);
            }
        });
        return new FileStatistics(commitId, content, partition, kept, rowGroups);
    }

    /** The statistics of a column, by its name without regard to case; never null. */
    public ColumnStatistics column(String name) {
        return columns.getOrDefault(name.toLowerCase(Locale.ROOT), ColumnStatistics.UNKNOWN);
    }

    /** About how many different values a column has. If that is unknown, the number of records, at least 1. */
    public double different(String column) {
        double most = Math.max(1, rows());
        return Math.min(most, column(column).different().orElse(most));
    }
}
