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
package org.hadoopmpsr.core.scrub;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Decides which segments a run of a scrub reads. A segment is read once in each period; to write it counts as reading it. Those
 * that would be due soon are taken along, so that a dataset with many small segments has few runs.
 * What is wrong and could not be healed is read again each day, because somebody may have mended it, and at once when a file of it
 * was written anew.
 *
 * @param periodMs how long a segment may stay unread, in milliseconds
 * @param maxBytes a run ends after about so many bytes, but not before its first segment
 */
public record ScrubSchedule(long periodMs, long maxBytes) {
    /** What could not be read is not tried again for so long, or for a tenth of the period if that is less. */
    private static final long RETRY_MS = TimeUnit.DAYS.toMillis(1);

    /**
     * A current segment.
     *
     * @param timeMs when it was written, in milliseconds since the epoch
     * @param newestFile the id of its newest file in any group: another one once a file was written anew
     * @param bytes the length of its files in all groups
     */
    public record Candidate(String id, long timeMs, long newestFile, long bytes) {}

    /**
     * The segments that the next run reads: those that have waited longest first.
     *
     * @param segments all current ones, in any order
     * @return empty if none is due
     */
    public List<Candidate> next(List<Candidate> segments, ScrubState state, long nowMs) {
        List<Candidate> waiting = segments.stream()
                .filter(segment ->
                        state.isWrong(segment.id()) || nowMs - last(segment, state) >= periodMs - periodMs / 10)
                .filter(segment -> mayHaveChanged(segment, state.read(segment.id()), nowMs))
                .sorted(Comparator.comparing((Candidate segment) -> !state.isWrong(segment.id()))
                        .thenComparingLong(segment -> last(segment, state))
                        .thenComparing(Candidate::id))
                .toList();
        List<Candidate> next = new ArrayList<>();
        if (waiting.stream().noneMatch(s -> state.isWrong(s.id()) || nowMs - last(s, state) >= periodMs)) {
            return next;
        }
        long bytes = 0;
        for (Candidate segment : waiting) {
            if (!next.isEmpty() && bytes + segment.bytes() > maxBytes) {
                break;
            }
            next.add(segment);
            bytes += segment.bytes();
        }
        return next;
    }

    /** Times of files say nothing: a file that a rebuild writes in the default group has the time of the one that it replaces. */
    private boolean mayHaveChanged(Candidate segment, ScrubState.Read last, long nowMs) {
        return segment.newestFile() != last.newestFile() || nowMs - last.triedMs() >= Math.min(RETRY_MS, periodMs / 10);
    }

    private static long last(Candidate segment, ScrubState state) {
        return Math.max(segment.timeMs(), state.read(segment.id()).checkedMs());
    }

    /** The number of segments that were read or written within the period. */
    public long covered(List<Candidate> segments, ScrubState state, long nowMs) {
        return segments.stream()
                .filter(segment -> nowMs - last(segment, state) < periodMs)
                .count();
    }

    /** When the segment that has waited longest was read or written, in milliseconds since the epoch; 0 if there is none. */
    public static long oldest(List<Candidate> segments, ScrubState state) {
        return segments.stream()
                .mapToLong(segment -> last(segment, state))
                .min()
                .orElse(0);
    }
}
