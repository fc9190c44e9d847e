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
package org.hadoopmpsr.benchmarks.generator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;

/** Divides a file's time into windows that fit into memory, so that a file of any size is read in time order. */
final class TimeWindows {

    private static final int BINS = 1 << 16;

    private TimeWindows() {}

    /**
     * Consecutive windows that cover every reading. Each holds at most {@code maxReadings}, unless more than that
     * lie within a 65,536th of the file's time.
     */
    static List<TimeWindow> of(ReadingsFile file, long maxReadings) throws IOException {
        LongSummaryStatistics times = new LongSummaryStatistics();
        file.forEachTime(times::accept);
        if (times.getCount() == 0) {
            return List.of();
        }
        if (times.getCount() <= maxReadings) {
            return List.of(new TimeWindow(times.getMin(), times.getMax()));
        }
        long binNs = Math.subtractExact(times.getMax(), times.getMin()) / BINS + 1;
        long[] counts = new long[BINS];
        file.forEachTime(time -> counts[(int) ((time - times.getMin()) / binNs)]++);
        return divide(counts, times.getMin(), binNs, maxReadings);
    }

    /** Joins neighbouring bins for as long as their readings stay within the limit. */
    static List<TimeWindow> divide(long[] counts, long firstNs, long binNs, long maxReadings) {
        List<TimeWindow> windows = new ArrayList<>();
        int start = 0;
        long held = 0;
        for (int bin = 0; bin < counts.length; bin++) {
            if (held > 0 && held + counts[bin] > maxReadings) {
                windows.add(new TimeWindow(firstNs + start * binNs, firstNs + bin * binNs - 1));
                start = bin;
                held = 0;
            }
            held += counts[bin];
        }
        if (held > 0) {
            windows.add(new TimeWindow(firstNs + start * binNs, firstNs + counts.length * binNs - 1));
        }
        return windows;
    }
}
