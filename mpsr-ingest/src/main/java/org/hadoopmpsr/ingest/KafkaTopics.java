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

import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.ingest.source.SourceTopics;
import org.jspecify.annotations.Nullable;

/** Asks Kafka about topics, where the connector says how. Connects at the first question. */
final class KafkaTopics implements SourceTopics {
    private static final long TIMEOUT_S = 60;
    private static final Duration READ_TIME = Duration.ofSeconds(5);

    private final Map<String, Object> client;
    private @Nullable Admin admin;

    /** @param client the client's configuration; empty when there is nobody to ask */
    KafkaTopics(Map<String, Object> client) {
        this.client = client;
    }

    @Override
    public OptionalLong earliest(TopicPartition partition) {
        if (client.isEmpty()) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(admin().listOffsets(Map.of(partition, OffsetSpec.earliest()))
                    .partitionResult(partition)
                    .get(TIMEOUT_S, TimeUnit.SECONDS)
                    .offset());
        } catch (ExecutionException | TimeoutException e) {
            throw new ConnectException(
                    "cannot ask Kafka for the earliest offset of " + partition + "; check the keys below "
                            + ConsumerOverrides.PREFIX,
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectException("interrupted while asking Kafka for the earliest offset of " + partition, e);
        }
    }

    @Override
    public Map<String, String> ids(Collection<String> topics) throws IOException {
        Map<String, String> ids = new HashMap<>();
        if (!client.isEmpty()) {
            for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
                    admin().describeTopics(topics).topicNameValues().entrySet()) {
                id(topic.getKey(), topic.getValue()).ifPresent(id -> ids.put(topic.getKey(), id));
            }
        }
        return ids;
    }

    private static Optional<String> id(String topic, KafkaFuture<TopicDescription> description) throws IOException {
        try {
            Uuid id = description.get(TIMEOUT_S, TimeUnit.SECONDS).topicId();
            return id.equals(Uuid.ZERO_UUID) ? Optional.empty() : Optional.of(id.toString());
        } catch (ExecutionException e) {
            if (e.getCause() instanceof UnknownTopicOrPartitionException) {
                return Optional.empty();
            }
            throw unanswered(topic, e.getCause());
        } catch (TimeoutException e) {
            throw unanswered(topic, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectException("interrupted while asking Kafka for the id of the topic " + topic, e);
        }
    }

    private static IOException unanswered(String topic, @Nullable Throwable cause) {
        return new IOException(
                "cannot ask Kafka for the id of the topic " + topic + " (" + cause + "); check the keys below "
                        + ConsumerOverrides.PREFIX,
                cause);
    }

    @Override
    public long endOfGap(TopicPartition partition, long from) throws IOException {
        try {
            return client.isEmpty() || end(partition) <= from ? from : followed(partition, from);
        } catch (KafkaException e) {
            throw new IOException("cannot read " + partition + " from offset " + from + " on: " + e, e);
        }
    }

    private long end(TopicPartition partition) throws IOException {
        try {
            return admin().listOffsets(Map.of(partition, OffsetSpec.latest()))
                    .partitionResult(partition)
                    .get(TIMEOUT_S, TimeUnit.SECONDS)
                    .offset();
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException("cannot ask Kafka for the end of " + partition, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectException("interrupted while asking Kafka for the end of " + partition, e);
        }
    }

    /** Reads as Connect's consumer does, without its group. */
    private long followed(TopicPartition partition, long from) {
        Map<String, Object> reader = new HashMap<>(client);
        reader.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        reader.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
        reader.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
        reader.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, 1);
        reader.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, 1);
        ByteArrayDeserializer bytes = new ByteArrayDeserializer();
        try (KafkaConsumer<byte[], byte[]> consumer = new KafkaConsumer<>(reader, bytes, bytes)) {
            consumer.assign(List.of(partition));
            consumer.seek(partition, from);
            ConsumerRecords<byte[], byte[]> records = consumer.poll(READ_TIME);
            return records.isEmpty()
                    ? consumer.position(partition)
                    : records.iterator().next().offset();
        }
    }

    private Admin admin() {
        if (admin == null) {
            admin = connect();
        }
        return admin;
    }

    /** What Kafka says of a login that it cannot read may hold a part of the password, and is left out. */
    private Admin connect() {
        try {
            return Admin.create(client);
        } catch (ConfigException e) {
            throw new ConnectException(
                    "the keys below " + ConsumerOverrides.PREFIX + " configure no client of Kafka", e);
        } catch (KafkaException e) {
            if (client.containsKey(SaslConfigs.SASL_JAAS_CONFIG) && isOfAnArgument(e)) {
                throw new ConnectException(ConsumerOverrides.PREFIX + SaslConfigs.SASL_JAAS_CONFIG
                        + " cannot be read; it must be of the form MODULE required username=\"...\" password=\"...\";");
            }
            throw new ConnectException(
                    "the keys below " + ConsumerOverrides.PREFIX + " make no client of Kafka: " + e.getMessage(), e);
        }
    }

    private static boolean isOfAnArgument(Throwable failure) {
        for (Throwable t = failure; t != null; t = t.getCause()) {
            if (t instanceof IllegalArgumentException) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close() {
        if (admin != null) {
            admin.close();
        }
    }
}
