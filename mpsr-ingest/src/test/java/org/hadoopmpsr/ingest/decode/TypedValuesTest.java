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
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.connect.data.Decimal;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.data.Time;
import org.apache.kafka.connect.data.Timestamp;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.decode.avro.AvroDecoder;
import org.hadoopmpsr.ingest.decode.avro.AvroDecoder.Encoding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Small numbers, decimals, bytes and times without a zone, of each format. */
class TypedValuesTest {
    private static final Schema SCHEMA = Schema.parse("tiny tinyint, low smallint, raw binary, at timestamp_ntz,"
            + " price decimal(5,2), total decimal(38,10), clock time_ns");
    private static final long AT =
            LocalDateTime.parse("2024-03-10T02:30:00").toEpochSecond(ZoneOffset.UTC) * 1_000_000L;
    private static final BigInteger TOTAL =
            new BigInteger("-1234567890123456789012345678").multiply(BigInteger.TEN.pow(10));

    private static Decoded json(String... mapping) {
        return new Decoded(SCHEMA, new JsonDecoder(SCHEMA, ColumnMapping.parse(List.of(mapping))));
    }

    private static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    @Test
    void readsJson() throws Exception {
        assertThat(json("at=at as millis", "clock=clock as seconds").row(utf8("""
            {"tiny":-128,"low":32767,"raw":"AAH/","at":"2024-03-10T02:30:00","price":-999.990,
             "total":"-1234567890123456789012345678","clock":86399.5}\
            """)))
                .containsExactly(-128L, 32_767L, "0001ff", AT, -99_999L, TOTAL, 86_399_500_000_000L);
        assertThat(json("at=at as millis").row(utf8("""
            {"tiny":"1","low":1.0,"raw":"","at":1000,"price":1e2,"total":0.00000000010,"clock":"23:59:59.999999999"}\
            """)))
                .containsExactly(1L, 1L, "", 1_000_000L, 10_000L, BigInteger.ONE, 86_399_999_999_999L);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {"tiny":128}                     | column 'tiny' is of type tinyint, but its value 128 is out of range
        {"low":-32769}                   | is out of range
        {"raw":"no base 64"}             | is not Base64, which is how a text says bytes
        {"raw":5}                        | is of type binary
        {"at":"2024-03-10T02:30:00Z"}    | does not look like 2017-05-01T13:00:00.5, without a zone
        {"at":5}                         | a bare number does not say what it counts since 1970
        {"price":1000}                   | has more than 2 digits after the point, or more than 3 before it
        {"price":0.001}                  | has more than 2 digits after the point, or more than 3 before it
        {"price":"NaN"}                  | is a floating point number
        {"total":1e29}                   | has more than 10 digits after the point, or more than 28 before it
        {"total":1e400000000}            | has more than 10 digits after the point, or more than 28 before it
        {"clock":86400000000000}         | is out of range
        {"clock":"24:00:00"}             | does not look like 13:00:00.5
        {"clock":true}                   | is a boolean
        """)
    void refusesWhatTheColumnsCannotHold(String message, String problem) {
        json().bad(utf8(message)).hasMessageContaining(problem);
    }

    @Test
    void readsConnect() throws Exception {
        var schema = SchemaBuilder.struct()
                .field("tiny", org.apache.kafka.connect.data.Schema.INT8_SCHEMA)
                .field("low", org.apache.kafka.connect.data.Schema.INT16_SCHEMA)
                .field("raw", org.apache.kafka.connect.data.Schema.BYTES_SCHEMA)
                .field("at", Timestamp.SCHEMA)
                .field("price", Decimal.schema(1))
                .field("total", Decimal.schema(0))
                .field("clock", Time.SCHEMA)
                .build();
        Decoded decoder = new Decoded(SCHEMA, new ConnectDecoder(SCHEMA, ColumnMapping.BY_NAME));
        Struct value = new Struct(schema)
                .put("tiny", (byte) 5)
                .put("low", (short) -6)
                .put("raw", ByteBuffer.wrap(new byte[] {1, 2}))
                .put("at", new java.util.Date(AT / 1000))
                .put("price", new BigDecimal("1.5"))
                .put("total", new BigDecimal("-1234567890123456789012345678"))
                .put("clock", new java.util.Date(1500));
        assertThat(decoder.row(value)).containsExactly(5L, -6L, "0102", AT, 150L, TOTAL, 1_500_000_000L);
        assertThat(decoder.row(Map.of("raw", new byte[] {7}, "tiny", 3L)))
                .isEqualTo(Arrays.asList(3L, null, "07", null, null, null, null));
        decoder.bad(Map.of("price", new byte[] {7})).hasMessageContaining("but its value of 1 bytes is binary");
        decoder.bad(Map.of("raw", 1L)).hasMessageContaining("is a number");
    }

    @Test
    void readsAvro() throws Exception {
        var schema = new org.apache.avro.Schema.Parser().parse("""
            {"type":"record","name":"R","fields":[
              {"name":"tiny","type":"int"},
              {"name":"low","type":"long"},
              {"name":"raw","type":{"type":"fixed","name":"F","size":3}},
              {"name":"at","type":{"type":"long","logicalType":"local-timestamp-micros"}},
              {"name":"price","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":1}},
              {"name":"total","type":{"type":"fixed","name":"D","size":16,"logicalType":"decimal","precision":38,"scale":10}},
              {"name":"clock","type":{"type":"int","logicalType":"time-millis"}}]}\
            """);
        GenericRecord record = new GenericData.Record(schema);
        record.put("tiny", 5);
        record.put("low", -6L);
        record.put("raw", new GenericData.Fixed(schema.getField("raw").schema(), new byte[] {1, 2, -1}));
        record.put("at", AT);
        record.put("price", ByteBuffer.wrap(BigInteger.valueOf(-15).toByteArray()));
        byte[] total = new byte[16];
        Arrays.fill(total, (byte) -1);
        byte[] digits = TOTAL.toByteArray();
        System.arraycopy(digits, 0, total, 16 - digits.length, digits.length);
        record.put("total", new GenericData.Fixed(schema.getField("total").schema(), total));
        record.put("clock", 1500);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        var encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
        encoder.flush();

        AvroDecoder decoder = new AvroDecoder(SCHEMA, ColumnMapping.BY_NAME, List.of(schema), Encoding.BINARY);
        assertThat(new Decoded(SCHEMA, decoder).row(out.toByteArray()))
                .containsExactly(5L, -6L, "0102ff", AT, -150L, TOTAL, 1_500_000_000L);
        // as before, a time of day fills a column of whole numbers as it stands
        Schema whole = Schema.parse("clock bigint");
        AvroDecoder ofWhole = new AvroDecoder(whole, ColumnMapping.BY_NAME, List.of(schema), Encoding.BINARY);
        assertThat(new Decoded(whole, ofWhole).row(out.toByteArray())).containsExactly(1500L);
    }

    @Test
    void aFieldOfAnotherKindIsRefusedWithTheSchema() {
        var schema = new org.apache.avro.Schema.Parser().parse("""
            {"type":"record","name":"R","fields":[{"name":"price","type":"double"},{"name":"raw","type":"int"}]}\
            """);
        assertThatThrownBy(() -> new AvroDecoder(SCHEMA, ColumnMapping.BY_NAME, List.of(schema), Encoding.BINARY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("cannot fill it");
    }
}
