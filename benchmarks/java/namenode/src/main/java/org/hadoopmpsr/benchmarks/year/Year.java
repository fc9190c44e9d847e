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
package org.hadoopmpsr.benchmarks.year;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.hadoopmpsr.core.compact.CompactionPlan;
import org.hadoopmpsr.core.compact.CompactionPlanner;
import org.hadoopmpsr.core.compact.GroupShare;
import org.hadoopmpsr.core.compact.HeldSegment;
import org.hadoopmpsr.core.compact.Merge;
import org.hadoopmpsr.core.compact.MergeRules;

/**
 * Days of 10,000 records a second of 500 devices in commits of five minutes, one record in a hundred a day late, merged
 * every hour by the planner of compaction. A segment is known by its bytes for each day of its records; devices and signals
 * are evenly full. Three groups: by day, by 64 buckets of signals, by device. For one thread.
 */
public final class Year {
    /** What a group has a directory for: one bucket of signals, or one device. */
    public static final int BUCKETS = 64;

    public static final int DEVICES = 500;
    /** The bytes of a block, after about which a file ends. */
    private static final long BLOCK = 128L << 20;

    private static final MergeRules RULES = MergeRules.of(BLOCK, 10_000);
    private static final int COMMITS_OF_DAY = 24 * 12;
    private static final int MERGED_EVERY = 12;
    private static final long COMMIT_BYTES = 3_000_000 * 33 / 10;
    private static final int RECORD_BYTES = 3;

    /** The bytes of each segment by the day of its records. */
    private final Map<String, TreeMap<Integer, Long>> days = new HashMap<>();

    private List<HeldSegment> segments = new ArrayList<>();
    private int day;
    private long sequence;
    private long mostFiles;
    private long bytesWritten;

    /** Lets a day pass. */
    public void passDay() {
        for (int i = 0; i < COMMITS_OF_DAY; i++) {
            commit();
            if (sequence % MERGED_EVERY == 0) {
                merge();
            }
        }
        day++;
    }

    /** How many files hold so many bytes of a group's so many directories. */
    public static long filesOf(long directories, long bytes) {
        return directories * Math.max(1, RULES.filesOf(bytes / directories));
    }

    /** The days that have passed. */
    public int days() {
        return day;
    }

    /** The segments of now, in the order of their sequences. */
    public List<HeldSegment> segments() {
        return List.copyOf(segments);
    }

    /** The bytes of a segment in each group by the day of its records, counted from 0. */
    public Map<Integer, Long> bytesByDay(HeldSegment segment) {
        return new TreeMap<>(Objects.requireNonNull(days.get(segment.id())));
    }

    /** The files of now in all groups, without replaced ones. */
    public long files() {
        return segments.stream().mapToLong(HeldSegment::files).sum();
    }

    /** The most files that there ever were, with replaced ones, which stay for an hour. */
    public long mostFiles() {
        return mostFiles;
    }

    /** How many times each byte was written again by merges until now. */
    public double rewrites() {
        return bytesWritten / (3.0 * COMMIT_BYTES * sequence);
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
                bytes / RECORD_BYTES,
                Map.of(
                        "time", new GroupShare(timeFiles, bytes),
                        "signal", new GroupShare(filesOf(BUCKETS, bytes), bytes),
                        "device", new GroupShare(filesOf(DEVICES, bytes), bytes)),
                "",
                null);
    }

    private void commit() {
        sequence++;
        TreeMap<Integer, Long> byDay = new TreeMap<>(Map.of(day, COMMIT_BYTES - COMMIT_BYTES / 100));
        byDay.merge(Math.max(0, day - 1), COMMIT_BYTES / 100, Long::sum);
        segments.add(segment("c" + sequence, sequence, sequence, byDay));
    }

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

    private HeldSegment merged(Merge merge) {
        TreeMap<Integer, Long> byDay = new TreeMap<>();
        for (HeldSegment part : merge.segments()) {
            Objects.requireNonNull(days.remove(part.id())).forEach((of, bytes) -> byDay.merge(of, bytes, Long::sum));
        }
        bytesWritten += merge.bytesRead();
        return segment("m" + merge.first() + "-" + merge.last(), merge.first(), merge.last(), byDay);
    }
}
