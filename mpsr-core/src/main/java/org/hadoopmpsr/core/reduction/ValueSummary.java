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
package org.hadoopmpsr.core.reduction;

import java.nio.ByteBuffer;
import java.util.OptionalDouble;

/**
 * The statistics of a set of values: how many, of them nulls and NaNs, the least, the greatest, mean and deviation of the
 * rest. Counts and bounds are the same for each split of the values; mean and deviation are within rounding. All values are
 * whole numbers, or all are floating-point numbers. Mutable; for one thread.
 *
 * <p>Of infinite values the mean is infinite too, or not a number where there are both, and the deviation is not a number.
 * The deviation is infinite where squares of differences leave the range of a {@code double}.
 */
public final class ValueSummary {
    private static final int BYTES = 6 * Long.BYTES + Moments.BYTES;

    private long nulls;
    private long nans;
    private long lowInfinities;
    private long highInfinities;
    private long least = Long.MAX_VALUE;
    private long greatest = Long.MIN_VALUE;
    private final Moments finite;

    /** A summary of no values. */
    public ValueSummary() {
        this(new Moments());
    }

    private ValueSummary(Moments finite) {
        this.finite = finite;
    }

    /** Adds a null. */
    public void addNull() {
        nulls++;
    }

    /** Adds a floating-point number. */
    public void add(double value) {
        if (Double.isNaN(value)) {
            nans++;
            return;
        }
        bound(ValueOrder.of(value));
        if (value == Double.NEGATIVE_INFINITY) {
            lowInfinities++;
        } else if (value == Double.POSITIVE_INFINITY) {
            highInfinities++;
        } else {
            finite.add(value);
        }
    }

    /** Adds a whole number. */
    public void addWhole(long value) {
        bound(value);
        finite.add(value);
    }

    private void bound(long number) {
        least = Math.min(least, number);
        greatest = Math.max(greatest, number);
    }

    /** Adds the values of another summary. */
    public void merge(ValueSummary other) {
        nulls += other.nulls;
        nans += other.nans;
        lowInfinities += other.lowInfinities;
        highInfinities += other.highInfinities;
        least = Math.min(least, other.least);
        greatest = Math.max(greatest, other.greatest);
        finite.merge(other.finite);
    }

    /** How many values there are, with nulls and NaNs. */
    public long records() {
        return nulls + nans + numbers();
    }

    /** How many values are null. */
    public long nulls() {
        return nulls;
    }

    /** How many values are not a number. */
    public long nans() {
        return nans;
    }

    /** How many values are numbers, also infinite ones. */
    public long numbers() {
        return lowInfinities + highInfinities + finite.count();
    }

    /** The least number: a whole number itself, or {@link ValueOrder} of a floating-point number. Only where there is one. */
    public long least() {
        return known(least);
    }

    /** The greatest number, as {@link #least} has it. */
    public long greatest() {
        return known(greatest);
    }

    private long known(long number) {
        if (numbers() == 0) {
            throw new IllegalStateException("of no numbers there is no least and no greatest one");
        }
        return number;
    }

    /** The mean of the numbers; empty where there are none. */
    public OptionalDouble mean() {
        if (numbers() == 0) {
            return OptionalDouble.empty();
        }
        if (lowInfinities + highInfinities == 0) {
            return OptionalDouble.of(finite.mean());
        }
        return OptionalDouble.of(
                lowInfinities == 0
                        ? Double.POSITIVE_INFINITY
                        : highInfinities == 0 ? Double.NEGATIVE_INFINITY : Double.NaN);
    }

    /** The deviation of the numbers as a sample; empty where there are fewer than two. */
    public OptionalDouble deviation() {
        if (numbers() < 2) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(lowInfinities + highInfinities == 0 ? finite.deviation() : Double.NaN);
    }

    /** The summary as bytes, for processes of the same version. */
    public byte[] toBytes() {
        ByteBuffer out = ByteBuffer.allocate(BYTES);
        out.putLong(nulls).putLong(nans).putLong(lowInfinities).putLong(highInfinities);
        out.putLong(least).putLong(greatest);
        finite.write(out);
        return out.array();
    }

    /** Reads from where the buffer is what {@link #toBytes} has written. */
    public static ValueSummary read(ByteBuffer in) {
        long nulls = in.getLong();
        long nans = in.getLong();
        long low = in.getLong();
        long high = in.getLong();
        long least = in.getLong();
        long greatest = in.getLong();
        ValueSummary summary = new ValueSummary(Moments.read(in));
        summary.nulls = nulls;
        summary.nans = nans;
        summary.lowInfinities = low;
        summary.highInfinities = high;
        summary.least = least;
        summary.greatest = greatest;
        return summary;
    }
}
