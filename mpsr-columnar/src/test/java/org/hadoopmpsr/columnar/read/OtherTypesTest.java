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

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.time.temporal.JulianFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.NanoTime;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.buffer.WideDecimalVector;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.DecimalType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.testing.ParquetRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decimals, bytes and times in all forms in which Parquet files have them. */
class OtherTypesTest {
    private static final int ROWS = 3000;

    @TempDir
    private Path dir;

    private static Path path(Path dir) {
        return dir.resolve("f.parquet");
    }

    private Path write(String type, boolean dictionary, WriterVersion version, BiConsumer<Group, Integer> filling)
            throws Exception {
        MessageType message = MessageTypeParser.parseMessageType("message m { optional " + type + "; }");
        Path path = path(dir);
        try (ParquetWriter<Group> writer = ExampleParquetWriter.builder(new LocalOutputFile(path))
                .withConf(new PlainParquetConfiguration())
                .withType(message)
                .withWriterVersion(version)
                .withDictionaryEncoding(dictionary)
                .withPageSize(1000)
                .build()) {
            for (int row = 0; row < ROWS; row++) {
                Group group = new SimpleGroup(message);
                if (row % 7 != 3) {
                    filling.accept(group, row);
                }
                writer.write(group);
            }
        }
        return path;
    }

    private static ColumnVector read(Path path, String columnDdl) throws Exception {
        Column column = Schema.parse(columnDdl).columns().get(0);
        ColumnVector vector = ColumnVector.of(column.type());
        vector.reserve(ROWS);
        try (ColumnFile file =
                ColumnFile.open(path.toString(), new LocalInputFile(path), List.of(column), List.of(vector))) {
            int at = 0;
            for (int rows = (int) file.nextRowGroup(); rows > 0; rows = (int) file.nextRowGroup()) {
                file.read(0, vector, at, rows);
                at += rows;
            }
            assertThat(at).isEqualTo(ROWS);
        }
        return vector;
    }

    private static BigInteger digits(ColumnVector vector, int row) {
        return vector instanceof WideDecimalVector wide
                ? wide.digits(row)
                : BigInteger.valueOf(((LongVector) vector).values()[row]);
    }

    @ParameterizedTest(name = "{0} as {1}, dictionary {2}, {3}")
    @CsvSource(delimiter = '|', textBlock = """
        decimal(9,2)   | int32 c (DECIMAL(9,2))                    | true  | PARQUET_1_0
        decimal(9,2)   | int64 c (DECIMAL(9,2))                    | false | PARQUET_2_0
        decimal(9,2)   | binary c (DECIMAL(9,2))                   | true  | PARQUET_2_0
        decimal(9,2)   | fixed_len_byte_array(4) c (DECIMAL(9,2))  | false | PARQUET_1_0
        decimal(18,2)  | int32 c (DECIMAL(9,2))                    | false | PARQUET_1_0
        decimal(18,2)  | fixed_len_byte_array(8) c (DECIMAL(18,2)) | true  | PARQUET_1_0
        decimal(38,2)  | int32 c (DECIMAL(9,2))                    | true  | PARQUET_1_0
        decimal(38,2)  | int64 c (DECIMAL(18,2))                   | false | PARQUET_2_0
        decimal(38,2)  | binary c (DECIMAL(38,2))                  | false | PARQUET_2_0
        decimal(38,2)  | fixed_len_byte_array(16) c (DECIMAL(38,2))| true  | PARQUET_1_0
        decimal(38,2)  | fixed_len_byte_array(16) c (DECIMAL(38,2))| false | PARQUET_2_0
        decimal(38,2)  | fixed_len_byte_array(20) c (DECIMAL(30,2))| false | PARQUET_1_0
        """)
    void readsDecimalsInAllForms(String ddl, String type, boolean dictionary, WriterVersion version) throws Exception {
        var primitive = MessageTypeParser.parseMessageType("message m { optional " + type + "; }")
                .getType(0)
                .asPrimitiveType();
        int precision = Integer.parseInt(type.replaceAll(".*DECIMAL\\(([0-9]+),.*", "$1"));
        BigInteger limit = BigInteger.TEN.pow(precision);
        BigInteger[] values = new BigInteger[ROWS];
        Path path = write(type, dictionary, version, (group, row) -> {
            Random random = new Random(row % (dictionary ? 20 : ROWS));
            values[row] = switch (row % 5) {
                case 0 -> limit.subtract(BigInteger.ONE);
                case 1 -> BigInteger.ONE.subtract(limit);
                default -> new BigInteger(128, random).mod(limit).multiply(BigInteger.valueOf(random.nextInt(3) - 1));
            };
            switch (primitive.getPrimitiveTypeName()) {
                case INT32 -> group.add("c", values[row].intValueExact());
                case INT64 -> group.add("c", values[row].longValueExact());
                case BINARY -> group.add("c", Binary.fromConstantByteArray(values[row].toByteArray()));
                default -> {
                    byte[] signed = values[row].toByteArray();
                    byte[] fixed = new byte[primitive.getTypeLength()];
                    Arrays.fill(fixed, (byte) (values[row].signum() < 0 ? -1 : 0));
                    System.arraycopy(signed, 0, fixed, fixed.length - signed.length, signed.length);
                    group.add("c", Binary.fromConstantByteArray(fixed));
                }
            }
        });
        ColumnVector vector = read(path, "c " + ddl);
        for (int row = 0; row < ROWS; row++) {
            assertThat(vector.isNull(row) ? null : digits(vector, row)).isEqualTo(values[row]);
        }
    }

