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
 * What is known of one column in one file.
 *
 * @param min a lower bound of the values that are not null, or null when unknown
 * @param max an upper bound of them, or null when unknown
 * @param nullCount the number of nulls, or -1 when unknown
 * @param distinct about how many different values there are, or -1 when unknown; only estimates use it
 * @param exact true when the bounds are values of the column, the least and the greatest one, of which -0.0 is less than
 *     0.0; never without a bound
 * @param bytes about how many of the file's bytes the column takes, or -1 when unknown; only estimates use it
 * @param values which strings there are, or null when unknown; always null for other types
 */
public record ColumnStatistics(
        @Nullable Object min,
        @Nullable Object max,
        long nullCount,
        long distinct,
        boolean exact,
        long bytes,
        @Nullable ValueFilter values) {
    /** Nothing known. */
    public static final ColumnStatistics UNKNOWN = new ColumnStatistics(null, null, -1);

    private static final int MAX_STRING = 64;

    public ColumnStatistics {
        if (min != null && max != null && Values.compare(min, max) > 0) {
            throw new IllegalArgumentException("minimum " + min + " is above maximum " + max);
        }
        exact = exact && (min != null || max != null);
    }

    /** Without a filter of values. */
    public ColumnStatistics(
            @Nullable Object min, @Nullable Object max, long nullCount, long distinct, boolean exact, long bytes) {
        this(min, max, nullCount, distinct, exact, bytes, null);
    }

    /** Without a number of bytes. */
    public ColumnStatistics(@Nullable Object min, @Nullable Object max, long nullCount, long distinct, boolean exact) {
        this(min, max, nullCount, distinct, exact, -1);
    }

    /** With bounds that need not be values of the column. */
    public ColumnStatistics(@Nullable Object min, @Nullable Object max, long nullCount, long distinct) {
        this(min, max, nullCount, distinct, false);
    }

    /** The same without a count of different values. */
    public ColumnStatistics(@Nullable Object min, @Nullable Object max, long nullCount) {
        this(min, max, nullCount, -1);
    }

    /** The same with a count of different values. */
    public ColumnStatistics withDistinct(long count) {
        return new ColumnStatistics(min, max, nullCount, count, exact, bytes, values);
    }

    /** The same with a number of bytes. */
    public ColumnStatistics withBytes(long count) {
        return new ColumnStatistics(min, max, nullCount, distinct, exact, count, values);
    }

    /** The same with a filter of values. */
    public ColumnStatistics withValues(@Nullable ValueFilter filter) {
        return new ColumnStatistics(min, max, nullCount, distinct, exact, bytes, filter);
    }

    /** False only when no record has this value, whatever the bounds. */
    public boolean mayHold(Object value) {
        return values == null || !(value instanceof String text) || values.mayHold(text);
    }

    /**
     * The least value as every query answers it; empty when that is not known. It is not where -0.0 is the least, for a
     * query answers with -0.0 or 0.0, whichever it met first.
     */
    public Optional<Object> least() {
        return exact && !isZero(min, -0.0) ? Optional.ofNullable(min) : Optional.empty();
    }

    /** The greatest value likewise; not known where 0.0 is the greatest. */
    public Optional<Object> greatest() {
        return exact && !isZero(max, 0.0) ? Optional.ofNullable(max) : Optional.empty();
    }

    private static boolean isZero(@Nullable Object bound, double zero) {
        return bound instanceof Double d && Double.compare(d, zero) == 0;
    }

    /** About how many different values there are, also where only the bounds of whole numbers tell. */
    public OptionalDouble different() {
        if (distinct > 0) {
            return OptionalDouble.of(distinct);
        }
        return min instanceof Long a && max instanceof Long b
                ? OptionalDouble.of((double) b - a + 1)
                : OptionalDouble.empty();
    }

    /**
     * Exact bounds made fit to be kept: a long string becomes a shorter lower bound, or no upper bound. NaN, which
     * queries order above all numbers, must be passed as unknown bounds, and -0.0 as less than 0.0.
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

    /** What holds for the values of two files together, of so many records each. */
    ColumnStatistics union(long rows, ColumnStatistics other, long otherRows) {
        long nulls = nullCount < 0 || other.nullCount < 0 ? -1 : nullCount + other.nullCount;
        if (nullCount == rows) {
            return new ColumnStatistics(other.min, other.max, nulls, -1, other.exact);
        }
        if (other.nullCount == otherRows) {
            return new ColumnStatistics(min, max, nulls, -1, exact);
        }
        return new ColumnStatistics(
                farther(min, other.min, -1), farther(max, other.max, 1), nulls, -1, exact && other.exact);
    }

    /** The lower one (-1) or the upper one (1) of two bounds, or null when one of them is unknown. */
    private static @Nullable Object farther(@Nullable Object a, @Nullable Object b, int direction) {
        if (a == null || b == null || !Values.comparable(a, b)) {
            return null;
        }
        int order = a instanceof Double x && b instanceof Double y ? Double.compare(x, y) : Values.compare(a, b);
        return order * direction >= 0 ? a : b;
    }
}
