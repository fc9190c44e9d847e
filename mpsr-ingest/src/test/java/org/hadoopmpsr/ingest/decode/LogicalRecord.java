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
package org.hadoopmpsr.ingest.decode;

import static org.apache.kafka.connect.data.Schema.OPTIONAL_BOOLEAN_SCHEMA;
import static org.apache.kafka.connect.data.Schema.OPTIONAL_FLOAT32_SCHEMA;
import static org.apache.kafka.connect.data.Schema.OPTIONAL_FLOAT64_SCHEMA;
import static org.apache.kafka.connect.data.Schema.OPTIONAL_INT64_SCHEMA;
import static org.apache.kafka.connect.data.Schema.OPTIONAL_STRING_SCHEMA;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/**
 * One record as all formats write it.
 *
 * @param values by field; a field without value is absent, or null where the format cannot leave it out
 */
record LogicalRecord(Map<String, Object> values) {
    static final org.hadoopmpsr.core.schema.Schema COLUMNS = org.hadoopmpsr.core.schema.Schema.parse("signal string,"
            + " small int, whole bigint, ratio double, narrow float, good boolean, ts timestamp, day date,"
            + " ns timestamp_ns, said bigint, wide double");
    static final ColumnMapping MAPPING =
            ColumnMapping.parse(List.of("ts=ts as millis", "day=day as seconds", "wide=broad"));
    private static final Map<String, Kind> FIELDS = fields();
    static final Schema AVRO = avroSchema();
    static final Descriptor PROTOBUF = descriptor();
    static final org.apache.kafka.connect.data.Schema CONNECT = connectSchema();

    private static final String[] PIECES = {
        "a",
        "",
        "é",
        "漢",
        "😀",
        "\uffff",
        "\0",
        "\u2028",
        "\"",
        "\\",
        "/",
        "\ufeff",
        "NaN",
        "null",
        "\r\n",
        "x".repeat(300)
    };
    private static final String[] NUMBERS = {
        "0",
        "-0",
        "12",
        "12.0",
        "1e3",
        "9007199254740993",
        "-9223372036854775808",
        "9223372036854775808",
        "1e400",
        "0x10",
        "1_000",
        "",
        " 7",
        "NaN",
        "1.5",
        "1e-400",
        "+5",
        ".5",
        "5.",
        "99999999999999999999999",
        "12d"
    };
    private static final long[] WHOLES = {
        0,
        1,
        -1,
        42,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        Integer.MAX_VALUE + 1L,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        (1L << 53) + 1,
        (1L << 53),
        86_400,
        -86_400,
        86_399,
        1_577_836_800_000L,
        1L << 24,
        (1L << 24) + 1
    };
    private static final double[] RATIOS = {
        0,
        -0.0,
        0.1,
        1.5,
        -1e300,
        1e-300,
        Double.MIN_VALUE,
        Double.MAX_VALUE,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        1e20,
        3
    };

    private enum Kind {
        TEXT,
        WHOLE,
        RATIO,
        NARROW,
        TRUTH
    }

    private static Map<String, Kind> fields() {
        Map<String, Kind> fields = new LinkedHashMap<>();
        fields.put("signal", Kind.TEXT);
        fields.put("small", Kind.WHOLE);
        fields.put("whole", Kind.WHOLE);
        fields.put("ratio", Kind.RATIO);
        fields.put("narrow", Kind.NARROW);
        fields.put("good", Kind.TRUTH);
        fields.put("ts", Kind.WHOLE);
        fields.put("day", Kind.WHOLE);
        fields.put("ns", Kind.WHOLE);
        fields.put("said", Kind.TEXT);
        fields.put("broad", Kind.WHOLE);
        fields.put("unwanted", Kind.TEXT);
        return fields;
    }

    /** A record of odd and extreme values; most of them good. */
    static LogicalRecord random(Random random) {
        Map<String, Object> values = new LinkedHashMap<>();
        FIELDS.forEach((name, kind) -> {
            if (random.nextInt(5) > 0) {
                values.put(name, value(name, kind, random));
            }
        });
        values.putIfAbsent("signal", "s"); // a record without any field of the dataset is bad where that can be seen
        return new LogicalRecord(values);
    }

