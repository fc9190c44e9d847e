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
package org.hadoopmpsr.ingest.decode.protobuf;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TextFormat;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.decode.ColumnMapping;
import org.hadoopmpsr.ingest.decode.Decoded;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Fields that come twice, oneofs, maps and closed enums mean what they mean to protobuf's own parser. The seed is in the
 * test's name; {@code -Dmpsr.seeds=N} runs more of them.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProtobufMergeTest {
    private static final String FILE = """
        name: "m.proto" package: "t" syntax: "proto2" dependency: "google/protobuf/timestamp.proto"
        enum_type { name: "Mode" value { name: "STABLE" number: 0 } value { name: "RAMP" number: 4 } }
        message_type { name: "Part"
          field { name: "name" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
          field { name: "level" number: 2 type: TYPE_SINT64 label: LABEL_OPTIONAL }
          field { name: "counts" number: 3 type: TYPE_SINT32 label: LABEL_REPEATED options { packed: true } }
        }
        message_type { name: "M"
          nested_type { name: "TagsEntry" options { map_entry: true }
            field { name: "key" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
            field { name: "value" number: 2 type: TYPE_MESSAGE type_name: ".t.Part" label: LABEL_OPTIONAL }
          }
          field { name: "a" number: 1 type: TYPE_INT64 label: LABEL_OPTIONAL oneof_index: 0 }
          field { name: "b" number: 2 type: TYPE_MESSAGE type_name: ".t.Part" label: LABEL_OPTIONAL oneof_index: 0 }
          field { name: "c" number: 3 type: TYPE_STRING label: LABEL_OPTIONAL oneof_index: 0 }
          field { name: "part" number: 4 type: TYPE_MESSAGE type_name: ".t.Part" label: LABEL_OPTIONAL }
          field { name: "tags" number: 5 type: TYPE_MESSAGE type_name: ".t.M.TagsEntry" label: LABEL_REPEATED }
          field { name: "mode" number: 6 type: TYPE_ENUM type_name: ".t.Mode" label: LABEL_OPTIONAL }
          field { name: "modes" number: 7 type: TYPE_ENUM type_name: ".t.Mode" label: LABEL_REPEATED }
          field { name: "at" number: 8 type: TYPE_MESSAGE type_name: ".google.protobuf.Timestamp" label: LABEL_OPTIONAL }
          oneof_decl { name: "choice" }
        }
        """;
    private static final Schema SCHEMA = Schema.parse("a bigint, b string, b_count bigint, part string, level bigint,"
            + " count bigint, tag string, tag_level bigint, mode string, mode1 string, at timestamp_ns");
    private static final ColumnMapping MAPPING = ColumnMapping.parse(List.of(
            "b=b.name",
            "b_count=b.counts[1]",
            "part=part.name",
            "level=part.level",
            "count=part.counts[2]",
            "tag=tags.x.name",
            "tag_level=tags.x.level",
            "mode1=modes[1]"));

    private Descriptor message;
    private Decoded decoder;

    @BeforeEach
    void describe() throws Exception {
        FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder();
        TextFormat.merge(FILE, file);
        message = FileDescriptor.buildFrom(file.build(), new FileDescriptor[] {TimestampProto.getDescriptor()})
                .findMessageTypeByName("M");
        decoder = new Decoded(SCHEMA, new ProtobufDecoder(message, SCHEMA, MAPPING));
    }

    private static List<Long> seeds() {
        return new Random(20_251_125)
                .longs(Integer.getInteger("mpsr.seeds", 8), 1, 1_000_000)
                .boxed()
                .toList();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void readsWhatTheParserMakesOfIt(long seed) throws Exception {
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            CodedOutputStream out = CodedOutputStream.newInstance(bytes);
            for (int fields = random.nextInt(8); fields > 0; fields--) {
                field(random, out);
            }
            out.flush();
            byte[] parsed =
                    DynamicMessage.parseFrom(message, bytes.toByteArray()).toByteArray();
            assertThat(decoder.row(bytes.toByteArray()))
                    .as("%s", Arrays.toString(bytes.toByteArray()))
                    .isEqualTo(decoder.row(parsed));
        }
    }

    private void field(Random random, CodedOutputStream out) throws Exception {
        switch (1 + random.nextInt(8)) {
            case 1 -> out.writeInt64(1, random.nextInt(9));
            case 2 -> out.writeByteArray(2, part(random));
            case 3 -> out.writeString(3, "c");
            case 4 -> out.writeByteArray(4, part(random));
            case 5 -> out.writeByteArray(5, entry(random));
            case 6 -> out.writeEnum(6, 2 * random.nextInt(4));
            case 7 -> out.writeEnum(7, 2 * random.nextInt(4));
            default -> out.writeByteArray(8, time(random));
        }
    }

    private static byte[] part(Random random) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        for (int fields = random.nextInt(4); fields > 0; fields--) {
            switch (random.nextInt(4)) {
                case 0 -> out.writeString(1, "n" + random.nextInt(9));
                case 1 -> out.writeSInt64(2, random.nextInt(9));
                case 2 -> out.writeSInt32(3, random.nextInt(9));
                default -> out.writeByteArray(3, new byte[] {2, 4});
            }
        }
        out.flush();
        return bytes.toByteArray();
    }

    private static byte[] entry(Random random) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.writeString(1, random.nextInt(3) == 0 ? "y" : "x");
        out.writeByteArray(2, part(random));
        out.flush();
        return bytes.toByteArray();
    }

    private static byte[] time(Random random) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        if (random.nextBoolean()) {
            out.writeInt64(1, random.nextInt(9));
        }
        if (random.nextBoolean()) {
            out.writeInt32(2, random.nextInt(9));
        }
        out.flush();
        return bytes.toByteArray();
    }

    private FieldDescriptor field(String name) {
        return message.findFieldByName(name);
    }

    @Test
    void theLastFieldOfAOneofCounts() throws Exception {
        byte[] first = DynamicMessage.newBuilder(message)
                .setField(field("a"), 7L)
                .build()
                .toByteArray();
        byte[] unwanted = DynamicMessage.newBuilder(message)
                .setField(field("c"), "c")
                .build()
                .toByteArray();
        assertThat(decoder.row(first).get(0)).isEqualTo(7L);
        assertThat(decoder.row(concat(first, unwanted)).get(0)).isNull();
        assertThat(decoder.row(concat(unwanted, first)).get(0)).isEqualTo(7L);
    }

    @Test
    void anUnknownNumberOfAClosedEnumIsAnUnknownField() throws Exception {
        byte[] modes = {6 << 3, 4, 6 << 3, 99, 7 << 3, 4, 7 << 3, 99, 7 << 3, 0};
        assertThat(decoder.row(modes).subList(8, 10)).containsExactly("RAMP", "STABLE");
    }

    private static byte[] concat(byte[] a, byte[] b) {
        return ByteString.copyFrom(a).concat(ByteString.copyFrom(b)).toByteArray();
    }

    @Test
    void believesNoClaimOfAMessage() throws Exception {
        byte[] groups = new byte[400_000];
        Arrays.fill(groups, (byte) (90 << 3 & 0x7f | WireFormat.WIRETYPE_START_GROUP | 0x80));
        for (int i = 1; i < groups.length; i += 2) {
            groups[i] = 90 >> 4;
        }
        decoder.bad(groups).hasMessageStartingWith("the value is not a message t.M: ");
        for (int number : new int[] {2, 4, 5, 8}) {
            for (byte[] length : new byte[][] {{-1, -1, -1, -1, 7}, {-1, -1, -1, -1, 15}, {2}}) {
                byte[] tag = {(byte) (number << 3 | WireFormat.WIRETYPE_LENGTH_DELIMITED)};
                decoder.bad(concat(tag, length)).hasMessageStartingWith("the value is not a message t.M: ");
            }
        }
        byte[] packed = {4 << 3 | 2, 6, 3 << 3 | 2, -1, -1, -1, -1, 7};
        decoder.bad(packed).hasMessageStartingWith("the value is not a message t.M: ");
    }
}
