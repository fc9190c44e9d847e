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

import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.namenode.store.CommittedContent.Group;
import org.junit.jupiter.api.Test;

/** The attribute that holds what was committed, byte by byte. */
class CommittedContentFormatTest {
    private static final String VERSION_1 =
            "0801" + "12200a067369676e616c" + "1002" + "1a140814110100000000000000190200000000000000";

    @Test
    void theBytesOfVersion1() throws Exception {
        CommittedContent content = new CommittedContent(Map.of("signal", new Group(2, new ContentHash(20, 1, 2))));
        assertThat(HexFormat.of().formatHex(content.encode())).isEqualTo(VERSION_1);
        assertThat(CommittedContent.decode("/d", HexFormat.of().parseHex(VERSION_1)))
                .isEqualTo(content);
    }

    @Test
    void commitsAddUp() {
        List<StagedFile> commit = List.of(file("signal", 3), file("signal", 4), file("time", 7));

        CommittedContent once = CommittedContent.NONE.plus(CommittedContent.of(commit));

        assertThat(once.group("signal")).isEqualTo(new Group(2, new ContentHash(7, 0, 7)));
        assertThat(once.group("device")).isEqualTo(new Group(0, ContentHash.EMPTY));
        assertThat(once.plus(CommittedContent.of(commit)).group("time"))
                .isEqualTo(new Group(2, new ContentHash(14, 0, 14)));
    }

    private static StagedFile file(String group, int records) {
        return new StagedFile(
                group, "f", new FileStatistics("c", new ContentHash(records, 0, records), List.of(), Map.of()));
    }
}
