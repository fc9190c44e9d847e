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
package org.hadoopmpsr.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.DatasetWriters.Targets;
import org.hadoopmpsr.ingest.commit.LocalTarget;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The topics a and b go to datasets of their own; a is committed up to offset 100. */
class OffsetChangesTest {
    private static final TopicPartition A = new TopicPartition("a", 0);
    private static final TopicPartition B = new TopicPartition("b", 0);
    private static final MpsrSinkConfig CONFIG = new MpsrSinkConfig(Map.of(
            "topics", "a,b", "mpsr.dataset", "/cals/${topic}", "mpsr.format", "json", "mpsr.fs.uri", "hdfs://nn:8020"));

    @TempDir
    private Path dir;

    private LocalTarget committed;

    @BeforeEach
    void commit() {
        committed = new LocalTarget(
                dir,
                Schema.parse("id bigint not null"),
                new ReplicaGroups(
                        List.of(new ReplicaGroup(
                                "id", List.of(Predicate.parse("bucket(2, id)")), List.of(), 1, Codec.parse("none"))),
                        "id"));
        committed.offsets.put("a-0", new CommittedOffset("a", 0, 100, "c"));
    }

    private OffsetChanges changes() {
        Targets targets = path -> {
            if (!path.equals("/cals/a")) {
                throw new FileNotFoundException(path);
            }
            return committed;
        };
        return new OffsetChanges(CONFIG, targets);
    }

    @Test
    void areRefusedWhereTheDatasetHasAnotherOffsetWithTheCommandThatChangesIt() {
        for (Long wanted : new Long[] {null, 0L, 99L, 101L}) {
            assertThatThrownBy(() -> changes().require(Collections.singletonMap(A, wanted)))
                    .isInstanceOf(ConnectException.class)
                    .hasMessageContaining("the dataset /cals/a has the records of a-0 before offset 100")
                    .hasMessageContaining("No offset is changed")
                    .hasMessageContaining("hdfs mpsr dataset offsets /cals/a --reset a:0=OFFSET");
        }
    }

    @Test
    void areAllowedWhereTheyAreWhatTheDatasetSaysOrItSaysNothing() {
        assertThatCode(() -> changes().require(Map.of(A, 100L, B, 7L, new TopicPartition("a", 1), 5L)))
                .doesNotThrowAnyException();
        assertThatCode(() -> changes().require(Collections.singletonMap(B, null)))
                .as("a reset after the dataset was dropped")
                .doesNotThrowAnyException();
    }

    @Test
    void areRefusedWhileNobodySaysWhatTheDatasetHas() {
        OffsetChanges unanswered = new OffsetChanges(CONFIG, path -> {
            throw new IOException("no NameNode answers");
        });
        assertThatThrownBy(() -> unanswered.require(Map.of(A, 1L)))
                .isInstanceOf(ConnectException.class)
                .hasMessage("cannot ask for the offsets of the dataset /cals/a, and no offset is changed: IOException:"
                        + " no NameNode answers");
    }

    /** Connect asks this method, and takes false for a connector that does not know the question. */
    @Test
    void areJudgedWhenConnectAsks() {
        assertThat(new MpsrSinkConnector().alterOffsets(CONFIG.originalsStrings(), Map.of()))
                .isTrue();
    }
}
