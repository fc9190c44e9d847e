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
package org.hadoopmpsr.ingest.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.junit.jupiter.api.Test;

class SourceOffsetsTest {
    private static final TopicPartition P0 = new TopicPartition("t", 0);
    private static final TopicPartition P1 = new TopicPartition("t", 1);

    private final List<String> seeks = new ArrayList<>();
    private long earliest;
    private final SourceOffsets offsets =
            new SourceOffsets(new OffsetGaps(false, topics()), (p, offset) -> seeks.add(p + "@" + offset));

    private SourceTopics topics() {
        return new SourceTopics() {
            @Override
            public OptionalLong earliest(TopicPartition partition) {
                return OptionalLong.of(earliest);
            }

            @Override
            public Map<String, String> ids(Collection<String> topics) {
                return Map.of();
            }

            @Override
            public long endOfGap(TopicPartition partition, long from) {
                return from;
            }

            @Override
            public void close() {}
        };
    }

    private boolean accept(TopicPartition partition, long offset) {
        return offsets.accept(offsets.position(partition), offset);
    }

    @Test
    void coverWhatWasAcceptedSinceTheLastCommit() {
        offsets.assign(P0);
        offsets.assign(P1);
        assertThat(accept(P0, 7)).isTrue();
        assertThat(accept(P0, 8)).isTrue();
        assertThat(offsets.sources()).containsExactly(new CommitSource("t", 0, 7, 9));
        offsets.committed(offsets.sources());
        assertThat(offsets.sources()).isEmpty();
        assertThat(offsets.done()).isEqualTo(Map.of(P0, 9L));
        assertThat(accept(P0, 11)).isTrue(); // 9 and 10 ended a transaction
        assertThat(accept(P1, 0)).isTrue();
        assertThat(offsets.sources()).containsExactly(new CommitSource("t", 0, 9, 12), new CommitSource("t", 1, 0, 1));
    }

    @Test
    void leaveOutWhatIsSentAgain() {
        offsets.assign(P0);
        accept(P0, 0);
        accept(P0, 1);
        assertThat(accept(P0, 0)).isFalse();
        assertThat(accept(P0, 1)).isFalse();
        assertThat(accept(P0, 2)).isTrue();
    }

    @Test
    void believeOnlyWhatWasFetchedAfterASeek() {
        offsets.assign(P0);
        offsets.seek(P0, 100);
        for (int sentAgain = 0; sentAgain < 3; sentAgain++) { // the same batch, after retriable errors
            assertThat(accept(P0, 140)).isFalse();
            assertThat(accept(P0, 141)).isFalse();
        }
        assertThat(seeks).containsExactly("t-0@100", "t-0@100");
        offsets.nextCall();
        assertThat(accept(P0, 100)).isTrue();
        assertThat(offsets.sources()).containsExactly(new CommitSource("t", 0, 100, 101));
    }

    @Test
    void acceptAGapRightAfterASeekWhenItComesTwice() {
        offsets.assign(P0);
        offsets.seek(P0, 100);
        assertThat(accept(P0, 102)).isFalse();
        offsets.nextCall();
        assertThat(accept(P0, 102)).isTrue();
        assertThat(offsets.sources()).containsExactly(new CommitSource("t", 0, 100, 103));
    }

    @Test
    void refuseATopicThatEndsBeforeTheCommittedEnd() {
        offsets.assign(P0);
        offsets.seek(P0, 100);
        assertThat(accept(P0, 3)).isFalse();
        offsets.nextCall();
        assertThatThrownBy(() -> accept(P0, 3))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("t-0: Kafka sends offset 3, but the dataset is committed up to 100");
    }

    @Test
    void goBackToWhatOthersHaveCommitted() {
        offsets.assign(P0);
        offsets.assign(P1);
        accept(P0, 0);
        accept(P0, 1);
        accept(P1, 5);
        offsets.committedByOthers(List.of(new CommittedOffset("t", 0, 1, "c")));
        offsets.rewind();
        assertThat(seeks).containsExactly("t-0@1", "t-1@5");
        assertThat(offsets.sources()).isEmpty();
        assertThat(accept(P0, 1)).isTrue();
        assertThat(accept(P1, 5)).isTrue();
    }

    @Test
    void refuseDeletedRecords() {
        offsets.assign(P0);
        accept(P0, 0);
        earliest = 4;
        assertThatThrownBy(() -> accept(P0, 4))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("t-0: Kafka has deleted offsets 1 to 3");
    }

    @Test
    void refuseRecordsOfOtherPartitions() {
        assertThatThrownBy(() -> offsets.position(P1))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("a record came of t-1, which is not assigned to this task");
    }
}
