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
package org.hadoopmpsr.core.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DatasetHistoryTest {
    private static final long NOW = 10_000;
    private static final HistoryRecord KEPT =
            new HistoryRecord(5, HistoryRecord.AS_CONFIGURED, List.of(new Tag("early", 2, 900, "alice")));
    private static final DatasetHistory HISTORY =
            new DatasetHistory(8, new TreeMap<>(Map.of(2L, 200L, 5L, 500L, 6L, 600L, 8L, 800L)), KEPT);

    private static void assertUnknown(String wanted, String message) {
        assertThatThrownBy(() -> HISTORY.resolve(AsOf.parse(wanted), NOW))
                .isInstanceOf(UnknownStateException.class)
                .hasMessageContaining(message);
    }

    private static long at(long ms) throws UnknownStateException {
        return HISTORY.resolve(new AsOf.Time(ms), NOW);
    }

    @Test
    void numbersTimesAndTagsNameStates() throws Exception {
        assertThat(HISTORY.resolve(AsOf.parse("5"), NOW)).isEqualTo(5);
        assertThat(HISTORY.resolve(AsOf.parse("8"), NOW)).isEqualTo(8);
        assertThat(HISTORY.resolve(AsOf.parse("2"), NOW)).isEqualTo(2);
        assertThat(HISTORY.resolve(AsOf.parse("early"), NOW)).isEqualTo(2);
        assertThat(at(500)).isEqualTo(5);
        assertThat(at(799)).isEqualTo(6);
        assertThat(at(NOW)).isEqualTo(8);
    }

    @Test
    void whatIsNotKnownIsSaid() {
        assertUnknown("9", "there is no change 9 yet; the last one is 8");
        assertUnknown("4", "the history that is kept begins with change 5, at 1970-01-01T00:00:00.500Z");
        assertUnknown("late", "there is no tag 'late'; the tags are early");
        assertUnknown("1970-01-01", "the state of 1970-01-01T00:00:00Z is not known any more");
        assertUnknown("2026-11-24T06:00:00Z", "has not come yet");
    }

    /** Nobody knows when change 3 came: the state of change 2 may have ended long before change 5. */
    @Test
    void aTimeAfterATaggedStateIsKnownIfTheNextChangeIs() throws Exception {
        assertUnknown("1970-01-01T00:00:00.200Z", "is not known any more");
        assertUnknown("1970-01-01T00:00:00.499Z", "is not known any more");
        DatasetHistory more =
                new DatasetHistory(8, new TreeMap<>(Map.of(2L, 200L, 3L, 300L, 5L, 500L, 8L, 800L)), KEPT);
        assertThat(more.resolve(new AsOf.Time(299), NOW)).isEqualTo(2);
        assertThatThrownBy(() -> more.resolve(new AsOf.Time(300), NOW)).isInstanceOf(UnknownStateException.class);
    }

    @Test
    void textsAreReadInOneWay() {
        assertThat(AsOf.parse("17")).isEqualTo(new AsOf.Sequence(17));
        assertThat(AsOf.parse("before-import.2")).isEqualTo(new AsOf.Tag("before-import.2"));
        assertThat(AsOf.parse("1970-01-02")).isEqualTo(new AsOf.Time(86_400_000));
        assertThat(AsOf.parse("1970-01-01T02:00:00+01:00")).isEqualTo(new AsOf.Time(3_600_000));
        for (String wrong :
                List.of("", "-1", "1.5", "99999999999999999999", "2026-11-24T06:00:00", "a b", "2026-13-01")) {
            assertThatThrownBy(() -> AsOf.parse(wrong))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("names no state of a dataset");
        }
    }

    @Test
    void theRecordSaysWhatIsNeeded() {
        assertThat(KEPT.needs(0, 3)).isTrue();
        assertThat(KEPT.needs(2, 3)).isTrue();
        assertThat(KEPT.needs(3, 9)).isFalse();
        assertThat(KEPT.needs(0, 2)).isFalse();
        assertThat(KEPT.without(7).horizon()).isEqualTo(7);
        assertThat(KEPT.without(3).horizon()).isEqualTo(5);
        assertThat(KEPT.withoutTags(0, 3).tags()).isEmpty();
        assertThat(KEPT.withoutTags(3, 9).tags()).hasSize(1);
        assertThat(KEPT.with(new Tag("early", 6, 0, "bob")).tags()).containsExactly(new Tag("early", 6, 0, "bob"));
        assertThat(KEPT.without("early").tags()).isEmpty();
        assertThat(KEPT.keeping(60).keptSeconds()).isEqualTo(60);
    }
}
