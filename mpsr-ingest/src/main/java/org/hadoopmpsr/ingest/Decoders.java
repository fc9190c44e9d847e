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
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.decode.ColumnMapping;
import org.hadoopmpsr.ingest.decode.ConnectDecoder;
import org.hadoopmpsr.ingest.decode.GuardedDecoder;
import org.hadoopmpsr.ingest.decode.JsonDecoder;
import org.hadoopmpsr.ingest.decode.RecordDecoder;
import org.hadoopmpsr.ingest.decode.avro.AvroDecoder;
import org.hadoopmpsr.ingest.decode.avro.AvroSchemas;
import org.hadoopmpsr.ingest.decode.protobuf.ProtobufDecoder;
import org.hadoopmpsr.ingest.decode.protobuf.ProtobufMessages;

/** The decoders of the topics that go to a dataset. Not safe for use by several threads. */
final class Decoders {
    private final MpsrSinkConfig config;
    private final Dataset dataset;
    private final Map<String, RecordDecoder> byTopic = new HashMap<>();

    Decoders(MpsrSinkConfig config, Dataset dataset) {
        this.config = config;
        this.dataset = dataset;
    }

    /** @throws ConnectException when the topic's messages cannot fill the dataset */
    RecordDecoder of(String topic) {
        return byTopic.computeIfAbsent(topic, name -> {
            try {
                return new GuardedDecoder(decoder(config.topic(name), dataset.columns()));
            } catch (IllegalArgumentException e) {
                throw new ConnectException(
                        "the configuration of the topic " + name + " does not fit the dataset " + dataset.path() + ": "
                                + e.getMessage(),
                        e);
            }
        });
    }

    private static RecordDecoder decoder(TopicConfig topic, DatasetColumns columns) {
        Schema schema = columns.stored();
        ColumnMapping mapping = topic.columns().of(columns.shown());
        return switch (topic.format()) {
            case JSON -> new JsonDecoder(schema, mapping);
            case CONNECT -> new ConnectDecoder(schema, mapping);
            case AVRO -> new AvroDecoder(schema, mapping, AvroSchemas.load(topic.avroSchemas()), topic.avroEncoding());
            case PROTOBUF ->
                new ProtobufDecoder(
                        ProtobufMessages.load(topic.protobufDescriptor(), topic.protobufMessage()), schema, mapping);
        };
    }
}
