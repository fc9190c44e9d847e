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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.api.Test;

class CompactionPlannerTest {
    private static final long MB = 1 << 20;
    private static final MergeRules RULES = MergeRules.of(128 * MB, 10_000);

    private static HeldSegment segment(long sequence, long mb) {
        return segment(sequence, mb, null);
    }

    private static HeldSegment segment(long sequence, long mb, String keptBecause) {
        return new HeldSegment(
                "s" + sequence,
                sequence,
                sequence,
                sequence * 1_000,
                mb * 1_000,
                Map.of("time", new GroupShare(1, mb * MB), "device", new GroupShare(50, mb * MB / 2)),
                "",
                keptBecause);
    }

    /** Segments of so many megabytes. */
    private static List<HeldSegment> segments(long... mb) {
        return IntStream.range(0, mb.length)
                .mapToObj(i -> segment(i + 1, mb[i]))
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** The sequences that merges replace, such as {@code 1-4}. */
    private static List<String> ranges(CompactionPlan plan) {
        return plan.merges().stream().map(m -> m.first() + "-" + m.last()).toList();
    }

    private static List<String> ranges(long... mb) {
        return ranges(CompactionPlanner.plan(segments(mb), RULES));
    }

    @Test
    void segmentsAreMergedWhenTheirSumIsMuchLargerThanEach() {
        assertThat(ranges()).isEmpty();
        assertThat(ranges(10)).isEmpty();
        assertThat(ranges(10, 10, 10)).isEmpty();
        assertThat(ranges(10, 10, 10, 10)).containsExactly("1-4");
        assertThat(ranges(40, 10, 10, 10)).isEmpty();
        assertThat(ranges(40, 10, 10, 10, 10)).containsExactly("2-5");
        assertThat(ranges(40, 40, 40, 10, 10, 10, 10)).containsExactly("1-7");
    }

    @Test
    void aTargetIsNotExceeded() {
        long target = RULES.targetBytes() / MB;
        assertThat(ranges(target / 4, target / 4, target / 4, target / 4, target / 4))
                .containsExactly("1-4");
        assertThat(ranges(target / 2, target / 2)).isEmpty();
        assertThat(ranges(target / 4 + 1, target / 4, target / 4, target / 4))
                .as("no fourfold growth is possible, and it becomes full")
                .containsExactly("1-3");
    }

    @Test
    void whatLiesBetweenFullSegmentsIsMergedAtLast() {
        long target = RULES.targetBytes() / MB;
        assertThat(ranges(target, 10, 10, target)).containsExactly("2-3");
        assertThat(ranges(10, 10, target)).containsExactly("1-2");
        assertThat(ranges(target, 10, 10)).as("more may come").isEmpty();
        assertThat(ranges(CompactionPlanner.plan(
                        List.of(segment(1, target), segment(2, 10), segment(3, 10), segment(4, target, "lost")),
                        RULES)))
                .as("a segment that is kept for now may be merged later")
                .isEmpty();
    }

    @Test
    void noMergeReachesOverASegmentThatIsKept() {
        List<HeldSegment> segments = segments(1, 1, 1, 1, 1, 1, 1, 1, 1);
        segments.set(4, segment(5, 1, "2 of its files are lost"));
        CompactionPlan plan = CompactionPlanner.plan(segments, RULES);
        assertThat(ranges(plan)).containsExactly("1-4", "6-9");
        assertThat(plan.kept()).extracting(HeldSegment::keptBecause).containsExactly("2 of its files are lost");
    }

    @Test
    void segmentsOfADatasetThatDidNotCountItsChangesAreOrderedByTime() {
        List<HeldSegment> segments = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            HeldSegment s = segment(8 - i, 1);
            segments.add(new HeldSegment(
                    "c" + i, 0, 0, s.timeMs(), s.records(), s.groups(), i == 3 ? "own rights" : "", null));
        }
        CompactionPlan plan = CompactionPlanner.plan(segments, RULES);
        assertThat(plan.merges()).hasSize(1);
        assertThat(plan.merges().get(0).segments()).extracting(HeldSegment::id).containsExactly("c7", "c6", "c5", "c4");
    }

    @Test
    void onlyWhatIsOldEnoughIsMergedAndAllOfItOnDemand() {
        List<HeldSegment> segments = segments(1, 1, 1, 1, 1, 1);
        assertThat(ranges(CompactionPlanner.plan(segments, RULES.before(5_000))))
                .containsExactly("1-4");
        assertThat(ranges(CompactionPlanner.plan(segments, RULES.before(3_000))))
                .isEmpty();
        assertThat(ranges(CompactionPlanner.plan(segments, RULES.before(3_000).mergingAll())))
                .containsExactly("1-2");
        assertThat(ranges(CompactionPlanner.plan(segments, RULES.mergingAll().withTarget(3 * MB))))
                .containsExactly("1-3", "4-6");
    }

    @Test
    void whatAPlanReadsAndWritesIsCounted() {
        CompactionPlan plan = CompactionPlanner.plan(segments(10, 10, 10, 10), RULES);
        assertThat(plan.segments()).isEqualTo(4);
        assertThat(plan.records()).isEqualTo(40_000);
        assertThat(plan.filesRead()).isEqualTo(204);
        assertThat(plan.bytesRead()).isEqualTo(60 * MB);
        assertThat(plan.filesWritten()).isEqualTo(51);
    }

