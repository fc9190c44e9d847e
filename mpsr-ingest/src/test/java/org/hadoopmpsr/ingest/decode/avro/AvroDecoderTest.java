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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.RandomAccessFile;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
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
import org.junit.jupiter.api.io.TempDir;

class AvroDecoderTest {
    private static final org.hadoopmpsr.core.schema.Schema SCHEMA = org.hadoopmpsr.core.schema.Schema.parse(
            "signal string not null, n bigint, ts timestamp_ns, born date, value double, good boolean");
    private static final Schema V1 = new Schema.Parser().parse("""
        {"type":"record","name":"Reading","namespace":"t","fields":[
          {"name":"skipped","type":{"type":"array","items":["null","string"]}},
          {"name":"head","type":["null",{"type":"record","name":"Head","fields":[
             {"name":"name","type":"string"},
             {"name":"tags","type":{"type":"map","values":"double"}}]}]},
          {"name":"counts","type":{"type":"array","items":"int"}},
          {"name":"ts","type":{"type":"long","logicalType":"timestamp-micros"}},
          {"name":"born","type":["null",{"type":"int","logicalType":"date"}]},
          {"name":"good","type":{"type":"enum","name":"E","symbols":["false","true"]}}]}\
        """);
    private static final Schema V2 = new Schema.Parser().parse("""
        {"type":"record","name":"Reading","namespace":"t","fields":[
          {"name":"head","type":{"type":"record","name":"Head","fields":[{"name":"name","type":"string"}]}},
          {"name":"price","type":{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}}]}\
        """);
    private static final ColumnMapping MAPPING = ColumnMapping.parse(
            List.of("signal=head.name default none", "n=counts[1]", "value=head.tags.volt", "born=born"));

    @TempDir
    private Path dir;

    private static Decoded decoder(Encoding encoding, Schema... writers) {
        return new Decoded(SCHEMA, new AvroDecoder(SCHEMA, MAPPING, List.of(writers), encoding));
    }

    private static GenericRecord reading() {
        GenericRecord head =
                new GenericData.Record(V1.getField("head").schema().getTypes().get(1));
        head.put("name", "Sé");
        head.put("tags", Map.of("volt", 2.5, "other", 1.0));
        GenericRecord reading = new GenericData.Record(V1);
        reading.put("skipped", Arrays.asList("a", null));
        reading.put("head", head);
        reading.put("counts", List.of(4, 5, 6));
        reading.put("ts", -1L);
        reading.put("born", 17);
        reading.put("good", new GenericData.EnumSymbol(V1.getField("good").schema(), "true"));
        return reading;
    }

