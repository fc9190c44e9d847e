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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.decode.avro.AvroDecoder;
import org.hadoopmpsr.ingest.decode.avro.AvroDecoder.Encoding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arrays, structs and maps of each format but Protobuf. */
class NestedValuesTest {
    private static final Schema SCHEMA = Schema.parse(
            "id int, pos struct<x:double,Y:decimal(5,2),at:timestamp>,"
                    + " samples array<float>, tags map<string,int>, deep array<struct<name:string,by:map<date,array<boolean>>>>");

    private static Decoded json(String... mapping) {
        return new Decoded(SCHEMA, new JsonDecoder(SCHEMA, ColumnMapping.parse(List.of(mapping))));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    @Test
    void readsJson() throws Exception {
        assertThat(json().row(utf8("""
            {"id":1,"pos":{"Y":1.5,"other":[{}],"x":-0.0,"at":"1970-01-01T00:00:01Z"},"samples":[1,null,"2.5"],
             "tags":{"b":2,"a":null,"b":3},"deep":[null,{},{"name":"é","by":{"1970-01-02":[true,null],"1970-01-01":null}}]}\
            """)))
                .containsExactly(
                        1L,
                        "{x=-0.0, Y=150, at=1000000}",
                        "[1.0, null, 2.5]",
                        "{b: 2, a: null, b: 3}",
                        "[null, {}, {name=é, by={1: [true, null], 0: null}}]");
        assertThat(json().row(utf8("{\"id\":2,\"pos\":null,\"samples\":[],\"tags\":{}}")))
                .containsExactly(2L, null, "[]", "{}", null);
        // names of any case, of which the exact one counts; the last value of a field counts, and null takes one back
        assertThat(json("pos=head.at").row(utf8("""
            {"head":{"at":{"X":1,"y":2,"Y":3,"y":4,"x":5,"x":null,"AT":null}}}\
            """))).containsExactly(null, "{Y=300}", null, null, null);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"pos":[1]}                      | an object is needed in field 'pos' for the column 'pos', and there is an array
        {"pos":{"x":"no"}}               | a value within column 'pos' of type struct<x:double,Y:decimal(5,2),at:timestamp>: column 'x' is of type double
        {"samples":{"a":1}}              | an array is needed
        {"samples":[[1]]}                | cannot hold the array
        {"samples":[1e300]}              | is out of range
        {"samples":5}                    | an array is needed in field 'samples' for the column 'samples', and there is a number
        {"tags":{"a":1.5}}               | is not a whole number
        {"deep":[{"by":{"yesterday":[]}}]} | does not look like 2017-05-01
        {"deep":[{"by":                  | the value is not a JSON object
        {"id":[1]}                       | cannot hold the array in field 'id'
        """)
    void refusesWhatTheColumnsCannotHold(String message, String problem) throws Exception {
        Decoded decoded = json();
        decoded.bad(utf8(message)).hasMessageContaining(problem);
        assertThat(decoded.row(utf8("{\"id\":3}"))).containsExactly(3L, null, null, null, null);
    }

    @Test
    void readsConnect() throws Exception {
        var pos = SchemaBuilder.struct()
                .optional()
                .field("x", org.apache.kafka.connect.data.Schema.OPTIONAL_FLOAT64_SCHEMA)
                .field("y", org.apache.kafka.connect.data.Schema.INT16_SCHEMA)
                .build();
        var schema = SchemaBuilder.struct()
                .field("pos", pos)
                .field(
                        "samples",
                        SchemaBuilder.array(org.apache.kafka.connect.data.Schema.FLOAT32_SCHEMA)
                                .build())
                .field(
                        "tags",
                        SchemaBuilder.map(
                                        org.apache.kafka.connect.data.Schema.STRING_SCHEMA,
                                        org.apache.kafka.connect.data.Schema.OPTIONAL_INT32_SCHEMA)
                                .build())
                .build();
        Map<String, Integer> tags = new LinkedHashMap<>();
        tags.put("a", 1);
        tags.put("b", null);
        Struct value = new Struct(schema)
                .put("pos", new Struct(pos).put("y", (short) 7))
                .put("samples", List.of(1f, 2f))
                .put("tags", tags);
        Decoded decoder = new Decoded(SCHEMA, new ConnectDecoder(SCHEMA, ColumnMapping.BY_NAME));
        assertThat(decoder.row(value)).containsExactly(null, "{Y=700}", "[1.0, 2.0]", "{a: 1, b: null}", null);
        assertThat(decoder.row(Map.of(
                        "deep", Arrays.asList(null, Map.of("name", "n")), "pos", Map.of("y", new BigDecimal("1.25")))))
                .containsExactly(null, "{Y=125}", null, null, "[null, {name=n}]");
        decoder.bad(Map.of("samples", Map.of())).hasMessageContaining("where a list is needed");
        decoder.bad(Map.of("pos", List.of())).hasMessageContaining("where a struct or a map is needed");
        var misfit = SchemaBuilder.struct().field("samples", pos).build();
        decoder.bad(new Struct(misfit)).hasMessageContaining("column 'samples' of type array<float>");
        var text = SchemaBuilder.struct()
                .field("pos", org.apache.kafka.connect.data.Schema.STRING_SCHEMA)
                .build();
        decoder.bad(new Struct(text).put("pos", "x")).hasMessageContaining("field 'pos' of type string cannot fill it");
    }

    @Test
    void readsAvro() throws Exception {
        var schema = new org.apache.avro.Schema.Parser().parse("""
            {"type":"record","name":"R","fields":[
              {"name":"skipped","type":{"type":"array","items":"string"}},
              {"name":"pos","type":["null",{"type":"record","name":"P","fields":[
                {"name":"y","type":"int"},
                {"name":"at","type":["null",{"type":"long","logicalType":"timestamp-millis"}]},
                {"name":"more","type":"string"},
                {"name":"x","type":["null","double","string"]}]}]},
              {"name":"samples","type":{"type":"array","items":["null","float"]}},
              {"name":"tags","type":{"type":"map","values":"long"}},
              {"name":"deep","type":{"type":"array","items":{"type":"record","name":"D","fields":[
                {"name":"by","type":{"type":"map","values":{"type":"array","items":"boolean"}}}]}}}]}\
            """);
        var ofPos = schema.getField("pos").schema().getTypes().get(1);
        var ofDeep = schema.getField("deep").schema().getElementType();
        GenericRecord pos = new GenericData.Record(ofPos);
        pos.put("y", 7);
        pos.put("at", 5L);
        pos.put("more", "m");
        pos.put("x", "1e3");
        GenericRecord deep = new GenericData.Record(ofDeep);
        deep.put("by", Map.of("1970-01-03", List.of(true, false)));
        GenericRecord record = new GenericData.Record(schema);
        record.put("skipped", List.of("a"));
        record.put("pos", pos);
        record.put("samples", Arrays.asList(1f, null));
        record.put("tags", Map.of("a", 1L));
        record.put("deep", List.of(deep));
        AvroDecoder decoder = new AvroDecoder(SCHEMA, ColumnMapping.BY_NAME, List.of(schema), Encoding.BINARY);
        Decoded decoded = new Decoded(SCHEMA, decoder);
        assertThat(decoded.row(avro(record)))
                .containsExactly(
                        null, "{x=1000.0, Y=700, at=5000}", "[1.0, null]", "{a: 1}", "[{by={2: [true, false]}}]");
        record.put("pos", null);
        record.put("samples", List.of());
        record.put("deep", List.of());
        assertThat(decoded.row(avro(record))).containsExactly(null, null, "[]", "{a: 1}", "[]");
        record.put("tags", Map.of("a", 1L << 40));
        decoded.bad(avro(record)).hasMessageContaining("a value within column 'tags' of type map<string,int>");
        // a count that the bytes cannot hold
        byte[] bytes = avro(record);
        decoded.bad(Arrays.copyOf(bytes, bytes.length - 4));
    }

    private static byte[] avro(GenericRecord record) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        var encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
        encoder.flush();
        return out.toByteArray();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        pos     | {"type":"array","items":"int"}
        samples | "float"
        samples | {"type":"array","items":"boolean"}
        samples | {"type":"array","items":"null"}
        tags    | {"type":"map","values":{"type":"array","items":"int"}}
        tags    | {"type":"record","name":"P","fields":[{"name":"a","type":"int"}]}
        """)
    void aSchemaThatNeverFitsIsRefused(String column, String type) {
        var schema = new org.apache.avro.Schema.Parser()
                .parse("{'type':'record','name':'R','fields':[{'name':'".replace('\'', '"') + column
                        + "','type':".replace('\'', '"') + type + "}]}");
        assertThatThrownBy(() -> new AvroDecoder(SCHEMA, ColumnMapping.BY_NAME, List.of(schema), Encoding.BINARY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("column '" + column + "'")
                .hasMessageContaining("cannot fill it");
    }
}
