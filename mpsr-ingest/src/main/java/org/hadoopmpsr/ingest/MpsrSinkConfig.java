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

import java.util.Map;
import org.apache.kafka.common.config.AbstractConfig;
import org.apache.kafka.common.config.ConfigException;

/** What the connector's configuration says for all topics. Immutable. */
public final class MpsrSinkConfig extends AbstractConfig {
    private static final double HEAP_SHARE = 0.4;

    /** @throws ConfigException with the key and what is allowed, and with the value unless it may be a secret */
    public MpsrSinkConfig(Map<String, String> properties) {
        super(SinkKeys.DEFINITION, properties);
        TopicConfig.problems(properties).forEach((key, problem) -> {
            throw new ConfigException("Invalid configuration " + key + ": " + problem);
        });
    }

    /** What the configuration says for one topic. */
    public TopicConfig topic(String topic) {
        return new TopicConfig(originalsStrings(), topic);
    }

    /** The name of the connector; empty when Connect does not say. */
    public String connectorName() {
        return originalsStrings().getOrDefault("name", "");
    }

    /** Whether topics that are created later come to the connector by themselves. */
    public boolean namesTopicsByPattern() {
        return !originalsStrings().getOrDefault("topics.regex", "").isBlank();
    }

    public String fsUri() {
        return getString(SinkKeys.FS_URI);
    }

    /** A directory on the worker with Hadoop's configuration; empty for none. */
    public String hadoopConfDir() {
        return getString(SinkKeys.HADOOP_CONF_DIR);
    }

    public int flushRecords() {
        return getInt(SinkKeys.FLUSH_RECORDS);
    }

    public long flushBytes() {
        return getLong(SinkKeys.FLUSH_BYTES);
    }

    public long flushIntervalMs() {
        return getLong(SinkKeys.FLUSH_INTERVAL_MS);
    }

    /** How many bytes all tasks of the worker may buffer together. */
    public long workerBufferBytes() {
        long bytes = getLong(SinkKeys.WORKER_BUFFER_BYTES);
        return bytes > 0 ? bytes : (long) (HEAP_SHARE * Runtime.getRuntime().maxMemory());
    }

    public long retryBackoffMs() {
        return getLong(SinkKeys.RETRY_BACKOFF_MS);
    }

    public int writerThreads() {
        return getInt(SinkKeys.WRITER_THREADS);
    }

    /** Whether to go on when Kafka lacks records that are not committed. */
    public boolean skipsGaps() {
        return getString(SinkKeys.OFFSET_GAP).equalsIgnoreCase("skip");
    }

    /** How to reach Kafka to ask for offsets and the ids of topics; empty when that is not configured. */
    public Map<String, Object> kafkaClient() {
        return ConsumerOverrides.client(originalsStrings());
    }
}
