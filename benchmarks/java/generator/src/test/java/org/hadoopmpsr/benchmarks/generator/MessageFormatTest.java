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

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.InvalidProtocolBufferException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.hadoopmpsr.benchmarks.proto.Measurement;
import org.junit.jupiter.api.Test;

class MessageFormatTest {

    private final Readings readings = new Readings();

    private int add(boolean hasValue, double value) {
        readings.add(readings.idOf("s\"1\"\n"), readings.idOf("d"), readings.idOf("y"), -7, hasValue, value);
        return readings.size() - 1;
    }

    @Test
    void protobufHoldsTheReading() throws InvalidProtocolBufferException {
        Measurement message = Measurement.parseFrom(MessageFormat.PROTOBUF.encode(readings, add(true, 1.5)));
        assertThat(message.getSignal()).isEqualTo("s\"1\"\n");
        assertThat(message.getDevice()).isEqualTo("d");
        assertThat(message.getSystem()).isEqualTo("y");
        assertThat(message.getTimestampNs()).isEqualTo(-7);
        assertThat(message.getValue()).isEqualTo(1.5);
    }

    @Test
    void protobufTellsAMissingValueFromZero() throws InvalidProtocolBufferException {
        assertThat(Measurement.parseFrom(MessageFormat.PROTOBUF.encode(readings, add(false, 0)))
                        .hasValue())
                .isFalse();
        assertThat(Measurement.parseFrom(MessageFormat.PROTOBUF.encode(readings, add(true, 0)))
                        .hasValue())
                .isTrue();
    }

    @Test
    void jsonEscapesNamesAndQuotesWhatIsNoNumber() {
        assertThat(json(add(true, 1.5)))
                .isEqualTo("{\"signal\":\"s\\\"1\\\"\\u000a\",\"device\":\"d\",\"system\":\"y\","
                        + "\"timestamp_ns\":-7,\"value\":1.5}");
        assertThat(json(add(false, 0))).endsWith("\"value\":null}");
        assertThat(json(add(true, Double.NaN))).endsWith("\"value\":\"NaN\"}");
    }

    private String json(int row) {
        return new String(MessageFormat.JSON.encode(readings, row), StandardCharsets.UTF_8);
    }

    @Test
    void theDescriptorInDataIsThatOfTheMessage() throws IOException {
        FileDescriptorSet set =
                FileDescriptorSet.parseFrom(Files.readAllBytes(Path.of("../../data", "measurement.desc")));
        FileDescriptorProto.Builder shipped = set.getFile(set.getFileCount() - 1).toBuilder();
        // protoc adds the JSON names to a descriptor set, but not to the descriptors in generated code.
        shipped.getMessageTypeBuilderList().stream()
                .flatMap(message -> message.getFieldBuilderList().stream())
                .forEach(field -> field.clearJsonName());
        assertThat(shipped.build())
                .as("copy benchmarks/target/descriptors/measurement.desc to benchmarks/data")
                .isEqualTo(Measurement.getDescriptor().getFile().toProto());
    }
}
