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

import com.github.luben.zstd.ZstdCompressCtx;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ParquetProperties;
import org.apache.parquet.column.statistics.DoubleStatistics;
import org.apache.parquet.column.statistics.SizeStatistics;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.hadoopmpsr.benchmarks.encode.MeasuredValues.Ordered;
import org.hadoopmpsr.columnar.nested.ParquetTypes;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures what measured values take in files as MPSR writes them, and as plain pages of the same codec, in CPU time of the thread that
 * writes and in bytes. What was written is read, and compared bit by bit.
 */
@Command(
        name = "value-path",
        mixinStandardHelpOptions = true,
        description =
                "Writes columns of measured values in the orders of groups, as MPSR does and as plain pages, in turn, on one"
                        + " thread; prints a line of JSON for each run.")
public final class ValuePath implements Callable<Integer> {
    private static final Column COLUMN =
            Schema.parse("value double not null").columns().get(0);

    private final byte[] page = new byte[FileStatistics.PAGE_ROWS * Double.BYTES];
    private final byte[] compressed = new byte[2 * page.length];

    @Option(names = "--file", required = true, description = "The wind farm's Parquet file.")
    private Path file;

    @Option(names = "--values", defaultValue = "4000000", description = "Generated values (${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--farm-values",
            defaultValue = "2147483647",
            description = "How many of the wind farm's values are written at most (all).")
    private int farmValues;

