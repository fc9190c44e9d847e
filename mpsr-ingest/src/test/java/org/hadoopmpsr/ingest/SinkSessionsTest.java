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
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.assertj.core.api.Condition;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.commit.FakeMetrics;
import org.hadoopmpsr.ingest.commit.LocalTarget;
import org.hadoopmpsr.ingest.commit.LocalTarget.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One task with the topics a, b and c; a and c go to one dataset. */
class SinkSessionsTest {
    private static final Schema SCHEMA = Schema.parse("id bigint not null, signal string not null");
    private static final ReplicaGroups GROUPS = new ReplicaGroups(
            List.of(new ReplicaGroup(
                    "signal",
                    List.of(Predicate.parse("bucket(2, signal)")),
                    SortKey.of(List.of("signal")),
                    1,
                    Codec.parse("none"))),
            "signal");
    private static final List<TopicPartition> PARTITIONS =
            List.of(new TopicPartition("a", 0), new TopicPartition("b", 0), new TopicPartition("c", 0));

    @TempDir
    private Path dir;

    private final Map<String, LocalTarget> targets = new HashMap<>();
    /** The paths where there is no dataset. */
    private final Set<String> missing = new HashSet<>();

    private final Set<TopicPartition> paused = new HashSet<>();
    private final Map<TopicPartition, Long> seeks = new HashMap<>();
    private final SinkTaskContext context = (SinkTaskContext) Proxy.newProxyInstance(
            SinkTaskContext.class.getClassLoader(), new Class<?>[] {SinkTaskContext.class}, this::called);

    private Object called(Object proxy, Method method, Object[] args) {
        switch (method.getName()) {
            case "pause" -> paused.addAll(List.of((TopicPartition[]) args[0]));
            case "resume" -> paused.removeAll(List.of((TopicPartition[]) args[0]));
            case "offset" -> seeks.put((TopicPartition) args[0], (Long) args[1]);
            case "pluginMetrics" -> {
                return metrics;
            }
            default -> {}
        }
        return null;
    }

    private final FakeMetrics metrics = new FakeMetrics();
    private final SinkSessions sessions = sessions("mpsr.topic.c.columns", "signal=name");

    private SinkSessions sessions(String key, String value) {
        MpsrSinkConfig config = config(key, value);
        return new SinkSessions(config, context, new DatasetWriters(config, context, this::target)::make);
    }

    private static MpsrSinkConfig config(String key, String value) {
        Map<String, String> properties = new HashMap<>(Map.of(
                "topics",
                "a,b,c",
                "mpsr.dataset",
                "/cals/${topic}",
                "mpsr.topic.c.dataset",
                "/cals/a",
                "mpsr.format",
                "json",
                "mpsr.fs.uri",
                "hdfs://nn:8020",
                "mpsr.flush.records",
                "2",
                "mpsr.retry.backoff.ms",
                "20",
                "mpsr.topic.c.columns",
                "signal=name"));
        properties.put(key, value);
        return new MpsrSinkConfig(properties);
    }

    private LocalTarget target(String path) throws IOException {
        if (missing.contains(path)) {
            throw new FileNotFoundException(path);
        }
        return targets.computeIfAbsent(path, p -> new LocalTarget(dir.resolve(p.substring(1)), SCHEMA, GROUPS));
    }

    private static SinkRecord record(String topic, long offset, String field) {
        Map<String, Object> value = Map.of("id", offset, field, topic + offset);
        return new SinkRecord(topic, 0, null, null, null, value, offset, 0L, TimestampType.CREATE_TIME);
    }

    @AfterEach
    void close() {
        sessions.close();
    }

    @Test
    void topicsOfOneDatasetAreCommittedTogetherEachByItsOwnMapping() {
        sessions.open(PARTITIONS);
        sessions.put(List.of(record("a", 0, "signal"), record("b", 0, "signal"), record("c", 0, "name")));
        assertThat(targets).containsOnlyKeys("/cals/a", "/cals/b");
        assertThat(targets.get("/cals/a").published).hasSize(1);
        assertThat(targets.get("/cals/a").offsets).containsOnlyKeys("a-0", "c-0");
        assertThat(targets.get("/cals/b").published).isEmpty();
        assertThat(sessions.done()).containsOnlyKeys(PARTITIONS.get(0), PARTITIONS.get(2));
    }

