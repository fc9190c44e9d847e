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
import java.util.stream.IntStream;
import org.hadoopmpsr.core.schema.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * Planes of the bits of numbers. The bits are turned around first so that, as a number without a sign, they have the order of the
 * numbers: the sign of positive numbers, and all bits of negative ones. A NaN with a sign comes before all numbers then, and any other NaN after them.
 * A plane is a number from 0 on; one of 32 bits is less by 2^31, to keep its order in an {@code int}.
 *
 * @param wide true for {@code double}, false for {@code float}
 * @param widths the bits of each plane, the leading one first
 */
record BitPlanes(boolean wide, List<Integer> widths) implements TransformedColumn {
    private static final int DOUBLE_HEAD = 12;
    private static final int FLOAT_HEAD = 9;

    /** The part of the leading plane that compression saves, about, by the series of a simulation. */
    private static final double LEADING = 0.55;

    BitPlanes {
        widths = List.copyOf(widths);
    }

    @Override
    public List<PhysicalColumn> columns() {
        return IntStream.range(0, widths.size())
                .mapToObj(i -> new PhysicalColumn(suffix(i), ColumnType.INT))
                .toList();
    }

    /** Which bits it has: files with other planes have other columns. */
    private String suffix(int plane) {
        int end = bits() - shift(plane);
        return end - widths.get(plane) + "-" + end;
    }

    private int bits() {
        return wide ? Long.SIZE : Integer.SIZE;
    }

    /** The bits after a plane. */
    private int shift(int plane) {
        return bits() - IntStream.rangeClosed(0, plane).map(widths::get).sum();
    }

    /** What is taken off the values of a plane. */
    private static long offset(int width) {
        return width == Integer.SIZE ? 1L << Integer.SIZE - 1 : 0;
    }

    private static long mask(int width) {
        return (1L << width) - 1;
    }

    @Override
    public void split(int column, long[] values, int count, long[] into) {
        int shift = shift(column);
        int width = widths.get(column);
        long mask = mask(width);
        long offset = offset(width);
        for (int i = 0; i < count; i++) {
            into[i] = (ordered(values[i]) >>> shift & mask) - offset;
        }
    }

    /** Bits in the order of the numbers, without a sign. */
    private long ordered(long bits) {
        return wide
                ? bits ^ (bits >> Long.SIZE - 1 | Long.MIN_VALUE)
                : (bits ^ ((int) bits >> Integer.SIZE - 1 | Integer.MIN_VALUE)) & mask(Integer.SIZE);
    }

    /** The bits of a number by their order. */
    private long unordered(long ordered) {
        if (wide) {
            return ordered ^ (~ordered >> Long.SIZE - 1 | Long.MIN_VALUE);
        }
        int narrow = (int) ordered;
        return (narrow ^ (~narrow >> Integer.SIZE - 1 | Integer.MIN_VALUE)) & mask(Integer.SIZE);
    }

    /** One for each plane that ends behind sign, exponent and a bit of the mantissa. */
    @Override
    public List<ReadLevel> levels() {
        List<ReadLevel> levels = new ArrayList<>();
        int head = wide ? DOUBLE_HEAD : FLOAT_HEAD;
        int known = 0;
        for (int plane = 0; plane < widths.size(); plane++) {
            known += widths.get(plane);
            List<Integer> needed = IntStream.rangeClosed(0, plane).boxed().toList();
            if (known == bits()) {
                levels.add(ReadLevel.exact(needed));
            } else if (known > head) {
                // half of the numbers that have these bits lie on either side of what is given for them
                levels.add(new ReadLevel(needed, ReadLevel.Kind.RELATIVE, Math.scalb(1.0, head - known - 1)));
            }
        }
        return levels;
    }

    /** Of the leading bits about half are left, and nearly all others. */
    @Override
    public double share(ReadLevel level) {
        double saved = LEADING * widths.get(0);
        int known = level.columns().stream().mapToInt(widths::get).sum();
        return (known - saved) / (bits() - saved);
    }

    @Override
    public void join(ReadLevel level, long[] @Nullable [] parts, int count, long[] into) {
        int planes = level.columns().size();
        for (int plane = 0; plane < planes; plane++) {
            long[] part = Objects.requireNonNull(parts[plane]);
            int shift = shift(plane);
            int width = widths.get(plane);
            long offset = offset(width);
            if (plane == 0) {
                for (int i = 0; i < count; i++) {
                    into[i] = part[i] + offset << shift;
                }
            } else {
                for (int i = 0; i < count; i++) {
                    into[i] |= part[i] + offset << shift;
                }
            }
        }
        if (level.kind() == ReadLevel.Kind.EXACT) {
            for (int i = 0; i < count; i++) {
                into[i] = unordered(into[i]);
            }
        } else {
            int unknown = shift(planes - 1);
            for (int i = 0; i < count; i++) {
                into[i] = middle(into[i], unknown);
            }
        }
    }

    /**
     * The bits of the middle of the numbers that begin with some bits. Zeros and infinite numbers stay themselves, with what cannot be told
     * from them: numbers next to zero, and a NaN with few bits.
     *
     * @param first the least of them, in their order
     * @param unknown how many bits are not known
     */
    private long middle(long first, int unknown) {
        long last = first | mask(unknown);
        if (unordered(first) == 0 || unordered(last) == sign()) {
            return unordered(first) == 0 ? 0 : sign();
        }
        if (unordered(first) == infinity() || unordered(last) == (infinity() | sign())) {
            return unordered(first) == infinity() ? infinity() : infinity() | sign();
        }
        return unordered(first | 1L << unknown - 1);
    }

    private long sign() {
        return 1L << bits() - 1;
    }

    private long infinity() {
        return bits(Double.POSITIVE_INFINITY);
    }

    private long bits(double value) {
        return wide
                ? Double.doubleToRawLongBits(value)
                : Integer.toUnsignedLong(Float.floatToRawIntBits((float) value));
    }

    /** Of the leading plane. */
    @Override
    public List<PhysicalRange> ranges(@Nullable Object least, @Nullable Object greatest) {
        double low = least == null ? Double.NEGATIVE_INFINITY : (Double) least;
        double high = greatest == null ? Double.NaN : (Double) greatest;
        if (!wide) {
            // the nearest floats, also beyond the value: a float between the values lies between these
            low = low == (float) low || Double.isNaN(low) ? low : Math.nextDown((float) low);
            high = high == (float) high || Double.isNaN(high) ? high : Math.nextUp((float) high);
        }
        List<PhysicalRange> ranges = new ArrayList<>();
        long from = top(Double.isNaN(low) ? ordered(infinity()) : ordered(bits(low == 0 ? -0.0 : low)));
        if (Double.isNaN(high)) {
            ranges.add(new PhysicalRange(0, from, top(mask64())));
            // a NaN with a sign
            ranges.add(new PhysicalRange(0, top(0), top(ordered(infinity() | sign()))));
        } else {
            ranges.add(new PhysicalRange(0, from, top(ordered(bits(high == 0 ? 0.0 : high)))));
        }
        return ranges;
    }

    private long mask64() {
        return wide ? -1L : mask(Integer.SIZE);
    }

    /** The leading plane of bits in the order of the numbers. */
    private long top(long ordered) {
        int width = widths.get(0);
        return (ordered >>> shift(0) & mask(width)) - offset(width);
    }
}
