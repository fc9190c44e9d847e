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
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.SaslConfigs;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.ingest.commit.OffsetGaps;
import org.jspecify.annotations.Nullable;

/** Asks Kafka itself, where it is configured; connects when it is first asked. */
final class KafkaEarliestOffsets implements OffsetGaps.EarliestOffsets, AutoCloseable {
    private static final long TIMEOUT_S = 60;

    private final Map<String, Object> client;
    private @Nullable Admin admin;

    /** @param client the client's configuration; empty when there is nobody to ask */
    KafkaEarliestOffsets(Map<String, Object> client) {
        this.client = client;
    }

    @Override
    public OptionalLong of(TopicPartition partition) {
        if (client.isEmpty()) {
            return OptionalLong.empty();
        }
        if (admin == null) {
            admin = connect();
        }
        try {
            return OptionalLong.of(admin.listOffsets(Map.of(partition, OffsetSpec.earliest()))
                    .partitionResult(partition)
                    .get(TIMEOUT_S, TimeUnit.SECONDS)
                    .offset());
        } catch (ExecutionException | TimeoutException e) {
            throw new ConnectException(
                    "cannot ask Kafka for the earliest offset of " + partition + "; check the keys below "
                            + SinkKeys.KAFKA_PREFIX,
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ConnectException("interrupted while asking Kafka for the earliest offset of " + partition, e);
        }
    }

    /** What Kafka says of a login that it cannot read may hold a part of the password, and is left out. */
    private Admin connect() {
        try {
            return Admin.create(client);
        } catch (ConfigException e) {
            throw new ConnectException("the keys below " + SinkKeys.KAFKA_PREFIX + " configure no client of Kafka", e);
        } catch (KafkaException e) {
            if (client.containsKey(SaslConfigs.SASL_JAAS_CONFIG) && isOfAnArgument(e)) {
                throw new ConnectException(SinkKeys.KAFKA_PREFIX + SaslConfigs.SASL_JAAS_CONFIG
                        + " cannot be read; it must be of the form MODULE required username=\"...\" password=\"...\";");
            }
            throw new ConnectException(
                    "the keys below " + SinkKeys.KAFKA_PREFIX + " make no client of Kafka: " + e.getMessage(), e);
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
