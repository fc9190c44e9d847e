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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DoubleValue;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Timestamp;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.WrappersProto;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.decode.ColumnMapping;
import org.hadoopmpsr.ingest.decode.Decoded;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProtobufDecoderTest {
    private static final Schema SCHEMA =
            Schema.parse("signal string, n bigint, ts timestamp_ns, value double," + " good boolean, mode string");
    private static final ColumnMapping DEEP = ColumnMapping.parse(List.of(
            "signal=head.name default none",
            "n=counts[1]",
            "ts=at",
            "value=tags.volt.level",
            "good=ok",
            "mode=parts[0].name"));

    @TempDir
    private Path dir;

    private Descriptor reading;
    private Path set;

    private static FieldDescriptorProto.Builder field(String name, int number, Type type) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setType(type)
                .setLabel(Label.LABEL_OPTIONAL);
    }

    private static FieldDescriptorProto.Builder message(String name, int number, String type) {
        return field(name, number, Type.TYPE_MESSAGE).setTypeName(type);
    }

    @BeforeEach
    void describe() throws Exception {
        DescriptorProto head = DescriptorProto.newBuilder()
                .setName("Head")
                .addField(field("name", 1, Type.TYPE_STRING))
                .addField(field("level", 2, Type.TYPE_DOUBLE))
                .build();
        DescriptorProto entry = DescriptorProto.newBuilder()
                .setName("TagsEntry")
                .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                .addField(field("key", 1, Type.TYPE_STRING))
                .addField(message("value", 2, ".t.Head"))
                .build();
        DescriptorProto message = DescriptorProto.newBuilder()
                .setName("Reading")
                .addNestedType(entry)
                .addField(field("signal", 1, Type.TYPE_STRING))
                .addField(field("n", 2, Type.TYPE_UINT64))
                .addField(field("ts", 3, Type.TYPE_SFIXED64))
                .addField(field("value", 4, Type.TYPE_FLOAT))
                .addField(field("good", 5, Type.TYPE_BOOL))
                .addField(field("mode", 6, Type.TYPE_ENUM).setTypeName(".t.Mode"))
                .addField(message("head", 7, ".t.Head"))
                .addField(field("counts", 8, Type.TYPE_SINT32).setLabel(Label.LABEL_REPEATED))
                .addField(message("at", 9, ".google.protobuf.Timestamp"))
                .addField(message("tags", 10, ".t.Reading.TagsEntry").setLabel(Label.LABEL_REPEATED))
                .addField(message("parts", 11, ".t.Head").setLabel(Label.LABEL_REPEATED))
                .addField(
                        field("ok", 12, Type.TYPE_BOOL).setProto3Optional(true).setOneofIndex(0))
                .addOneofDecl(com.google.protobuf.DescriptorProtos.OneofDescriptorProto.newBuilder()
                        .setName("_ok"))
                .addField(message("maybe", 13, ".google.protobuf.DoubleValue"))
                .build();
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("t.proto")
                .setPackage("t")
                .setSyntax("proto3")
                .addDependency(TimestampProto.getDescriptor().getFullName())
                .addDependency(WrappersProto.getDescriptor().getFullName())
                .addMessageType(head)
                .addMessageType(message)
                .addEnumType(EnumDescriptorProto.newBuilder()
                        .setName("Mode")
                        .addValue(EnumValueDescriptorProto.newBuilder()
                                .setName("STABLE")
                                .setNumber(0))
                        .addValue(EnumValueDescriptorProto.newBuilder()
                                .setName("RAMP")
                                .setNumber(4)))
                .build();
        set = dir.resolve("t.desc");
        Files.write(
                set,
                FileDescriptorSet.newBuilder()
                        .addFile(file)
                        .addFile(TimestampProto.getDescriptor().toProto())
                        .addFile(WrappersProto.getDescriptor().toProto())
                        .build()
                        .toByteArray());
        reading = ProtobufMessages.load(set.toString(), "t.Reading");
    }

    private Decoded decoder(ColumnMapping mapping) {
        return new Decoded(SCHEMA, new ProtobufDecoder(reading, SCHEMA, mapping));
    }

    private FieldDescriptor field(String name) {
        return reading.findFieldByName(name);
    }

    private static DynamicMessage head(Descriptor type, String name, double level) {
        return DynamicMessage.newBuilder(type)
                .setField(type.findFieldByName("name"), name)
                .setField(type.findFieldByName("level"), level)
                .build();
    }

    @Test
    void readsScalarsAndSkipsUnknownFields() throws Exception {
        byte[] bytes = DynamicMessage.newBuilder(reading)
                .setField(field("signal"), "Sé😀")
                .setField(field("n"), 1L << 62)
                .setField(field("ts"), -5L)
                .setField(field("value"), 0.5f)
                .setField(field("good"), true)
                .setField(field("mode"), field("mode").getEnumType().findValueByNumber(4))
                .setField(field("at"), Timestamp.newBuilder().setSeconds(1).build())
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                500,
                                UnknownFieldSet.Field.newBuilder()
                                        .addFixed32(1)
                                        .addLengthDelimited(ByteString.copyFromUtf8("x"))
                                        .build())
                        .build())
                .build()
                .toByteArray();
        assertThat(decoder(ColumnMapping.BY_NAME).row(bytes)).containsExactly("Sé😀", 1L << 62, -5L, 0.5, true, "RAMP");
    }

    @Test
    void givesAbsentFieldsTheirDefaultsWhereProtobufCannotTell() throws Exception {
        assertThat(decoder(ColumnMapping.BY_NAME).row(new byte[0])).containsExactly("", 0L, 0L, 0.0, false, "STABLE");
        assertThat(decoder(DEEP).row(new byte[0])).isEqualTo(Arrays.asList("none", null, null, null, null, null));
        byte[] emptyHead = DynamicMessage.newBuilder(reading)
                .setField(
                        field("head"),
                        DynamicMessage.getDefaultInstance(field("head").getMessageType()))
                .build()
                .toByteArray();
        assertThat(decoder(DEEP).row(emptyHead).get(0)).isEqualTo("");
    }

    @Test
    void fillsNestedColumns() throws Exception {
        Schema schema = Schema.parse("head struct<level:double,name:string>, counts array<smallint>,"
                + " tags map<string,struct<name:string>>, parts array<struct<LEVEL:double>>, n bigint");
        Descriptor head = field("head").getMessageType();
        Descriptor entry = field("tags").getMessageType();
        byte[] first = DynamicMessage.newBuilder(reading)
                .setField(field("head"), head(head, "H", 0))
                .addRepeatedField(field("counts"), 7)
                .addRepeatedField(field("parts"), head(head, "P0", 1.5))
                .addRepeatedField(
                        field("tags"),
                        DynamicMessage.newBuilder(entry)
                                .setField(entry.findFieldByName("key"), "k")
                                .setField(entry.findFieldByName("value"), head(head, "T", 0))
                                .build())
                .build()
                .toByteArray();
        byte[] second = DynamicMessage.newBuilder(reading)
                .setField(
                        field("head"),
                        DynamicMessage.newBuilder(head)
                                .setField(head.findFieldByName("level"), 2.0)
                                .build())
                .addRepeatedField(field("counts"), -8)
                .addRepeatedField(
                        field("tags"),
                        DynamicMessage.newBuilder(entry)
                                .setField(entry.findFieldByName("key"), "k")
                                .setField(entry.findFieldByName("value"), head(head, "T2", 0))
                                .build())
                .build()
                .toByteArray();
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        Decoded decoded = new Decoded(schema, new ProtobufDecoder(reading, schema, ColumnMapping.BY_NAME));
        assertThat(decoded.row(both)) // what comes twice is merged
                .containsExactly("{level=2.0, name=H}", "[7, -8]", "{k: {name=T2}}", "[{LEVEL=1.5}]", 0L);
        assertThat(decoded.row(new byte[0])).containsExactly(null, "[]", "{}", "[]", 0L);
        decoded.bad(DynamicMessage.newBuilder(reading)
                        .addRepeatedField(field("counts"), 1 << 20)
                        .build()
                        .toByteArray())
                .hasMessageContaining("a value within column 'counts' of type array<smallint>")
                .hasMessageContaining("is out of range");
        for (String misfit : new String[] {
            "head array<int>",
            "counts map<string,int>",
            "counts array<boolean>",
            "n array<bigint>",
            "tags array<int>",
            "parts struct<name:string>",
            "head struct<other:int>",
            "signal struct<x:int>"
        }) {
            Schema other = Schema.parse(misfit);
            assertThatThrownBy(() -> new ProtobufDecoder(reading, other, ColumnMapping.BY_NAME))
                    .as(misfit)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("cannot fill it");
        }
    }

    /** The parser of dynamic messages would put other characters there, or take the field for one that is not set. */
    @Test
    void whatIsNotAsDeclaredWithinNestedColumnsIsRefused() throws Exception {
        DescriptorProto inner = DescriptorProto.newBuilder()
                .setName("Inner")
                .addField(field("name", 1, Type.TYPE_STRING))
                .addField(field("other", 2, Type.TYPE_STRING))
                .build();
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("two.proto")
                .setPackage("two")
                .setSyntax("proto2")
                .addMessageType(inner)
                .addMessageType(DescriptorProto.newBuilder()
                        .setName("Outer")
                        .addField(message("head", 1, ".two.Inner"))
                        .addField(message("parts", 2, ".two.Inner").setLabel(Label.LABEL_REPEATED)))
                .build();
        Descriptor outer = FileDescriptor.buildFrom(file, new FileDescriptor[0]).findMessageTypeByName("Outer");
        Schema schema = Schema.parse("head struct<name:string>, parts array<struct<name:string>>");
        Decoded decoded = new Decoded(schema, new ProtobufDecoder(outer, schema, ColumnMapping.BY_NAME));
        byte ff = (byte) 0xff;
        decoded.bad(new byte[] {0x0a, 3, 0x0a, 1, ff}).hasMessageContaining("field 'name' is not valid UTF-8");
        decoded.bad(new byte[] {0x12, 3, 0x0a, 1, ff}).hasMessageContaining("a value within column 'parts'");
        decoded.bad(new byte[] {0x0a, 2, 0x08, 1}).hasMessageContaining("field 'name' has wire type 0");
        decoded.bad(new byte[] {0x08, 1})
                .hasMessageContaining("field 'head' has wire type 0, and its type MESSAGE has 2");
        assertThat(decoded.row(new byte[] {0x0a, 6, 0x0a, 1, 'x', 0x12, 1, ff}).get(0))
                .as("no column wants the other field")
                .isEqualTo("{name=x}");
    }

    @Test
    void readsMessagesRepeatedFieldsAndMaps() throws Exception {
        Descriptor head = field("head").getMessageType();
        Descriptor entry = field("tags").getMessageType();
        DynamicMessage.Builder message = DynamicMessage.newBuilder(reading)
                .setField(field("head"), head(head, "H", 1))
                .addRepeatedField(field("counts"), 7)
                .addRepeatedField(field("counts"), -8)
                .addRepeatedField(field("counts"), 9)
                .setField(
                        field("at"),
                        Timestamp.newBuilder().setSeconds(-1).setNanos(1).build())
                .addRepeatedField(field("parts"), head(head, "P0", 0))
                .addRepeatedField(field("parts"), head(head, "P1", 0))
                .setField(field("ok"), false);
        for (String key : List.of("amp", "volt")) {
            message.addRepeatedField(
                    field("tags"),
                    DynamicMessage.newBuilder(entry)
                            .setField(entry.findFieldByName("key"), key)
                            .setField(entry.findFieldByName("value"), head(head, "x", key.equals("volt") ? 2.5 : 9))
                            .build());
        }
        assertThat(decoder(DEEP).row(message.build().toByteArray()))
                .containsExactly("H", -8L, -999_999_999L, 2.5, false, "P0");
    }

    @Test
    void readsWrappers() throws Exception {
        Decoded decoder = decoder(ColumnMapping.parse(List.of("value=maybe")));
        assertThat(decoder.row(new byte[0]).get(3)).isNull();
        for (double value : new double[] {0, 2.5}) {
            byte[] bytes = DynamicMessage.newBuilder(reading)
                    .setField(field("maybe"), DoubleValue.of(value))
                    .build()
                    .toByteArray();
            assertThat(decoder.row(bytes).get(3)).isEqualTo(value);
        }
    }

    @Test
    void saysWhatIsWrongWithABadRecord() {
        Decoded decoder = decoder(ColumnMapping.BY_NAME);
        decoder.bad(new byte[] {0x0a, 5, 'a'}).hasMessageStartingWith("the value is not a message t.Reading: ");
        decoder.bad(new byte[] {0x0a, 1, (byte) 0xff}).hasMessage("the value of column 'signal' is not valid UTF-8");
        decoder.bad(new byte[] {0x08, 1}).hasMessage("field 'signal' has wire type 0, and its type STRING has 2");
        decoder.bad(new byte[] {0x30, 3})
                .hasMessage("column 'mode': field 'mode' is 3, and enum t.Mode has no name for it");
        decoder.bad(new byte[] {0x10, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1})
                .hasMessage("column 'n' is of type bigint, but its value 18446744073709551615 is out of range");
        decoder.bad(new byte[] {(byte) 0xfc, 1}).hasMessageStartingWith("the value is not a message t.Reading: ");
        decoder.bad(null).hasMessageStartingWith("the record has no value: it is a tombstone");
        decoder(DEEP)
                .bad(new byte[] {0x4a, 2, 0x10, -1})
                .hasMessageStartingWith("the value is not a message t.Reading: ");
        decoder(DEEP)
                .bad(new byte[] {0x4a, 11, 0x10, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1})
                .hasMessageContaining("has nanoseconds outside 0 to 999,999,999");
    }

    @Test
    void refusesMessagesThatDoNotFitWithAllProblems() {
        assertThatThrownBy(() -> decoder(ColumnMapping.parse(List.of(
                        "signal=nothing", "n=counts", "ts=ok", "value=signal.x", "good=head", "mode=parts.name"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("message t.Reading has no field 'nothing' for column 'signal'; map the column in"
                        + " mpsr.columns")
                .hasMessageContaining("column 'ts' of type timestamp_ns: field 'ok' of type bool cannot fill it")
                .hasMessageContaining("field 'signal' of type string has no fields below it for column 'value'")
                .hasMessageContaining(
                        "column 'n' of type bigint: field 'counts' of type repeated sint32 cannot fill it")
                .hasMessageContaining("column 'good' of type boolean: field 'head' of type t.Head cannot fill it")
                .hasMessageContaining(
                        "field 'parts' is repeated, so column 'mode' needs an element of it, such as" + " parts[0]");
    }

    @Test
    void refusesDescriptorsThatLackTheMessageOrAnImport() throws Exception {
        assertThatThrownBy(() -> ProtobufMessages.load(set.toString(), "t.Other"))
                .hasMessageContaining("there is no message 't.Other' in '" + set + "'; it has ")
                .hasMessageContaining("t.Reading");
        assertThatThrownBy(() -> ProtobufMessages.load(dir.resolve("none").toString(), "t.Reading"))
                .hasMessage("cannot read the FileDescriptorSet '" + dir.resolve("none")
                        + "': there is no such file on this worker; each worker needs it");
        Path other = Files.write(dir.resolve("other"), new byte[] {7, 7, 7});
        assertThatThrownBy(() -> ProtobufMessages.load(other.toString(), "t.Reading"))
                .hasMessageContaining("protoc --include_imports --descriptor_set_out=FILE");
        FileDescriptorSet whole = FileDescriptorSet.parseFrom(Files.readAllBytes(set));
        Path partial = dir.resolve("partial.desc");
        Files.write(
                partial,
                FileDescriptorSet.newBuilder().addFile(whole.getFile(0)).build().toByteArray());
        assertThatThrownBy(() -> ProtobufMessages.load(partial.toString(), "t.Reading"))
                .hasMessageContaining("lacks the imported file 'google/protobuf/timestamp.proto'");
    }

    @Test
    void readsBytes() throws Exception {
        DescriptorProto message = DescriptorProto.newBuilder()
                .setName("Raw")
                .addField(field("raw", 1, Type.TYPE_BYTES))
                .build();
        FileDescriptorProto proto = FileDescriptorProto.newBuilder()
                .setName("raw.proto")
                .setSyntax("proto3")
                .addMessageType(message)
                .build();
        Descriptor raw = FileDescriptor.buildFrom(proto, new FileDescriptor[0]).findMessageTypeByName("Raw");
        Schema schema = Schema.parse("raw binary");
        Decoded decoder = new Decoded(schema, new ProtobufDecoder(raw, schema, ColumnMapping.BY_NAME));
        byte[] bytes = DynamicMessage.newBuilder(raw)
                .setField(raw.findFieldByName("raw"), ByteString.copyFrom(new byte[] {0, -1}))
                .build()
                .toByteArray();
        assertThat(decoder.row(bytes)).containsExactly("00ff");
        assertThat(decoder.row(new byte[0])).containsExactly("");
    }
}
