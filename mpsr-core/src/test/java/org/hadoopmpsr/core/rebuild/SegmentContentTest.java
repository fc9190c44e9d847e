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
package org.hadoopmpsr.core.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.junit.jupiter.api.Test;

class SegmentContentTest {
    private static final ContentHash ALL = new ContentHash(20, 3, 4);
    private static final ContentHash LESS = new ContentHash(10, 1, 1);
    private static final ContentHash REST = new ContentHash(10, 2, 3);
    private static final ContentHash MORE = new ContentHash(30, 5, 6);

    @Test
    void theRecordTells() {
        assertThat(SegmentContent.of(ALL, Set.of(), Map.of("a", LESS, "b", MORE, "c", MORE), Set.of("c")))
                .contains(ALL);
    }

    @Test
    void withoutARecordTheGroupsTellThatHaveEverything() {
        Map<String, ContentHash> groups = Map.of("a", LESS, "b", LESS, "c", ALL);
        assertThat(SegmentContent.of(null, Set.of(), groups, Set.of("c"))).contains(ALL);
        assertThat(SegmentContent.of(null, Set.of(), Map.of("a", LESS, "b", MORE, "c", ALL), Set.of("b", "c")))
                .isEmpty();
    }

    @Test
    void withoutSuchAGroupTwoTellThatAgree() {
        assertThat(SegmentContent.of(null, Set.of(), Map.of("a", LESS, "b", ALL, "c", ALL), Set.of()))
                .contains(ALL);
        assertThat(SegmentContent.of(null, Set.of(), Map.of("a", LESS, "b", LESS, "c", ALL), Set.of()))
                .as("one of them has more")
                .isEmpty();
        assertThat(SegmentContent.of(null, Set.of(), Map.of("a", LESS, "b", REST, "c", ContentHash.EMPTY), Set.of()))
                .isEmpty();
        assertThat(SegmentContent.of(null, Set.of(), Map.of("a", ALL), Set.of()))
                .contains(ALL);
    }

    @Test
    void afterwardsTheGroupHasTheRecordsAndNoOthers() {
        assertThat(SegmentContent.problem("s", "g", ALL, false, LESS, REST)).isEmpty();
        assertThat(SegmentContent.problem("s", "g", ALL, false, ContentHash.EMPTY, ALL))
                .isEmpty();
        assertThat(SegmentContent.problem("s", "g", ALL, false, LESS, LESS).orElseThrow())
                .contains("segment s holds 20 records")
                .contains("group 'g' would have 10 records");
        assertThat(SegmentContent.problem("s", "g", ALL, false, ALL, REST)).isPresent();
        ContentHash other = new ContentHash(HashKind.XXH_128, REST.count(), REST.high(), REST.low());
        assertThat(SegmentContent.problem("s", "g", ALL, false, LESS, other)).isPresent();
    }
}
