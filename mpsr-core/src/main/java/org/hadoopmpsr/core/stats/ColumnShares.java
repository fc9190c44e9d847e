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

import java.util.Collection;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How the bytes of a file divide among its columns, in one byte per column. The byte is the logarithm of the column's
 * share. It has an accuracy of 2 %, for a share of the whole file as for a ten-thousandth.
 */
final class ColumnShares {
    static final int NONE = 0;
    static final int UNKNOWN = 255;
    /** The number of steps that halve a share. */
    private static final double STEPS = 16;
    /** The share for each step. */
    private static final double[] SHARES = IntStream.range(0, UNKNOWN)
            .mapToDouble(step -> step == NONE ? 0 : Math.pow(2, (1 - step) / STEPS))
            .toArray();

    private ColumnShares() {}

    /**
     * Writes the shares, unless no column's bytes are known and no part follows.
     *
     * @param more true if a part follows the filters
     */
    static void write(CompactWriter out, long length, Collection<ColumnStatistics> columns, boolean more) {
        if (more || columns.stream().anyMatch(c -> c.bytes() >= 0 || c.values() != null)) {
            columns.forEach(c -> out.octet(step(c.bytes(), length)));
        }
    }

    static void read(CompactReader in, long length, Map<String, ColumnStatistics> columns) {
        columns.replaceAll((name, column) -> column.withBytes(bytes(in.octet(), length)));
    }

    /** Reads past the shares of so many columns. */
    static void skip(CompactReader in, int columns) {
        for (int rest = columns; rest > 0; rest--) {
            in.octet();
        }
    }

    private static int step(long bytes, long length) {
        return bytes < 0 ? UNKNOWN : step((double) bytes / length);
    }

    /** The octet of a share. */
    static int step(double share) {
        if (!(share > 0)) {
            return NONE;
        }
        double steps = -STEPS * Math.log(share) / Math.log(2);
        return (int) Math.max(1, Math.min(UNKNOWN - 1, 1 + Math.round(steps)));
    }

    private static long bytes(int step, long length) {
        return step == UNKNOWN ? -1 : Math.round(length * share(step));
    }

    /** The share of an octet that is not {@link #UNKNOWN}. */
    static double share(int step) {
        return SHARES[step];
    }
}
