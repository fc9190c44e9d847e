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
package org.hadoopmpsr.columnar.layout;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.jspecify.annotations.Nullable;

/**
 * The buffered records as one commit sees them, with what the groups share: sort orders, partition values, and the
 * columns that are derived. Nothing may be added to the buffer as long as the batch is used. Safe for several threads.
 */
public final class Batch implements LogicalVectors {
    private static final int[] NO_RANKS = {};

    private final RecordBuffer buffer;
    private final ReplicaGroups groups;
    private final Map<List<String>, int[]> orders = new HashMap<>();
    private final Map<String, int[]> ranks = new HashMap<>();
    private @Nullable PartitionFields fields;
    private @Nullable ContentHash whole;

    public Batch(RecordBuffer buffer, ReplicaGroups groups) {
        this.buffer = buffer;
        this.groups = groups;
    }

    /** The records. */
    public RecordBuffer buffer() {
        return buffer;
    }

    /** All replica groups. */
    public ReplicaGroups groups() {
        return groups;
    }

    @Override
    public ColumnVector vector(String name) {
        if (ColumnPath.isPath(name)) {
            return fields().source(name);
        }
        var index = buffer.schema().indexOf(name);
        return index.isPresent() ? buffer.vector(index.getAsInt()) : fields().column(groups.defaultGroup(), name);
    }

    @Override
    public synchronized int[] ranks(String column) {
        return ranks.computeIfAbsent(
                key(column),
                k -> vector(column) instanceof StringVector strings
                        ? strings.dictionary().ranks()
                        : NO_RANKS);
    }

    /** The content hash of all rows. */
    synchronized ContentHash content() {
        if (whole == null) {
            whole = buffer.content();
        }
        return whole;
    }

    /** Divides the records among the files of a group. */
    public GroupLayout layout(ReplicaGroup group) {
        return GroupLayout.of(group, this);
    }

    /** The partition fields of the records. */
    synchronized PartitionFields fields() {
        if (fields == null) {
            fields = new PartitionFields(buffer.schema(), buffer::vector, buffer.rows());
        }
        return fields;
    }

    /** All rows, sorted by the columns; the sorts by the last columns are shared. */
    synchronized int[] order(List<Column> columns) {
        List<String> names = columns.stream().map(c -> key(c.name())).toList();
        int[] known = orders.get(names);
        if (known != null) {
            return known;
        }
        int[] order = columns.isEmpty() ? IntStream.range(0, buffer.rows()).toArray() : byFirst(names, columns);
        orders.put(names, order);
        return order;
    }

    /**
     * All rows, part by part and sorted by the columns within; the part of a row is {@code partOf[row]}. Numbers, such as
     * times, are sorted for all parts at once, as they come almost in order; else only the last column is.
     */
    int[] order(List<Column> columns, int[] partOf, int parts) {
        boolean byNumber = !columns.isEmpty() && vector(columns.get(0).name()) instanceof LongVector;
        int shared = byNumber ? 0 : Math.max(0, columns.size() - 1);
        int[] sorted = order(columns.subList(shared, columns.size()));
        int[] keys = new int[sorted.length];
        int[] counts = new int[parts];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = partOf[sorted[i]];
            counts[keys[i]]++;
        }
        int[] order = StableSort.byBucket(keys, parts, sorted);
        if (shared == 0) {
            return order;
        }
        int from = 0;
        for (int count : counts) {
            int[] rows = Arrays.copyOfRange(order, from, from + count);
            for (int column = shared - 1; column >= 0; column--) {
                rows = by(columns.get(column).name(), rows);
            }
            System.arraycopy(rows, 0, order, from, count);
            from += count;
        }
        return order;
    }

    /** Where few rows have equal numbers in the first column, as with times, the others only order those. */
    private int[] byFirst(List<String> names, List<Column> columns) {
        if (columns.size() > 1 && vector(names.get(0)) instanceof LongVector numbers) {
            int[] sorted = order(columns.subList(0, 1));
            int[] ties = StableSort.ties(numbers, sorted);
            if (ties.length <= sorted.length / 8) {
                return withTiesBroken(sorted, ties, names);
            }
        }
        return by(names.get(0), order(columns.subList(1, columns.size())));
    }

    private int[] withTiesBroken(int[] sorted, int[] ties, List<String> names) {
        int[] rows = new int[ties.length];
        for (int i = 0; i < ties.length; i++) {
            rows[i] = sorted[ties[i]];
        }
        for (int i = names.size() - 1; i >= 0; i--) {
            rows = by(names.get(i), rows);
        }
        int[] order = sorted.clone();
        for (int i = 0; i < ties.length; i++) {
            order[ties[i]] = rows[i];
        }
        return order;
    }

    private int[] by(String column, int[] order) {
        return StableSort.byColumn(vector(column), ranks(column), order);
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
