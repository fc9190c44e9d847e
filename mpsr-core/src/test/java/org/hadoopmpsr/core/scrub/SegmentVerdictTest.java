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
package org.hadoopmpsr.core.scrub;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.scrub.SegmentVerdict.Held;
import org.junit.jupiter.api.Test;

class SegmentVerdictTest {
    private static final ContentHash RIGHT = new ContentHash(10, 1, 2);
    private static final ContentHash OTHER = new ContentHash(10, 1, 3);

    private static Held sound(ContentHash content) {
        return new Held(ContentHashes.of(content), 0, 0, 0);
    }

    /** A file holds other records than stated. */
    private static Held wrong(ContentHash content) {
        return new Held(ContentHashes.of(content), 1, 0, 0);
    }

    private static Held undecoded() {
        return new Held(ContentHashes.EMPTY, 1, 1, 0);
    }

    private static Held unread() {
        return new Held(ContentHashes.EMPTY, 0, 0, 1);
    }

    @Test
    void nothingIsWrong() {
        SegmentVerdict verdict =
                SegmentVerdict.of(RIGHT, Map.of("a", sound(RIGHT), "b", sound(RIGHT), "c", sound(RIGHT)));
        assertThat(verdict.sound()).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(verdict.wrong()).isEmpty();
        assertThat(verdict.undecided()).isNull();
    }

    @Test
    void theRecordDecidesAgainstMostGroups() {
        SegmentVerdict verdict =
                SegmentVerdict.of(RIGHT, Map.of("a", sound(RIGHT), "b", wrong(OTHER), "c", wrong(OTHER)));
        assertThat(verdict.sound()).containsExactly("a");
        assertThat(verdict.wrong()).containsOnlyKeys("b", "c");
        assertThat(verdict.undecided()).isNull();
    }

    @Test
    void whereNoGroupAgreesWithTheRecordNobodyCanTell() {
        SegmentVerdict verdict =
                SegmentVerdict.of(RIGHT, Map.of("a", wrong(OTHER), "b", wrong(OTHER), "c", wrong(OTHER)));
        assertThat(verdict.sound()).isEmpty();
        assertThat(verdict.wrong()).hasSize(3);
        assertThat(verdict.undecided()).contains("no group that was read holds 10 records");
    }

    @Test
    void withoutARecordTwoGroupsDecide() {
        SegmentVerdict verdict =
                SegmentVerdict.of(null, Map.of("a", sound(RIGHT), "b", wrong(OTHER), "c", sound(RIGHT)));
        assertThat(verdict.sound()).containsExactlyInAnyOrder("a", "c");
        assertThat(verdict.wrong()).containsOnlyKeys("b");
        assertThat(verdict.undecided()).isNull();
    }

    @Test
    void withoutARecordOneGroupAgainstAnotherDecidesNothing() {
        SegmentVerdict verdict = SegmentVerdict.of(null, Map.of("a", sound(RIGHT), "b", wrong(OTHER)));
        assertThat(verdict.sound()).isEmpty();
        assertThat(verdict.undecided()).contains("it has no record");
        SegmentVerdict two = SegmentVerdict.of(
                null, Map.of("a", sound(RIGHT), "b", sound(OTHER), "c", sound(RIGHT), "d", sound(OTHER)));
        assertThat(two.sound()).isEmpty();
        assertThat(two.undecided()).isNotNull();
    }

    /** Two groups with one broken file each hold the same nothing. */
    @Test
    void whatCannotBeDecodedHasNoVoice() {
        SegmentVerdict verdict = SegmentVerdict.of(null, Map.of("a", undecoded(), "b", undecoded(), "c", sound(RIGHT)));
        assertThat(verdict.sound()).isEmpty();
        assertThat(verdict.undecided()).isNotNull();
        SegmentVerdict recorded =
                SegmentVerdict.of(RIGHT, Map.of("a", undecoded(), "b", undecoded(), "c", sound(RIGHT)));
        assertThat(recorded.sound()).containsExactly("c");
        assertThat(recorded.wrong()).containsOnlyKeys("a", "b");
    }

    @Test
    void whatCouldNotBeReadIsNotJudged() {
        SegmentVerdict verdict = SegmentVerdict.of(RIGHT, Map.of("a", unread(), "b", sound(RIGHT)));
        assertThat(verdict.sound()).containsExactly("b");
        assertThat(verdict.wrong()).isEmpty();
        assertThat(verdict.undecided()).isNull();
        assertThat(SegmentVerdict.of(null, Map.of("a", unread(), "b", sound(RIGHT)))
                        .undecided())
                .isNull();
    }

    @Test
    void aGroupWithFalseStatisticsIsWrongThoughItHoldsTheRecords() {
        SegmentVerdict verdict = SegmentVerdict.of(RIGHT, Map.of("a", wrong(RIGHT), "b", sound(RIGHT)));
        assertThat(verdict.sound()).containsExactly("b");
        assertThat(verdict.wrong()).containsOnlyKeys("a");
    }
}
