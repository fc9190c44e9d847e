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
package org.hadoopmpsr.ingest.decode.avro;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.hadoopmpsr.ingest.decode.ColumnMapping;
import org.hadoopmpsr.ingest.decode.Decoded;
import org.hadoopmpsr.ingest.decode.avro.AvroDecoder.Encoding;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No claim of a message is believed: not of lengths, not of counts, not of depth. */
@Timeout(value = 20, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HostileAvroTest {
    private static final org.hadoopmpsr.core.schema.Schema COLUMNS =
            org.hadoopmpsr.core.schema.Schema.parse("signal string, n bigint");
    private static final long HUGE = 1L << 50;

    private interface Writer {
        void write(BinaryEncoder out) throws Exception;
    }

    private static Schema record(String... fields) {
        return new Schema.Parser()
                .parse("{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + String.join(",", fields) + "]}");
    }

    private static String field(String name, String type) {
        return "{\"name\":\"" + name + "\",\"type\":" + type + "}";
    }

    private static byte[] bytes(Writer writer) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        writer.write(encoder);
        encoder.flush();
        return out.toByteArray();
    }

    private static Decoded decoder(Schema writer, String... mapping) {
        return new Decoded(
                COLUMNS,
                new AvroDecoder(COLUMNS, ColumnMapping.parse(List.of(mapping)), List.of(writer), Encoding.BINARY));
    }

    @ParameterizedTest
    @ValueSource(strings = {"signal", "other"})
    void believesNoLengthOfAString(String name) throws Exception {
        Decoded decoder = decoder(record(field(name, "\"string\""), field("n", "\"long\"")));
        for (long claimed : new long[] {2_000_000_000, Long.MAX_VALUE, -1, 8}) {
            byte[] message = bytes(out -> {
                out.writeLong(claimed);
                out.writeFixed(new byte[7]);
            });
            decoder.bad(message)
                    .hasMessage("the value is not an Avro record R: it claims " + claimed + " bytes where 7 are left");
        }
    }

    @Test
    void believesNoLengthOfADecimal() throws Exception {
        String decimal = "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":9,\"scale\":2}";
        Decoded decoder = decoder(record(field("n", decimal)));
        decoder.bad(bytes(out -> out.writeLong(2_000_000_000))).hasMessageContaining("where 0 are left");
        byte[] long8MB = new byte[8_000_000];
        Arrays.fill(long8MB, (byte) 0x55);
        decoder.bad(bytes(out -> out.writeBytes(long8MB))).hasMessageContaining("has too many digits");
        String wide = "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":2000000000,\"scale\":2000000000}";
        decoder(record(field("signal", wide)))
                .bad(bytes(out -> out.writeBytes(new byte[] {1})))
                .hasMessageContaining("its value 1E-2000000000 has too many digits");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"null\"",
                "{\"type\":\"fixed\",\"name\":\"F\",\"size\":0}",
                "{\"type\":\"record\",\"name\":\"E\",\"fields\":[{\"name\":\"e\",\"type\":\"null\"}]}"
            })
    void goesThroughNoItemsThatTakeNoBytes(String item) throws Exception {
        Schema writer = record(field("other", "{\"type\":\"array\",\"items\":" + item + "}"), field("n", "\"long\""));
        byte[] message = bytes(out -> {
            for (long count : new long[] {HUGE, Long.MAX_VALUE, 3}) {
                out.writeLong(count);
            }
            out.writeLong(-HUGE);
            out.writeLong(0); // the size of that block
            out.writeLong(0);
            out.writeLong(7);
        });
        assertThat(decoder(writer).row(message)).isEqualTo(Arrays.asList(null, 7L));
        assertThat(decoder(writer, "signal=other[3].e").row(message)).isEqualTo(Arrays.asList(null, 7L));
    }

    @ParameterizedTest
    @ValueSource(strings = {"signal=other[0]", "signal=signal"})
    void believesNoCountOfItems(String mapping) throws Exception {
        Schema writer = record(field("other", "{\"type\":\"array\",\"items\":\"string\"}"), field("n", "\"long\""));
        Decoded decoder = decoder(writer, mapping);
        for (long count : new long[] {HUGE, Integer.MAX_VALUE, Long.MIN_VALUE, -HUGE}) {
            decoder.bad(bytes(out -> {
                        out.writeLong(count);
                        out.writeLong(2);
                        out.writeFixed(new byte[3]);
                    }))
                    .hasMessageContaining("a block claims ");
        }
        decoder.bad(bytes(out -> {
                    out.writeLong(-1);
                    out.writeLong(HUGE);
                }))
                .hasMessageContaining("a block claims " + HUGE + " bytes where 0 are left");
    }

    @Test
    void believesNoCountOfEntries() throws Exception {
        Schema writer = record(field("other", "{\"type\":\"map\",\"values\":\"null\"}"), field("n", "\"long\""));
        for (String mapping : new String[] {"signal=other.a", "signal=signal"}) {
            Decoded decoder = decoder(writer, mapping);
            decoder.bad(bytes(out -> out.writeLong(HUGE))).hasMessageContaining("a block claims ");
            assertThat(decoder.row(bytes(out -> {
                        out.writeLong(-2);
                        out.writeLong(4);
                        out.writeString("a");
                        out.writeString("b");
                        out.writeLong(0);
                        out.writeLong(5);
                    })))
                    .isEqualTo(Arrays.asList(null, 5L));
        }
    }

    @Test
    void endsWhereRecordsAreNestedTooDeeply() throws Exception {
        Schema writer = record(
                field("n", "\"long\""),
                field(
                        "next",
                        "[\"null\",{\"type\":\"record\",\"name\":\"N\",\"fields\":[{\"name\":\"next\",\"type\":[\"null\",\"N\"]}]}]"));
        Decoded decoder = decoder(writer);
        for (int depth : new int[] {900, 50_000}) {
            byte[] message = bytes(out -> {
                out.writeLong(1);
                for (int i = 0; i < depth; i++) {
                    out.writeIndex(1);
                }
                out.writeIndex(0);
            });
            if (depth < AvroInput.MAX_DEPTH) {
                assertThat(decoder.row(message)).isEqualTo(Arrays.asList(null, 1L));
            } else {
                decoder.bad(message).hasMessageContaining("records are nested deeper than 1000");
            }
        }
        Schema endless = record(field("n", "\"long\""), field("self", "\"R\""));
        decoder(endless)
                .bad(bytes(out -> {
                    for (int i = 0; i < 5000; i++) {
                        out.writeLong(i);
                    }
                }))
                .hasMessageContaining("records are nested deeper than 1000");
    }

    @Test
    void refusesWhatNoWriterWrites() throws Exception {
        Decoded decoder = decoder(record(field("n", "[\"null\",\"int\",\"long\"]"), field("good", "\"boolean\"")));
        decoder.bad(bytes(out -> out.writeLong(3))).hasMessageContaining("it chooses number 3 of 3 branches");
        decoder.bad(bytes(out -> out.writeLong(-1))).hasMessageContaining("it chooses number -1 of 3");
        decoder.bad(bytes(out -> {
                    out.writeIndex(1);
                    out.writeLong(1L << 40);
                }))
                .hasMessageContaining("the number 1099511627776 has more than 32 bits");
        decoder.bad(new byte[] {4, -1, -1, -1, -1, -1, -1, -1, -1, -1, 2, 0})
                .hasMessageContaining("a number has more than 64 bits");
        decoder.bad(new byte[] {0, 2}).hasMessageContaining("a boolean is 2");
        assertThat(decoder.row(new byte[] {4, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1, 0}))
                .isEqualTo(Arrays.asList(null, Long.MIN_VALUE));
    }

    @Test
    void aBranchThatDoesNotFitMakesABadRecordAlone() throws Exception {
        Schema writer =
                record(field("signal", "[\"null\",\"string\",\"long\",{\"type\":\"array\",\"items\":\"string\"}]"));
        Decoded decoder = decoder(writer);
        assertThat(decoder.row(bytes(out -> {
                    out.writeIndex(1);
                    out.writeString("a");
                })))
                .isEqualTo(Arrays.asList("a", null));
        assertThat(decoder.row(bytes(out -> out.writeIndex(0)))).isEqualTo(Arrays.asList(null, null));
        decoder.bad(bytes(out -> {
                    out.writeIndex(2);
                    out.writeLong(1);
                }))
                .hasMessage("column 'signal' of type string: field 'signal' of type long cannot fill it");
    }

    @Test
    void fieldsOfTheColumnsNamesCountInAnyCaseAndNoneIsRefused() throws Exception {
        Schema writer = record(field("N", "\"long\""), field("n", "\"long\""), field("SIGNAL", "\"string\""));
        assertThat(decoder(writer).row(bytes(out -> {
                    out.writeLong(1);
                    out.writeLong(2);
                    out.writeString("a");
                })))
                .isEqualTo(Arrays.asList("a", 2L));
        for (Schema stranger :
                new Schema[] {record(field("payload", "\"string\"")), Schema.create(Schema.Type.STRING)}) {
            org.assertj.core.api.Assertions.assertThatThrownBy(() -> decoder(stranger))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageMatching(
                            "none of the fields of the record fills a column: it has the fields \\[payload].*"
                                    + "|the Avro schema is of type string, and a record is needed");
        }
    }

    @Test
    void aMapMayBeTheRecord() throws Exception {
        Decoded decoder =
                decoder(new Schema.Parser().parse("{\"type\":\"map\",\"values\":[\"null\",\"string\",\"long\"]}"));
        assertThat(decoder.row(bytes(out -> {
                    out.writeLong(3);
                    for (String key : new String[] {"signal", "signal", "n"}) {
                        out.writeString(key);
                        out.writeIndex(key.equals("n") ? 2 : 1);
                        if (key.equals("n")) {
                            out.writeLong(7);
                        } else {
                            out.writeString("a");
                        }
                    }
                    out.writeLong(0);
                })))
                .isEqualTo(Arrays.asList("a", 7L));
        decoder.bad(bytes(out -> out.writeLong(0)))
                .hasMessageContaining("none of the fields of the record fills a column");
    }

    private static byte[] container(CodecFactory codec, String signal) throws Exception {
        Schema schema = record(field("signal", "\"string\""));
        GenericRecord record = new GenericData.Record(schema);
        record.put("signal", signal);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (DataFileWriter<GenericRecord> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
            writer.setCodec(codec).create(schema, out);
            writer.append(record);
        }
        return out.toByteArray();
    }

    private static Decoded containers() {
        return new Decoded(COLUMNS, new AvroDecoder(COLUMNS, ColumnMapping.BY_NAME, List.of(), Encoding.CONTAINER));
    }

    @Test
    void readsContainersOfEveryCodec() throws Exception {
        for (CodecFactory codec : new CodecFactory[] {
            CodecFactory.nullCodec(),
            CodecFactory.deflateCodec(6),
            CodecFactory.snappyCodec(),
            CodecFactory.zstandardCodec(3)
        }) {
            assertThat(containers().row(container(codec, "abc".repeat(1000))))
                    .as("%s", codec)
                    .isEqualTo(Arrays.asList("abc".repeat(1000), null));
        }
    }

    @Test
    void believesNoClaimOfAContainer() throws Exception {
        String bomb = "a".repeat(AvroContainer.MAX_RECORD_BYTES);
        for (CodecFactory codec : new CodecFactory[] {
            CodecFactory.deflateCodec(6), CodecFactory.snappyCodec(), CodecFactory.zstandardCodec(3)
        }) {
            containers()
                    .bad(container(codec, bomb))
                    .hasMessageContaining("takes more than 67108864 bytes when decompressed");
        }
        byte[] snappy = container(CodecFactory.snappyCodec(), "abc");
        byte[] lies = snappy.clone();
        lies[lies.length - 16 - 4 - 6] = 0x7f; // the length that the block claims
        containers().bad(lies).hasMessageContaining("the value is not an Avro object container file: its block ");
        for (int length = 0; length < snappy.length; length++) {
            containers().bad(Arrays.copyOf(snappy, length)).hasMessageStartingWith("the value is not an Avro object");
        }
        byte[] meta = ByteBuffer.allocate(20)
                .put(new byte[] {'O', 'b', 'j', 1, 2, 2, 'a'})
                .put(new byte[] {-2, -1, -1, -1, 15}) // a value of 2^31 bytes
                .array();
        containers().bad(meta).hasMessageContaining(" bytes where ");
        String text = new String(snappy, StandardCharsets.ISO_8859_1);
        containers()
                .bad(text.replace("\fsnappy", "\n" + "bzip2").getBytes(StandardCharsets.ISO_8859_1))
                .hasMessageContaining("it is compressed with 'bzip2'; null, deflate, snappy and zstandard can be read");
        containers()
                .bad(text.replace("\"record\"", "\"rocard\"").getBytes(StandardCharsets.ISO_8859_1))
                .hasMessageStartingWith("the schema in the record is not one of Avro: ");
    }
}