    @Test
    void aChangeHasNoMoreFilesThanItMay() {
        MergeRules few = MergeRules.of(128 * MB, 60);
        assertThat(ranges(CompactionPlanner.plan(segments(1, 1, 1, 1), few))).containsExactly("1-4");
        assertThat(CompactionPlanner.plan(segments(1, 1, 1, 1), MergeRules.of(128 * MB, 50))
                        .isEmpty())
                .isTrue();
    }

    @Test
    void rulesThatAllowNothingAreRefused() {
        assertThatThrownBy(() -> RULES.withTarget(1_000))
                .hasMessage("a target of 1000 bytes and files of 134217728 bytes cannot be: the least target is 1048576"
                        + " bytes");
        assertThatThrownBy(() -> MergeRules.of(128 * MB, 0)).hasMessageContaining("0 new files");
    }

    @Test
    void planningAndMergingComeToAnEndInOrder() {
        Seeds.forAll(300, CompactionPlannerTest::comesToAnEnd);
    }

    private static void comesToAnEnd(Random random) {
        List<HeldSegment> segments = new ArrayList<>();
        long sequence = 0;
        for (int i = random.nextInt(400); i > 0; i--) {
            long first = sequence + 1;
            sequence = first + random.nextInt(3);
            long bytes = (long) Math.exp(random.nextDouble() * Math.log(9e9));
            segments.add(new HeldSegment(
                    "s" + first,
                    first,
                    sequence,
                    sequence,
                    bytes / 3,
                    Map.of(
                            "time", new GroupShare(1 + random.nextInt(3), bytes),
                            "device", new GroupShare(1 + random.nextInt(700), bytes)),
                    random.nextInt(30) == 0 ? "0700" : "0755",
                    random.nextInt(20) == 0 ? "kept" : null));
        }
        Collections.shuffle(segments, random);
        MergeRules rules = random.nextInt(4) == 0 ? RULES.mergingAll() : RULES.before(random.nextInt(1_000));
        List<HeldSegment> now = segments;
        int rounds = 0;
        for (CompactionPlan plan = CompactionPlanner.plan(now, rules);
                !plan.isEmpty();
                plan = CompactionPlanner.plan(now, rules)) {
            plan.merges().forEach(m -> sound(m, rules));
            List<HeldSegment> after = CompactionPlanner.after(now, plan);
            assertThat(after).hasSizeLessThan(now.size());
            inOrder(after);
            assertThat(bytes(after)).isEqualTo(bytes(segments));
            now = after;
            rounds++;
        }
        assertThat(CompactionPlanner.rounds(segments, rules)).hasSize(rounds);
        assertThat(rounds).isLessThan(40);
    }

    private static long bytes(List<HeldSegment> segments) {
        return segments.stream().mapToLong(HeldSegment::bytes).sum();
    }

    private static void sound(Merge merge, MergeRules rules) {
        List<HeldSegment> parts = merge.segments();
        assertThat(parts).hasSizeBetween(2, rules.maxSegments());
        assertThat(parts).allSatisfy(s -> assertThat(s.keptBecause()).isNull());
        assertThat(parts)
                .allSatisfy(s -> assertThat(s.rights()).isEqualTo(parts.get(0).rights()));
        assertThat(parts).allSatisfy(s -> assertThat(s.timeMs()).isLessThan(rules.beforeMs()));
        assertThat(merge.result().bytes()).isLessThanOrEqualTo(rules.targetBytes());
        assertThat(merge.filesWritten()).isLessThanOrEqualTo(rules.maxNewFiles());
        for (int i = 1; i < parts.size(); i++) {
            assertThat(parts.get(i).first()).isEqualTo(parts.get(i - 1).last() + 1);
        }
    }

    private static void inOrder(List<HeldSegment> segments) {
        List<HeldSegment> ordered = new ArrayList<>(segments);
        ordered.sort((a, b) -> Long.compare(a.first(), b.first()));
        for (int i = 1; i < ordered.size(); i++) {
            assertThat(ordered.get(i).first()).isEqualTo(ordered.get(i - 1).last() + 1);
        }
    }

    @Test
    void sixHundredThousandSmallFilesArePlannedInLittleMemory() {
        com.sun.management.ThreadMXBean thread = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = thread.getCurrentThreadAllocatedBytes();
        List<HeldSegment> segments = new ArrayList<>();
        for (int i = 1; i <= 200_000; i++) {
            GroupShare one = new GroupShare(1, 20_000);
            segments.add(new HeldSegment(
                    "meas-0-" + i + "-" + (i + 1) + "-0a1b2c3d",
                    i,
                    i,
                    i,
                    5_000,
                    Map.of("time", one, "signal", one, "device", one),
                    "",
                    null));
        }
        long cpu = thread.getCurrentThreadCpuTime();
        List<CompactionPlan> rounds = CompactionPlanner.rounds(segments, RULES);
        Duration took = Duration.ofNanos(thread.getCurrentThreadCpuTime() - cpu);
        assertThat(rounds.get(0).segments()).isEqualTo(200_000);
        assertThat(rounds.get(rounds.size() - 1).filesWritten()).isLessThan(100);
        assertThat(took).isLessThan(Duration.ofSeconds(20));
        assertThat(thread.getCurrentThreadAllocatedBytes() - allocated)
                .as("bytes of all objects, garbage among them")
                .isLessThan(1L << 30);
    }
}
