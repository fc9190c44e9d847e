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
package org.hadoopmpsr.columnar.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.ColumnReader;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.impl.ColumnReadStoreImpl;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile.Written;
import org.hadoopmpsr.columnar.read.ColumnFile;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.testing.ParquetRows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Floating point numbers with dictionaries and without, bit by bit, as parquet-java and MPSR read them. */
class FloatingDictionaryTest {
    private static final long[] ODD = {
        0x0000_0000_0000_0000L, // 0.0
        0x8000_0000_0000_0000L, // -0.0
        0x7ff0_0000_0000_0000L, // infinities
        0xfff0_0000_0000_0000L,
        0x7ff8_0000_0000_0000L, // NaN as Java has it, with other payloads, negative, and signalling
        0x7ff8_0000_dead_beefL,
        0xfff8_0000_0000_0001L,
        0x7ff0_0000_0000_0001L,
        0x0000_0000_0000_0001L, // subnormal
        0x800f_ffff_ffff_ffffL,
        0x7fef_ffff_ffff_ffffL,
        0xffef_ffff_ffff_ffffL,
    };

    private static final float[] ODD_FLOATS = {
        0f, -0f, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN, Float.MIN_VALUE, -Float.MAX_VALUE
    };

    @TempDir
    private Path dir;

    /** Values in the order of a file, and which of them are null. */
    private record Values(double[] values, boolean[] nulls) {}

    /**
     * Values that repeat, some of them odd.
     *
     * @param distinct about how many there are
     * @param everyNull one of so many is null; 0 for none
     */
    private static Values values(Random random, int rows, int distinct, int everyNull, boolean narrow) {
        double[] drawn = new double[distinct];
        for (int i = 0; i < distinct; i++) {
            int odd = random.nextInt(4 * ODD.length);
            drawn[i] = narrow
                    ? odd < ODD_FLOATS.length ? ODD_FLOATS[odd] : (float) random.nextGaussian()
                    : odd < ODD.length ? Double.longBitsToDouble(ODD[odd]) : random.nextGaussian();
        }
        double[] values = new double[rows];
        boolean[] nulls = new boolean[rows];
        for (int i = 0; i < rows; i++) {
            values[i] = drawn[random.nextInt(distinct)];
            nulls[i] = everyNull > 0 && random.nextInt(everyNull) == 0;
        }
        return new Values(values, nulls);
    }

    private static DoubleVector vector(Values values) {
        DoubleVector vector = new DoubleVector();
        vector.reserve(values.values.length);
        for (int i = 0; i < values.values.length; i++) {
            if (values.nulls[i]) {
                vector.setNull(i, 1);
            } else {
                vector.set(i, values.values[i]);
            }
        }
        return vector;
    }

    private Path write(Values values, boolean narrow, String codec, int groupRows, List<Written> written)
            throws Exception {
        Path file = Files.createTempDirectory(dir, "f").resolve("f.parquet");
        Column column = column(narrow);
        FileColumn only = new FileColumn(column, vector(values), () -> new int[0], false);
        try (ColumnarParquetFile out = ColumnarParquetFile.begin(
                new LocalOutputFile(file), List.of(only), List.of(), Codecs.parse(codec), Map.of())) {
            int[] order = IntStream.range(0, values.values.length).toArray();
            out.writeAll(new SortedRows(order, 0, order.length, null), groupRows);
            written.add(out.finish());
        }
        return file;
    }

    private static Column column(boolean narrow) {
        return Schema.parse(narrow ? "v float" : "v double").columns().get(0);
    }

    /** Compares what both readers read with what was written. */
    private static void check(Path file, Values values, boolean narrow) throws Exception {
        int at = 0;
        try (ParquetFileReader reader = ParquetRows.open(file)) {
            MessageType schema = reader.getFileMetaData().getSchema();
            ColumnDescriptor descriptor = schema.getColumns().get(0);
            for (PageReadStore pages = reader.readNextRowGroup(); pages != null; pages = reader.readNextRowGroup()) {
                ColumnReader column = new ColumnReadStoreImpl(
                                pages, new GroupRecordConverter(schema).getRootConverter(), schema, "")
                        .getColumnReader(descriptor);
                for (long i = 0; i < pages.getRowCount(); i++, at++) {
                    boolean isNull = column.getCurrentDefinitionLevel() == 0;
                    long bits = isNull
                            ? 0
                            : narrow
                                    ? Float.floatToRawIntBits(column.getFloat())
                                    : Double.doubleToRawLongBits(column.getDouble());
                    same(values, at, isNull, bits, narrow);
                    column.consume();
                }
            }
        }
        assertThat(at).isEqualTo(values.values.length);
        DoubleVector found = new DoubleVector();
        found.reserve(at);
        try (ColumnFile own = ColumnFile.open("f", new LocalInputFile(file), List.of(column(narrow)), List.of(found))) {
            int first = 0;
            for (long rows = own.nextRowGroup(); rows > 0; rows = own.nextRowGroup()) {
                own.read(0, found, first, (int) rows);
                first += (int) rows;
            }
        }
        for (int i = 0; i < at; i++) {
            same(values, i, found.isNull(i), bits(found.values()[i], narrow), narrow);
        }
    }

