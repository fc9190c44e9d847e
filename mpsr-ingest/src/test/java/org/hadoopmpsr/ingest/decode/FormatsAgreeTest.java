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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.ingest.decode.avro.AvroDecoder;
import org.hadoopmpsr.ingest.decode.protobuf.ProtobufDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One record gives one row, or is refused, whatever its format; and no bytes do more to a decoder than make a bad record.
 * The seed is in the test's name; {@code -Dmpsr.seeds=N} runs more of them.
 */
class FormatsAgreeTest {
    private static final int RECORDS = 400;

    private final Map<String, Decoded> decoders = decoders();

    private static Map<String, Decoded> decoders() {
        Map<String, RecordDecoder> raw = new LinkedHashMap<>();
        raw.put("json", new JsonDecoder(LogicalRecord.COLUMNS, LogicalRecord.MAPPING));
        raw.put(
                "avro",
                new AvroDecoder(
                        LogicalRecord.COLUMNS,
                        LogicalRecord.MAPPING,
                        List.of(LogicalRecord.AVRO),
                        AvroDecoder.Encoding.BINARY));
        raw.put("protobuf", new ProtobufDecoder(LogicalRecord.PROTOBUF, LogicalRecord.COLUMNS, LogicalRecord.MAPPING));
        raw.put("connect", new ConnectDecoder(LogicalRecord.COLUMNS, LogicalRecord.MAPPING));
        Map<String, Decoded> decoders = new LinkedHashMap<>();
        raw.forEach(
                (name, decoder) -> decoders.put(name, new Decoded(LogicalRecord.COLUMNS, new GuardedDecoder(decoder))));
        return decoders;
    }

    private static List<Long> seeds() {
        return new Random(20_251_125)
                .longs(Integer.getInteger("mpsr.seeds", 8), 1, 1_000_000)
                .boxed()
                .toList();
    }

