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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.buffer.BufferMemory;
import org.hadoopmpsr.ingest.buffer.RecordAppender;
import org.hadoopmpsr.ingest.buffer.RecordBuffer;
import org.hadoopmpsr.ingest.commit.IngestSession.FlushLimits;
import org.hadoopmpsr.ingest.decode.ColumnMapping;
import org.hadoopmpsr.ingest.decode.JsonDecoder;
import org.hadoopmpsr.ingest.decode.RecordDecoder;

/**
 * Drives a session as Connect's worker does: a seek takes effect before the next fetch, a batch is sent again after a
 * retriable error, and revoked partitions leave the batch.
 */
final class FakeWorker implements SinkTaskContext {
    private final FakeTopic topic;
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private final Map<TopicPartition, Long> seeks = new HashMap<>();
    private final List<SinkRecord> batch = new ArrayList<>();
    private final IngestSession session;
    final Set<Long> reported = new HashSet<>();
    private final boolean tolerant;
    final FakeMetrics metrics = new FakeMetrics();
    private long nowMs;
    Throwable deadLetterFailure;

    /** @param tolerant whether the connector has errors.tolerance=all */
    FakeWorker(
            FakeTopic topic,
            CommitTarget target,
            Schema schema,
            ReplicaGroups groups,
            FlushLimits limits,
            BufferMemory memory,
            boolean tolerant) {
        this.topic = topic;
        this.tolerant = tolerant;
        RecordBuffer buffer = new RecordBuffer(schema);
        RecordDecoder decoder = new JsonDecoder(schema, ColumnMapping.BY_NAME);
        session = new IngestSession(
                target,
                new CommitStager(target, groups, 1),
                any -> decoder,
                buffer,
                memory,
                new RecordAppender(buffer, groups),
                new OffsetGaps(topic.skipGaps, topic::earliest),
                limits,
                this,
                () -> nowMs);
    }

    /** Connect's consumer begins where its group has committed, or at the first record. */
    void open(Collection<TopicPartition> partitions) {
        partitions.forEach(p -> positions.put(p, topic.groupOffset(p)));
        session.open(partitions);
        rewind();
    }

    void close(Collection<TopicPartition> partitions) {
        session.close(partitions);
        topic.commit(session.committed());
        partitions.forEach(positions::remove);
        seeks.keySet().removeAll(partitions);
        batch.removeIf(r -> partitions.contains(new TopicPartition(r.topic(), r.kafkaPartition())));
    }

    /** Fetches up to {@code most} records of each partition and hands them over. */
    void poll(int most, Random random) {
        rewind();
        if (batch.isEmpty()) {
            for (TopicPartition partition : List.copyOf(positions.keySet())) {
                topic.fetch(partition, positions.get(partition), random.nextInt(most + 1))
                        .forEach(record -> {
                            positions.put(partition, record.kafkaOffset() + 1);
                            batch.add(record);
                        });
            }
        }
        deliver();
    }

    /** @throws ConnectException when the task would fail */
    private void deliver() {
        try {
            session.put(List.copyOf(batch));
        } catch (RetriableException e) {
            return;
        }
        batch.clear();
        topic.commit(session.committed());
    }

    boolean mustRetry() {
        return !batch.isEmpty();
    }

    void pass(long ms) {
        nowMs += ms;
    }

    /** An orderly stop. */
    void stop() {
        session.close(Set.copyOf(positions.keySet()));
        session.close();
    }

    private void rewind() {
        seeks.forEach((partition, offset) -> {
            if (!positions.containsKey(partition)) {
                throw new IllegalStateException("a seek in " + partition + ", which is not assigned");
            }
            positions.put(partition, offset);
        });
        seeks.clear();
    }

    @Override
    public ErrantRecordReporter errantRecordReporter() {
        return !tolerant
                ? null
                : (record, error) -> {
                    reported.add(record.kafkaPartition() * FakeTopic.PARTITION_STEP + record.kafkaOffset());
                    return deadLetterFailure == null
                            ? CompletableFuture.completedFuture(null)
                            : CompletableFuture.failedFuture(deadLetterFailure);
                };
    }

    @Override
    public void offset(Map<TopicPartition, Long> offsets) {
        seeks.putAll(offsets);
    }

    @Override
    public void offset(TopicPartition partition, long offset) {
        seeks.put(partition, offset);
    }

    @Override
    public Set<TopicPartition> assignment() {
        return positions.keySet();
    }

    @Override
    public Map<String, String> configs() {
        return Map.of();
    }

    @Override
    public void timeout(long timeoutMs) {}

    @Override
    public void pause(TopicPartition... partitions) {}

    @Override
    public void resume(TopicPartition... partitions) {}

    @Override
    public void requestCommit() {}

    @Override
    public PluginMetrics pluginMetrics() {
        return metrics;
    }
}