    private static void same(Values values, int at, boolean isNull, long bits, boolean narrow) {
        if (isNull != values.nulls[at] || !isNull && bits != bits(values.values[at], narrow)) {
            throw new AssertionError("row " + at + " is " + (isNull ? "null" : Long.toHexString(bits))
                    + " instead of "
                    + (values.nulls[at] ? "null" : Long.toHexString(bits(values.values[at], narrow))));
        }
    }

    private static long bits(double value, boolean narrow) {
        return narrow ? Float.floatToRawIntBits((float) value) : Double.doubleToRawLongBits(value);
    }

    private static List<Boolean> hasDictionary(Path file) throws Exception {
        try (ParquetFileReader reader = ParquetRows.open(file)) {
            return reader.getRowGroups().stream()
                    .map(block -> block.getColumns().get(0).getEncodings().contains(Encoding.RLE_DICTIONARY))
                    .toList();
        }
    }

    /** The bounds of pages and of the file are those of the values, as without a dictionary. */
    private static void checkBounds(Path file, Values values, Written written) throws Exception {
        double least = Double.POSITIVE_INFINITY;
        double greatest = Double.NEGATIVE_INFINITY;
        try (ParquetFileReader reader = ParquetRows.open(file)) {
            int row = 0;
            for (BlockMetaData block : reader.getRowGroups()) {
                double low = Double.POSITIVE_INFINITY;
                double high = Double.NEGATIVE_INFINITY;
                for (int end = row + (int) block.getRowCount(); row < end; row++) {
                    if (!values.nulls[row]) {
                        low = Math.min(low, values.values[row]);
                        high = Math.max(high, values.values[row]);
                    }
                }
                least = Math.min(least, low);
                greatest = Math.max(greatest, high);
                Statistics<?> found = block.getColumns().get(0).getStatistics();
                if (Double.isNaN(low) || low > high) {
                    assertThat(found.hasNonNullValue())
                            .as("bounds of NaN, or of no value")
                            .isFalse();
                } else {
                    assertThat(((Number) found.genericGetMin()).doubleValue()).isEqualTo(low);
                    assertThat(((Number) found.genericGetMax()).doubleValue()).isEqualTo(high);
                }
            }
        }
        Object min = written.columns().get(0).min();
        if (Double.isNaN(least) || least > greatest) {
            assertThat(min).isNull();
        } else {
            assertThat(min).isEqualTo(least);
            assertThat(written.columns().get(0).max()).isEqualTo(greatest);
        }
    }

    @ParameterizedTest(name = "seed {0}: {1} rows of {2} values, a null in {3}, float {4}, {5}, groups of {6}")
    @CsvSource({
        "1, 100000, 500, 0, false, zstd:3, 1000000",
        "2, 100000, 500, 7, false, zstd:3, 30000",
        "3, 60000, 60, 3, true, zstd:1, 25000",
        "4, 100000, 3000, 0, true, none, 1000000",
        "5, 30000, 5000, 0, false, snappy, 30000",
        "6, 300, 2, 2, false, zstd:3, 50",
        "7, 1, 1, 0, false, zstd:3, 1",
        "8, 3000, 1, 1, false, zstd:3, 3000"
    })
    void keepsEveryBit(long seed, int rows, int distinct, int everyNull, boolean narrow, String codec, int groupRows)
            throws Exception {
        Values values = values(new Random(seed), rows, distinct, everyNull, narrow);
        List<Written> written = new ArrayList<>();
        Path file = write(values, narrow, codec, groupRows, written);
        check(file, values, narrow);
        if (rows >= 30_000) {
            assertThat(hasDictionary(file)).isNotEmpty().doesNotContain(false);
        }
        checkBounds(file, values, written.get(0));
    }

    @Test
    @Tag("long")
    void keepsEveryBitOfManyValues() throws Exception {
        Random random = new Random(34);
        for (int distinct : new int[] {10, 5_000, 120_000, 10_000_000}) {
            Values values = values(random, 10_000_000, distinct, distinct == 5_000 ? 9 : 0, false);
            Path file = write(values, false, "zstd:3", Integer.MAX_VALUE, new ArrayList<>());
            check(file, values, false);
            assertThat(hasDictionary(file)).doesNotContain(distinct > 1_000_000);
        }
    }

    private static Values drawn(int rows, LongUnaryOperator bits) {
        return new Values(
                LongStream.range(0, rows)
                        .map(bits)
                        .mapToDouble(Double::longBitsToDouble)
                        .toArray(),
                new boolean[rows]);
    }

