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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/**
 * How the sink's own client reaches Kafka: as the connector's consumer does. Connect checks these settings by the
 * worker's {@code connector.client.config.override.policy} before any of them comes here.
 */
final class ConsumerOverrides {
    static final String PREFIX = "consumer.override.";
    static final String BOOTSTRAP = PREFIX + CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG;

    /** What makes the consumer a member of its group or handles its records. The sink's client only asks. */
    private static final List<String> OF_THE_GROUP = List.of(
            CommonClientConfigs.CLIENT_ID_CONFIG,
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
            ConsumerConfig.GROUP_PROTOCOL_CONFIG,
            ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);

    private ConsumerOverrides() {}

    /** The client's configuration; empty if the connector does not say where Kafka is. */
    static Map<String, Object> client(Map<String, String> connector) {
        if (connector.getOrDefault(BOOTSTRAP, "").isBlank()) {
            return Map.of();
        }
        Map<String, Object> client = new HashMap<>();
        connector.forEach((key, value) -> {
            if (key.startsWith(PREFIX)) {
                client.put(key.substring(PREFIX.length()), value);
            }
        });
        client.keySet().removeAll(OF_THE_GROUP);
        return client;
    }
}