    @ParameterizedTest(name = "{0} as {1}")
    @CsvSource({
        "timestamp, 'int64 c (TIMESTAMP(MILLIS,true))', 1000",
        "timestamp_ntz, 'int64 c (TIMESTAMP(MILLIS,false))', 1000",
        "timestamp_ntz, 'int64 c (TIMESTAMP(MICROS,false))', 1",
        "time_ns, int64 c, 1",
        "tinyint, 'int32 c (INTEGER(8,true))', 1",
        "smallint, 'int32 c (INTEGER(8,true))', 1",
        "smallint, 'int32 c (INTEGER(16,true))', 1",
        "int, 'int32 c (INTEGER(16,true))', 1",
        "bigint, 'int32 c (INTEGER(32,true))', 1"
    })
    void readsNumbersOfOtherUnitsAndWidths(String ddl, String type, long factor) throws Exception {
        Path path = write(type, true, WriterVersion.PARQUET_1_0, (group, row) -> {
            if (type.startsWith("int32")) {
                group.add("c", row % 100 - 50);
            } else {
                group.add("c", row % 100 - 50L);
            }
        });
        LongVector vector = (LongVector) read(path, "c " + ddl);
        for (int row = 0; row < ROWS; row++) {
            if (!vector.isNull(row)) {
                assertThat(vector.values()[row]).isEqualTo((row % 100 - 50) * factor);
            }
        }
    }

    @ParameterizedTest(name = "dictionary {0}, {1}")
    @CsvSource({"true, PARQUET_1_0", "false, PARQUET_1_0", "true, PARQUET_2_0", "false, PARQUET_2_0"})
    void readsTimestampsOfTwelveBytes(boolean dictionary, WriterVersion version) throws Exception {
        Instant[] times = new Instant[ROWS];
        Path path = write("int96 c", dictionary, version, (group, row) -> {
            Random random = new Random(row % (dictionary ? 20 : ROWS));
            times[row] = Instant.ofEpochSecond(
                    random.nextLong(-3_000_000_000L, 5_000_000_000L), 1000L * random.nextInt(1_000_000));
            var time = times[row].atOffset(ZoneOffset.UTC);
            group.add(
                    "c",
                    new NanoTime((int) time.getLong(JulianFields.JULIAN_DAY), time.getLong(ChronoField.NANO_OF_DAY)));
        });
        LongVector vector = (LongVector) read(path, "c timestamp");
        for (int row = 0; row < ROWS; row++) {
            assertThat(vector.isNull(row)).isEqualTo(times[row] == null);
            if (times[row] != null) {
                assertThat(vector.values()[row]).isEqualTo(ChronoUnit.MICROS.between(Instant.EPOCH, times[row]));
            }
        }
    }

