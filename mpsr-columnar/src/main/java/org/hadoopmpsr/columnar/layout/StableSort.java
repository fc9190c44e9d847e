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
import java.util.stream.IntStream;
import org.hadoopmpsr.columnar.buffer.BooleanVector;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.StringVector;

/**
 * Stable sorts of row numbers by one column, in time linear in the rows: counting for keys of few values, radix from
 * the least significant digit for numbers. Nulls come first, NaN last, strings by their UTF-8 bytes. The order given
 * holds some rows or all; it is not changed, and may be returned when it is sorted already.
 */
public final class StableSort {
    private static final int DIGIT_BITS = 11;
    private static final int DIGITS = 1 << DIGIT_BITS;

    /** With more buckets for each row than that, looking at all buckets costs more than going over the rows again. */
    private static final int BUCKETS_PER_ROW = 4;

    private StableSort() {}

    /**
     * Sorts by a column.
     *
     * @param ranks the places of the strings of a {@link StringVector} by number, else unused
     */
    public static int[] byColumn(ColumnVector vector, int[] ranks, int[] order) {
        if (vector instanceof LongVector longs) {
            return byLong(offsets(longs.values(), vector, order), vector, order);
        }
        if (vector instanceof DoubleVector doubles) {
            return byLong(sortable(doubles.values(), vector, order), vector, order);
        }
        int[] keys = new int[order.length];
        int buckets;
        if (vector instanceof StringVector strings) {
            int[] ids = strings.ids();
            for (int i = 0; i < keys.length; i++) {
                keys[i] = vector.isNull(order[i]) ? 0 : ranks[ids[order[i]]] + 1;
            }
            buckets = ranks.length + 1;
        } else {
            boolean[] values = ((BooleanVector) vector).values();
            for (int i = 0; i < keys.length; i++) {
                keys[i] = vector.isNull(order[i]) ? 0 : values[order[i]] ? 2 : 1;
            }
            buckets = 3;
        }
        return buckets > BUCKETS_PER_ROW * (long) order.length + DIGITS
                ? radix(IntStream.of(keys).asLongStream().toArray(), order.clone())
                : byBucket(keys, buckets, order);
    }

    /** Sorts by a key from 0 to {@code buckets - 1} for each place in the order. */
    static int[] byBucket(int[] keys, int buckets, int[] order) {
        int[] next = new int[buckets + 1];
        for (int key : keys) {
            next[key + 1]++;
        }
        for (int i = 1; i < buckets; i++) {
            next[i] += next[i - 1];
        }
        int[] sorted = new int[order.length];
        for (int i = 0; i < order.length; i++) {
            sorted[next[keys[i]]++] = order[i];
        }
        return sorted;
    }

    /** The distance of each value from the smallest one, in the sequence of {@code order}; 0 for null. */
    private static long[] offsets(long[] values, ColumnVector vector, int[] order) {
        boolean nulls = vector.mayHaveNulls();
        long min = Long.MAX_VALUE;
        for (int row : order) {
            if (!nulls || !vector.isNull(row)) {
                min = Math.min(min, values[row]);
            }
        }
        long[] offsets = new long[order.length];
        for (int i = 0; i < order.length; i++) {
            offsets[i] = nulls && vector.isNull(order[i]) ? 0 : values[order[i]] - min;
        }
        return offsets;
    }

    private static int[] byLong(long[] keys, ColumnVector vector, int[] order) {
        int strays = strays(keys);
        int[] rows = strays == 0
                ? order
                : strays <= keys.length / 8 ? merged(keys, order, strays) : radix(keys, order.clone());
        if (!vector.mayHaveNulls()) {
            return rows;
        }
        int[] present = new int[order.length];
        for (int i = 0; i < present.length; i++) {
            present[i] = vector.isNull(rows[i]) ? 0 : 1;
        }
        return byBucket(present, 2, rows);
    }

    /** The places of keys from the least key to the greatest. */
    public static int[] byKey(long[] keys) {
        long[] offsets = new long[keys.length];
        long min = Arrays.stream(keys).min().orElse(0);
        for (int i = 0; i < keys.length; i++) {
            offsets[i] = keys[i] - min;
        }
        return radix(offsets, IntStream.range(0, keys.length).toArray());
    }

