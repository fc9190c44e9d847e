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
package org.hadoopmpsr.columnar.transform;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.layout.KeyValues;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.columnar.read.ColumnFile;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.transform.TransformName;
import org.hadoopmpsr.core.transform.TransformRegistry;
import org.hadoopmpsr.core.transform.TransformedColumn;
import org.hadoopmpsr.testing.ParquetRows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files that hold numbers in transforms give every bit back, and state what files of plain numbers do. */
class TransformedFileTest {
    private static final long[] ODD = {
        0L, Long.MIN_VALUE, 0x7ff0_0000_0000_0000L, 0xfff0_0000_0000_0000L, 0x7ff8_0000_0000_0000L,
        0x7ff8_0000_dead_beefL, 0xfff8_0000_0000_0001L, 0x7ff0_0000_0000_0001L, 1L, 0x800f_ffff_ffff_ffffL,
        0x7fef_ffff_ffff_ffffL, 0xffef_ffff_ffff_ffffL
    };

    @TempDir
    private Path dir;

    private final long seed = Long.getLong("mpsr.seed", new Random().nextLong());

    private static Column column(String type) {
        return Schema.parse("v " + type).columns().get(0);
    }

    /**
     * Numbers of a walk, odd ones among them.
     *
     * @param everyNull one of so many is null; 0 for none
     * @param everyOdd one of so many is odd; 0 for none
     */
    private static DoubleVector walk(Random random, int rows, int everyNull, int everyOdd, boolean narrow) {
        DoubleVector vector = new DoubleVector();
        vector.reserve(rows);
        double walk = 100;
        for (int i = 0; i < rows; i++) {
            walk = walk * 0.999 + random.nextGaussian();
            double value = everyOdd > 0 && random.nextInt(everyOdd) == 0
                    ? Double.longBitsToDouble(ODD[random.nextInt(ODD.length)])
                    : walk;
            if (everyNull > 0 && random.nextInt(everyNull) == 0) {
                vector.setNull(i, 1);
            } else {
                vector.set(i, narrow ? (float) value : value);
            }
        }
        return vector;
    }

    private ColumnarParquetFile.Written write(
            Path file, Column column, ColumnVector vector, int rows, TransformName name, int groupRows)
            throws Exception {
        TransformedColumn transform = name == null ? null : TransformRegistry.of(name, column.type());
        FileColumn only = new FileColumn(column, vector, () -> new int[0], false, transform);
        Map<String, String> metadata =
                name == null ? Map.of() : Map.of(ValueBits.METADATA + column.name(), name.recorded());
        try (ColumnarParquetFile out = ColumnarParquetFile.begin(
                new LocalOutputFile(file), List.of(only), List.of(), Codecs.parse("zstd:3"), metadata)) {
            int[] order = IntStream.range(0, rows).map(i -> rows - 1 - i).toArray();
            out.writeAll(new SortedRows(order, 0, order.length, null), groupRows);
            return out.finish();
        }
    }

    private void check(Path file, Column column, DoubleVector written, int rows) throws Exception {
        DoubleVector read = new DoubleVector();
        int chunk = 5_000;
        read.reserve(chunk);
        try (ColumnFile opened =
                ColumnFile.open("f", new LocalInputFile(file), List.of(column), List.of(new DoubleVector()))) {
            int row = rows;
            for (long left = opened.nextRowGroup(); left > 0; left = opened.nextRowGroup()) {
                while (left > 0) {
                    int count = (int) Math.min(left, chunk);
                    opened.read(0, read, 0, count);
                    for (int i = 0; i < count; i++) {
                        row--;
                        boolean same = written.isNull(row)
                                ? read.isNull(i)
                                : !read.isNull(i)
                                        && Double.doubleToRawLongBits(written.values()[row])
                                                == Double.doubleToRawLongBits(read.values()[i]);
                        if (!same) {
                            assertThat(read.values()[i])
                                    .as("seed %d, row %d", seed, row)
                                    .isEqualTo(written.values()[row]);
                            assertThat(read.isNull(i))
                                    .as("seed %d, row %d", seed, row)
                                    .isEqualTo(written.isNull(row));
                            throw new AssertionError("seed " + seed + ": other bits in row " + row);
                        }
                    }
                    left -= count;
                }
            }
            assertThat(row).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "double, 'planes:16,16,32', 30000, 7, 5, 12000",
        "double, 'planes:16,16,32', 1, 0, 0, 9",
        "double, 'planes:1,31,32', 9001, 2, 3, 4000",
        "double, 'planes:32,32', 40000, 0, 9, 100000",
        "float, 'planes:16,16', 30000, 5, 6, 7000",
        "float, 'planes:32', 3000, 1, 0, 1000",
        "double, 'decimal:2', 30000, 7, 5, 12000",
        "double, 'decimal:0', 1, 0, 0, 9",
        "double, 'decimal:15', 9001, 0, 3, 4000",
        "double, 'approximate:abs=0.01', 30000, 7, 5, 12000",
        "double, 'approximate:abs=1e-9', 1, 0, 0, 9"
    })
    void filesGiveAllBitsBack(String type, String transform, int rows, int everyNull, int everyOdd, int groupRows)
            throws Exception {
        checkRoundTrip(column(type), transform, rows, everyNull, everyOdd, groupRows);
    }

