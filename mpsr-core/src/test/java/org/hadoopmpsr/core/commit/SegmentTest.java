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
package org.hadoopmpsr.core.commit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.hash.ContentHash;
import org.junit.jupiter.api.Test;

class SegmentTest {
    private static final Map<String, Segment.Group> GROUPS =
            Map.of("time", new Segment.Group(2, 100, new ContentHash(10, 1, 2)));

    private static Segment appended(String id, long sequence, CommitSource... sources) {
        return Segment.appended(id, sequence, 1_000, List.of(sources), GROUPS);
    }

    @Test
    void aMergedSegmentCoversTheNumbersAndOffsetsOfThoseThatItReplaces() {
        Segment first = appended("a", 3, new CommitSource("t", 0, 0, 10));
        Segment second = appended("b", 5, new CommitSource("t", 0, 10, 30), new CommitSource("u", 1, 7, 9, "id"));

        Segment merged = Segment.merged("m", 6, 2_000, GROUPS, List.of(second, first));

        assertThat(merged)
                .isEqualTo(new Segment(
                        "m",
                        6,
                        Segment.OPEN,
                        3,
                        5,
                        2_000,
                        List.of(new CommitSource("t", 0, 0, 30), new CommitSource("u", 1, 7, 9, "id")),
                        GROUPS,
                        null));
        assertThat(merged.isCurrent()).isTrue();
        assertThat(first.removed(6, "m"))
                .isEqualTo(new Segment("a", 3, 6, 3, 3, 1_000, first.sources(), GROUPS, "m"))
                .matches(s -> !s.isCurrent());
    }

    @Test
    void ofOneWithUnknownOffsetsNothingIsSaidOfTheOffsets() {
        Segment old = Segment.uncounted("a", 500, GROUPS);
        Segment merged =
                Segment.merged("m", 6, 2_000, GROUPS, List.of(old, appended("b", 5, new CommitSource("t", 0, 10, 30))));
        assertThat(merged.sources()).isEmpty();
        assertThat(merged.first()).isZero();
        assertThat(merged.last()).isEqualTo(5);
    }

    @Test
    void joinedRangesHoldTheSameOffsets() {
        Seeds.forAll(300, random -> {
            List<CommitSource> sources = new ArrayList<>();
            for (int i = random.nextInt(12); i >= 0; i--) {
                long start = random.nextInt(40);
                sources.add(new CommitSource(
                        "t" + random.nextInt(2),
                        random.nextInt(2),
                        start,
                        start + 1 + random.nextInt(8),
                        random.nextInt(3) == 0 ? "id" : null));
            }
            List<CommitSource> joined = SourceRanges.joined(sources);
            assertThat(offsets(joined)).isEqualTo(offsets(sources));
            assertThat(joined.size()).isLessThanOrEqualTo(sources.size());
            assertThat(SourceRanges.joined(joined)).isEqualTo(joined);
            Collections.shuffle(sources, random);
            assertThat(SourceRanges.joined(sources)).isEqualTo(joined);
        });
    }

    private static Set<String> offsets(List<CommitSource> sources) {
        Set<String> offsets = new HashSet<>();
        for (CommitSource source : sources) {
            for (long o = source.start(); o < source.end(); o++) {
                offsets.add(source.topic() + "-" + source.partition() + "-" + source.topicId() + "-" + o);
            }
        }
        return offsets;
    }

    @Test
    void aRewriteIsOpenWhileAllItsSegmentsAreCurrent() {
        Map<String, SegmentGuard.State> states = Map.of(
                "a", new SegmentGuard.State(true, null),
                "b", new SegmentGuard.State(true, null),
                "gone", new SegmentGuard.State(false, "m1"));
        assertThat(SegmentGuard.decide("m", false, List.of("a", "b"), states).verdict())
                .isEqualTo(Fence.Verdict.OPEN);
        assertThat(SegmentGuard.decide("m", true, List.of("a", "gone"), states).verdict())
                .isEqualTo(Fence.Verdict.ALREADY_COMMITTED);
        assertThat(SegmentGuard.decide("m", false, List.of("a", "gone"), states))
                .isEqualTo(new Fence.Decision(
                        Fence.Verdict.FENCED,
                        "change m replaces segment gone, but change m1 has replaced it already:"
                                + " drop the staged files and plan anew"));
        assertThat(SegmentGuard.decide("m", false, List.of("never"), states).reason())
                .isEqualTo("change m replaces segment never, but the dataset has no such segment:"
                        + " drop the staged files and plan anew");
    }

    @Test
    void groupsHoldASegmentAsItWasPublishedOrTheProblemIsTold() {
        List<String> groups = List.of("time", "signal");
        ContentHash ten = new ContentHash(10, 1, 2);
        Segment.Group whole = new Segment.Group(2, 100, ten);
        Segment.Group oneFile = new Segment.Group(1, 90, ten);
        Segment.Group part = new Segment.Group(1, 50, new ContentHash(5, 1, 3));
        Map<String, Segment.Group> published = Map.of("time", whole, "signal", oneFile);

        assertThat(Segment.problem(groups, Set.of(), published, published)).isEmpty();
        assertThat(Segment.problem(groups, Set.of(), published, Map.of()))
                .as("other files, same records")
                .isEmpty();
        assertThat(Segment.problem(groups, Set.of(), Map.of(), Map.of())).isEmpty();
        assertThat(Segment.problem(groups, Set.of(), Map.of("time", whole, "signal", part), Map.of()))
                .contains("the groups do not hold the same records");
        assertThat(Segment.problem(groups, Set.of(), Map.of("time", whole), Map.of()))
                .contains("the groups do not hold the same records");
        assertThat(Segment.problem(groups, Set.of(), Map.of("time", whole, "signal", part), published))
                .contains("group 'signal' does not hold what was published");
        assertThat(Segment.problem(groups, Set.of(), Map.of("time", oneFile, "signal", oneFile), published))
                .as("a file less, with the same records")
                .contains("group 'time' does not hold what was published");
        assertThat(Segment.problem(groups, Set.of(), Map.of(), published))
                .contains("group 'time' does not hold what was published");
    }
}
