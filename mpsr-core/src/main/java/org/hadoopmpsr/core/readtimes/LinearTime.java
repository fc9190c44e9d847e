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

import java.util.List;

/**
 * The time of a read by its size: {@code t = nanos + bytes * nanosPerByte}.
 *
 * @param nanos at least 0
 * @param nanosPerByte at least 0; not both are 0
 */
public record LinearTime(double nanos, double nanosPerByte) {

    /** The time in nanoseconds. */
    public double of(double bytes) {
        return nanos + bytes * nanosPerByte;
    }

    double logOf(double bytes) {
        return Math.log(Math.max(1, of(bytes)));
    }

    /**
     * The line with the least sum of squares of relative deviations. Neither part is negative. Where all reads have about one size, their
     * times cannot be divided into the two parts: the line is level.
     *
     * @param reads at least one
     */
    static LinearTime fit(List<ReadTime> reads) {
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
}
