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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.hash.ReadContent;
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

    private static Map<String, RemovedContent> read(Map<String, ContentHash> contents) {
        return contents.entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, e -> new RemovedContent(ContentHashes.of(e.getValue()), Map.of())));
    }

    private static ContentHash fast(long count, long low) {
        return new ContentHash(HashKind.XXH_128, count, 5, low);
    }

    /** Records of an old file, and as many of a new one. */
    private static ReadContent mixed(ContentHash old, ContentHash rehashed, ContentHash young) {
        return new ReadContent(ContentHashes.of(List.of(old, young)), rehashed);
    }

    /** A dataset that an older version began. */
    @Test
    void recordsOfOldFilesAreComparedAsTheWriterOfNewOnesHasHashedThem() {
        ContentHash young = fast(3, 7);
        ReadContent read = mixed(TEN, fast(10, 1), young);
        Map<String, ContentHashes> removed = Map.of("time", read.stated(), "signal", read.stated());
        Map<String, RemovedContent> found = Map.of(
                "time", RemovedContent.of("a", read),
                "signal",
                        RemovedContent.sum(List.of(
                                RemovedContent.of("b", mixed(TEN, fast(10, 1), ContentHash.EMPTY)),
                                RemovedContent.of("c", mixed(ContentHash.EMPTY, ContentHash.EMPTY, young)))));
        assertThat(found.get("signal").rehashed()).containsOnlyKeys("b");
        assertThat(found.get("time").rehashed().get("a")).isEqualTo(mixed(TEN, fast(10, 1), ContentHash.EMPTY));
        ContentHash same = fast(10, 1).plus(young);
        assertThat(ContentRule.unchanged(GROUPS, Set.of(), both(same), removed, found, Map.of()))
                .isEmpty();
        ContentHash altered = new ContentHash(HashKind.XXH_128, same.count(), same.high(), same.low() + 1);
        assertThat(ContentRule.unchanged(GROUPS, Set.of(), both(altered), removed, found, Map.of()))
                .get()
                .asString()
                .contains("but the new files hold 13 records", "; they were read as 13 records");
        assertThat(ContentRule.unchanged(GROUPS, Set.of(), both(fast(12, 1).plus(young)), removed, found, Map.of()))
                .isPresent();
        // nobody has hashed the old records again
        assertThat(ContentRule.unchanged(
                        GROUPS, Set.of(), both(fast(10, 1)), kept(both(TEN)), read(both(TEN)), Map.of()))
                .get()
                .asString()
                .endsWith("the job has not hashed in that way what it has read: run a job of the NameNode's version");
    }

    @Test
    void recordsOfOldFilesAreComparedInEachDirectory() {
        Map<String, ContentHashes> removed = kept(Map.of("/d/a", TEN, "/d/b", OTHER));
        Map<String, ReadContent> read = Map.of(
                "/d/a", mixed(TEN, fast(10, 1), ContentHash.EMPTY),
                "/d/b", mixed(OTHER, fast(10, 2), ContentHash.EMPTY));
        assertThat(ContentRule.unchangedInEach(
                        Map.of("/d/a", fast(10, 1), "/d/b", fast(10, 2)), removed, Map.of(), read))
                .isEmpty();
        assertThat(ContentRule.unchangedInEach(
                        Map.of("/d/a", fast(10, 2), "/d/b", fast(10, 1)), removed, Map.of(), read))
                .get()
                .asString()
                .startsWith("the new files of /d/a hold 10 records")
                .endsWith("(2 directories differ)");
        Map<String, ContentHashes> both = Map.of("/d/a", ContentHashes.of(List.of(TEN, fast(3, 7))));
        Map<String, ReadContent> old = Map.of("/d/a", read.get("/d/a"));
        assertThat(ContentRule.unchangedInEach(Map.of("/d/a", fast(10, 1).plus(fast(3, 7))), both, Map.of(), old))
                .isEmpty();
        assertThat(ContentRule.unchangedInEach(Map.of("/d/a", fast(10, 1).plus(fast(3, 8))), both, Map.of(), old))
                .isPresent();
        assertThat(ContentRule.unchangedInEach(
                        Map.of("/d/a", fast(10, 1)),
                        kept(Map.of("/d/a", OTHER)),
                        Map.of(),
                        Map.of("/d/a", read.get("/d/a"))))
                .isPresent();
        assertThat(ContentRule.unchangedInEach(
                        Map.of("/d/a", fast(10, 1)), kept(Map.of("/d/a", TEN)), Map.of(), Map.of()))
                .isPresent();
        assertThat(ContentRule.unchangedInEach(Map.of(), Map.of(), Map.of(), read))
                .isPresent();
    }

    /** Nobody can say that records of new files are other ones. */
    @Test
    void onlyRecordsOfOldFilesAreHashedAgain() {
        assertThatThrownBy(() -> mixed(TEN, fast(13, 1), fast(3, 7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "of 10 records that were read of files with another kind of hash, 13 are hashed as new files are");
        assertThatThrownBy(() -> mixed(ContentHash.EMPTY, fast(3, 1), fast(3, 7)))
                .isInstanceOf(IllegalArgumentException.class);
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
        assertThat(ContentRule.unchanged(GROUPS, Set.of(), both(TEN), kept(both(TEN)), read(both(TEN)), Map.of()))
                .isEmpty();
        assertThat(ContentRule.unchanged(
                        GROUPS, Set.of(), both(TEN), kept(both(TEN)), read(Map.of("time", TEN)), Map.of()))
                .get()
                .asString()
                .startsWith("group 'signal' holds 10 records with hash 00000000000000010000000000000002 in the removed"
                        + " segments, but their files were read as 0 records")
                .endsWith("; a file is damaged, or the job has not read all of them");
        assertThat(ContentRule.unchanged(GROUPS, Set.of(), both(OTHER), kept(both(TEN)), read(both(TEN)), Map.of()))
                .get()
                .asString()
                .endsWith("in the removed segments, but the new files hold 10 records with hash"
                        + " 00000000000000010000000000000003");
    }

    private static RemovedContent old(ContentHash rehashed) {
        return RemovedContent.of("a", mixed(TEN, rehashed, ContentHash.EMPTY));
    }

    @Test
    void duplicatesAreLeftOutOfAllGroups() {
        ContentHash four = new ContentHash(4, 0, 1);
        ContentHash six = TEN.minus(four);
        assertThat(ContentRule.unchanged(GROUPS, Set.of(), both(six), kept(both(TEN)), read(both(TEN)), both(four)))
                .isEmpty();
        assertThat(ContentRule.unchanged(
                        GROUPS, Set.of(), both(six), kept(both(TEN)), read(both(TEN)), Map.of("time", four)))
                .get()
                .asString()
                .startsWith("group 'signal' holds 10 records");
        assertThat(ContentRule.unchanged(GROUPS, Set.of(), both(six), kept(both(TEN)), read(both(TEN)), both(six)))
                .get()
                .asString()
                .endsWith("are left out as duplicates");
        ContentHash fast = new ContentHash(HashKind.XXH_128, 6, 8, 9);
        ContentHash out = new ContentHash(HashKind.XXH_128, 4, 1, 1);
        ContentHash otherOut = new ContentHash(HashKind.XXH_128, 4, 1, 2);
        assertThat(ContentRule.unchanged(
                        GROUPS,
                        Set.of(),
                        both(fast),
                        kept(both(TEN)),
                        Map.of("time", old(fast.plus(out)), "signal", old(fast.plus(out))),
                        both(out)))
                .isEmpty();
        assertThat(ContentRule.unchanged(
                        GROUPS,
                        Set.of(),
                        both(fast),
                        kept(both(TEN)),
                        Map.of("time", old(fast.plus(out)), "signal", old(fast.plus(otherOut))),
                        Map.of("time", out, "signal", otherOut)))
                .get()
                .asString()
                .startsWith("the groups do not leave out the same duplicates (time: 4 records");
        assertThat(ContentRule.unchanged(GROUPS, Set.of(), both(six), kept(both(TEN)), read(both(TEN)), both(out)))
                .as("duplicates of another kind of hash")
                .isPresent();
        assertThat(ContentRule.unchangedInEach(
                        Map.of("/d/a", six), kept(Map.of("/d/a", TEN)), Map.of("/d/a", four), Map.of()))
                .isEmpty();
        assertThat(ContentRule.unchangedInEach(
                        Map.of("/d/a", six), kept(Map.of("/d/a", TEN)), Map.of("/d/b", four), Map.of()))
                .isPresent();
    }

    @Test
    void eachDirectoryKeepsItsRecords() {
        assertThat(ContentRule.unchangedInEach(
                        Map.of("/d/a", TEN, "/d/b", OTHER),
                        kept(Map.of("/d/b", OTHER, "/d/a", TEN)),
                        Map.of(),
                        Map.of()))
                .isEmpty();
        assertThat(ContentRule.unchangedInEach(
                        Map.of("/d/a", TEN), kept(Map.of("/d/a", TEN, "/d/b", OTHER)), Map.of(), Map.of()))
                .get()
                .asString()
                .startsWith("the new files of /d/b hold 0 records")
                .endsWith("(1 directories differ)");
        assertThat(ContentRule.unchangedInEach(Map.of("/d/b", TEN), kept(Map.of("/d/a", TEN)), Map.of(), Map.of()))
                .isPresent();
    }
}
