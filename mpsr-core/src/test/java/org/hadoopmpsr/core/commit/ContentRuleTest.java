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

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.junit.jupiter.api.Test;

class ContentRuleTest {
    private static final List<String> GROUPS = List.of("time", "signal");
    private static final ContentHash TEN = new ContentHash(10, 1, 2);
    private static final ContentHash OTHER = new ContentHash(10, 1, 3);

    private static Map<String, ContentHash> both(ContentHash content) {
        return Map.of("time", content, "signal", content);
    }

    private static Map<String, ContentHashes> kept(Map<String, ContentHash> contents) {
        return contents.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, e -> ContentHashes.of(e.getValue())));
    }

    /** A dataset that an older version began. */
    @Test
    void hashesOfOldFilesAreNotComparedWithThoseOfNewOnes() {
        ContentHash fast = new ContentHash(HashKind.XXH_128, 10, 5, 6);
        assertThat(ContentRule.unchanged(GROUPS, both(fast), kept(both(TEN)), kept(both(TEN)), Map.of()))
                .isEmpty();
        assertThat(ContentRule.unchanged(GROUPS, both(fast), kept(both(TEN)), kept(both(OTHER)), Map.of()))
                .isPresent();
        ContentHash more = new ContentHash(HashKind.XXH_128, 11, 5, 6);
        assertThat(ContentRule.unchanged(GROUPS, both(more), kept(both(TEN)), kept(both(TEN)), Map.of()))
                .isPresent();
        Map<String, ContentHash> different =
                Map.of("time", fast, "signal", new ContentHash(HashKind.XXH_128, 10, 5, 7));
        assertThat(ContentRule.unchanged(GROUPS, different, kept(both(TEN)), kept(both(TEN)), Map.of()))
                .isPresent();
        assertThat(ContentRule.unchangedInEach(Map.of("/d/a", fast), kept(Map.of("/d/a", TEN)), Map.of()))
                .isEmpty();
        assertThat(ContentRule.unchangedInEach(Map.of("/d/a", more), kept(Map.of("/d/a", TEN)), Map.of()))
                .isPresent();
    }

    @Test
    void allGroupsGetTheSameRecords() {
        assertThat(ContentRule.equalInAll(GROUPS, both(TEN))).isEmpty();
        assertThat(ContentRule.equalInAll(GROUPS, Map.of())).isEmpty();
        assertThat(ContentRule.equalInAll(GROUPS, Map.of("time", TEN)))
                .contains("group 'signal' has no file; every group must hold the commit's records");
        assertThat(ContentRule.equalInAll(GROUPS, Map.of("time", TEN, "signal", OTHER)))
                .contains("the groups do not hold the same records (time: 10 records with hash"
                        + " 00000000000000010000000000000002, signal: 10 records with hash"
                        + " 00000000000000010000000000000003)");
    }

    @Test
    void aRewriteHasTheRecordsThatItReadAndThatWereStated() {
        assertThat(ContentRule.unchanged(GROUPS, both(TEN), kept(both(TEN)), kept(both(TEN)), Map.of()))
                .isEmpty();
        assertThat(ContentRule.unchanged(GROUPS, both(TEN), kept(both(TEN)), kept(Map.of("time", TEN)), Map.of()))
                .get()
                .asString()
                .startsWith("group 'signal' holds 10 records with hash 00000000000000010000000000000002 in the removed"
                        + " segments, but their files were read as 0 records")
                .endsWith("; a file is damaged, or the job has not read all of them");
        assertThat(ContentRule.unchanged(GROUPS, both(OTHER), kept(both(TEN)), kept(both(TEN)), Map.of()))
                .get()
                .asString()
                .endsWith("in the removed segments, but the new files hold 10 records with hash"
                        + " 00000000000000010000000000000003");
    }

    @Test
    void duplicatesAreLeftOutOfAllGroups() {
        ContentHash four = new ContentHash(4, 0, 1);
        ContentHash six = TEN.minus(four);
        assertThat(ContentRule.unchanged(GROUPS, both(six), kept(both(TEN)), kept(both(TEN)), both(four)))
                .isEmpty();
        assertThat(ContentRule.unchanged(GROUPS, both(six), kept(both(TEN)), kept(both(TEN)), Map.of("time", four)))
                .get()
                .asString()
                .startsWith("group 'signal' holds 10 records");
        assertThat(ContentRule.unchanged(GROUPS, both(six), kept(both(TEN)), kept(both(TEN)), both(six)))
                .get()
                .asString()
                .endsWith("are left out as duplicates");
        ContentHash fast = new ContentHash(HashKind.XXH_128, 6, 8, 9);
        ContentHash out = new ContentHash(HashKind.XXH_128, 4, 1, 1);
        ContentHash otherOut = new ContentHash(HashKind.XXH_128, 4, 1, 2);
        assertThat(ContentRule.unchanged(GROUPS, both(fast), kept(both(TEN)), kept(both(TEN)), both(out)))
                .isEmpty();
        assertThat(ContentRule.unchanged(
                        GROUPS, both(fast), kept(both(TEN)), kept(both(TEN)), Map.of("time", out, "signal", otherOut)))
                .get()
                .asString()
                .startsWith("the groups do not leave out the same duplicates (time: 4 records");
        assertThat(ContentRule.unchanged(GROUPS, both(six), kept(both(TEN)), kept(both(TEN)), both(out)))
                .as("duplicates of another kind of hash")
                .isPresent();
        assertThat(ContentRule.unchangedInEach(Map.of("/d/a", six), kept(Map.of("/d/a", TEN)), Map.of("/d/a", four)))
                .isEmpty();
        assertThat(ContentRule.unchangedInEach(Map.of("/d/a", six), kept(Map.of("/d/a", TEN)), Map.of("/d/b", four)))
                .isPresent();
    }

    @Test
    void eachDirectoryKeepsItsRecords() {
        assertThat(ContentRule.unchangedInEach(
                        Map.of("/d/a", TEN, "/d/b", OTHER), kept(Map.of("/d/b", OTHER, "/d/a", TEN)), Map.of()))
                .isEmpty();
        assertThat(ContentRule.unchangedInEach(Map.of("/d/a", TEN), kept(Map.of("/d/a", TEN, "/d/b", OTHER)), Map.of()))
                .get()
                .asString()
                .startsWith("the new files of /d/b hold 0 records")
                .endsWith("(1 directories differ)");
        assertThat(ContentRule.unchangedInEach(Map.of("/d/b", TEN), kept(Map.of("/d/a", TEN)), Map.of()))
                .isPresent();
    }
}