    @ParameterizedTest
    @ValueSource(strings = {"planes:16,16,32", "decimal:2"})
    @Tag("long")
    void manyNumbersComeBack(String transform) throws Exception {
        checkRoundTrip(column("double"), transform, 10_000_000, 50, 20, Integer.MAX_VALUE);
    }

    private void checkRoundTrip(Column column, String transform, int rows, int everyNull, int everyOdd, int groupRows)
            throws Exception {
        String[] parts = transform.split(":", 2);
        DoubleVector vector = walk(
                new Random(seed), rows, everyNull, everyOdd, column.type().ddl().equals("float"));
        Path held = dir.resolve("held.parquet");
        Path plain = dir.resolve("plain.parquet");
        ColumnStatistics stated = write(held, column, vector, rows, new TransformName(parts[0], 1, parts[1]), groupRows)
                .columns()
                .get(0);
        ColumnStatistics ofPlain =
                write(plain, column, vector, rows, null, groupRows).columns().get(0);
        assertThat(stated.withBytes(0)).isEqualTo(ofPlain.withBytes(0));
        assertThat(stated.bytes()).isPositive();
        check(held, column, vector, rows);
        check(plain, column, vector, rows);
    }

    /** Columns before another one have several chunks for it, which the sort order in the footer counts. */
    @Test
    void theFooterNamesTheColumnsThatFilesAreSortedBy() throws Exception {
        Schema schema = Schema.parse("v double, n bigint");
        DoubleVector values = walk(new Random(seed), 1_000, 0, 0, false);
        LongVector numbers = new LongVector();
        numbers.reserve(1_000);
        IntStream.range(0, 1_000).forEach(row -> numbers.set(row, row / 7));
        TransformedColumn planes = TransformRegistry.of(
                new TransformName("planes", 1, "16,16,32"),
                schema.columns().get(0).type());
        Path file = dir.resolve("sorted.parquet");
        List<FileColumn> columns = List.of(
                new FileColumn(schema.columns().get(0), values, () -> new int[0], false, planes),
                new FileColumn(schema.columns().get(1), numbers, () -> new int[0], false));
        try (ColumnarParquetFile out = ColumnarParquetFile.begin(
                new LocalOutputFile(file), columns, SortKey.parseList("n"), Codecs.parse("zstd:3"), Map.of())) {
            out.writeAll(
                    new SortedRows(IntStream.range(0, 1_000).toArray(), 0, 1_000, new KeyValues(numbers, null)), 400);
            assertThat(out.finish().rowGroups()).hasSizeGreaterThan(1);
        }
        assertThat(ParquetRows.sortedBy(file)).allSatisfy(by -> assertThat(by).containsExactly("n"));
    }

