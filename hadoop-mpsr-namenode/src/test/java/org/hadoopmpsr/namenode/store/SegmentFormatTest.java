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
import org.hadoopmpsr.client.wire.SegmentWire;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Segment;
import org.hadoopmpsr.core.hash.ContentHash;
import org.junit.jupiter.api.Test;

/** The attribute that records a segment, byte by byte. */
class SegmentFormatTest {
    private static final Segment CURRENT = Segment.appended(
            "t-0-0-10",
            3,
            1_000,
            List.of(new CommitSource("t", 0, 0, 10)),
            Map.of("time", new Segment.Group(2, 500, new ContentHash(10, 1, 2))));
    private static final String VERSION_1 = "0801" // format_version
            + "1003" // since
            + "20032803" // first, last
            + "30e807" // time
            + "3a090a0174100018" + "00200a" // source
            + "42210a0474696d65100218f403" + "2214080a110100000000000000190200000000000000"; // group

    @Test
    void theBytesOfVersion1() throws Exception {
        assertThat(HexFormat.of().formatHex(SegmentWire.segment(CURRENT).toByteArray()))
                .isEqualTo(VERSION_1);
        assertThat(StoredRecords.segment(HexFormat.of().parseHex(VERSION_1), "/s/segments/t-0-0-10"))
                .isEqualTo(CURRENT);
    }

    @Test
    void aRemovedSegmentKnowsWhatHoldsItsRecords() throws Exception {
        Segment removed = CURRENT.removed(7, "m");
        byte[] kept = SegmentWire.segment(removed).toByteArray();
        assertThat(HexFormat.of().formatHex(kept))
                .startsWith("08011003" + "1807" + "20032803") // until
                .endsWith("4a016d"); // replaced_by
        assertThat(StoredRecords.segment(kept, "/s/segments/t-0-0-10")).isEqualTo(removed);
    }

    @Test
    void anUnknownVersionIsRefused() {
        assertThatThrownBy(() -> StoredRecords.segment(new byte[] {8, 2}, "/s/segments/c"))
                .isInstanceOf(UnreadableRecordException.class)
                .hasMessageStartingWith("cannot read the segment record of '/s/segments/c': it has format version 2");
    }
}
