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
package org.hadoopmpsr.core.readtimes;

import java.util.Arrays;
import java.util.List;

/**
 * The time of a read by its size: {@code t = nanos + bytes * nanosPerByte}.
 *
 * @param nanos at least 0
 * @param nanosPerByte at least 0; not both are 0
 */
public record LinearTime(double nanos, double nanosPerByte) {
    /** One step takes no read to be farther away, as a difference of logarithms: steps stay small. */
    private static final double FAR = 2;

    private static final int STEPS = 20;
    private static final double LEAST_SPREAD = 0.05;
    /** Fewer reads than so many move no line. */
    private static final double LEAST_WEIGHT = 1e-3;

    /** The time in nanoseconds. */
    public double of(double bytes) {
        return nanos + bytes * nanosPerByte;
    }

    double logOf(double bytes) {
        return Math.log(Math.max(1, of(bytes)));
    }

    /**
     * The line with the least sum of squares of the differences between logarithms: half of the reads take longer. Neither part is negative.
     * Where all reads have about one size, their times cannot be divided into the two parts: the line is level.
     *
     * @param reads at least one
     */
    static LinearTime fit(List<ReadTime> reads) {
        double[] alike = new double[reads.size()];
        Arrays.fill(alike, 1);
        double[] logs = reads.stream().mapToDouble(ReadTime::logNanos).toArray();
        LinearTime line = relative(reads);
        for (int step = 0; step < STEPS; step++) {
            LinearTime before = line;
            line = line.nearer(reads, logs, alike);
            if (line.equals(before)) {
                break;
            }
        }
        return line;
    }

    /** The line with the least sum of squares of relative deviations: a first guess, below the middle of reads that vary much. */
    private static LinearTime relative(List<ReadTime> reads) {
        double w = 0;
        double wx = 0;
        double wxx = 0;
        double wy = 0;
        double wxy = 0;
        long least = Long.MAX_VALUE;
        long most = 0;
        for (ReadTime read : reads) {
            double weight = 1.0 / read.nanos() / read.nanos();
            double x = read.bytes();
            w += weight;
            wx += weight * x;
            wxx += weight * x * x;
            wy += weight * read.nanos();
            wxy += weight * x * read.nanos();
            least = Math.min(least, read.bytes());
            most = Math.max(most, read.bytes());
        }
        double level = wy / w;
        double determinant = w * wxx - wx * wx;
        if (most < 2 * least || determinant <= 0) {
            return new LinearTime(level, 0);
        }
        double slope = (w * wxy - wx * wy) / determinant;
        double start = (wy - slope * wx) / w;
        if (slope < 0) {
            return new LinearTime(level, 0);
        }
        return start < 0 ? new LinearTime(0, wxy / wxx) : new LinearTime(start, slope);
    }

    /**
     * A line that is nearer to reads, by one step of Gauss and Newton towards the least sum of weighted squares of the differences between
     * logarithms. Neither part is negative.
     *
     * @param reads at least one
     * @param logNanos the logarithms of their times
     * @param weights of the reads, not negative
     */
    LinearTime nearer(List<ReadTime> reads, double[] logNanos, double[] weights) {
        double w = 0;
        double wx = 0;
        double wxx = 0;
        double wy = 0;
        double wxy = 0;
        double logs = 0;
        double all = 0;
        long least = Long.MAX_VALUE;
        long most = 0;
        for (int i = 0; i < weights.length; i++) {
            ReadTime read = reads.get(i);
            double x = read.bytes();
            double expected = Math.max(1, of(x));
            double off = logNanos[i] - Math.log(expected);
            double y = expected * (1 + Math.max(-FAR, Math.min(FAR, off)));
            double weight = weights[i] / expected / expected;
            w += weight;
            wx += weight * x;
            wxx += weight * x * x;
            wy += weight * y;
            wxy += weight * x * y;
            logs += weights[i] * logNanos[i];
            all += weights[i];
            least = Math.min(least, read.bytes());
            most = Math.max(most, read.bytes());
        }
        if (all < LEAST_WEIGHT) {
            return this;
        }
        double determinant = w * wxx - wx * wx;
        if (most < 2 * least || determinant <= 1e-9 * w * wxx) {
            return new LinearTime(Math.exp(logs / all), 0);
        }
        double slope = (w * wxy - wx * wy) / determinant;
        double start = (wy - slope * wx) / w;
        if (slope < 0) {
            return new LinearTime(Math.max(1, wy / w), 0);
        }
        return start < 0 ? new LinearTime(0, Math.max(1e-9, wxy / wxx)) : new LinearTime(start, slope);
    }

    /** How far a read's time is away, as a difference of logarithms. */
    double off(ReadTime read) {
        return Math.abs(read.logNanos() - logOf(read.bytes()));
    }

    /** The standard deviation of the logarithms of times around the line; at least 0.05. */
    double spread(List<ReadTime> reads) {
        return Math.max(
                LEAST_SPREAD,
                Math.sqrt(reads.stream()
                        .mapToDouble(read -> off(read) * off(read))
                        .average()
                        .orElse(0)));
    }

    LinearTime times(double factor) {
        return new LinearTime(nanos * factor, nanosPerByte * factor);
    }

    LinearTime plus(LinearTime other) {
        return new LinearTime(nanos + other.nanos, nanosPerByte + other.nanosPerByte);
    }

    /** What is left without another time; not less than a tenth of each part. */
    LinearTime minus(LinearTime other) {
        return new LinearTime(
                Math.max(nanos / 10, nanos - other.nanos),
                Math.max(nanosPerByte / 10, nanosPerByte - other.nanosPerByte));
    }
}
