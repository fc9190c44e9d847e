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

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * Chooses which segments are merged: by tiers of size, in the order of their sequences, and only segments that lie next to
 * each other. A merge is worth its work if the merged segment is much larger than each of its parts, so that a record is
 * rewritten a few times in all. Where nothing can come any more, between two full segments, all the rest is merged. Every
 * merge leaves fewer segments, therefore planning and merging in turn comes to an end. Equal input gives an equal plan.
 */
public final class CompactionPlanner {
    /** Segments of a dataset that did not count its changes have no sequence, but a time. */
    private static final Comparator<HeldSegment> ORDER = Comparator.comparingLong(HeldSegment::first)
            .thenComparingLong(HeldSegment::timeMs)
            .thenComparing(HeldSegment::id);

    private CompactionPlanner() {}

    /**
     * Makes a plan of merges that can be done now. What they leave may give further merges: see {@link #rounds}.
     *
     * @param segments the current segments in any order
     */
    public static CompactionPlan plan(List<HeldSegment> segments, MergeRules rules) {
        List<HeldSegment> ordered = new ArrayList<>(segments);
        ordered.sort(ORDER);
        List<Merge> merges = new ArrayList<>();
        for (int from = 0; from < ordered.size(); ) {
            int to = from;
            while (to < ordered.size() && isOpen(ordered.get(to), rules)) {
                to++;
            }
            boolean closed = rules.all()
                    || ((from == 0 || isFull(ordered.get(from - 1), rules))
                            && to < ordered.size()
                            && isFull(ordered.get(to), rules));
            merges.addAll(merges(ordered.subList(from, to), closed, rules));
            from = to + 1;
        }
        return new CompactionPlan(
                merges, ordered.stream().filter(s -> s.keptBecause() != null).toList());
    }

    /** The plans that follow one another, each of what the one before leaves, as far as sizes are known before. */
    public static List<CompactionPlan> rounds(List<HeldSegment> segments, MergeRules rules) {
        List<CompactionPlan> rounds = new ArrayList<>();
        List<HeldSegment> now = segments;
        for (CompactionPlan plan = plan(now, rules); !plan.isEmpty(); plan = plan(now, rules)) {
            rounds.add(plan);
            now = after(now, plan);
        }
        return rounds;
    }

    /** The segments that a plan leaves. */
    public static List<HeldSegment> after(List<HeldSegment> segments, CompactionPlan plan) {
        Set<HeldSegment> gone = Collections.newSetFromMap(new IdentityHashMap<>());
        plan.merges().forEach(m -> gone.addAll(m.segments()));
        List<HeldSegment> left = new ArrayList<>();
        segments.stream().filter(s -> !gone.contains(s)).forEach(left::add);
        plan.merges().forEach(m -> left.add(m.result()));
        return left;
    }

    private static boolean isFull(HeldSegment segment, MergeRules rules) {
        return segment.keptBecause() == null && rules.isFull(segment.bytes());
    }

    /** Whether a segment may be part of a merge. */
    private static boolean isOpen(HeldSegment segment, MergeRules rules) {
        return segment.keptBecause() == null && segment.timeMs() < rules.beforeMs() && !rules.isFull(segment.bytes());
    }

    /** The merges of neighbours, each as long as it may be, the oldest first. */
    private static List<Merge> merges(List<HeldSegment> run, boolean closed, MergeRules rules) {
        List<Merge> merges = new ArrayList<>();
        for (int from = 0; from < run.size() - 1; ) {
            int to = end(run, from, closed, rules);
            if (to > from) {
                merges.add(Merge.of(run.subList(from, to), rules));
            }
            from = Math.max(from + 1, to);
        }
        return merges;
    }

    /** Where the longest merge ends that begins at a segment, exclusively; the beginning if there is none. */
    private static int end(List<HeldSegment> run, int from, boolean closed, MergeRules rules) {
        MergeSize size = new MergeSize(rules);
        size.add(run.get(from));
        int end = from;
        int most = Math.min(run.size(), from + rules.maxSegments());
        for (int next = from + 1; next < most; next++) {
            size.add(run.get(next));
            if (!size.fits() || !run.get(next).rights().equals(run.get(from).rights())) {
                break;
            }
            if (closed || rules.pays(size.bytes(), size.largest())) {
                end = next + 1;
            }
        }
        return end;
    }
}
