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
package org.hadoopmpsr.core.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.commit.KeptSegment;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;

/**
 * The difference between the present state of a dataset and an earlier one. Segments that both have are no part of it, nor are those that hold
 * the same records in both, such as a merged segment and those that it replaced. Immutable.
 *
 * @param removes the current segments with the records that the earlier state did not have, the oldest first
 * @param restores the removed segments with the records that the present state lacks, the oldest first
 */
public record Rollback(List<Segment> removes, List<Segment> restores) {
    private static final Comparator<Segment> OLDEST_FIRST = Comparator.comparingLong(Segment::first)
            .thenComparingLong(Segment::timeMs)
            .thenComparing(Segment::id);

    public Rollback {
        removes = List.copyOf(removes);
        restores = List.copyOf(restores);
    }

    /** True if both states have the same records. */
    public boolean isEmpty() {
        return removes.isEmpty() && restores.isEmpty();
    }

    /**
     * Compares the present state with an earlier one.
     *
     * @param known the records of segments, current and removed
     * @param sequence the number of the change that left the earlier state
     */
    public static Rollback to(long sequence, Collection<Segment> known) {
        Map<String, List<Segment>> now = new HashMap<>();
        Map<String, List<Segment>> then = new HashMap<>();
        Kinship kinship = new Kinship(known);
        for (Segment segment : known) {
            boolean had = segment.since() <= sequence && sequence < segment.until();
            if (segment.isCurrent() != had && hasRecords(segment)) {
                (had ? then : now)
                        .computeIfAbsent(kinship.of(segment), k -> new ArrayList<>())
                        .add(segment);
            }
        }
        List<Segment> removes = new ArrayList<>();
        List<Segment> restores = new ArrayList<>();
        Set<String> all = new HashSet<>(now.keySet());
        all.addAll(then.keySet());
        for (String kin : all) {
            List<Segment> present = now.getOrDefault(kin, List.of());
            List<Segment> past = then.getOrDefault(kin, List.of());
            if (!sameRecords(present, past)) {
                removes.addAll(present);
                restores.addAll(past);
            }
        }
        removes.sort(OLDEST_FIRST);
        restores.sort(OLDEST_FIRST);
        return new Rollback(removes, restores);
    }

    private static boolean hasRecords(Segment segment) {
        return segment.groups().values().stream()
                .anyMatch(group -> !group.content().isEmpty());
    }

    private static boolean sameRecords(List<Segment> some, List<Segment> others) {
        return some.stream().allMatch(s -> isKnown(content(s)))
                && others.stream().allMatch(s -> isKnown(content(s)))
                && sum(some).equals(sum(others));
    }

    private static ContentHashes sum(List<Segment> segments) {
        return ContentHashes.of(segments.stream().map(Rollback::content).toList());
    }

    /** What every group holds of a segment; without a sum if the groups do not agree, or nobody knows. */
    private static ContentHash content(Segment segment) {
        List<ContentHash> contents = segment.groups().values().stream()
                .map(Segment.Group::content)
                .distinct()
                .toList();
        return contents.size() == 1
                ? contents.get(0)
                : new ContentHash(contents.get(0).kind(), contents.get(0).count(), 0, 0);
    }

    private static boolean isKnown(ContentHash content) {
        return content.high() != 0 || content.low() != 0;
    }

    /**
     * Which segments may hold the same records: those that a change has removed, and those that it has made of them; and those that hold
     * equal records, as a restored segment and the one that was there before. A rollback and an overwrite make no segment of those that
     * they remove.
     */
    private static final class Kinship {
        private final Map<String, String> parents = new HashMap<>();

        Kinship(Collection<Segment> known) {
            for (Segment segment : known) {
                String own = "segment " + segment.id();
                String by = segment.replacedBy();
                if (by != null && !KeptSegment.isRollback(by) && !DatasetChange.isOverwrite(by)) {
                    join(own, "change " + by);
                }
                String change = KeptSegment.changeOf(segment.id());
                if (!KeptSegment.isRollback(change)) {
                    join(own, "change " + change);
                }
                if (hasRecords(segment) && isKnown(content(segment))) {
                    join(own, "records " + content(segment));
                }
            }
        }

        /** A name that all kin of a segment have in common. */
        String of(Segment segment) {
            return top("segment " + segment.id());
        }

        private String top(String name) {
            String at = name;
            for (String next = parents.get(at); next != null; next = parents.get(at)) {
                String further = parents.get(next);
                if (further != null) {
                    parents.put(at, further); // a shorter way for the next one
                }
                at = next;
            }
            return at;
        }

        private void join(String one, String other) {
            String a = top(one);
            String b = top(other);
            if (!a.equals(b)) {
                parents.put(a, b);
            }
        }
    }
}
