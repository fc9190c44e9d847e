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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Date;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.hadoopmpsr.benchmarks.proto.Measurement;
import org.junit.jupiter.api.Test;

class MeasurementConverterTest {
    private final MeasurementConverter converter = new MeasurementConverter();

    static Measurement.Builder measurement(long timestampNs) {
        return Measurement.newBuilder()
                .setSignal("S:µ")
                .setDevice("D")
                .setSystem("CRYO")
                .setTimestampNs(timestampNs);
    }

    private Struct read(Measurement message) {
        SchemaAndValue found = converter.toConnectData("t", message.toByteArray());
        assertThat(found.schema()).isSameAs(MeasurementConverter.SCHEMA);
        Struct struct = (Struct) found.value();
        struct.validate();
        return struct;
    }

    @Test
    void readsAllFieldsAndAddsTheDay() {
        long lastOfDay = LocalDate.of(2017, 5, 2).atStartOfDay(ZoneOffset.UTC).toEpochSecond() * 1_000_000_000 - 1;
        Struct struct = read(measurement(lastOfDay)
                .setValue(-0.5)
                .setFill(77)
                .setMode("RAMP")
                .build());
        assertThat(struct.getString("signal")).isEqualTo("S:µ");
        assertThat(struct.getString("device")).isEqualTo("D");
        assertThat(struct.getString("system")).isEqualTo("CRYO");
        assertThat(struct.getInt64("timestamp_ns")).isEqualTo(lastOfDay);
        assertThat(struct.getFloat64("value")).isEqualTo(-0.5);
        assertThat(struct.getInt64("fill")).isEqualTo(77);
        assertThat(struct.getString("mode")).isEqualTo("RAMP");
        assertThat(((Date) struct.get("day")).getTime())
                .isEqualTo(LocalDate.of(2017, 5, 1).toEpochDay() * 86_400_000);
    }

    @Test
    void leavesOutWhatIsAbsent() {
        Struct struct = read(measurement(-1).build());
        assertThat(struct.get("value")).isNull();
        assertThat(struct.get("fill")).isNull();
        assertThat(struct.get("mode")).isNull();
        assertThat(struct.get("day")).isEqualTo(new Date(-86_400_000));
    }

    @Test
    void refusesOtherBytes() {
        assertThatThrownBy(() -> converter.toConnectData("t", "{}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(DataException.class)
                .hasMessageContaining("a message of topic 't' is no measurement");
        assertThat(converter.toConnectData("t", null).value()).isNull();
    }
}
