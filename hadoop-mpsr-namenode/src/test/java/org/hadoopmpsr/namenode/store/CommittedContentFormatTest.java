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
package org.hadoopmpsr.namenode.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.namenode.store.CommittedContent.Group;
import org.junit.jupiter.api.Test;

/** The attribute that holds what was committed, byte by byte. */
class CommittedContentFormatTest {
    private static final String VERSION_1 =
            "0801" + "12200a067369676e616c" + "1002" + "1a140814110100000000000000190200000000000000";

    private static final String FAST = "081e11030000000000000019040000000000000020" + "01";
    private static final String VERSION_2 = "0802"
            + "1238" + "0a067369676e616c" + "1005" + "1a140814110100000000000000190200000000000000" + "2216" + FAST
            + "1220" + "0a0474696d65" + "1003" + "1a16" + FAST;

    @Test
    void theBytesOfVersion1() throws Exception {
        CommittedContent content =
                new CommittedContent(Map.of("signal", new Group(2, ContentHashes.of(new ContentHash(20, 1, 2)))));
        assertThat(HexFormat.of().formatHex(content.encode())).isEqualTo(VERSION_1);
        assertThat(CommittedContent.decode("/d", HexFormat.of().parseHex(VERSION_1)))
                .isEqualTo(content);
    }

    @Test
    void aGroupOfWhichNothingIsKnownHasToHoldAllRecords() {
        ContentHashes all = ContentHashes.of(new ContentHash(20, 1, 2));
        CommittedContent content = new CommittedContent(Map.of("time", new Group(2, all), "signal", new Group(3, all)));
        assertThat(content.wanted("signal", "time")).isEqualTo(new Group(3, all));
        assertThat(content.wanted("dropped", "time")).isEqualTo(new Group(0, all));
        assertThat(CommittedContent.NONE.wanted("signal", "time")).isEqualTo(new Group(0, ContentHashes.EMPTY));
    }

    /** A reader of version 1 would add hashes of different kinds up. */
    @Test
    void theBytesOfVersion2() throws Exception {
        ContentHash fast = new ContentHash(HashKind.XXH_128, 30, 3, 4);
        CommittedContent both = new CommittedContent(Map.of(
                "signal",
                        new Group(5, ContentHashes.of(new ContentHash(20, 1, 2)).plus(fast)),
                "time", new Group(3, ContentHashes.of(fast))));
        assertThat(HexFormat.of().formatHex(both.encode())).isEqualTo(VERSION_2);
        assertThat(CommittedContent.decode("/d", HexFormat.of().parseHex(VERSION_2)))
                .isEqualTo(both);
    }

    @Test
    void aKindThatIsNotKnownIsRefused() {
        byte[] kind2 = HexFormat.of().parseHex(VERSION_2.replace("2001", "2002"));
        assertThatThrownBy(() -> CommittedContent.decode("/d", kind2))
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessageContaining(
                        "cannot read the committed content of '/d': a content hash has kind 2, which this MPSR"
                                + " does not know");
    }

    @Test
    void commitsAddUp() {
        List<StagedFile> commit = List.of(file("signal", 3), file("signal", 4), file("time", 7));

        CommittedContent once = CommittedContent.NONE.plus(CommittedContent.of(commit));

        assertThat(once.group("signal")).isEqualTo(new Group(2, ContentHashes.of(new ContentHash(7, 0, 7))));
        assertThat(once.group("device")).isEqualTo(new Group(0, ContentHashes.EMPTY));
        assertThat(once.plus(CommittedContent.of(commit)).group("time"))
                .isEqualTo(new Group(2, ContentHashes.of(new ContentHash(14, 0, 14))));
    }

    private static StagedFile file(String group, int records) {
        return new StagedFile(
                group, "f", new FileStatistics("c", new ContentHash(records, 0, records), List.of(), Map.of()));
    }
}
