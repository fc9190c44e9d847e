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
package org.hadoopmpsr.benchmarks.ingest;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.util.Date;
import java.util.Map;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.storage.Converter;

/**
 * Reads the message of {@code data/measurement.proto} for sinks that know Connect's data only, with as little work as
 * that allows: no generated class, no descriptor, no registry. It adds the column {@code day}, by which such sinks
 * partition. Stateless.
 */
public final class MeasurementConverter implements Converter {
    static final Schema SCHEMA = SchemaBuilder.struct()
            .name("measurement")
            .field("signal", Schema.STRING_SCHEMA)
            .field("device", Schema.STRING_SCHEMA)
            .field("system", Schema.STRING_SCHEMA)
            .field("timestamp_ns", Schema.INT64_SCHEMA)
            .field("value", Schema.OPTIONAL_FLOAT64_SCHEMA)
            .field("fill", Schema.OPTIONAL_INT64_SCHEMA)
            .field("mode", Schema.OPTIONAL_STRING_SCHEMA)
            .field("day", org.apache.kafka.connect.data.Date.SCHEMA)
            .build();

    private static final long DAY_NS = 86_400_000_000_000L;
    private static final long DAY_MS = 86_400_000L;
    private static final int TIME = SCHEMA.field("timestamp_ns").index();
    private static final int VALUE = SCHEMA.field("value").index();
    private static final int FILL = SCHEMA.field("fill").index();

    @Override
    public void configure(Map<String, ?> configs, boolean isKey) {
        // nothing can be set
    }

    @Override
    public SchemaAndValue toConnectData(String topic, byte[] message) {
        if (message == null) {
            return SchemaAndValue.NULL;
        }
        Struct struct = new Struct(SCHEMA);
        try {
            read(CodedInputStream.newInstance(message), struct);
        } catch (IOException e) {
            throw new DataException("a message of topic '" + topic + "' is no measurement: " + e.getMessage(), e);
        }
        return new SchemaAndValue(SCHEMA, struct);
    }

    /** The fields of the message are numbered from 1, in the order of the columns. */
    private static void read(CodedInputStream in, Struct struct) throws IOException {
        struct.put("timestamp_ns", 0L);
        for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
            int column = WireFormat.getTagFieldNumber(tag) - 1;
            if (column < 0 || column >= SCHEMA.fields().size() - 1) {
                in.skipField(tag);
            } else if (column == TIME || column == FILL) {
                struct.put(SCHEMA.fields().get(column), in.readInt64());
            } else if (column == VALUE) {
                struct.put(SCHEMA.fields().get(column), in.readDouble());
            } else {
                struct.put(SCHEMA.fields().get(column), in.readStringRequireUtf8());
            }
        }
        struct.put("day", new Date(Math.floorDiv(struct.getInt64("timestamp_ns"), DAY_NS) * DAY_MS));
    }

    @Override
    public byte[] fromConnectData(String topic, Schema schema, Object value) {
        throw new DataException("this converter only reads: use it for sinks");
    }
}
