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
package org.hadoopmpsr.benchmarks.generator;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends readings to a topic, keyed by signal, so that the readings of a signal stay in order within one partition.
 *
 * <p>The producer is idempotent and waits for all acknowledgements. Not safe for use by several threads.
 */
final class ReadingsProducer implements AutoCloseable {

    private final KafkaProducer<byte[], byte[]> producer;
    private final String topic;
    private final MessageFormat format;
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final Map<String, byte[]> keys = new HashMap<>();

    ReadingsProducer(String bootstrap, String topic, MessageFormat format) {
        this.topic = topic;
        this.format = format;
        producer = new KafkaProducer<>(
                Map.of(
                        ProducerConfig.BOOTSTRAP_SERVERS_CONFIG,
                        bootstrap,
                        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
                        true,
                        ProducerConfig.COMPRESSION_TYPE_CONFIG,
                        "lz4",
                        ProducerConfig.LINGER_MS_CONFIG,
                        20,
                        ProducerConfig.BATCH_SIZE_CONFIG,
                        256 * 1024,
                        ProducerConfig.BUFFER_MEMORY_CONFIG,
                        64L * 1024 * 1024),
                new ByteArraySerializer(),
                new ByteArraySerializer());
    }

    /** Creates the topic unless it exists. */
    static void createTopic(String bootstrap, String topic, int partitions) throws InterruptedException {
        try (Admin admin = Admin.create(Map.of(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap))) {
            admin.createTopics(List.of(new NewTopic(topic, partitions, (short) 1)))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw new IllegalStateException("the topic '" + topic + "' could not be created at " + bootstrap, e);
            }
        }
    }

    /**
     * Sends one reading; may wait for room in the buffer.
     *
     * @throws IllegalStateException if an earlier one could not be sent
     */
    void send(Readings readings, int row) {
        byte[] key = keys.computeIfAbsent(readings.signal(row), signal -> signal.getBytes(StandardCharsets.UTF_8));
        send(key, format.encode(readings, row));
    }

    /**
     * Sends a message; may wait for room in the buffer.
     *
     * @throws IllegalStateException if an earlier one could not be sent
     */
    void send(byte[] key, byte[] message) {
        check();
        producer.send(new ProducerRecord<>(topic, key, message), (metadata, error) -> {
            if (error != null) {
                failure.compareAndSet(null, error);
            }
        });
    }

    /**
     * Waits until everything sent is acknowledged.
     *
     * @throws IllegalStateException if something could not be sent
     */
    void flush() {
        producer.flush();
        check();
    }

    private void check() {
        Exception error = failure.get();
        if (error != null) {
            throw new IllegalStateException("Kafka did not take the readings for topic '" + topic + "'", error);
        }
    }

    @Override
    public void close() {
        producer.close();
    }
}