    private static Map<String, Object> messages(LogicalRecord record) throws Exception {
        Map<String, Object> messages = new LinkedHashMap<>();
        messages.put("json", record.json());
        messages.put("avro", record.avro());
        messages.put("protobuf", record.protobuf());
        messages.put("connect", record.connect());
        return messages;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void oneRecordGivesOneRowInEveryFormat(long seed) throws Exception {
        Random random = new Random(seed);
        int refused = 0;
        for (int i = 0; i < RECORDS; i++) {
            LogicalRecord record = LogicalRecord.random(random);
            Map<String, List<Object>> rows = new LinkedHashMap<>();
            for (Map.Entry<String, Object> message : messages(record).entrySet()) {
                rows.put(message.getKey(), rowOrReason(message.getKey(), message.getValue()));
            }
            // what JsonConverter makes of the record without a schema
            rows.put("map", rowOrReason("connect", new HashMap<>(record.values())));
            List<Object> expected = rows.get("avro");
            assertThat(rows)
                    .as("%s", record)
                    .allSatisfy((format, row) -> assertThat(row).isEqualTo(expected));
            refused += expected.size() == 1 ? 1 : 0;
        }
        assertThat(refused).as("refused of " + RECORDS).isBetween(RECORDS / 20, RECORDS * 3 / 4);
    }

    /** What a message gives: its row, or the refusal and nothing else. */
    private List<Object> rowOrReason(String format, Object message) {
        try {
            return decoders.get(format).row(message);
        } catch (BadRecordException e) {
            assertThat(e.getMessage()).as(format).contains("column '");
            return Collections.singletonList("refused");
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    @Timeout(value = 60, unit = TimeUnit.SECONDS)
    void brokenBytesMakeABadRecordAtMost(long seed) throws Exception {
        Random random = new Random(seed);
        for (int i = 0; i < RECORDS; i++) {
            for (Map.Entry<String, Object> message :
                    messages(LogicalRecord.random(random)).entrySet()) {
                if (message.getValue() instanceof byte[] bytes) {
                    byte[] broken = broken(bytes, random);
                    assertThatCode(() -> rowOrRefusal(message.getKey(), broken))
                            .as("%s %s", message.getKey(), Arrays.toString(broken))
                            .doesNotThrowAnyException();
                }
            }
        }
    }

    private void rowOrRefusal(String format, byte[] message) {
        Decoded decoder = decoders.get(format);
        try {
            assertThat(decoder.row(message))
                    .hasSize(LogicalRecord.COLUMNS.columns().size());
        } catch (BadRecordException e) {
            // of the raw decoders, too, none may fail otherwise than with a reason of its own
            assertThat(e.getMessage()).doesNotContain("the value cannot be read");
        }
    }

    /** Bytes that are changed, cut off, doubled, put in anew, or replaced by long numbers. */
    private static byte[] broken(byte[] bytes, Random random) {
        List<Byte> list = new ArrayList<>();
        for (byte b : bytes) {
            list.add(b);
        }
        for (int changes = 1 + random.nextInt(4); changes > 0; changes--) {
            int at = random.nextInt(list.size() + 1);
            switch (random.nextInt(5)) {
                case 0 -> list.add(at, (byte) random.nextInt());
                case 1 -> list.subList(at, list.size()).clear();
                case 2 -> list.addAll(at, List.copyOf(list.subList(0, at)));
                case 3 -> {
                    for (int i = random.nextInt(11); i > 0; i--) {
                        list.add(at, (byte) (0x80 | random.nextInt(128)));
                    }
                }
                default -> {
                    if (at < list.size()) {
                        list.set(at, (byte) random.nextInt());
                    }
                }
            }
        }
        byte[] broken = new byte[list.size()];
        for (int i = 0; i < broken.length; i++) {
            broken[i] = list.get(i);
        }
        return broken;
    }

    @Test
    void fieldsOfTheColumnsNamesCountInAnyCase() throws Exception {
        org.hadoopmpsr.core.schema.Schema schema = org.hadoopmpsr.core.schema.Schema.parse("signal string, n bigint");
        Decoded json = new Decoded(schema, new JsonDecoder(schema, ColumnMapping.BY_NAME));
        assertThat(json.row("{\"SIGNAL\":\"a\",\"N\":1}".getBytes())).containsExactly("a", 1L);
        assertThat(json.row("{\"n\":1,\"N\":2}".getBytes())).containsExactly(null, 1L);
        assertThat(json.row("{\"N\":2,\"n\":1}".getBytes())).containsExactly(null, 1L);
        assertThat(json.row("{\"n\":null,\"N\":2}".getBytes())).containsExactly(null, null);
        json.bad("{\"Signal\":\"a\",\"SIGNAL\":\"b\"}".getBytes())
                .hasMessage(
                        "the fields 'Signal' and 'SIGNAL' could fill one column; say in mpsr.columns which one does");
        Decoded connect = new Decoded(schema, new ConnectDecoder(schema, ColumnMapping.BY_NAME));
        assertThat(connect.row(Map.of("SIGNAL", "a", "N", 1))).containsExactly("a", 1L);
        connect.bad(Map.of("Signal", "a", "SIGNAL", "b")).hasMessageContaining("could fill one column");
        Decoded exact = new Decoded(schema, new JsonDecoder(schema, ColumnMapping.parse(List.of("signal=name"))));
        assertThat(exact.row("{\"NAME\":\"a\",\"n\":1}".getBytes())).containsExactly(null, 1L);
    }

    @Test
    void aRecordNoneOfWhoseFieldsIsAColumnIsBad() {
        decoders.get("json")
                .bad("{\"payload\":{\"signal\":\"a\"}}".getBytes())
                .hasMessageStartingWith("none of the fields of the record fills a column: it has fields such as"
                        + " 'payload', and the columns are filled by signal, small, ")
                .hasMessageEndingWith("check the topic, or map fields to columns with mpsr.columns");
        decoders.get("json").bad("{}".getBytes()).hasMessageContaining("it has no such field");
        decoders.get("connect").bad(Map.of("payload", 1)).hasMessageContaining("such as 'payload'");
    }
}
