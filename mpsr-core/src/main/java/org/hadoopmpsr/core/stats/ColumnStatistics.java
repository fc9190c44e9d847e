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

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.hadoopmpsr.core.schema.Values;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of one column in one file.
 *
 * @param min a lower bound of the values that are not null, or null if unknown
 * @param max an upper bound of these values, or null if unknown
 * @param nullCount the number of nulls, or -1 if unknown
 * @param distinct about how many different values there are, or -1 if unknown; only estimates use it
 * @param exact true if the bounds are the least and the greatest value of the column, where -0.0 is less than 0.0;
 *     never true without a bound
 * @param bytes about how many bytes of the file the column takes, or -1 if unknown; only estimates use it
 * @param values a filter of the strings in the column, or null if unknown; always null for other types
 * @param pageShare which share of the file's pages may hold a value of the column, on average, as {@link PageBounds#share}
 *     finds it; or -1 if unknown; only estimates use it
 */
public record ColumnStatistics(
        @Nullable Object min,
        @Nullable Object max,
        long nullCount,
        long distinct,
        boolean exact,
        long bytes,
        @Nullable ValueFilter values,
        double pageShare) {
    /** Statistics of which nothing is known. */
    public static final ColumnStatistics UNKNOWN = new ColumnStatistics(null, null, -1);

    private static final int MAX_STRING = 64;

    public ColumnStatistics {
        if (min != null && max != null && Values.compare(min, max) > 0) {
            throw new IllegalArgumentException("minimum " + min + " is above maximum " + max);
        }
        exact = exact && (min != null || max != null);
    }

    /** Statistics that say nothing of pages. */
    public ColumnStatistics(
            @Nullable Object min,
            @Nullable Object max,
            long nullCount,
            long distinct,
            boolean exact,
            long bytes,
            @Nullable ValueFilter values) {
        this(min, max, nullCount, distinct, exact, bytes, values, -1);
    }

    /** Statistics without a filter of values. */
    public ColumnStatistics(
            @Nullable Object min, @Nullable Object max, long nullCount, long distinct, boolean exact, long bytes) {
        this(min, max, nullCount, distinct, exact, bytes, null);
    }

    /** Statistics without a number of bytes. */
    public ColumnStatistics(@Nullable Object min, @Nullable Object max, long nullCount, long distinct, boolean exact) {
        this(min, max, nullCount, distinct, exact, -1);
    }

    /** Statistics whose bounds may not be values of the column. */
    public ColumnStatistics(@Nullable Object min, @Nullable Object max, long nullCount, long distinct) {
        this(min, max, nullCount, distinct, false);
    }

    /** Statistics without a count of different values. */
    public ColumnStatistics(@Nullable Object min, @Nullable Object max, long nullCount) {
        this(min, max, nullCount, -1);
    }

    /** These statistics with a count of different values. */
    public ColumnStatistics withDistinct(long count) {
        return new ColumnStatistics(min, max, nullCount, count, exact, bytes, values, pageShare);
    }

    /** These statistics with a number of bytes. */
    public ColumnStatistics withBytes(long count) {
        return new ColumnStatistics(min, max, nullCount, distinct, exact, count, values, pageShare);
    }

    /** These statistics with a filter of values. */
    public ColumnStatistics withValues(@Nullable ValueFilter filter) {
        return new ColumnStatistics(min, max, nullCount, distinct, exact, bytes, filter, pageShare);
    }

    /** These statistics with a share of the pages. */
    public ColumnStatistics withPageShare(double share) {
        return new ColumnStatistics(min, max, nullCount, distinct, exact, bytes, values, share);
    }

    /** False only if the filter of values shows that no record has this value. Bounds are not checked. */
    public boolean mayHold(Object value) {
        return values == null || !(value instanceof String text) || values.mayHold(text);
    }

    /**
     * The least value, if every query answers with it; empty if it is unknown. If the least value is -0.0, it is
     * unknown: a query answers with the first of -0.0 and 0.0 that it reads.
     */
    public Optional<Object> least() {
        return exact && !isZero(min, -0.0) ? Optional.ofNullable(min) : Optional.empty();
    }

    /** The greatest value, if every query answers with it; empty if it is unknown, or 0.0. */
    public Optional<Object> greatest() {
        return exact && !isZero(max, 0.0) ? Optional.ofNullable(max) : Optional.empty();
    }

    private static boolean isZero(@Nullable Object bound, double zero) {
        return bound instanceof Double d && Double.compare(d, zero) == 0;
    }

    /**
     * A number that no value of a column of floating point numbers has a greater magnitude than; infinite if the bounds are unknown, as where a value is NaN.
     */
    public double magnitude() {
        return min instanceof Double least && max instanceof Double greatest
                ? Math.max(Math.abs(least), Math.abs(greatest))
                : Double.POSITIVE_INFINITY;
    }

    /**
     * About how many different values there are. For whole numbers, the bounds give an upper limit if there is no
     * count.
     */
    public OptionalDouble different() {
        if (distinct > 0) {
            return OptionalDouble.of(distinct);
        }
        return min instanceof Long a && max instanceof Long b
                ? OptionalDouble.of((double) b - a + 1)
                : OptionalDouble.empty();
    }

    /**
     * Makes statistics of exact bounds. A long string becomes a shorter lower bound, or no upper bound. For a column
     * with NaN, which queries order above all numbers, the caller must pass null bounds; -0.0 must be passed as less
     * than 0.0.
     */
    public static ColumnStatistics of(@Nullable Object min, @Nullable Object max, long nullCount) {
        Object low = min;
        Object high = max;
        if (min instanceof String s && s.length() > MAX_STRING) {
            low = s.substring(0, Character.isHighSurrogate(s.charAt(MAX_STRING - 1)) ? MAX_STRING - 1 : MAX_STRING);
        }
        if (max instanceof String s && s.length() > MAX_STRING) {
            high = null;
        }
        return new ColumnStatistics(low, high, nullCount, -1, Objects.equals(low, min));
    }

    /**
     * The statistics of the values of two files together, which have {@code rows} and {@code otherRows} records. They
     * hold for the records of either file, whatever is stated of the other one.
     */
    ColumnStatistics union(long rows, ColumnStatistics other, long otherRows) {
        long own = plausibleNulls(rows);
        long its = other.plausibleNulls(otherRows);
        boolean countable = own >= 0 && its >= 0 && FileStatistics.sum(rows, otherRows) < Long.MAX_VALUE;
        long nulls = countable ? own + its : -1;
        if (own == rows) {
            return new ColumnStatistics(other.min, other.max, nulls, -1, other.exact);
        }
        if (its == otherRows) {
            return new ColumnStatistics(min, max, nulls, -1, exact);
        }
        return new ColumnStatistics(
                farther(min, other.min, -1), farther(max, other.max, 1), nulls, -1, exact && other.exact);
    }

    /** The number of nulls, or -1 if it is unknown, or is none that a file of so many records can have. */
    private long plausibleNulls(long rows) {
        return nullCount >= 0 && nullCount <= rows ? nullCount : -1;
    }

    /** The lower (-1) or the upper (1) of two bounds, or null if one of them is unknown. */
    private static @Nullable Object farther(@Nullable Object a, @Nullable Object b, int direction) {
        if (a == null || b == null || !Values.comparable(a, b)) {
            return null;
        }
        int order = a instanceof Double x && b instanceof Double y ? Double.compare(x, y) : Values.compare(a, b);
        return order * direction >= 0 ? a : b;
    }
}