    private static byte[] encode(GenericRecord record, boolean header) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (header) {
            out.write(ByteBuffer.allocate(10)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put((byte) 0xc3)
                    .put((byte) 1)
                    .putLong(SchemaNormalization.parsingFingerprint64(record.getSchema()))
                    .array());
        }
        BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
        new GenericDatumWriter<GenericRecord>(record.getSchema()).write(record, encoder);
        encoder.flush();
        return out.toByteArray();
    }

    @Test
    void readsBareRecordsOfOneSchema() throws Exception {
        Decoded decoder = decoder(Encoding.BINARY, V1);
        assertThat(decoder.row(encode(reading(), false))).isEqualTo(Arrays.asList("Sé", 5L, -1000L, 17L, 2.5, true));
        GenericRecord sparse = reading();
        sparse.put("head", null);
        sparse.put("counts", List.of());
        sparse.put("born", null);
        assertThat(decoder.row(encode(sparse, false))).isEqualTo(Arrays.asList("none", null, -1000L, null, null, true));
    }

    @Test
    void readsSingleObjectsOfSeveralSchemas() throws Exception {
        ColumnMapping mapping = ColumnMapping.parse(List.of("signal=head.name", "value=price"));
        Decoded decoder =
                new Decoded(SCHEMA, new AvroDecoder(SCHEMA, mapping, List.of(V1, V2), Encoding.SINGLE_OBJECT));
        GenericRecord head = new GenericData.Record(V2.getField("head").schema());
        head.put("name", "P");
        GenericRecord priced = new GenericData.Record(V2);
        priced.put("head", head);
        priced.put(
                "price",
                ByteBuffer.wrap(new BigDecimal("-12.50").unscaledValue().toByteArray()));
        assertThat(decoder.row(encode(priced, true))).isEqualTo(Arrays.asList("P", null, null, null, -12.5, null));
        assertThat(decoder.row(encode(reading(), true)).get(0)).isEqualTo("Sé");
    }

    private static byte[] container(GenericRecord... records) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Schema schema = records[0].getSchema();
        try (DataFileWriter<GenericRecord> writer = new DataFileWriter<>(new GenericDatumWriter<>(schema))) {
            writer.setCodec(CodecFactory.deflateCodec(1)).create(schema, out);
            for (GenericRecord record : records) {
                writer.append(record);
            }
        }
        return out.toByteArray();
    }

    @Test
    void readsContainersThatHoldTheirSchema() throws Exception {
        Decoded decoder = decoder(Encoding.CONTAINER);
        for (int i = 0; i < 2; i++) {
            assertThat(decoder.row(container(reading()))).isEqualTo(Arrays.asList("Sé", 5L, -1000L, 17L, 2.5, true));
        }
        decoder.bad(container(reading(), reading())).hasMessageContaining("holds not one record, but more");
        decoder.bad(encode(reading(), true)).hasMessageContaining("is not an Avro object container file");
        GenericRecord wrong = new GenericData.Record(new Schema.Parser().parse("""
            {"type": "record", "name": "X", "fields": [{"name": "ts", "type": "boolean"}]}\
            """));
        wrong.put("ts", true);
        decoder.bad(container(wrong)).hasMessageContaining("does not fit the dataset: column 'ts' of type timestamp");
    }

    @Test
    void saysWhatIsWrongWithABadRecord() throws Exception {
        byte[] good = encode(reading(), false);
        Decoded bare = decoder(Encoding.BINARY, V1);
        bare.bad(Arrays.copyOf(good, good.length - 3))
                .hasMessageStartingWith("the value is not an Avro record t.Reading");
        bare.bad(Arrays.copyOf(good, good.length + 1))
                .hasMessageContaining("it may be written with another schema than t.Reading");
        bare.bad(new byte[] {(byte) 0xff, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}).hasMessageContaining("t.Reading");
        bare.bad("text").hasMessageStartingWith("the value is a java.lang.String, not the bytes of an Avro record");
        bare.bad(null).hasMessageStartingWith("the record has no value: it is a tombstone");
        Decoded headed = decoder(Encoding.SINGLE_OBJECT, V1);
        headed.bad(good).hasMessageContaining("C3 01").hasMessageContaining("mpsr.avro.encoding");
        headed.bad(encode(new GenericData.Record(Schema.createRecord("X", null, "t", false, List.of())), true))
                .hasMessageContaining("which none of the files in mpsr.avro.schemas has");
    }

    @Test
    void refusesFieldsThatCannotFillTheirColumns() {
        ColumnMapping mapping = ColumnMapping.parse(List.of("signal=head", "ts=counts[0]", "good=born", "born=ts"));
        assertThatThrownBy(() -> new AvroDecoder(SCHEMA, mapping, List.of(V1), Encoding.BINARY))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("column 'signal' of type string: field 'head' of type record cannot fill it");
        assertThatThrownBy(() -> new AvroDecoder(
                        SCHEMA, ColumnMapping.parse(List.of("good=ts", "ts=counts[0]")), List.of(V1), Encoding.BINARY))
                .hasMessage("column 'good' of type boolean: field 'ts' of type long (timestamp-micros) cannot fill it");
    }

    @Test
    void loadsSchemasFromFiles() throws Exception {
        Path file = Files.writeString(dir.resolve("a.avsc"), V1.toString());
        assertThat(AvroSchemas.load(List.of(file.toString()))).containsExactly(V1);
        assertThatThrownBy(() -> AvroSchemas.load(List.of(dir.resolve("none").toString())))
                .hasMessageStartingWith("cannot read the Avro schema '" + dir.resolve("none") + "'");
        Path broken = Files.writeString(dir.resolve("b.avsc"), "{\"type\":\"rec\"}");
        assertThatThrownBy(() -> AvroSchemas.load(List.of(broken.toString())))
                .hasMessageStartingWith("cannot read the Avro schema '" + broken + "'");
    }

    @Test
    void readsRegularFilesOnlyAndTellsNothingOfThem() throws Exception {
        for (String file : new String[] {"/dev/zero", dir.toString()}) {
            assertThatThrownBy(() -> AvroSchemas.load(List.of(file)))
                    .hasMessage("cannot read the Avro schema '" + file + "': it is not a regular file");
        }
        Path large = dir.resolve("large");
        try (RandomAccessFile sparse = new RandomAccessFile(large.toFile(), "rw")) {
            sparse.setLength((16 << 20) + 1);
        }
        assertThatThrownBy(() -> AvroSchemas.load(List.of(large.toString())))
                .hasMessageEndingWith("it has more than 16777216 bytes");
        for (String secret : new String[] {"SECRET=1", "{\"type\":\"SECRET\"}", "\"SECRET\"", "{\n\"type\": SECRET}"}) {
            Path file = Files.writeString(dir.resolve("secret"), secret);
            assertThatThrownBy(() -> AvroSchemas.load(List.of(file.toString())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("it is not an Avro schema (")
                    .hasNoCause()
                    .hasMessageNotContaining("SECRET");
        }
    }
}