    /** Simulated numbers: few leading bits, and trailing ones that do not compress. */
    @Test
    void fullMantissasTakeFewerBytesAndTrailingBitsAreNotCompressed() throws Exception {
        int rows = Integer.getInteger("mpsr.test.rows", 400_000);
        DoubleVector vector = lorenz96(rows);
        Column column = column("double");
        Path held = dir.resolve("lorenz.parquet");
        Path plain = dir.resolve("plain.parquet");
        write(held, column, vector, rows, new TransformName("planes", 1, "16,16,32"), Integer.MAX_VALUE);
        write(plain, column, vector, rows, null, Integer.MAX_VALUE);
        Map<String, ColumnChunkMetaData> chunks;
        try (ParquetFileReader reader = ParquetRows.open(held)) {
            chunks = reader.getFooter().getBlocks().get(0).getColumns().stream()
                    .collect(Collectors.toMap(c -> c.getPath().toDotString(), c -> c));
        }
        if (Integer.getInteger("mpsr.test.rows") != null) {
            System.out.println(chunks.values() + " " + Files.size(held) + " of " + Files.size(plain));
        }
        assertThat(chunks.get("v$32-64").getCodec()).isEqualTo(CompressionCodecName.UNCOMPRESSED);
        assertThat(chunks.get("v$32-64").getEncodings()).contains(Encoding.PLAIN);
        assertThat(chunks.get("v$0-16").getCodec()).isEqualTo(CompressionCodecName.ZSTD);
        assertThat((double) Files.size(held) / Files.size(plain)).isLessThan(0.92);
        assertThat((double) chunks.get("v$0-16").getTotalSize() / Files.size(plain))
                .isLessThan(0.13);
        check(held, column, vector, rows);
    }

    /** Decimals, some of which were multiplied by 0.01, as logging systems do. */
    @Test
    void decimalsTakeFewerBytes() throws Exception {
        int rows = Integer.getInteger("mpsr.test.rows", 200_000);
        Random random = new Random(seed);
        DoubleVector vector = new DoubleVector();
        vector.reserve(rows);
        double walk = 20_000;
        for (int row = 0; row < rows; row++) {
            walk = walk * 0.999 + 20 * random.nextGaussian();
            long n = Math.round(walk * 10);
            vector.set(row, random.nextInt(5) == 0 ? n * 0.01 : n / 100.0);
        }
        Column column = column("double");
        Path held = dir.resolve("decimals.parquet");
        Path plain = dir.resolve("plain.parquet");
        write(held, column, vector, rows, new TransformName("decimal", 1, "2"), Integer.MAX_VALUE);
        write(plain, column, vector, rows, null, Integer.MAX_VALUE);
        double share = (double) Files.size(held) / Files.size(plain);
        if (Integer.getInteger("mpsr.test.rows") != null) {
            System.out.println("decimal:2 takes " + share + " of plain values with a dictionary");
        }
        assertThat(share).isLessThan(0.75);
        check(held, column, vector, rows);
    }

    /** The model of Lorenz (1996) with 40 variables and a forcing of 8, a variable after the other. */
    private static DoubleVector lorenz96(int rows) {
        int variables = 40;
        double[] x = new double[variables];
        Arrays.fill(x, 8);
        x[0] = 8.01;
        int steps = (rows + variables - 1) / variables;
        List<double[]> states = new ArrayList<>();
        for (int step = -500; step < steps; step++) {
            double[] k1 = slope(x);
            double[] k2 = slope(plus(x, k1, 0.005));
            double[] k3 = slope(plus(x, k2, 0.005));
            double[] k4 = slope(plus(x, k3, 0.01));
            for (int i = 0; i < variables; i++) {
                x[i] += 0.01 / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
            }
            if (step >= 0) {
                states.add(x.clone());
            }
        }
        DoubleVector vector = new DoubleVector();
        vector.reserve(rows);
        Iterator<Double> series = IntStream.range(0, variables)
                .boxed()
                .flatMap(i -> states.stream().map(state -> state[i]))
                .iterator();
        for (int row = 0; row < rows; row++) {
            vector.set(row, series.next());
        }
        return vector;
    }

    private static double[] slope(double[] x) {
        int n = x.length;
        double[] slope = new double[n];
        for (int i = 0; i < n; i++) {
            slope[i] = (x[(i + 1) % n] - x[(i + n - 2) % n]) * x[(i + n - 1) % n] - x[i] + 8;
        }
        return slope;
    }

    private static double[] plus(double[] x, double[] slope, double by) {
        return IntStream.range(0, x.length)
                .mapToDouble(i -> x[i] + by * slope[i])
                .toArray();
    }

    @Test
    void identityIsAsWithoutATransform() {
        ColumnTransforms transforms = ColumnTransforms.parse(List.of("v=identity"));
        assertThat(transforms.transformed(column("double"))).isEmpty();
        assertThat(transforms.of(Schema.parse("v double")).isEmpty()).isTrue();
    }
}
