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
import org.hadoopmpsr.client.wire.HistoryWire;
import org.hadoopmpsr.core.commit.DatasetChange;
import org.hadoopmpsr.core.history.HistoryRecord;
import org.hadoopmpsr.core.history.Tag;
import org.junit.jupiter.api.Test;

/** The attribute that says which earlier states are kept, byte by byte. */
class HistoryFormatTest {
    private static final HistoryRecord RECORD =
            new HistoryRecord(5, 60, List.of(new Tag("t", 3, 1_000, "u"), new Tag("v", 0, 2, "w")));
    private static final String RECORD_1 = "0801" // format_version
            + "1005" + "183c"
            + "220b" + "0a0174" + "1003" + "18e807" + "220175"
            + "220a" + "0a0176" + "1000" + "1802" + "220177";

    @Test
    void theRecordOfVersion1() throws Exception {
        assertThat(HexFormat.of().formatHex(HistoryWire.history(RECORD).toByteArray()))
                .isEqualTo(RECORD_1);
        assertThat(StoredRecords.history(HexFormat.of().parseHex(RECORD_1), "/s"))
                .isEqualTo(RECORD);
        assertThat(StoredRecords.history(HexFormat.of().parseHex("08011007"), "/s"))
                .isEqualTo(HistoryRecord.from(7));
    }

    /** Roll forward reads it. */
    @Test
    void theCommitRecordOfARollbackHasVersion6() throws Exception {
        DatasetChange rollback = DatasetChange.rollback("rollback-1", List.of("a"), List.of("b"));
        CommitRecord record = new CommitRecord(rollback, null, Map.of()).counted(7, Map.of());
        assertThat(HexFormat.of().formatHex(record.encode(1_000)))
                .isEqualTo(
                        "0a0a726f6c6c6261636b2d31" // id
                                + "1806" // format_version
                                + "2807" // kind
                                + "3007" // sequence
                                + "3801" // removes
                                + "5801"); // restores
        assertThat(ChangeLists.of(rollback, 1_000).byName().entrySet())
                .singleElement()
                .satisfies(list -> {
                    assertThat(list.getKey()).isEqualTo("trusted.mpsr.removes.0");
                    assertThat(list.getValue()).asHexString().isEqualTo("0A01610A0162");
                });
    }

    @Test
    void otherVersionsAreRefused() {
        assertThatThrownBy(() -> StoredRecords.history(new byte[] {8, 2}, "/s"))
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessageStartingWith("cannot read the history record of '/s': it has format version 2");
    }
}