    /** How many keys are less than one before them. */
    private static int strays(long[] keys) {
        int strays = 0;
        long max = 0;
        for (long key : keys) {
            if (Long.compareUnsigned(key, max) < 0) {
                strays++;
            } else {
                max = key;
            }
        }
        return strays;
    }

    /** Sorts the strays alone, and merges them with the others, which are in order. */
    private static int[] merged(long[] keys, int[] order, int strays) {
        long[] strayKeys = new long[strays];
        int[] places = new int[strays];
        long max = 0;
        int found = 0;
        for (int i = 0; i < keys.length; i++) {
            if (Long.compareUnsigned(keys[i], max) < 0) {
                places[found] = i;
                strayKeys[found++] = keys[i];
            } else {
                max = keys[i];
            }
        }
        int[] sortedPlaces = radix(strayKeys, places);
        int[] sorted = new int[order.length];
        int to = 0;
        int stray = 0;
        max = 0;
        for (int i = 0; i < keys.length; i++) {
            if (Long.compareUnsigned(keys[i], max) < 0) {
                continue;
            }
            // one of the others with the key of a stray came before it
            while (stray < strays && Long.compareUnsigned(keys[sortedPlaces[stray]], keys[i]) < 0) {
                sorted[to++] = order[sortedPlaces[stray++]];
            }
            max = keys[i];
            sorted[to++] = order[i];
        }
        while (stray < strays) {
            sorted[to++] = order[sortedPlaces[stray++]];
        }
        return sorted;
    }

    /** The places that have the key of a neighbour, in an order that is sorted by that column. */
    static int[] ties(LongVector vector, int[] sorted) {
        int[] ties = new int[16];
        int count = 0;
        boolean tied = false;
        for (int i = 0; i < sorted.length; i++) {
            boolean next = i + 1 < sorted.length && vector.same(sorted[i], sorted[i + 1]);
            if (tied || next) {
                if (count == ties.length) {
                    ties = Arrays.copyOf(ties, count * 2);
                }
                ties[count++] = i;
            }
            tied = next;
        }
        return Arrays.copyOf(ties, count);
    }

    /** Both arrays are used as scratch. */
    private static int[] radix(long[] keyed, int[] ordered) {
        long used = 0;
        for (long key : keyed) {
            used |= key;
        }
        long[] keys = keyed;
        int[] rows = ordered;
        long[] otherKeys = new long[keys.length];
        int[] otherRows = new int[rows.length];
        int[] next = new int[DIGITS + 1];
        for (int shift = 0; shift < Long.SIZE && used >>> shift != 0; shift += DIGIT_BITS) {
            if ((used >>> shift & DIGITS - 1) == 0) {
                continue;
            }
            Arrays.fill(next, 0);
            for (long key : keys) {
                next[(int) (key >>> shift & DIGITS - 1) + 1]++;
            }
            for (int i = 1; i < DIGITS; i++) {
                next[i] += next[i - 1];
            }
            for (int i = 0; i < keys.length; i++) {
                int to = next[(int) (keys[i] >>> shift & DIGITS - 1)]++;
                otherKeys[to] = keys[i];
                otherRows[to] = rows[i];
            }
            long[] sortedKeys = otherKeys;
            otherKeys = keys;
            keys = sortedKeys;
            int[] sortedRows = otherRows;
            otherRows = rows;
            rows = sortedRows;
        }
        return rows;
    }

    /** Longs in the order of {@link org.hadoopmpsr.core.schema.Values}: -0.0 and 0.0 are equal, NaN is last. */
    private static long[] sortable(double[] values, ColumnVector vector, int[] order) {
        long[] keys = new long[order.length];
        for (int i = 0; i < keys.length; i++) {
            long bits = Double.doubleToLongBits(values[order[i]] + 0.0); // makes -0.0 to 0.0
            keys[i] = vector.isNull(order[i]) ? 0 : bits ^ bits >> 63 & Long.MAX_VALUE ^ Long.MIN_VALUE;
        }
        return keys;
    }
}
