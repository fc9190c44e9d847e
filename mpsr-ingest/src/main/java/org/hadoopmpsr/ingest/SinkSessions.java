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
import org.apache.kafka.connect.errors.RetriableException;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTaskContext;
import org.jspecify.annotations.Nullable;

/**
 * The datasets that a task writes to, each opened with the first of its topics and kept until the task stops. Used by one
 * thread, Connect's.
 */
final class SinkSessions implements AutoCloseable {
    /** Tasks that share a worker's memory look at it this often. */
    private static final long LOOK_MS = 1000;

    private final MpsrSinkConfig config;
    private final SinkTaskContext context;
    private final Function<String, DatasetSession> opener;
    private final Map<String, DatasetSession> byDataset = new LinkedHashMap<>();
    private final Map<String, DatasetSession> byTopic = new HashMap<>();

    /** @param opener opens the dataset at a path */
    SinkSessions(MpsrSinkConfig config, SinkTaskContext context, Function<String, DatasetSession> opener) {
        this.config = config;
        this.context = context;
        this.opener = opener;
    }

    /** @throws ConnectException when a dataset is not there, or the messages cannot fill it */
    void open(Collection<TopicPartition> partitions) {
        for (TopicPartition partition : partitions) {
            byTopic.computeIfAbsent(partition.topic(), this::open);
        }
        split(partitions, TopicPartition::topic)
                .forEach((dataset, its) -> dataset.session().open(its));
    }

    private DatasetSession open(String topic) {
        DatasetSession dataset = byDataset.computeIfAbsent(config.topic(topic).dataset(), opener);
        dataset.decoders().of(topic); // now rather than with the first record
        return dataset;
    }

    /** Hands records to their sessions, and lets all others look at the clock. A failing one does not keep others from it. */
    void put(Collection<SinkRecord> records) {
        Map<DatasetSession, ? extends Collection<SinkRecord>> split = byDataset.size() == 1
                ? Map.of(byDataset.values().iterator().next(), records)
                : split(records, SinkRecord::originalTopic);
        ConnectException failure = null;
        for (DatasetSession dataset : byDataset.values()) {
            try {
                Collection<SinkRecord> its = split.get(dataset);
                dataset.session().put(its == null ? List.of() : its);
            } catch (ConnectException e) {
                failure = worse(failure, e);
            }
        }
        if (failure != null) {
            throw failure;
        }
        long untilDueMs = byDataset.values().stream()
                .mapToLong(dataset -> dataset.session().untilDueMs())
                .min()
                .orElse(Long.MAX_VALUE);
        if (untilDueMs < Long.MAX_VALUE) {
            context.timeout(Math.min(LOOK_MS, untilDueMs));
        }
    }

    /** What ends the task goes before what is tried again. */
    private static ConnectException worse(@Nullable ConnectException before, ConnectException now) {
        return before == null || before instanceof RetriableException ? now : before;
    }

    /** The committed end of each topic-partition, as far as it is known. */
    Map<TopicPartition, Long> committed() {
        Map<TopicPartition, Long> committed = new HashMap<>();
        byDataset.values().forEach(dataset -> committed.putAll(dataset.session().committed()));
        return committed;
    }

    void close(Collection<TopicPartition> partitions) {
        split(partitions, TopicPartition::topic)
                .forEach((dataset, its) -> dataset.session().close(its));
    }

    private <T> Map<DatasetSession, List<T>> split(Collection<T> all, Function<T, String> topic) {
        Map<DatasetSession, List<T>> split = new LinkedHashMap<>();
        for (T one : all) {
            DatasetSession dataset = byTopic.get(topic.apply(one));
            if (dataset == null) {
                throw new IllegalStateException("the topic " + topic.apply(one) + " is not assigned to this task");
            }
            split.computeIfAbsent(dataset, d -> new ArrayList<>()).add(one);
        }
        return split;
    }

    @Override
    public void close() {
        byDataset.values().forEach(DatasetSession::close);
    }
}
