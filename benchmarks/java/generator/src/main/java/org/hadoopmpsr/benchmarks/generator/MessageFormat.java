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
import java.util.Locale;
import org.hadoopmpsr.benchmarks.proto.Measurement;

/** How a reading is written into a Kafka message. */
enum MessageFormat {

    /** The message of {@code data/measurement.proto}. */
    PROTOBUF {
        @Override
        byte[] encode(Readings readings, int row) {
            Measurement.Builder message = Measurement.newBuilder()
                    .setSignal(readings.signal(row))
                    .setDevice(readings.names().get(readings.deviceId(row)))
                    .setSystem(readings.names().get(readings.systemId(row)))
                    .setTimestampNs(readings.timestampNs(row));
            if (readings.hasValue(row)) {
                message.setValue(readings.value(row));
            }
            return message.build().toByteArray();
        }
    },

    /** A JSON object with the column names as keys; what is no JSON number ("NaN") is a string. */
    JSON {
        @Override
        byte[] encode(Readings readings, int row) {
            StringBuilder json = new StringBuilder(160);
            Json.string(json.append("{\"signal\":"), readings.signal(row));
            Json.string(json.append(",\"device\":"), readings.names().get(readings.deviceId(row)));
            Json.string(json.append(",\"system\":"), readings.names().get(readings.systemId(row)));
            json.append(",\"timestamp_ns\":").append(readings.timestampNs(row)).append(",\"value\":");
            if (readings.hasValue(row)) {
                Json.number(json, readings.value(row));
            } else {
                json.append("null");
            }
            return json.append('}').toString().getBytes(StandardCharsets.UTF_8);
        }
    };

    /** The message's bytes. */
    abstract byte[] encode(Readings readings, int row);

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
