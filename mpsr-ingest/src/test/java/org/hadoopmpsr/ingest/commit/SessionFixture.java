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
package org.hadoopmpsr.ingest.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.kafka.common.TopicPartition;
import org.hadoopmpsr.columnar.buffer.BufferFullException;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.decode.ColumnMapping;
import org.hadoopmpsr.ingest.decode.JsonDecoder;
import org.hadoopmpsr.ingest.decode.RecordDecoder;
import org.hadoopmpsr.testing.ParquetRows;

/** A topic, a dataset of two groups, and the workers between them. */
final class SessionFixture {
    static final Schema SCHEMA = Schema.parse("id bigint not null, signal string not null, ts timestamp_ns not null");
    static final long FLUSH_MS = 1000;
    static final int FLUSH_RECORDS = 25;
    static final long WORKER_BYTES = 1200;
    static final long BACKOFF_MS = 10;
    private static final long DAY_NS = 86_400_000_000_000L;
    static final ReplicaGroups GROUPS = new ReplicaGroups(
            List.of(group("time", "day(ts)", "ts"), group("signal", "bucket(2, signal)", "signal")), "time");

    FlushLimits limits = new FlushLimits(FLUSH_RECORDS, 1L << 30, WORKER_BYTES, FLUSH_MS, BACKOFF_MS);
    /** Whether the connector names its topics by a pattern. */
    boolean waitsForDataset;
    /** What opening the dataset fails with, or null. */
    IOException openFailure;

    RecordDecoder decoder = new JsonDecoder(SCHEMA, ColumnMapping.BY_NAME);

    final BufferMemory memory = new BufferMemory();
    final FakeTopic topic;
    LocalTarget target;
    final Set<Long> good = new HashSet<>();
    final Set<Long> bad = new HashSet<>();
    final Set<Long> reported = new HashSet<>();

    SessionFixture(Path dir, int partitions) {
        topic = new FakeTopic("meas", partitions);
        target = new LocalTarget(dir, SCHEMA, GROUPS);
    }

    private static ReplicaGroup group(String name, String predicate, String sort) {
        return new ReplicaGroup(
                name, List.of(Predicate.parse(predicate)), SortKey.of(List.of(sort)), 1, Codec.parse("none"));
    }

    /** With errors.tolerance=none. */
    FakeWorker strictWorker() {
        return new FakeWorker(topic, this, false);
    }

    /** Opens the dataset as a task does. */
    OpenDataset open(LongSupplier lostDeadLetters) throws IOException {
        if (openFailure != null) {
            throw openFailure;
        }
        return new OpenDataset(
                target,
                new CommitStager(target, GROUPS, 1),
                any -> decoder,
                memory,
                topic,
                topic.skipGaps,
                lostDeadLetters);
    }

    FakeWorker worker(List<TopicPartition> partitions) {
        FakeWorker worker = new FakeWorker(topic, this, true);
        worker.open(partitions);
        return worker;
    }

    /** Lets memory run out before some records, but not before a record twice in a row. */
    void runOutOfMemory(Random random, double share) {
        RecordDecoder ample = decoder;
        boolean[] ranOut = {false};
        decoder = (value, record) -> {
            ranOut[0] = !ranOut[0] && random.nextDouble() < share;
            if (ranOut[0]) {
                throw new BufferFullException("made to be full", new OutOfMemoryError());
            }
            ample.decode(value, record);
        };
    }

    /** A record that says where it is. */
    void append(int partition) {
        long id = partition * FakeTopic.PARTITION_STEP + topic.end(topic.partitions.get(partition));
        topic.append(partition, row(id));
        good.add(id);
    }

    void appendBad(int partition) {
        bad.add(partition * FakeTopic.PARTITION_STEP + topic.append(partition, Map.of("id", 1L)));
    }

    private static Map<String, Object> row(long id) {
        return Map.of("id", id, "signal", "s" + id % 7, "ts", id % 3 * DAY_NS + id);
    }

    /** Polls, without faults, until all records are committed. */
    void drain(FakeWorker worker, Random random) {
        target.faults = place -> {};
        for (int i = 0; i < 1000; i++) {
            worker.poll(20, random);
            worker.preCommit();
            worker.pass(FLUSH_MS);
            if (i % 10 == 9 && committedIds("time").size() == good.size() && !worker.isWaiting()) {
                break;
            }
        }
        reported.addAll(worker.reported);
    }

    private List<Long> committedIds(String group) {
        List<Long> ids = new ArrayList<>();
        try {
            for (Path file : target.files(group)) {
                for (Map<String, Object> row : ParquetRows.read(file)) {
                    Map<String, Object> logical = new HashMap<>(row);
                    logical.remove("day");
                    long id = (Long) row.get("id");
                    if (!logical.equals(row(id))) {
                        fail("group %s holds %s instead of %s".formatted(group, logical, row(id)));
                    }
                    ids.add(id);
                }
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return ids;
    }

    /** Every good record is in every group exactly once, and every bad one was reported. */
    void check() {
        for (ReplicaGroup group : GROUPS.groups()) {
            List<Long> ids = committedIds(group.name());
            Set<Long> distinct = new HashSet<>(ids);
            Set<Long> missing = new HashSet<>(good);
            missing.removeAll(distinct);
            distinct.removeAll(good);
            assertThat(ids.size() + " records, missing " + missing + ", unknown " + distinct)
                    .as("group %s", group.name())
                    .isEqualTo(good.size() + " records, missing [], unknown []");
        }
        assertThat(reported).isEqualTo(bad);
    }
}
