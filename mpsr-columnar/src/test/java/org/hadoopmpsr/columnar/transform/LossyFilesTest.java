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
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.columnar.read.ColumnFile;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.transform.TransformName;
import org.hadoopmpsr.core.transform.TransformRegistry;
import org.hadoopmpsr.core.transform.TransformedColumn;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files with rounded values give these back, state these, and take no others. */
class LossyFilesTest {
    private static final long SEED = Long.getLong("mpsr.test.seed", 20140431L);
    private static final int ROWS = Integer.getInteger("mpsr.test.rows", 60_000);

    @TempDir
    private Path dir;

    private static Column column(String type) {
        return Schema.parse("v " + type).columns().get(0);
    }

    private static TransformedColumn transform(String text, Column column) {
        return TransformRegistry.of(TransformName.parse(text), column.type());
    }

    /** A random walk with some odd numbers and nulls. */
    private static DoubleVector walk(boolean narrow) {
        Random random = new Random(SEED);
        DoubleVector vector = new DoubleVector();
        vector.reserve(ROWS);
        double walk = 0;
        for (int i = 0; i < ROWS; i++) {
            walk += random.nextGaussian() * 0.02;
            double value = switch (random.nextInt(500)) {
                case 0 -> Double.NEGATIVE_INFINITY;
                case 1 -> -0.0;
                case 2 -> 1e300 * random.nextDouble();
                default -> walk;
            };
            vector.set(i, narrow ? (float) value : value);
            if (random.nextInt(50) == 0) {
                vector.setNull(i, 1);
            }
        }
        return vector;
    }

    private ColumnStatistics write(Path file, Column column, DoubleVector vector, String transform) throws Exception {
        boolean isHeld = transform != null;
        FileColumn only =
                new FileColumn(column, vector, () -> new int[0], false, isHeld ? transform(transform, column) : null);
        Map<String, String> metadata =
                isHeld ? Map.of(ValueBits.METADATA + column.name(), transform + ";v=1") : Map.of();
        try (ColumnarParquetFile out = ColumnarParquetFile.begin(
                new LocalOutputFile(file), List.of(only), List.of(), Codecs.parse("zstd:3"), metadata)) {
            int[] order = IntStream.range(0, ROWS).toArray();
            out.writeAll(new SortedRows(order, 0, ROWS, null), 25_000);
            return out.finish().columns().get(0);
        }
    }

    private static void check(Path file, Column column, DoubleVector expected) throws Exception {
        DoubleVector read = new DoubleVector();
        read.reserve(ROWS);
        try (ColumnFile opened =
                ColumnFile.open("f", new LocalInputFile(file), List.of(column), List.of(new DoubleVector()))) {
            int at = 0;
            for (long rows = opened.nextRowGroup(); rows > 0; rows = opened.nextRowGroup()) {
                opened.read(0, read, at, (int) rows);
                at += (int) rows;
            }
            assertThat(at).isEqualTo(ROWS);
        }
        for (int row = 0; row < ROWS; row++) {
            boolean same = expected.isNull(row) == read.isNull(row)
                    && (expected.isNull(row)
                            || Double.doubleToRawLongBits(expected.values()[row])
                                    == Double.doubleToRawLongBits(read.values()[row]));
            if (!same) {
                throw new AssertionError("seed " + SEED + ": row " + row + " is " + read.values()[row] + " instead of "
                        + expected.values()[row]);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "double, 'lossy:abs=0.001'",
        "double, 'lossy:abs=0.001,packed'",
        "double, 'lossy:rel=0.001'",
        "float, 'lossy:abs=0.01'",
        "float, 'lossy:bits=7'"
    })
    void filesGiveRoundedValuesBack(String type, String lossy) throws Exception {
        Column column = column(type);
        DoubleVector exact = walk(type.equals("float"));
        DoubleVector rounded = (DoubleVector) new ValueBits(column).rounded(exact, ROWS, transform(lossy, column));
        Path held = dir.resolve("held.parquet");
        Path plain = dir.resolve("plain.parquet");
        ColumnStatistics stated = write(held, column, rounded, lossy);
        // pages of other columns have other bounds
        assertThat(stated.withBytes(0))
                .isEqualTo(write(plain, column, rounded, null).withBytes(0).withPageShare(-1));
        check(held, column, rounded);
        if (!lossy.endsWith("packed")) {
            check(plain, column, rounded);
        }
        Path ofExact = dir.resolve("exact.parquet");
        write(ofExact, column, exact, null);
        long heldBytes = Files.size(held);
        long exactBytes = Files.size(ofExact);
        System.out.printf(
                "%s of %s, %d values: %d bytes, %.2f of %d%n",
                lossy, type, ROWS, heldBytes, (double) heldBytes / exactBytes, exactBytes);
        assertThat(heldBytes).isLessThan(exactBytes);
    }

    /** Hashes and statistics would be of other values than the file holds. */
    @ParameterizedTest
    @CsvSource({"'lossy:abs=0.001'", "'lossy:abs=0.001,packed'", "'lossy:bits=9'"})
    void whoForgetsToRoundWritesNothing(String lossy) {
        Column column = column("double");
        assertThatThrownBy(() -> write(dir.resolve("exact.parquet"), column, walk(false), lossy))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("is not rounded");
    }

    @Test
    void nullsStayNulls() {
        Column column = column("double");
        DoubleVector exact = walk(false);
        DoubleVector rounded =
                (DoubleVector) new ValueBits(column).rounded(exact, ROWS, transform("lossy:abs=0.5", column));
        assertThat(IntStream.range(0, ROWS).filter(rounded::isNull).count())
                .isEqualTo(IntStream.range(0, ROWS).filter(exact::isNull).count())
                .isPositive();
    }
}
