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
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OffsetRulesTest {
    private static final long FAR = OffsetRules.MAX_PASSED_OVER;

    private static CommitSource source(int partition, long start, long end) {
        return new CommitSource("t", partition, start, end);
    }

    @Test
    void whatHonestWritersLeaveOutIsNeitherRefusedNorNoted() {
        // each record in a transaction of its own; one record in a thousand kept; a quiet topic with bad records alone
        for (long[] commit : new long[][] {{2_000_000, 1_000_000}, {100_000_000, 100_000}, {1_000_000, 0}}) {
            List<CommitSource> sources = List.of(source(0, 7, 7 + commit[0]));
            assertThat(OffsetRules.problem(sources, commit[1])).isEmpty();
            assertThat(OffsetRules.noted(sources, commit[1])).isEmpty();
        }
    }

    @Test
    void aJumpIsNoted() {
        List<CommitSource> sources = List.of(source(0, 7, 8), source(1, 0, 5_000_000_000L));
        assertThat(OffsetRules.problem(sources, 100)).isEmpty();
        assertThat(OffsetRules.noted(sources, 100)).containsOnlyKeys(sources.get(1));
        assertThat(OffsetRules.noted(List.of(source(0, 7, 1_000_008)), 0)).hasSize(1);
    }

    @Test
    void manySmallJumpsAreNotedToo() {
        List<CommitSource> sources = LongStream.range(0, 1_000)
                .mapToObj(partition -> source((int) partition, 0, 2_000))
                .toList();
        assertThat(OffsetRules.noted(sources, 0)).hasSize(1_000);
    }

    @Test
    void whatNoTopicHasIsRefused() {
        assertThat(OffsetRules.problem(List.of(source(0, 5, Long.MAX_VALUE)), 0))
                .get()
                .asString()
                .contains("the end 9223372036854775807 of partition 0 of topic 't'", "72057594037927936");
        assertThat(OffsetRules.problem(List.of(source(0, 5, 5 + FAR)), 0)).isEmpty();
        assertThat(OffsetRules.problem(List.of(source(0, 5, 6 + FAR)), 1)).isEmpty();
        assertThat(OffsetRules.problem(List.of(source(0, 5, 7 + FAR)), 1))
                .get()
                .asString()
                .contains(
                        "it has 1 records and passes over " + (FAR + 1) + " offsets",
                        "partition 0 of topic 't' from 5 to " + (7 + FAR),
                        "hdfs mpsr dataset offsets --reset");
        assertThat(OffsetRules.problem(List.of(source(0, 0, FAR), source(1, 0, FAR)), 0))
                .isPresent();
    }

    @Test
    void jumpsAreKeptBesideTheOffset() {
        CommittedOffset offset = new CommittedOffset("a=b c", 3, 9, "c1");
        OffsetJump jump = new OffsetJump("a=b c", 3, 0, 9, "t-0-0-9-x");
        assertThat(jump.kept()).isEqualTo("0-9-t-0-0-9-x");
        assertThat(OffsetJump.parse(offset, jump.kept())).contains(jump);
        assertThat(OffsetJump.parse(offset, "0-9999999999999999999-c")).isEmpty();
        assertThat(OffsetJump.parse(offset, "x")).isEmpty();
        assertThat(jump.text()).isEqualTo("a%3Db+c:3=0..9");
    }
}
