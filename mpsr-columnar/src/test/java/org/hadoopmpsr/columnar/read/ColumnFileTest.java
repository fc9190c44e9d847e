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
package org.hadoopmpsr.columnar.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.apache.parquet.schema.Type;
import org.hadoopmpsr.columnar.buffer.BooleanVector;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.testing.ParquetRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of parquet-java's own writer are read as its own reader reads them, whatever the encodings. */
class ColumnFileTest {
    private static final Schema SCHEMA = Schema.parse("name string, must string not null, count int, total bigint,"
            + " ts timestamp_ns, seen timestamp, born date, small float, value double, good boolean");
    private static final MessageType TYPE = MessageTypeParser.parseMessageType("message m {"
            + " optional binary name (STRING); required binary must (STRING); optional int32 count;"
            + " optional int64 total; optional int64 ts; optional int64 seen (TIMESTAMP(MICROS,true));"
            + " optional int32 born (DATE); optional float small; optional double value; optional boolean good; }");

    @TempDir
    private Path dir;

    private static Group record(Random random, int distinct) {
        Group group = new SimpleGroup(TYPE);
        for (Type field : TYPE.getFields()) {
            if (field.getRepetition() == Type.Repetition.OPTIONAL && random.nextInt(4) == 0) {
                continue;
            }
            String name = field.getName();
            int value = random.nextInt(distinct);
            switch (field.asPrimitiveType().getPrimitiveTypeName()) {
                case BINARY -> group.add(name, "text " + value);
                case INT32 -> group.add(name, value - distinct / 2);
                case INT64 -> group.add(name, value * 1_000_000_007L);
                case FLOAT -> group.add(name, value == 0 ? Float.NaN : value / 3f);
                case DOUBLE -> group.add(name, value == 0 ? -0.0 : value / 3.0);
                default -> group.add(name, value % 2 == 0);
            }
        }
        return group;
    }

    private Path write(MessageType type, List<Group> records, WriterVersion version, boolean dictionary)
            throws Exception {
        Path path = Files.createTempDirectory(dir, "f").resolve("f.parquet");
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new LocalOutputFile(path))
                .withConf(new PlainParquetConfiguration())
                .withType(type)
                .withWriterVersion(version)
                .withDictionaryEncoding(dictionary)
                .withCompressionCodec(CompressionCodecName.SNAPPY)
                .withRowGroupSize(20_000L)
                .withPageSize(1000)
                .build()) {
            for (Group record : records) {
                writer.write(record);
            }
        }
        return path;
    }

    @ParameterizedTest(name = "seed {0}, {1}, dictionary {2}, {3} values")
    @CsvSource({
        "1, PARQUET_1_0, true, 30",
        "2, PARQUET_1_0, false, 30",
        "3, PARQUET_2_0, true, 30",
        "4, PARQUET_2_0, false, 100000",
        "5, PARQUET_1_0, true, 100000",
        "6, PARQUET_2_0, true, 1"
    })
    void readsWhatParquetsReaderReads(long seed, WriterVersion version, boolean dictionary, int distinct)
            throws Exception {
        Random random = new Random(seed);
        List<Group> records = new ArrayList<>();
        for (int i = 0; i < 5000; i++) {
            records.add(record(random, distinct));
        }
        Path path = write(TYPE, records, version, dictionary);
        assertThat(read(path, random)).isEqualTo(ParquetRows.read(path));
    }

    private static List<Map<String, Object>> read(Path path, Random random) throws Exception {
        List<Column> columns = SCHEMA.columns();
        List<ColumnVector> vectors =
                columns.stream().map(column -> ColumnVector.of(column.type())).toList();
        List<Map<String, Object>> rows = new ArrayList<>();
        try (ColumnFile file = ColumnFile.open("f", new LocalInputFile(path), columns, vectors)) {
            int groups = 0;
            for (long left = file.nextRowGroup(); left > 0; left = file.nextRowGroup()) {
                groups++;
                int first = rows.size();
                int count = (int) left;
                for (int i = 0; i < count; i++) {
                    rows.add(new HashMap<>());
                }
                for (int i = 0; i < columns.size(); i++) {
                    vectors.get(i).reserve(count + 7);
                    for (int at = 0; at < count; ) {
                        int some = Math.min(count - at, 1 + random.nextInt(700));
                        file.read(i, vectors.get(i), 7 + at, some);
                        at += some;
                    }
                    for (int row = 0; row < count; row++) {
                        rows.get(first + row).put(columns.get(i).name(), value(vectors.get(i), 7 + row));
                    }
                }
            }
            assertThat(groups).isGreaterThan(1);
            assertThat(file.rows()).isEqualTo(rows.size());
            assertThat(file.isOfCommit()).isFalse();
        }
        return rows;
    }

    private static Object value(ColumnVector vector, int row) {
        if (vector.isNull(row)) {
            return null;
        }
        if (vector instanceof LongVector longs) {
            return longs.values()[row];
        }
        if (vector instanceof DoubleVector doubles) {
            return doubles.values()[row];
        }
        if (vector instanceof BooleanVector booleans) {
            return booleans.values()[row];
        }
        StringVector strings = (StringVector) vector;
        return strings.dictionary().text(strings.ids()[row]);
    }

    @Test
    void aTypeThatDoesNotFitIsRefused() throws Exception {
        MessageType type =
                MessageTypeParser.parseMessageType("message m { required int64 seen (TIMESTAMP(NANOS,true)); }");
        Path path = write(type, List.of(new SimpleGroup(type).append("seen", 1L)), WriterVersion.PARQUET_1_0, true);
        List<Column> columns = List.of(SCHEMA.find("seen").orElseThrow());
        assertThatThrownBy(() -> ColumnFile.open("/d/f", new LocalInputFile(path), columns, List.of(new LongVector())))
                .hasMessageContaining(
                        "/d/f holds the column 'seen', which is of type timestamp, as 'required int64 seen")
                .hasMessageContaining("that does not fit; write the file anew with timestamp");
    }

    @Test
    void aRecordWithoutAValueThatItMustHaveIsRefused() throws Exception {
        MessageType type = MessageTypeParser.parseMessageType("message m { optional binary must (STRING); }");
        Path path = write(
                type,
                List.of(new SimpleGroup(type).append("must", "x"), new SimpleGroup(type)),
                WriterVersion.PARQUET_1_0,
                true);
        StringVector vector = new StringVector();
        List<Column> columns = List.of(SCHEMA.find("must").orElseThrow());
        try (ColumnFile file = ColumnFile.open("/d/f", new LocalInputFile(path), columns, List.of(vector))) {
            file.nextRowGroup();
            assertThatThrownBy(() -> file.read(0, vector, 0, 2))
                    .hasMessage("cannot read /d/f: column 'must' is not null, but the file has a record without a value"
                            + " for it");
        }
        MessageType other = MessageTypeParser.parseMessageType("message m { optional binary other (STRING); }");
        Path lacking = write(other, List.of(new SimpleGroup(other)), WriterVersion.PARQUET_1_0, true);
        assertThatThrownBy(() -> ColumnFile.open("/d/f", new LocalInputFile(lacking), columns, List.of(vector)))
                .hasMessage("/d/f lacks the column 'must', which is not null");
    }
}
