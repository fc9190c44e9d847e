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
package org.hadoopmpsr.ingest.layout;

import java.util.Arrays;
import org.hadoopmpsr.ingest.buffer.BooleanVector;
import org.hadoopmpsr.ingest.buffer.ColumnVector;
import org.hadoopmpsr.ingest.buffer.DoubleVector;
import org.hadoopmpsr.ingest.buffer.LongVector;
import org.hadoopmpsr.ingest.buffer.StringVector;

/**
 * Stable sorts of row numbers by one column, in time linear in the rows: counting for keys of few values, radix from
 * the least significant digit for numbers. Nulls come first, NaN last, strings by their UTF-8 bytes. The order given
 * is not changed; it may be returned when it is sorted already.
 */
final class StableSort {
    private static final int DIGIT_BITS = 11;
    private static final int DIGITS = 1 << DIGIT_BITS;

    private StableSort() {}

    /**
     * Sorts by a column.
     *
     * @param ranks the places of the strings of a {@link StringVector} by number, else unused
     */
    static int[] byColumn(ColumnVector vector, int[] ranks, int[] order) {
        if (vector instanceof LongVector longs) {
            return byLong(offsets(longs.values(), vector, order), vector, order);
        }
        if (vector instanceof DoubleVector doubles) {
            return byLong(offsets(sortable(doubles.values(), order.length), vector, order), vector, order);
        }
        int[] keys = new int[order.length];
        int buckets;
        if (vector instanceof StringVector strings) {
            for (int row = 0; row < keys.length; row++) {
                keys[row] = vector.isNull(row) ? 0 : ranks[strings.ids()[row]] + 1;
            }
            buckets = ranks.length + 1;
        } else {
            boolean[] values = ((BooleanVector) vector).values();
            for (int row = 0; row < keys.length; row++) {
                keys[row] = vector.isNull(row) ? 0 : values[row] ? 2 : 1;
            }
            buckets = 3;
        }
        return byBucket(keys, buckets, order);
    }

    /** Sorts by a key from 0 to {@code buckets - 1} for each row. */
    static int[] byBucket(int[] keys, int buckets, int[] order) {
        int[] next = new int[buckets + 1];
        for (int row : order) {
            next[keys[row] + 1]++;
        }
        for (int i = 1; i < buckets; i++) {
            next[i] += next[i - 1];
        }
        int[] sorted = new int[order.length];
        for (int row : order) {
            sorted[next[keys[row]]++] = row;
        }
        return sorted;
    }

    /** The distance of each value from the smallest one, in the sequence of {@code order}; 0 for null. */
    private static long[] offsets(long[] values, ColumnVector vector, int[] order) {
        boolean nulls = vector.nulls(order.length) > 0;
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
        long used = 0;
        boolean sorted = true;
        for (int i = 0; i < keys.length; i++) {
            used |= keys[i];
            sorted &= i == 0 || Long.compareUnsigned(keys[i - 1], keys[i]) <= 0;
        }
        int[] rows = sorted ? order : radix(keys, used, order.clone());
        if (vector.nulls(order.length) == 0) {
            return rows;
        }
        int[] present = new int[order.length];
        for (int row = 0; row < present.length; row++) {
            present[row] = vector.isNull(row) ? 0 : 1;
        }
        return byBucket(present, 2, rows);
    }

    /** Both arrays are used as scratch. */
    private static int[] radix(long[] keyed, long used, int[] ordered) {
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
    private static long[] sortable(double[] values, int rows) {
        long[] keys = new long[rows];
        for (int i = 0; i < rows; i++) {
            long bits = Double.doubleToLongBits(values[i] + 0.0); // makes -0.0 to 0.0
            keys[i] = bits ^ bits >> 63 & Long.MAX_VALUE;
        }
        return keys;
    }
}
