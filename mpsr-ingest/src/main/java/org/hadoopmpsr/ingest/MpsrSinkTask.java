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

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.jspecify.annotations.Nullable;

/** The sink task as Connect sees it. {@link SinkSessions} does the work. */
public final class MpsrSinkTask extends SinkTask {
    /**
     * Marks the offsets that Kafka keeps. Connect leaves out offsets that are equal to where it began to read, and takes
     * that for what Kafka has; an operator may have given Kafka others.
     */
    private static final String WRITTEN_BY = "mpsr";

    private @Nullable SinkSessions sessions;

    @Override
    public void start(Map<String, String> props) {
        MpsrSinkConfig config = new MpsrSinkConfig(props);
        sessions = new SinkSessions(config, context, new DatasetWriters(config, context)::make);
    }

    @Override
    public void open(Collection<TopicPartition> partitions) {
        sessions().open(partitions);
    }

    @Override
    public void put(Collection<SinkRecord> records) {
        sessions().put(records);
    }

    @Override
    public Map<TopicPartition, OffsetAndMetadata> preCommit(Map<TopicPartition, OffsetAndMetadata> currentOffsets) {
        Map<TopicPartition, Long> consumed = new HashMap<>();
        currentOffsets.forEach((partition, end) -> consumed.put(partition, end.offset()));
        sessions().consumed(consumed);
        return kafkasCopy(sessions().done(), currentOffsets.keySet());
    }

    /** What Kafka is to keep of what is done: the ends of the task's own partitions, marked as written by the sink. */
    static Map<TopicPartition, OffsetAndMetadata> kafkasCopy(Map<TopicPartition, Long> done, Set<TopicPartition> own) {
        Map<TopicPartition, OffsetAndMetadata> copy = new HashMap<>();
        done.forEach((partition, end) -> {
            if (own.contains(partition)) {
                copy.put(partition, new OffsetAndMetadata(end, WRITTEN_BY));
            }
        });
        return copy;
    }

    @Override
    public void close(Collection<TopicPartition> partitions) {
        if (sessions != null) { // Connect also closes a task whose start failed, and hides why if that fails
            sessions.close(partitions);
        }
    }

    @Override
    public void stop() {
        if (sessions != null) {
            sessions.close();
            sessions = null;
        }
    }

    @Override
    public String version() {
        return IngestVersion.text();
    }

    private SinkSessions sessions() {
        if (sessions == null) {
            throw new IllegalStateException("the task is not started");
        }
        return sessions;
    }
}