    @Test
    void aDatasetThatCannotBeWrittenDoesNotKeepOthersFromIt() {
        sessions.open(PARTITIONS);
        targets.get("/cals/a").faults = place -> {
            if (place == Fault.BEGIN) {
                throw new IOException("no space");
            }
        };
        sessions.put(List.of(
                record("a", 0, "signal"),
                record("a", 1, "signal"),
                record("b", 0, "signal"),
                record("b", 1, "signal")));
        assertThat(targets.get("/cals/a").published).isEmpty();
        assertThat(targets.get("/cals/b").published).hasSize(1);
        assertThat(paused).as("only what goes to a").containsExactlyInAnyOrder(PARTITIONS.get(0), PARTITIONS.get(2));

        targets.get("/cals/a").faults = place -> {};
        await().untilAsserted(() -> {
            sessions.put(List.of());
            assertThat(targets.get("/cals/a").offsets).containsKey("a-0");
        });
        assertThat(targets.get("/cals/a").offsets.get("a-0").end()).isEqualTo(2);
        assertThat(targets.get("/cals/b").published).as("once").hasSize(1);
        assertThat(paused).isEmpty();
    }

    @Test
    void withAPatternOneTopicWithoutDatasetDoesNotKeepOthersFromTheirs() {
        SinkSessions patient = sessions("topics.regex", "[abc]");
        missing.add("/cals/b");
        patient.open(PARTITIONS);
        patient.put(List.of(record("a", 0, "signal"), record("a", 1, "signal"), record("b", 7, "signal")));
        assertThat(targets.get("/cals/a").published).hasSize(1);
        assertThat(paused).containsExactly(PARTITIONS.get(1));
        assertThat(seeks).as("what came of it is fetched again").containsEntry(PARTITIONS.get(1), 7L);
        assertThat(metrics.value("waiting", "/cals/b")).isEqualTo(1);
        assertThat(metrics.value("waiting", "/cals/a")).isZero();

        missing.clear();
        await().untilAsserted(() -> {
            patient.put(List.of());
            assertThat(paused).isEmpty();
        });
        patient.put(List.of(record("b", 7, "signal"), record("b", 8, "signal")));
        assertThat(targets.get("/cals/b").offsets.get("b-0").end()).isEqualTo(9);
        assertThat(metrics.value("waiting", "/cals/b")).isZero();
        patient.close();
    }

    /** The host may become known, as one of a NameNode that is away may. */
    @Test
    void aHostThatNobodyKnowsIsWaitedForWithAMessageThatSaysWhatToCheck() {
        MpsrSinkConfig config = config("mpsr.fs.uri", "hdfs://no-such-host.invalid:8020");
        SinkSessions patient = new SinkSessions(config, context, new DatasetWriters(config, context)::make);
        try (AllLogs logs = AllLogs.start()) {
            patient.open(PARTITIONS);
            patient.put(List.of(record("b", 7, "signal")));
            assertThat(logs.lines().stream().filter(line -> line.contains("the dataset /cals/b waits")))
                    .singleElement()
                    .asString()
                    .contains("the worker knows no such host; check mpsr.fs.uri, and set mpsr.hadoop.conf.dir")
                    .contains("no-such-host.invalid");
        }
        assertThat(paused).containsExactlyInAnyOrderElementsOf(PARTITIONS);
        assertThat(seeks).containsEntry(PARTITIONS.get(1), 7L);
        assertThat(metrics.value("waiting", "/cals/b")).isEqualTo(1);
        patient.close();
    }

    @Test
    void aNamedTopicWithoutDatasetEndsTheTaskAndClosingAddsNoError() {
        missing.add("/cals/b");
        assertThatThrownBy(() -> sessions.open(PARTITIONS))
                .isInstanceOf(ConnectException.class)
                .hasMessage("there is no dataset at /cals/b; create it with 'hdfs mpsr dataset create'");
        sessions.close(PARTITIONS);
    }

    /** Connect commits nothing that is equal to the offset that was sought, whatever an operator has given Kafka since. */
    @Test
    void kafkasCopyOfAnOffsetIsWrittenThoughNothingWasReadSinceTheStart() {
        OffsetAndMetadata sought = new OffsetAndMetadata(7);
        assertThat(MpsrSinkTask.kafkasCopy(
                        Map.of(PARTITIONS.get(0), 7L, PARTITIONS.get(1), 8L), Set.of(PARTITIONS.get(0))))
                .containsOnlyKeys(PARTITIONS.get(0))
                .doesNotContainValue(sought)
                .hasValueSatisfying(new Condition<>(copy -> copy.offset() == 7, "offset 7"));
    }

    @Test
    void aTopicWhoseMessagesCannotFillTheDatasetIsRefusedWhenItIsOpened() {
        SinkSessions wrong = sessions("mpsr.topic.b.columns", "nothing=name");
        assertThatThrownBy(() -> wrong.open(PARTITIONS))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("the configuration of the topic b does not fit the dataset")
                .hasMessageContaining("nothing");
        wrong.close();
    }
}
