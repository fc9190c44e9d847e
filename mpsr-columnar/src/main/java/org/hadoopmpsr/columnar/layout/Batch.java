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
import org.hadoopmpsr.columnar.transform.RoundedColumns;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
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
    private final Map<List<SortKey>, int[]> orders = new HashMap<>();
    private final Map<SortKey, ColumnVector> bits = new HashMap<>();
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

    /** Divides the records among the files of a group, as the group holds them: with rounded values, if it has such. */
    public GroupLayout layout(ReplicaGroup group) {
        RoundedColumns rounded = new RoundedColumns(group, buffer.schema());
        if (rounded.isEmpty()) {
            return GroupLayout.of(group, this);
        }
        Map<Integer, ColumnVector> vectors = new HashMap<>();
        rounded.columns()
                .forEach(column ->
                        vectors.put(column.position(), column.of(buffer.vector(column.position()), buffer.rows())));
        return GroupLayout.of(group, new Batch(buffer.with(vectors), groups));
    }

    /** The partition fields of the records. */
    synchronized PartitionFields fields() {
        if (fields == null) {
            fields = new PartitionFields(buffer.schema(), buffer::vector, buffer.rows());
        }
        return fields;
    }

    /** All rows, sorted by the keys; the sorts by the last keys are shared. */
    synchronized int[] order(List<SortKey> keys) {
        List<SortKey> names =
                keys.stream().map(by -> by.withColumn(key(by.column()))).toList();
        int[] known = orders.get(names);
        if (known != null) {
            return known;
        }
        int[] order = keys.isEmpty() ? IntStream.range(0, buffer.rows()).toArray() : byFirst(names);
        orders.put(names, order);
        return order;
    }

    /**
     * All rows, part by part and sorted by the sort keys within; the part of a row is {@code partOf[row]}. Numbers, such as
     * times, are sorted for all parts at once, as they come almost in order; else only the last key is.
     */
    int[] order(List<SortKey> sort, int[] partOf, int parts) {
        boolean byNumber = !sort.isEmpty() && isNumber(sort.get(0));
        int shared = byNumber ? 0 : Math.max(0, sort.size() - 1);
        int[] sorted = order(sort.subList(shared, sort.size()));
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
            for (int key = shared - 1; key >= 0; key--) {
                rows = by(sort.get(key), rows);
            }
            System.arraycopy(rows, 0, order, from, count);
            from += count;
        }
        return order;
    }

    /** Where few rows have equal numbers in the first column, as with times, the others only order those. */
    private int[] byFirst(List<SortKey> keys) {
        if (keys.size() > 1 && isNumber(keys.get(0))) {
            int[] sorted = order(keys.subList(0, 1));
            int[] ties = StableSort.ties((LongVector) vector(keys.get(0).column()), sorted);
            if (ties.length <= sorted.length / 8) {
                return withTiesBroken(sorted, ties, keys);
            }
        }
        return by(keys.get(0), order(keys.subList(1, keys.size())));
    }

    private int[] withTiesBroken(int[] sorted, int[] ties, List<SortKey> keys) {
        int[] rows = new int[ties.length];
        for (int i = 0; i < ties.length; i++) {
            rows[i] = sorted[ties[i]];
        }
        for (int i = keys.size() - 1; i >= 0; i--) {
            rows = by(keys.get(i), rows);
        }
        int[] order = sorted.clone();
        for (int i = 0; i < ties.length; i++) {
            order[ties[i]] = rows[i];
        }
        return order;
    }

    private boolean isNumber(SortKey key) {
        return key.isColumn() && vector(key.column()) instanceof LongVector;
    }

    private synchronized ColumnVector sorted(SortKey key) {
        return key.isColumn()
                ? vector(key.column())
                : bits.computeIfAbsent(key, k -> values(k).vector(buffer.rows()));
    }

    private int[] by(SortKey key, int[] order) {
        return StableSort.byColumn(sorted(key), ranks(key.column()), order);
    }

    private static String key(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
