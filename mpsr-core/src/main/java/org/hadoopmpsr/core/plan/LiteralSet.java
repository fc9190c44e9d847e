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
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.group.PartitionTransform;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Literals of a filter in the order of values, each once. To compare them with a file's bounds takes as long as to find
 * the bounds among them, which is short also for many literals. Immutable.
 */
final class LiteralSet {
    static final LiteralSet NONE = new LiteralSet(List.of());

    /**
     * The number of literals that are looked up in a file's filter of values. That filter takes a missing value for a
     * present one twice in a hundred times: of more literals one passes in most cases.
     */
    private static final int MAX_LOOKUPS = 32;

    private final Map<Class<?>, List<Object>> sorted = new HashMap<>();
    private final boolean hasNan;

    /** @param literals of any classes, not null */
    LiteralSet(Collection<?> literals) {
        boolean nan = false;
        for (Object literal : literals) {
            if (isNan(literal)) {
                nan = true; // no bounds say anything of it
            } else {
                sorted.computeIfAbsent(literal.getClass(), c -> new ArrayList<>())
                        .add(literal);
            }
        }
        hasNan = nan;
        sorted.replaceAll((type, all) -> distinct(all));
    }

    private static boolean isNan(Object literal) {
        return literal instanceof Double d && d.isNaN();
    }

    private static List<Object> distinct(List<Object> literals) {
        literals.sort(Comparator.comparing(v -> v, Values::compare));
        List<Object> distinct = new ArrayList<>(literals.size());
        for (Object literal : literals) {
            if (distinct.isEmpty() || Values.compare(distinct.get(distinct.size() - 1), literal) != 0) {
                distinct.add(literal);
            }
        }
        return distinct;
    }

    int size() {
        return sorted.values().stream().mapToInt(List::size).sum() + (hasNan ? 1 : 0);
    }

    /** The number of literals from {@code min} to {@code max}, both of them included, which have one class. */
    int countWithin(Object min, Object max) {
        List<Object> all = sorted.getOrDefault(min.getClass(), List.of());
        return Math.max(0, firstAbove(all, max) - firstFrom(all, min));
    }

    /** A literal that a column with these statistics may hold, or null if it holds none of them. */
    @Nullable
    Object heldBy(ColumnStatistics column) {
        for (Map.Entry<Class<?>, List<Object>> entry : sorted.entrySet()) {
            Object min = column.min();
            Object max = column.max();
            List<Object> all = entry.getValue();
            int from = min != null && min.getClass() == entry.getKey() ? firstFrom(all, min) : 0;
            int to = max != null && max.getClass() == entry.getKey() ? firstAbove(all, max) : all.size();
            int end = Math.min(to, from + MAX_LOOKUPS);
            for (int i = from; i < end; i++) {
                if (column.mayHold(all.get(i))) {
                    return all.get(i);
                }
            }
            if (end < to) {
                return all.get(end);
            }
        }
        return hasNan ? (Object) Double.NaN : null;
    }

    /** The position of the first literal that is not below the value. */
    private static int firstFrom(List<Object> sorted, Object value) {
        return position(sorted, value, 0);
    }

    /** The position of the first literal above the value. */
    private static int firstAbove(List<Object> sorted, Object value) {
        return position(sorted, value, 1);
    }

    /** The number of literals whose comparison with the value is below the limit. */
    private static int position(List<Object> sorted, Object value, int limit) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Values.compare(sorted.get(middle), value) < limit) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * The literals that a column is compared with for equality, prepared for the files of one group: the bucket of each is
     * computed once, and not for each file. Immutable.
     */
    static final class ByBucket {
        private final LiteralSet all;
        /** The place of the column's bucket in partition tuples; -1 without one. */
        private final int place;
        /** The literals of each bucket, with those whose bucket is not known. */
        private final Map<Object, LiteralSet> byBucket;
        /** The literals whose bucket is not known. */
        private final LiteralSet others;

        private ByBucket(LiteralSet all, int place, Map<Object, LiteralSet> byBucket, LiteralSet others) {
            this.all = all;
            this.place = place;
            this.byBucket = byBucket;
            this.others = others;
        }

        static ByBucket of(String name, Collection<?> literals, Schema schema, List<Predicate> predicates) {
            LiteralSet all = new LiteralSet(literals);
            Column column = schema.find(name).orElse(null);
            for (int place = 0; column != null && place < predicates.size(); place++) {
                Predicate predicate = predicates.get(place);
                if (predicate.transform() instanceof PartitionTransform.Bucket bucket
                        && predicate.column().equalsIgnoreCase(name)) {
                    return inBuckets(all, literals, column, bucket, place);
                }
            }
            return new ByBucket(all, -1, Map.of(), LiteralSet.NONE);
        }

        private static ByBucket inBuckets(
                LiteralSet all, Collection<?> literals, Column column, PartitionTransform.Bucket bucket, int place) {
            List<Object> others = new ArrayList<>();
            Map<Object, List<Object>> buckets = new HashMap<>();
            for (Object literal : literals) {
                if (literal.getClass() == column.type().valueClass()) {
                    buckets.computeIfAbsent(bucket.apply(column.type(), literal), b -> new ArrayList<>())
                            .add(literal);
                } else {
                    others.add(literal);
                }
            }
            Map<Object, LiteralSet> sets = new HashMap<>();
            buckets.forEach((number, some) -> {
                some.addAll(others);
                sets.put(number, new LiteralSet(some));
            });
            return new ByBucket(all, place, sets, new LiteralSet(others));
        }

        /** The literals that may be values of the column in this file, as far as its partition tells. */
        LiteralSet inPartition(FileStatistics file) {
            Object bucket = place < 0 || place >= file.partition().size()
                    ? null
                    : file.partition().get(place);
            return bucket == null ? all : byBucket.getOrDefault(bucket, others);
        }
    }
}