    @Test
    void losesNoNanoseconds() throws Exception {
        Path path = write(
                "int96 c",
                true,
                WriterVersion.PARQUET_1_0,
                (group, row) -> group.add("c", new NanoTime(2_440_588, 1001)));
        assertThatThrownBy(() -> read(path, "c timestamp"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("a timestamp of column 'c' has 1 nanoseconds, and the column has microseconds");
    }

    @ParameterizedTest(name = "{0} as {1}, dictionary {3}")
    @CsvSource({
        "smallint, 'int32 c (INTEGER(8,false))', 255, true",
        "int, 'int32 c (INTEGER(16,false))', 65535, false",
        "int, 'int32 c (INTEGER(8,false))', 255, false",
        "bigint, 'int32 c (INTEGER(32,false))', 4294967295, true",
        "bigint, 'int32 c (INTEGER(32,false))', 4294967295, false",
        "bigint, 'int32 c (INTEGER(16,false))', 65535, false"
    })
    void readsUnsignedNumbers(String ddl, String type, long greatest, boolean dictionary) throws Exception {
        Path path = write(
                type,
                dictionary,
                WriterVersion.PARQUET_1_0,
                (group, row) -> group.add("c", (int) (greatest - row % 20)));
        LongVector vector = (LongVector) read(path, "c " + ddl);
        for (int row = 0; row < ROWS; row++) {
            if (!vector.isNull(row)) {
                assertThat(vector.values()[row]).isEqualTo(greatest - row % 20);
            }
        }
    }

    /** DuckDB writes them so. */
    @ParameterizedTest
    @ValueSource(strings = {"bigint", "timestamp_ns", "time_ns"})
    void readsNumbersOf64BitsThatSayIt(String ddl) throws Exception {
        Path path = write(
                "int64 c (INTEGER(64,true))",
                true,
                WriterVersion.PARQUET_1_0,
                (group, row) -> group.add("c", row * 1_000_000_007L));
        LongVector vector = (LongVector) read(path, "c " + ddl);
        for (int row = 0; row < ROWS; row++) {
            if (!vector.isNull(row)) {
                assertThat(vector.values()[row]).isEqualTo(row * 1_000_000_007L);
            }
        }
    }

    @ParameterizedTest(name = "{0} as {1}")
    @CsvSource({
        "timestamp_ntz, int96 c",
        "timestamp_ns, int96 c",
        "decimal(9;2), 'int32 c (DECIMAL(9,1))'",
        "decimal(9;2), 'int64 c (DECIMAL(10,2))'",
        "decimal(9;2), int32 c",
        "timestamp, 'int64 c (TIMESTAMP(MICROS,false))'",
        "timestamp_ntz, 'int64 c (TIMESTAMP(MICROS,true))'",
        "tinyint, int32 c",
        "tinyint, 'int32 c (INTEGER(8,false))'",
        "smallint, 'int32 c (INTEGER(16,false))'",
        "int, 'int32 c (INTEGER(32,false))'",
        "bigint, 'int64 c (INTEGER(64,false))'",
        "tinyint, 'int32 c (INTEGER(16,true))'",
        "binary, binary c (STRING)",
        "time_ns, 'int64 c (TIME(NANOS,true))'"
    })
    void refusesTypesThatMeanOtherValues(String ddl, String type) throws Exception {
        Path path = write(type, true, WriterVersion.PARQUET_1_0, (group, row) -> {});
        assertThatThrownBy(() -> read(path, "c " + ddl.replace(';', ',')))
                .isInstanceOf(UnsupportedTypeException.class)
                .hasMessageContaining("does not fit");
    }

    /** What the encoders write of few and of many different values, of any length. */
    @ParameterizedTest(name = "{0} different values")
    @CsvSource({"1", "40", "100000"})
    void writesBytesAndWideDecimalsThatReadBack(int distinct) throws Exception {
        Schema schema = Schema.parse("b binary, d decimal(38,10), e decimal(19,0)");
        RecordBuffer buffer = new RecordBuffer(schema);
        RecordAppender appender = new RecordAppender(buffer);
        List<List<Object>> expected = new ArrayList<>();
        for (int row = 0; row < ROWS; row++) {
            Random random = new Random(new Random(row).nextInt(distinct));
            byte[] bytes = new byte[random.nextInt(10) == 0 ? 300 : random.nextInt(4)];
            random.nextBytes(bytes);
            BigInteger wide = new BigInteger(120, random).mod(BigInteger.TEN.pow(38));
            BigInteger digits = random.nextBoolean() ? wide : wide.negate();
            BigInteger narrow = digits.remainder(BigInteger.TEN.pow(19));
            appender.begin();
            if (row % 9 != 4) {
                appender.putBytes(0, bytes, 0, bytes.length);
                appender.putDecimal(1, new BigDecimal(digits, 10));
                appender.putDecimal(2, new BigDecimal(narrow));
                expected.add(List.of(HexFormat.of().formatHex(bytes), digits, narrow));
            } else {
                expected.add(List.of());
            }
            appender.end(0);
        }
        List<FileColumn> columns = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int[] ranks = ((StringVector) buffer.vector(i)).dictionary().ranks();
            columns.add(new FileColumn(schema.columns().get(i), buffer.vector(i), () -> ranks, true));
        }
        List<ColumnStatistics> statistics;
        try (ColumnarParquetFile file = ColumnarParquetFile.begin(
                new LocalOutputFile(path(dir)), columns, List.of(), Codecs.parse("zstd:1"), Map.of())) {
            file.writeAll(new SortedRows(IntStream.range(0, ROWS).toArray(), 0, ROWS, null), 1000);
            statistics = file.finish().columns();
        }

        List<Map<String, Object>> found = ParquetRows.read(path(dir));
        StringVector b = (StringVector) read(path(dir), "b binary");
        ColumnVector d = read(path(dir), "d decimal(38,10)");
        ColumnVector e = read(path(dir), "e decimal(19,0)");
        for (int row = 0; row < ROWS; row++) {
            if (expected.get(row).isEmpty()) {
                assertThat(found.get(row).values()).containsOnlyNulls();
                assertThat(b.isNull(row) && d.isNull(row) && e.isNull(row)).isTrue();
                continue;
            }
            var all = b.dictionary();
            int id = b.ids()[row];
            assertThat(List.of(
                            HexFormat.of().formatHex(all.bytes(), all.start(id), all.end(id)),
                            digits(d, row),
                            digits(e, row)))
                    .isEqualTo(expected.get(row));
            assertThat(found.get(row).get("d")).isEqualTo(digits(d, row));
            assertThat(((java.nio.ByteBuffer) found.get(row).get("b")).array())
                    .isEqualTo(Arrays.copyOfRange(all.bytes(), all.start(id), all.end(id)));
        }
        // no bounds of bytes; of decimals only such as have at most 64 bits
        assertThat(statistics.get(0).min()).isNull();
        assertThat(statistics.get(0).values()).isNull();
        assertThat(statistics.get(0).nullCount()).isEqualTo(ROWS / 9);
        BigInteger least = expected.stream()
                .filter(row -> !row.isEmpty())
                .map(row -> (BigInteger) row.get(2))
                .min(BigInteger::compareTo)
                .orElseThrow();
        assertThat(statistics.get(2).min()).isEqualTo(least.bitLength() < 64 ? least.longValue() : null);
    }

    /** The order of the dictionary's bytes is that of the numbers. */
    @Test
    void sortsWideDecimalsAsNumbers() {
        WideDecimalVector vector = new WideDecimalVector();
        vector.reserve(500);
        Random random = new Random(7);
        for (int row = 0; row < 500; row++) {
            BigInteger digits = new BigInteger(1 + random.nextInt(126), random);
            vector.set(row, random.nextBoolean() ? digits : digits.negate());
        }
        for (int row = 1; row < 500; row++) {
            assertThat(Integer.signum(vector.compare(row - 1, vector, row)))
                    .isEqualTo(vector.digits(row - 1).compareTo(vector.digits(row)));
        }
        assertThat(new DecimalType(38, 0).bytes()).isEqualTo(WideDecimalVector.BYTES);
    }
}
