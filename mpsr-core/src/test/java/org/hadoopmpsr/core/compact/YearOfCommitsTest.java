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
package org.hadoopmpsr.core.compact;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A year of 10,000 records a second of 500 devices in commits of five minutes, one record in a hundred a day late, merged
 * every hour. Only metadata: each segment is known by its bytes per day of the records; devices and signals are evenly
 * full. Three groups: by day, by 64 buckets of signals, by device.
 */
class YearOfCommitsTest {
    private static final long BLOCK = 128L << 20;
    private static final MergeRules RULES = MergeRules.of(BLOCK, 10_000);
    private static final int COMMITS_OF_DAY = 24 * 12;
    private static final int MERGED_EVERY = 12;
    private static final long COMMIT_BYTES = 3_000_000 * 33 / 10;
    private static final int DEVICES = 500;
    private static final int BUCKETS = 64;
    /** A file and its block in the NameNode: 59 million files of a year without merges take 27 GB. */
    private static final double FILE_HEAP_BYTES = 457;

    /** The bytes of each segment by the day of its records. */
    private final Map<String, TreeMap<Integer, Long>> days = new HashMap<>();

    private List<HeldSegment> segments = new ArrayList<>();
    private long mostFiles;
    private long bytesWritten;

    private static long filesOf(long partitions, long bytes) {
        return partitions * Math.max(1, RULES.filesOf(bytes / partitions));
    }

    private HeldSegment segment(String id, long first, long last, TreeMap<Integer, Long> byDay) {
        long bytes = byDay.values().stream().mapToLong(b -> b).sum();
        days.put(id, byDay);
        long timeFiles = byDay.values().stream().mapToLong(b -> filesOf(1, b)).sum();
        return new HeldSegment(
                id,
                first,
                last,
                last,
                bytes / 3,
                Map.of(
                        "time", new GroupShare(timeFiles, bytes),
                        "signal", new GroupShare(filesOf(BUCKETS, bytes), bytes),
                        "device", new GroupShare(filesOf(DEVICES, bytes), bytes)),
                "",
                null);
    }

    private void commit(long sequence, int day) {
        TreeMap<Integer, Long> byDay = new TreeMap<>(Map.of(day, COMMIT_BYTES - COMMIT_BYTES / 100));
        byDay.merge(Math.max(0, day - 1), COMMIT_BYTES / 100, Long::sum);
        segments.add(segment("c" + sequence, sequence, sequence, byDay));
    }

    private HeldSegment merged(Merge merge) {
        TreeMap<Integer, Long> byDay = new TreeMap<>();
        merge.segments().forEach(s -> days.remove(s.id()).forEach((day, bytes) -> byDay.merge(day, bytes, Long::sum)));
        bytesWritten += merge.bytesRead();
        return segment("m" + merge.first() + "-" + merge.last(), merge.first(), merge.last(), byDay);
    }

    /** Merges whatever is due; replaced files stay for an hour, therefore they count until the next time. */
    private void merge() {
        long replaced = 0;
        for (CompactionPlan plan = CompactionPlanner.plan(segments, RULES);
                !plan.isEmpty();
                plan = CompactionPlanner.plan(segments, RULES)) {
            replaced += plan.filesRead();
            List<HeldSegment> left = new ArrayList<>(segments);
            for (Merge merge : plan.merges()) {
                left.removeAll(merge.segments());
                left.add(merged(merge));
            }
            segments = left;
        }
        mostFiles = Math.max(mostFiles, files() + replaced);
    }

    private long files() {
        return segments.stream().mapToLong(HeldSegment::files).sum();
    }

    @Test
    void aYearIsInFewFiles() {
        StringBuilder months = new StringBuilder("day  files  segments  most files  NameNode GB\n");
        long sequence = 0;
        for (int day = 0; day < 365; day++) {
            for (int i = 0; i < COMMITS_OF_DAY; i++) {
                commit(++sequence, day);
                if (sequence % MERGED_EVERY == 0) {
                    merge();
                }
            }
            if (day % 30 == 29 || day == 364) {
                months.append(String.format(
                        "%3d  %,9d  %,5d  %,9d  %.3f%n",
                        day + 1, files(), segments.size(), mostFiles, mostFiles * FILE_HEAP_BYTES / 1e9));
            }
        }
        double rewrites = bytesWritten / (3.0 * COMMIT_BYTES * sequence);
        System.out.print(months.append(String.format("each byte is rewritten %.2f times%n", rewrites)));
        assertThat(mostFiles).isLessThan(1_000_000);
        assertThat(mostFiles * FILE_HEAP_BYTES).isLessThan(0.45e9);
        assertThat(rewrites).isLessThan(8);
        assertThat(mostSegmentsOfADay())
                .as("files of a day, before they end by size")
                .isLessThan(40);
        assertThat(segments.stream().filter(s -> days.get(s.id()).containsKey(100)))
                .as("segments that have records of a day in the past")
                .hasSizeLessThanOrEqualTo(3);
    }

    private long mostSegmentsOfADay() {
        Map<Integer, Integer> counts = new HashMap<>();
        days.values().forEach(byDay -> byDay.keySet().forEach(day -> counts.merge(day, 1, Integer::sum)));
        return counts.values().stream().mapToLong(n -> n).max().orElse(0);
    }
}