    /** Few rows of wide records have a value of a column. */
    @Test
    void aColumnThatIsMostlyNullHasADictionaryToo() throws Exception {
        Random random = new Random(11);
        Values values = values(random, 400_000, 200, 0, false);
        for (int i = 0; i < values.nulls.length; i++) {
            values.nulls[i] = random.nextInt(20) != 0;
        }
        Path file = write(values, false, "zstd:3", Integer.MAX_VALUE, new ArrayList<>());
        assertThat(hasDictionary(file)).containsExactly(true);
        check(file, values, false);
        Arrays.fill(values.nulls, true);
        assertThat(hasDictionary(write(values, false, "zstd:3", Integer.MAX_VALUE, new ArrayList<>())))
                .containsExactly(false);
    }

    @Test
    void valuesThatDoNotRepeatStayAsTheyAre() throws Exception {
        Random random = new Random(5);
        Values values = drawn(200_000, i -> Double.doubleToRawLongBits(random.nextDouble()));
        Path file = write(values, false, "zstd:3", Integer.MAX_VALUE, new ArrayList<>());
        assertThat(hasDictionary(file)).containsExactly(false);
        check(file, values, false);
    }

    @Test
    void aLargeDictionaryThatFewPagesWouldNotPayForIsNotMade() throws Exception {
        Random random = new Random(6);
        double[] drawn = random.doubles(60_000).toArray();
        Values values = drawn(200_000, i -> Double.doubleToRawLongBits(drawn[random.nextInt(drawn.length)]));
        Path file = write(values, false, "zstd:3", Integer.MAX_VALUE, new ArrayList<>());
        assertThat(hasDictionary(file)).containsExactly(false);
    }

    @Test
    void aDictionaryIsSortedAndNotLargerThanReadersTake() throws Exception {
        Random random = new Random(7);
        double[] drawn = random.doubles(131_000).map(d -> d - 0.5).toArray();
        Values values = drawn(2_000_000, i -> Double.doubleToRawLongBits(drawn[random.nextInt(drawn.length)]));
        Path file = write(values, false, "none", Integer.MAX_VALUE, new ArrayList<>());
        double[] dictionary = dictionary(file);
        assertThat(dictionary).hasSizeBetween(130_000, 131_072).isSorted();
        check(file, values, false);
        Values more = drawn(2_000_000, i -> i % 150_000 << 32 | 0x3ff0_0000_0000_0000L);
        assertThat(hasDictionary(write(more, false, "none", Integer.MAX_VALUE, new ArrayList<>())))
                .as("150,000 values")
                .containsExactly(false);
    }

    /** Parquet's filter by dictionaries tells the zeros apart, and queries do not. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({"0.0", "-0.0"})
    void aDictionaryWithAZeroHasBoth(double zero) throws Exception {
        Random random = new Random(9);
        Values values = drawn(30_000, i -> {
            int value = i == 0 ? 0 : random.nextInt(5);
            return Double.doubleToRawLongBits(value == 0 ? zero : value);
        });
        Path file = write(values, false, "zstd:3", Integer.MAX_VALUE, new ArrayList<>());
        assertThat(dictionary(file)).containsExactly(-0.0, 0.0, 1, 2, 3, 4);
        check(file, values, false);
        double[] floats = dictionary(write(values, true, "zstd:3", Integer.MAX_VALUE, new ArrayList<>()));
        assertThat(floats).containsExactly(-0.0, 0.0, 1, 2, 3, 4);
    }

    private static double[] dictionary(Path file) throws Exception {
        try (ParquetFileReader reader = ParquetRows.open(file)) {
            ColumnDescriptor column =
                    reader.getFileMetaData().getSchema().getColumns().get(0);
            DictionaryPage page = reader.getNextDictionaryReader().readDictionaryPage(column);
            Dictionary dictionary = page.getEncoding().initDictionary(column, page);
            boolean narrow = column.getPrimitiveType().toString().contains("float");
            return IntStream.rangeClosed(0, dictionary.getMaxId())
                    .mapToDouble(i -> narrow ? dictionary.decodeToFloat(i) : dictionary.decodeToDouble(i))
                    .toArray();
        }
    }

    @Test
    void aFileWithDictionariesIsSmaller() throws Exception {
        Map<String, Long> bytes = new TreeMap<>();
        for (String codec : List.of("zstd:3", "snappy", "none")) {
            Random random = new Random(8);
            double[] level = {20};
            Values measured = drawn(200_000, i -> {
                level[0] += random.nextGaussian() / 10;
                return Double.doubleToRawLongBits((float) (Math.round(level[0] * 100) / 100.0));
            });
            List<Written> written = new ArrayList<>();
            write(measured, false, codec, Integer.MAX_VALUE, written);
            bytes.put(codec, written.get(0).bytes());
        }
        assertThat(bytes.get("none")).isLessThan(200_000 * Double.BYTES / 3);
        assertThat(bytes.get("zstd:3")).isLessThan(bytes.get("none"));
    }
}
