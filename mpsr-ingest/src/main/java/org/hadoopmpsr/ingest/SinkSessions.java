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

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.hadoopmpsr.ingest.commit.DatasetWriter;

/**
 * The datasets that a task writes to, each opened with the first of its topics and kept until the task stops. One that cannot
 * be written does not keep the others from it. Used by one thread, Connect's.
 */
final class SinkSessions implements AutoCloseable {
    /** Tasks that share a worker's memory look at it this often. */
    private static final long LOOK_MS = 1000;

    private final MpsrSinkConfig config;
    private final SinkTaskContext context;
    private final Function<String, DatasetWriter> maker;
    private final Map<String, DatasetWriter> byDataset = new LinkedHashMap<>();
    private final Map<String, DatasetWriter> byTopic = new HashMap<>();

    /** @param maker makes the writer to the dataset at a path */
    SinkSessions(MpsrSinkConfig config, SinkTaskContext context, Function<String, DatasetWriter> maker) {
        this.config = config;
        this.context = context;
        this.maker = maker;
    }

    /** @throws ConnectException when there is no dataset where the connector names its topics, or messages cannot fill it */
    void open(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            byTopic.computeIfAbsent(
                    partition.topic(),
                    topic -> byDataset.computeIfAbsent(config.topic(topic).dataset(), maker));
        }
        split(partitions, TopicPartition::topic).forEach(DatasetWriter::open);
    }

    /** Hands records to their writers, and lets all others look at the clock. */
    void put(Collection<SinkRecord> records) {
        Map<DatasetWriter, ? extends Collection<SinkRecord>> split = byDataset.size() == 1
                ? Map.of(byDataset.values().iterator().next(), records)
                : split(records, SinkRecord::originalTopic);
        for (DatasetWriter dataset : byDataset.values()) {
            Collection<SinkRecord> its = split.get(dataset);
            dataset.put(its == null ? List.of() : its);
        }
        long untilDueMs = byDataset.values().stream()
                .mapToLong(DatasetWriter::untilDueMs)
                .min()
                .orElse(Long.MAX_VALUE);
        if (untilDueMs < Long.MAX_VALUE) {
            context.timeout(Math.min(LOOK_MS, untilDueMs));
        }
    }

    /** Takes note of how far Connect has handed records over or dropped them, by topic-partition. */
    void consumed(Map<TopicPartition, Long> ends) {
        byDataset.values().forEach(dataset -> dataset.consumed(ends));
    }

    /** How far each topic-partition is done, as far as that is known. What is not done comes again at a start. */
    Map<TopicPartition, Long> done() {
        Map<TopicPartition, Long> done = new HashMap<>();
        byDataset.values().forEach(dataset -> done.putAll(dataset.done()));
        return done;
    }

    /** Partitions whose {@link #open} failed are no error. */
    void close(Collection<TopicPartition> partitions) {
        List<TopicPartition> opened =
                partitions.stream().filter(p -> byTopic.containsKey(p.topic())).toList();
        split(opened, TopicPartition::topic).forEach(DatasetWriter::close);
    }

    private <T> Map<DatasetWriter, List<T>> split(Collection<T> all, Function<T, String> topic) {
        Map<DatasetWriter, List<T>> split = new LinkedHashMap<>();
        for (T one : all) {
            DatasetWriter dataset = byTopic.get(topic.apply(one));
            if (dataset == null) {
                throw new IllegalStateException("the topic " + topic.apply(one) + " is not assigned to this task");
            }
            split.computeIfAbsent(dataset, d -> new ArrayList<>()).add(one);
        }
        return split;
    }

    @Override
    public void close() {
        byDataset.values().forEach(DatasetWriter::close);
    }
}