    @Option(names = "--rounds", defaultValue = "5", description = "Measured rounds (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "2", description = "Rounds before that (${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--level", defaultValue = "3", description = "The level of zstd (${DEFAULT-VALUE}).")
    private int level;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of generated values (${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--dump", description = "Directory that gets the values by signal, as little-endian numbers.")
    private @Nullable Path dump;

    /** Runs the benchmark and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new ValuePath()).execute(args));
    }

    /** What one form took. */
    private record Cost(long bytes, long cpuNs, long readNs, boolean isExact) {}

    @Override
    public Integer call() throws Exception {
        Path directory = Files.createTempDirectory("value-path");
        try {
            for (MeasuredValues data : List.of(
                    MeasuredValues.of("lhb", file, farmValues),
                    MeasuredValues.generated(count, seed),
                    MeasuredValues.lorenz96(count, seed))) {
                for (Ordered ordered : data.ordered()) {
                    measure(data, ordered, directory);
                }
                measureLevels(data, data.ordered().get(0), directory);
                if (dump != null) {
                    dump(data, data.ordered().get(0), dump);
                }
            }
        } finally {
            Files.deleteIfExists(directory);
        }
        return 0;
    }

    private void measure(MeasuredValues data, Ordered ordered, Path directory) throws IOException {
        for (int round = -warmUp; round < rounds; round++) {
            Cost ours = new Cost(0, 0, 0, true);
            Cost plain = ours;
            int from = 0;
            for (int[] ends : ordered.files()) {
                List<SortedRows> groups = new ArrayList<>();
                for (int end : ends) {
                    groups.add(new SortedRows(ordered.rows(), from, end, null));
                    from = end;
                }
                plain = plus(plain, plain(data, groups, directory.resolve("p.parquet")));
                ours = plus(ours, written(data, groups, directory.resolve("f.parquet")));
            }
            if (round >= 0) {
                print(data, ordered, round, "plain", plain);
                print(data, ordered, round, "mpsr", ours);
            }
        }
    }

    /** In the order of a group by signals. */
    private void measureLevels(MeasuredValues data, Ordered ordered, Path directory) throws IOException {
        ValueLevels levels = new ValueLevels(COLUMN, Codecs.parse("zstd:" + level));
        for (int round = -warmUp; round < rounds; round++) {
            for (String transform : ValueLevels.transforms(data)) {
                ValueLevels.Run run = levels.measure(data, ordered, transform, directory.resolve("t.parquet"));
                if (round >= 0) {
                    print(
                            data,
                            ordered,
                            round,
                            transform,
                            new Cost(run.bytes(), run.writeNs(), run.readNs(), run.isExact()));
                    run.levels().forEach(found -> print(data, transform, found));
                }
            }
        }
    }

    private static void dump(MeasuredValues data, Ordered ordered, Path directory) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(data.count() * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < data.count(); i++) {
            bytes.putDouble(data.values().values()[ordered.rows()[i]]);
        }
        Files.write(directory.resolve(data.name() + ".f64"), bytes.array());
    }

    private void print(MeasuredValues data, String transform, ValueLevels.Level found) {
        System.out.println(String.format(
                Locale.ROOT,
                "{\"kind\": \"level\", \"data\": \"%s\", \"transform\": \"%s\", \"columns\": %d, \"counted\": \"%s\", \"error\": %s,"
                        + " \"greatest\": %s, \"values\": %d, \"bytes\": %d, \"cpuNs\": %d, \"readNs\": %d}",
                data.name(),
                transform,
                found.of().columns().size(),
                found.of().kind().name().toLowerCase(Locale.ROOT),
                found.of().error(),
                found.greatest(),
                data.count(),
                found.bytes(),
                found.joinNs(),
                found.readNs()));
    }

    private static Cost plus(Cost one, Cost other) {
        return new Cost(
                one.bytes + other.bytes,
                one.cpuNs + other.cpuNs,
                one.readNs + other.readNs,
                one.isExact && other.isExact);
    }

    private void print(MeasuredValues data, Ordered ordered, int round, String form, Cost cost) {
        System.out.println(String.format(
                Locale.ROOT,
                "{\"kind\": \"values\", \"data\": \"%s\", \"order\": \"%s\", \"form\": \"%s\", \"round\": %d, \"values\": %d,"
                        + " \"bytes\": %d, \"cpuNs\": %d, \"readNs\": %d, \"exact\": %b}",
                data.name(),
                ordered.order(),
                form,
                round,
                data.count(),
                cost.bytes,
                cost.cpuNs,
                cost.readNs,
                cost.isExact));
    }

    /** Plain pages with bounds in a file: what MPSR does without a dictionary. */
    private Cost plain(MeasuredValues data, List<SortedRows> groups, Path path) throws IOException {
        long start = CpuTime.ofThread();
        long bytes;
        MessageType schema = new MessageType("record", ParquetTypes.of(COLUMN));
        ColumnDescriptor column = schema.getColumns().get(0);
        try (ZstdCompressCtx zstd = new ZstdCompressCtx().setLevel(level);
                ParquetFileWriter file = new ParquetFileWriter(
                        new LocalOutputFile(path),
                        schema,
                        ParquetFileWriter.Mode.CREATE,
                        Integer.MAX_VALUE,
                        0,
                        null,
                        ParquetProperties.builder().build())) {
            file.start();
            for (SortedRows rows : groups) {
                file.startBlock(rows.to() - rows.from());
                file.startColumn(column, rows.to() - rows.from(), CompressionCodecName.ZSTD);
                for (int from = rows.from(); from < rows.to(); from += FileStatistics.PAGE_ROWS) {
                    page(data, rows.order(), from, Math.min(rows.to(), from + FileStatistics.PAGE_ROWS), zstd, file);
                }
                file.endColumn();
                file.endBlock();
            }
            file.end(Map.of());
            bytes = file.getPos();
        }
        long taken = CpuTime.ofThread() - start;
        boolean exact = StoredValues.areThose(COLUMN, data, groups, path);
        long readNs = StoredReads.exactNs(COLUMN, path);
        Files.delete(path);
        return new Cost(bytes, taken, readNs, exact);
    }

    private void page(MeasuredValues data, int[] order, int from, int to, ZstdCompressCtx zstd, ParquetFileWriter file)
            throws IOException {
        double[] values = data.values().values();
        ByteBuffer into = ByteBuffer.wrap(page).order(ByteOrder.LITTLE_ENDIAN);
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int i = from; i < to; i++) {
            double value = values[order[i]];
            low = Math.min(low, value);
            high = Math.max(high, value);
            into.putDouble(value);
        }
        int size = zstd.compressByteArray(compressed, 0, compressed.length, page, 0, into.position());
        DoubleStatistics bounds = new DoubleStatistics();
        bounds.setMinMax(low, high);
        bounds.setNumNulls(0);
        file.writeDataPage(
                to - from,
                into.position(),
                BytesInput.from(compressed, 0, size),
                bounds,
                to - from,
                Encoding.RLE,
                Encoding.RLE,
                Encoding.PLAIN,
                null,
                null,
                (SizeStatistics) null);
    }

    private Cost written(MeasuredValues data, List<SortedRows> groups, Path path) throws IOException {
        long start = CpuTime.ofThread();
        FileColumn column = new FileColumn(COLUMN, data.values(), () -> new int[0], false);
        long bytes;
        try (ColumnarParquetFile out = ColumnarParquetFile.begin(
                new LocalOutputFile(path), List.of(column), List.of(), Codecs.parse("zstd:" + level), Map.of())) {
            for (SortedRows rows : groups) {
                out.writeRowGroup(rows);
            }
            bytes = out.finish().bytes();
        }
        long taken = CpuTime.ofThread() - start;
        boolean exact = StoredValues.areThose(COLUMN, data, groups, path);
        long readNs = StoredReads.exactNs(COLUMN, path);
        Files.delete(path);
        return new Cost(bytes, taken, readNs, exact);
    }
}
