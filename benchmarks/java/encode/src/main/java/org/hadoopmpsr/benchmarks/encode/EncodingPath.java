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
package org.hadoopmpsr.benchmarks.encode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.benchmarks.encode.EncodedBytes.WithDictionary;
import org.hadoopmpsr.benchmarks.encode.MeasuredValues.Ordered;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Compares what column chunks take in the encoding that a trial of some rows chooses with what they take in each encoding. */
@Command(
        name = "encoding-path",
        mixinStandardHelpOptions = true,
        description =
                "Writes column chunks of measured and of drawn numbers as MPSR does, and makes all of their pages in each"
                        + " encoding; prints a line of JSON for each chunk.")
public final class EncodingPath implements Callable<Integer> {
    private static final List<Column> COLUMNS =
            Schema.parse("d double not null, l bigint not null").columns();

    private static final int[] DISTINCT = {2, 16, 250, 4000, 30_000};

    @Option(names = "--file", required = true, description = "The wind farm's Parquet file.")
    private Path file;

    @Option(names = "--values", defaultValue = "1000000", description = "Values of each data set (${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--drawn-rows",
            split = ",",
            defaultValue = "20000,100000,400000",
            description = "Rows of chunks of drawn numbers (${DEFAULT-VALUE}).")
    private List<Integer> drawnRows;

    @Option(names = "--level", defaultValue = "3", description = "The level of zstd (${DEFAULT-VALUE}).")
    private int level;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of generated numbers (${DEFAULT-VALUE}).")
    private long seed;

    /** Runs the benchmark and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new EncodingPath()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Path written = Files.createTempDirectory("encoding-path").resolve("f.parquet");
        try (EncodedBytes bytes = new EncodedBytes(level)) {
            for (MeasuredValues data : List.of(
                    MeasuredValues.of("lhb", file, count),
                    MeasuredValues.generated(count, seed),
                    MeasuredValues.lorenz96(count, seed))) {
                for (Ordered ordered : data.ordered()) {
                    measure(data, ordered, written, bytes);
                }
            }
            draw(written, bytes);
        } finally {
            Files.delete(written.getParent());
        }
        return 0;
    }

    private void measure(MeasuredValues data, Ordered ordered, Path written, EncodedBytes bytes) throws IOException {
        int from = 0;
        for (int[] ends : ordered.files()) {
            for (int end : ends) {
                SortedRows rows = new SortedRows(ordered.rows(), from, end, null);
                String name = data.name() + " by " + ordered.order();
                print(name + ", values", COLUMNS.get(0), data.values(), rows, written, bytes);
                print(name + ", times", COLUMNS.get(1), data.times(), rows, written, bytes);
                from = end;
            }
        }
    }

    /** Numbers of several kinds, of which so many are different at most. */
    private void draw(Path written, EncodedBytes bytes) throws IOException {
        for (int rows : drawnRows) {
            for (int distinct : DISTINCT) {
                Random random = new Random(seed * 31 + rows + distinct);
                draw("any of", rows, distinct, at -> random.nextInt(distinct), written, bytes);
                draw(
                        "seldom of",
                        rows,
                        distinct,
                        at -> (long) (distinct * Math.pow(random.nextDouble(), 4)),
                        written,
                        bytes);
                long[] walk = {0};
                draw(
                        "walk over",
                        rows,
                        distinct,
                        at -> walk[0] = Math.floorMod(walk[0] + random.nextInt(3) - 1, distinct),
                        written,
                        bytes);
                draw("runs of", rows, distinct, at -> at / 50 % distinct, written, bytes);
                draw("steps over", rows, distinct, at -> at % distinct, written, bytes);
            }
        }
    }

    private void draw(String kind, int rows, int distinct, LongUnaryOperator drawn, Path written, EncodedBytes bytes)
            throws IOException {
        long[] numbers = LongStream.range(0, rows).map(drawn).toArray();
        LongVector longs = new LongVector();
        DoubleVector doubles = new DoubleVector();
        longs.reserve(rows);
        doubles.reserve(rows);
        for (int i = 0; i < rows; i++) {
            longs.set(i, numbers[i] * 1000);
            doubles.set(i, (numbers[i] + 1) / 7.0); // a dictionary with a zero has both zeros
        }
        SortedRows all = new SortedRows(IntStream.range(0, rows).toArray(), 0, rows, null);
        String name = String.format(Locale.ROOT, "%s %d, %d rows", kind, distinct, rows);
        print(name + ", doubles", COLUMNS.get(0), doubles, all, written, bytes);
        print(name + ", whole numbers", COLUMNS.get(1), longs, all, written, bytes);
    }

    private void print(String name, Column column, ColumnVector vector, SortedRows rows, Path path, EncodedBytes bytes)
            throws IOException {
        long[] values = values(vector, rows);
        boolean isWhole = vector instanceof LongVector;
        WithDictionary dictionary = bytes.dictionary(values);
        System.out.println(String.format(
                Locale.ROOT,
                "{\"kind\": \"encoding\", \"data\": \"%s\", \"rows\": %d, \"bytes\": %d, \"other\": %d, \"distinct\": %d,"
                        + " \"entries\": %d, \"numbers\": %d}",
                name,
                values.length,
                written(column, vector, rows, path),
                isWhole ? bytes.differences(values) : bytes.plain(values),
                dictionary.distinct(),
                dictionary.entries(),
                dictionary.numbers()));
    }

    private static long[] values(ColumnVector vector, SortedRows rows) {
        return IntStream.range(rows.from(), rows.to())
                .map(i -> rows.order()[i])
                .mapToLong(row -> vector instanceof LongVector longs
                        ? longs.values()[row]
                        : Double.doubleToRawLongBits(((DoubleVector) vector).values()[row]))
                .toArray();
    }

    private long written(Column column, ColumnVector vector, SortedRows rows, Path path) throws IOException {
        List<FileColumn> columns = new ArrayList<>();
        columns.add(new FileColumn(column, vector, () -> new int[0], false));
        try (ColumnarParquetFile out = ColumnarParquetFile.begin(
                new LocalOutputFile(path), columns, List.of(), Codecs.parse("zstd:" + level), Map.of())) {
            out.writeRowGroup(rows);
            return out.finish().columns().get(0).bytes();
        } finally {
            Files.delete(path);
        }
    }
}