    private static Object value(String name, Kind kind, Random random) {
        boolean extreme = random.nextInt(12) == 0;
        return switch (kind) {
            case TEXT ->
                name.equals("said")
                        ? (extreme ? NUMBERS[random.nextInt(NUMBERS.length)] : String.valueOf(random.nextLong()))
                        : PIECES[random.nextInt(PIECES.length)] + PIECES[random.nextInt(PIECES.length)];
            case WHOLE -> extreme ? WHOLES[random.nextInt(WHOLES.length)] : 86_400L * random.nextInt(20_000);
            case RATIO -> extreme ? RATIOS[random.nextInt(RATIOS.length)] : random.nextGaussian();
            case NARROW -> extreme ? (float) RATIOS[random.nextInt(RATIOS.length)] : (float) random.nextGaussian();
            case TRUTH -> random.nextBoolean();
        };
    }

    byte[] json() {
        return values.entrySet().stream()
                .map(entry -> text(entry.getKey()) + ":" + literal(entry.getValue()))
                .collect(Collectors.joining(",", "{", "}"))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String literal(Object value) {
        return value instanceof String text ? text(text) : String.valueOf(value);
    }

    private static String text(String value) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : value.toCharArray()) {
            if (c < ' ' || c == '"' || c == '\\') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }

    byte[] avro() throws IOException {
        GenericRecord record = new GenericData.Record(AVRO);
        values.forEach(record::put);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(AVRO).write(record, encoder);
        encoder.flush();
        return out.toByteArray();
    }

    byte[] protobuf() {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(PROTOBUF);
        values.forEach((name, value) -> message.setField(PROTOBUF.findFieldByName(name), value));
        return message.build().toByteArray();
    }

    Struct connect() {
        Struct struct = new Struct(CONNECT);
        values.forEach(struct::put);
        return struct;
    }

    private static Schema avroSchema() {
        String fields = FIELDS.entrySet().stream()
                .map(field -> "{\"name\":\"" + field.getKey() + "\",\"type\":[\"null\",\""
                        + switch (field.getValue()) {
                            case TEXT -> "string";
                            case WHOLE -> "long";
                            case RATIO -> "double";
                            case NARROW -> "float";
                            case TRUTH -> "boolean";
                        }
                        + "\"]}")
                .collect(Collectors.joining(","));
        return new Schema.Parser().parse("{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + fields + "]}");
    }

    private static Descriptor descriptor() {
        DescriptorProto.Builder message = DescriptorProto.newBuilder().setName("R");
        List<String> names = new ArrayList<>(FIELDS.keySet());
        for (int i = 0; i < names.size(); i++) {
            message.addField(FieldDescriptorProto.newBuilder()
                    .setName(names.get(i))
                    .setNumber(i + 1)
                    .setLabel(Label.LABEL_OPTIONAL)
                    .setType(
                            switch (FIELDS.get(names.get(i))) {
                                case TEXT -> Type.TYPE_STRING;
                                case WHOLE -> Type.TYPE_INT64;
                                case RATIO -> Type.TYPE_DOUBLE;
                                case NARROW -> Type.TYPE_FLOAT;
                                case TRUTH -> Type.TYPE_BOOL;
                            }));
        }
        FileDescriptorProto file = FileDescriptorProto.newBuilder()
                .setName("r.proto")
                .setSyntax("proto2")
                .addMessageType(message)
                .build();
        try {
            return FileDescriptor.buildFrom(file, new FileDescriptor[0]).findMessageTypeByName("R");
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static org.apache.kafka.connect.data.Schema connectSchema() {
        SchemaBuilder schema = SchemaBuilder.struct().name("R");
        FIELDS.forEach((name, kind) -> schema.field(
                name,
                switch (kind) {
                    case TEXT -> OPTIONAL_STRING_SCHEMA;
                    case WHOLE -> OPTIONAL_INT64_SCHEMA;
                    case RATIO -> OPTIONAL_FLOAT64_SCHEMA;
                    case NARROW -> OPTIONAL_FLOAT32_SCHEMA;
                    case TRUTH -> OPTIONAL_BOOLEAN_SCHEMA;
                }));
        return schema.build();
    }
}
