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
package org.hadoopmpsr.core.transform;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.hadoopmpsr.core.schema.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * A {@code double} as a whole number {@code n} and a distance: the value lies that many representable numbers from {@code n / 10^digits}. The distance is
 * 0 where the value was read from a text or divided, and 1 or -1 where it was multiplied by {@code 0.01}, as logging systems do.
 *
 * <p>Other values are held by their bits, turned around to have the order of the numbers. Two distances say that: {@link #BITS}, and {@link #TINY} for
 * subnormal numbers, whose bits are moved by 2^60. Bits are thus always beyond ±2^52, where no {@code n} is, and bounds of {@code n} leave out what they can.
 *
 * @param digits behind the point
 */
record ScaledNumbers(int digits) implements TransformedColumn {
    private static final int BITS = Integer.MIN_VALUE;
    private static final int TINY = Integer.MIN_VALUE + 1;

    /** All {@code n} are nearer to zero, and exact as a {@code double}. */
    private static final long MOST = 1L << 52;

    private static final long MOVED = 1L << 60;
    private static final long LEAST_NORMAL = Double.doubleToRawLongBits(Double.MIN_NORMAL);

    /** Exact, and so equal in all processes: a power that is computed may differ by its last bit. */
    private static final double[] POWERS = {
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15
    };

    private double scale() {
        return POWERS[digits];
    }

    @Override
    public List<PhysicalColumn> columns() {
        return List.of(
                new PhysicalColumn("e" + digits, ColumnType.LONG),
                new PhysicalColumn("e" + digits + "-off", ColumnType.INT));
    }

    @Override
    public void split(int column, long[] values, int count, long[] into) {
        double scale = scale();
        for (int i = 0; i < count; i++) {
            double value = Double.longBitsToDouble(values[i]);
            long number = (long) Math.rint(value * scale); // 0 for NaN
            long order = order(values[i]);
            long distance = order - order(Double.doubleToRawLongBits(number / scale));
            if (number > -MOST && number < MOST && distance > TINY && distance < Integer.MAX_VALUE) {
                into[i] = column == 0 ? number : distance;
            } else if (Math.abs(value) < Double.MIN_NORMAL) {
                into[i] = column == 0 ? order + (order < 0 ? -MOVED : MOVED) : TINY;
            } else {
                into[i] = column == 0 ? order : BITS;
            }
        }
    }

    /** Bits as a number with a sign that has the order of the numbers; and the other way round. */
    private static long order(long bits) {
        return bits ^ (bits >> Long.SIZE - 1 & Long.MAX_VALUE);
    }

    @Override
    public List<ReadLevel> levels() {
        return List.of(ReadLevel.exact(List.of(0, 1)));
    }

    @Override
    public void join(ReadLevel level, long[] @Nullable [] parts, int count, long[] into) {
        double scale = scale();
        long[] numbers = Objects.requireNonNull(parts[0]);
        long[] distances = Objects.requireNonNull(parts[1]);
        for (int i = 0; i < count; i++) {
            long number = numbers[i];
            long distance = distances[i];
            if (distance == 0) {
                into[i] = Double.doubleToRawLongBits(number / scale);
            } else if (distance == BITS) {
                into[i] = order(number);
            } else if (distance == TINY) {
                into[i] = order(number - (number < 0 ? -MOVED : MOVED));
            } else {
                into[i] = order(order(Double.doubleToRawLongBits(number / scale)) + distance);
            }
        }
    }

    /** Of the whole numbers: where those of the decimals lie, and those of bits. Multiplying and rounding keep the order of numbers. */
    @Override
    public List<PhysicalRange> ranges(@Nullable Object least, @Nullable Object greatest) {
        double low = least == null ? Double.NEGATIVE_INFINITY : (Double) least;
        double high = greatest == null ? Double.NaN : (Double) greatest;
        List<PhysicalRange> ranges = new ArrayList<>();
        boolean numbers = !Double.isNaN(low);
        double most = Double.isNaN(high) ? Double.POSITIVE_INFINITY : high;
        if (numbers) {
            ranges.add(new PhysicalRange(0, number(low), number(most)));
        }
        if (numbers && low < 0) {
            // bits of negative numbers, subnormal ones among them
            long end = most > -Double.MIN_NORMAL
                    ? order(LEAST_NORMAL | Long.MIN_VALUE)
                    : order(Double.doubleToRawLongBits(most));
            ranges.add(new PhysicalRange(0, Math.min(order(Double.doubleToRawLongBits(low)), -MOVED - MOST), end));
        }
        boolean nan = Double.isNaN(high);
        if (nan || most > 0) {
            long from = numbers
                    ? low < Double.MIN_NORMAL ? LEAST_NORMAL : order(Double.doubleToRawLongBits(low))
                    : LEAST_NORMAL;
            long end = nan ? Long.MAX_VALUE : Math.max(order(Double.doubleToRawLongBits(most)), MOVED + MOST);
            ranges.add(new PhysicalRange(0, from, end));
        }
        if (nan) {
            // NaN with a sign
            ranges.add(
                    new PhysicalRange(0, Long.MIN_VALUE, order(Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY))));
        }
        return ranges;
    }

    private long number(double value) {
        return (long) Math.max(-MOST, Math.min(MOST, Math.rint(value * scale())));
    }
}
