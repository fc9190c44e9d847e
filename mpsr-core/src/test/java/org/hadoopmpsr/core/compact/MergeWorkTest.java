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

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.hash.ContentHash;
import org.junit.jupiter.api.Test;

class MergeWorkTest {
    private static final MergeRules RULES = new MergeRules(1 << 20, 1_000, 4, 99, 50, 1_000, 10, Long.MAX_VALUE, false);

    private static SegmentFile file(String segment, String group, String directory, long length) {
        String path = "/" + group + "/" + directory + "/" + segment + "-" + length;
        return new SegmentFile(segment, group, directory, List.of(directory), path, length, ContentHash.EMPTY);
    }

    @Test
    void eachDirectoryIsAPartWithItsFilesInOrder() {
        MergeWork work = MergeWork.of(
                List.of("a", "b"),
                List.of(
                        file("b", "time", "day=1", 10),
                        file("b", "time", "day=2", 500),
                        file("a", "time", "day=1", 20),
                        file("a", "signal", "day=1", 30)),
                RULES);
        assertThat(work.segments()).containsExactly("a", "b");
        assertThat(work.parts())
                .extracting(p -> p.number() + " " + p.group() + " " + p.directory() + " "
                        + p.files().stream().map(SegmentFile::segment).collect(Collectors.joining()))
                .containsExactly("0 time day=2 b", "1 time day=1 ab", "2 signal day=1 a");
        assertThat(work.bytes()).isEqualTo(560);
        assertThat(work.files()).isEqualTo(4);
        assertThat(work.saves(RULES)).isTrue();
    }

    @Test
    void whereNoDirectoryLosesAFileNothingIsSaved() {
        List<SegmentFile> days = List.of(file("a", "time", "day=1", 10), file("b", "time", "day=2", 10));
        assertThat(MergeWork.of(List.of("a", "b"), days, RULES).saves(RULES)).isFalse();
        List<SegmentFile> large = List.of(file("a", "time", "day=1", 990), file("b", "time", "day=1", 990));
        assertThat(MergeWork.of(List.of("a", "b"), large, RULES).saves(RULES)).isFalse();
        assertThat(MergeWork.of(List.of("a"), days.subList(0, 1), RULES).saves(RULES))
                .isFalse();
    }

    @Test
    void tooManyFilesOfADirectoryLeaveTheLastSegmentsOut() {
        List<SegmentFile> files = new ArrayList<>();
        List<String> segments = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            segments.add("s" + i);
            files.add(file("s" + i, "time", "day=1", 10));
        }
        assertThat(MergeWork.of(segments, files, RULES).segments()).hasSize(9).startsWith("s0", "s1");
    }

    @Test
    void aFileOfAnotherSegmentIsRefused() {
        assertThatThrownBy(() -> MergeWork.of(List.of("a"), List.of(file("x", "time", "day=1", 1)), RULES))
                .hasMessage("the file /time/day=1/x-1 is of segment 'x', which is none of the segments to merge: [a]");
    }

    @Test
    void everyFileOfEverySegmentIsInOnePartWithinTheRules() {
        Seeds.forAll(300, MergeWorkTest::divides);
    }

    private static void divides(Random random) {
        List<String> segments = new ArrayList<>();
        List<SegmentFile> files = new ArrayList<>();
        for (int s = 0; s < 2 + random.nextInt(12); s++) {
            segments.add("s" + s);
            for (int f = random.nextInt(12); f >= 0; f--) {
                String group = random.nextBoolean() ? "time" : "signal";
                files.add(file("s" + s, group, "p=" + random.nextInt(8), 1 + random.nextInt(600)));
            }
        }
        MergeWork work = MergeWork.of(segments, files, RULES);
        assertThat(work.segments())
                .isEqualTo(segments.subList(0, work.segments().size()));
        Set<SegmentFile> taken = new HashSet<>();
        Map<String, Integer> places = new HashMap<>();
        long newFiles = 0;
        for (MergePart part : work.parts()) {
            taken.addAll(part.files());
            places.merge(part.group() + "/" + part.directory(), 1, Integer::sum);
            long written = Math.max(1, (part.bytes() + 999) / 1_000);
            newFiles += written;
            assertThat(part.files().size() + written).isLessThanOrEqualTo(10);
            assertThat(part.files())
                    .isSortedAccordingTo(
                            (a, b) -> Integer.compare(segments.indexOf(a.segment()), segments.indexOf(b.segment())));
        }
        assertThat(newFiles).isLessThanOrEqualTo(50);
        assertThat(places.values()).containsOnly(1);
        assertThat(taken)
                .isEqualTo(files.stream()
                        .filter(f -> work.segments().contains(f.segment()))
                        .collect(Collectors.toSet()));
    }
}
