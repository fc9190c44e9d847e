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
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;

/**
 * Drives a writer as Connect's worker does: a seek takes effect before the next fetch, records that a transformation drops
 * count as consumed, nothing is fetched of paused partitions, and revoked partitions leave the batch.
 */
final class FakeWorker implements SinkTaskContext {
    private final FakeTopic topic;
    private final Map<TopicPartition, Long> positions = new HashMap<>();
    private final Map<TopicPartition, Long> seeks = new HashMap<>();
    /** Of each partition the end of what was handed over or dropped. */
    private final Map<TopicPartition, Long> consumed = new HashMap<>();

    final Set<TopicPartition> paused = new HashSet<>();
    private final DatasetWriter writer;
    final Set<Long> reported = new HashSet<>();
    private final boolean tolerant;
    final FakeMetrics metrics = new FakeMetrics();
    private long nowMs;
    Throwable deadLetterFailure;
    /** Whether a bad record is kept only when somebody waits for it. */
    boolean keepsLate;
    /** How many records were too large for the dead letter queue. */
    long lostDeadLetters;

    /** @param tolerant whether the connector has errors.tolerance=all */
    FakeWorker(FakeTopic topic, SessionFixture fixture, boolean tolerant) {
        this.topic = topic;
        this.tolerant = tolerant;
        writer = new DatasetWriter(
                "/cals/meas",
                () -> fixture.open(() -> lostDeadLetters),
                fixture.waitsForDataset,
                fixture.limits,
                this,
                () -> nowMs);
    }

    /** Connect's consumer begins where its group has committed, or at the first record. */
    void open(Collection<TopicPartition> partitions) {
        partitions.forEach(p -> positions.put(p, topic.groupOffset(p)));
        partitions.forEach(p -> consumed.put(p, topic.groupOffset(p)));
        writer.open(partitions);
        rewind();
    }

    void close(Collection<TopicPartition> partitions) {
        preCommit();
        writer.close(partitions);
        partitions.forEach(positions::remove);
        partitions.forEach(consumed::remove);
        seeks.keySet().removeAll(partitions);
        paused.removeAll(partitions);
    }

    /**
     * Fetches up to {@code most} records of each partition and hands them over.
     *
     * @throws ConnectException when the task would fail
     */
    void poll(int most, Random random) {
        if (random.nextInt(4) == 0) {
            preCommit();
        }
        rewind();
        List<SinkRecord> batch = new ArrayList<>();
        Map<TopicPartition, Long> fetched = new HashMap<>();
        for (TopicPartition partition : List.copyOf(positions.keySet())) {
            int count = random.nextInt(most + 1);
            if (!paused.contains(partition)) {
                positions.put(partition, topic.position(partition, positions.get(partition)));
                topic.fetch(partition, positions.get(partition), count).forEach(record -> {
                    positions.put(partition, record.kafkaOffset() + 1);
                    fetched.put(partition, record.kafkaOffset() + 1);
                    if (!topic.dropped.test(record.value())) {
                        batch.add(record);
                    }
                });
            }
        }
        writer.put(batch);
        consumed.putAll(fetched);
    }

    /** What Connect does from time to time, and when it is asked to. */
    void preCommit() {
        writer.consumed(Map.copyOf(consumed));
        topic.commit(writer.done());
    }

    /** Whether it waits for the dataset. */
    boolean isWaiting() {
        return metrics.value("waiting") == 1;
    }

    long untilDueMs() {
        return writer.untilDueMs();
    }

    void pass(long ms) {
        nowMs += ms;
    }

    /** An orderly stop. */
    void stop() {
        writer.close(Set.copyOf(positions.keySet()));
        writer.close();
    }

    private void rewind() {
        seeks.forEach((partition, offset) -> {
            if (!positions.containsKey(partition)) {
                throw new IllegalStateException("a seek in " + partition + ", which is not assigned");
            }
            positions.put(partition, offset);
            consumed.put(partition, offset);
        });
        seeks.clear();
    }

    @Override
    public ErrantRecordReporter errantRecordReporter() {
        return !tolerant
                ? null
                : (record, error) -> {
                    reported.add(record.kafkaPartition() * FakeTopic.PARTITION_STEP + record.kafkaOffset());
                    if (deadLetterFailure != null) {
                        return CompletableFuture.failedFuture(deadLetterFailure);
                    }
                    return keepsLate ? new LateFuture() : CompletableFuture.completedFuture(null);
                };
    }

    /** Is done when it is waited for. */
    private static final class LateFuture extends CompletableFuture<Void> {
        @Override
        public Void get() {
            complete(null);
            return null;
        }
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
    public void pause(TopicPartition... partitions) {
        for (TopicPartition partition : partitions) {
            requireAssigned(partition);
            paused.add(partition);
        }
    }

    @Override
    public void resume(TopicPartition... partitions) {
        for (TopicPartition partition : partitions) {
            requireAssigned(partition);
            paused.remove(partition);
        }
    }

    private void requireAssigned(TopicPartition partition) {
        if (!positions.containsKey(partition)) {
            throw new IllegalStateException(partition + " is not assigned");
        }
    }

    @Override
    public void requestCommit() {}

    @Override
    public PluginMetrics pluginMetrics() {
        return metrics;
    }
}
