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
package org.hadoopmpsr.benchmarks.scatter;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * The segments of an archive at one moment: datasets that have grown at a steady rate, whose commits of five minutes were
 * merged into hours, days and perhaps months once those were over.
 */
final class Archive {
    static final long MINUTE = 60;
    static final long DAY = 24 * 60 * MINUTE;
    private static final long COMMIT = 5 * MINUTE;
    private static final long[] SPANS = {30 * DAY, DAY, 60 * MINUTE, COMMIT};
    /** 10,000 records a second of 8.8 bytes, as the generator's records take in the time group. */
    private static final double BYTES_PER_SECOND = 88_000;

    /**
     * A segment.
     *
     * @param from the first second of its records; to the second after the last
     * @param bytes the bytes in each group
     */
    record Segment(int dataset, int number, long from, long to, double bytes) {}

    private final List<List<Segment>> byDataset = new ArrayList<>();
    private final long end;

    /**
     * @param end how many seconds the datasets have grown
     * @param longest the longest time, in seconds, whose commits are merged
     */
    Archive(int datasets, long end, long longest, long seed) {
        this.end = end;
        Random random = new Random(seed);
        for (int dataset = 0; dataset < datasets; dataset++) {
            double rate = BYTES_PER_SECOND * Math.exp(random.nextGaussian()); // most are small, some are large
            List<Segment> segments = new ArrayList<>();
            long at = 0;
            for (long span : SPANS) {
                for (; span <= longest && at + span <= end; at += span) {
                    segments.add(new Segment(dataset, segments.size(), at, at + span, rate * span));
                }
            }
            byDataset.add(segments);
        }
    }

    int datasets() {
        return byDataset.size();
    }

    long end() {
        return end;
    }

    List<Segment> of(int dataset) {
        return byDataset.get(dataset);
    }

    List<Segment> all() {
        return byDataset.stream().flatMap(List::stream).toList();
    }
}
