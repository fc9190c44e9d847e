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
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.compress.MergeCodecs;
import org.hadoopmpsr.columnar.derive.RecordReader;
import org.hadoopmpsr.columnar.file.GroupFileWriter;
import org.hadoopmpsr.columnar.layout.Batch;
import org.hadoopmpsr.columnar.layout.GroupLayout;
import org.hadoopmpsr.columnar.layout.GroupLayout.FileSlice;
import org.hadoopmpsr.columnar.merge.MergeInput;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures what whole records take in the files of three groups, in bytes and in CPU time of the thread that writes and of the one that
 * reads: as Parquet's own writer makes them, as MPSR does by default, and with settings of groups. What was written is read again, and has
 * the content hash of the records.
 */
@Command(
        name = "copies-path",
        mixinStandardHelpOptions = true,
        description =
                "Writes records to the files of three groups, in several forms, in turn, on one thread; prints a line of JSON for"
                        + " each group and round.")
public final class CopiesPath implements Callable<Integer> {
    private static final String COMMIT = "c";
    private static final String STOCK = "stock";
    private static final int LEVEL = 3;
    private static final String DEFAULT = "zstd:" + LEVEL;

    @Option(names = "--file", required = true, description = "The wind farm's Parquet file.")
    private Path file;

    @Option(names = "--records", defaultValue = "3000000", description = "Generated records (${DEFAULT-VALUE}).")
    private int count;

    @Option(
            names = "--farm-records",
            defaultValue = "2147483647",
            description = "How many of the wind farm's records are written at most (all).")
    private int farmRecords;

    @Option(names = "--rounds", defaultValue = "2", description = "Measured rounds (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "1", description = "Rounds before that (${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of generated records (${DEFAULT-VALUE}).")
    private long seed;

    /** Runs the benchmark and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new CopiesPath()).execute(args));
    }

    /** How the groups hold the records. */
    private record Form(String name, String codec, String transform) {}

    private static final List<Form> FORMS = List.of(
            new Form(STOCK, DEFAULT, ""),
            new Form("mpsr", DEFAULT, ""),
            new Form("decimal:2", DEFAULT, "value=decimal:2"),
            new Form("auto", "auto", ""),
            new Form("auto, decimal:2", "auto", "value=decimal:2"));

    /** What the files of a group took. */
    private record Cost(long bytes, long writeNs, long readNs, boolean isExact) {
        Cost plus(Cost other) {
            return new Cost(
                    bytes + other.bytes, writeNs + other.writeNs, readNs + other.readNs, isExact && other.isExact);
        }
    }

    @Override
    public Integer call() throws Exception {
        Path directory = Files.createTempDirectory("copies-path");
        try {
            measure("lhb", MeasuredRecords.ofFile(file, farmRecords), directory);
            measure("gen", MeasuredRecords.generated(count, seed), directory);
        } finally {
            Files.deleteIfExists(directory);
        }
        return 0;
    }

    private void measure(String data, RecordBuffer records, Path directory) throws IOException {
        for (int round = -warmUp; round < rounds; round++) {
            for (Form form : FORMS) {
                ReplicaGroups groups = groups(form);
                Batch batch = new Batch(records, groups);
                for (ReplicaGroup group : groups.groups()) {
                    Cost cost = written(form, batch, group, directory.resolve("f.parquet"));
                    if (round >= 0) {
                        print(data, form, group, round, records.rows(), cost);
                    }
                }
            }
        }
    }

    private Cost written(Form form, Batch batch, ReplicaGroup group, Path path) throws IOException {
        GroupLayout layout = batch.layout(group);
        GroupFileWriter writer =
                new GroupFileWriter(batch.groups(), group, batch.buffer().schema()).withCodecs(MergeCodecs.OF_PROCESS);
        List<FileColumn> columns = writer.columns(batch);
        Cost cost = new Cost(0, 0, 0, true);
        for (FileSlice slice : layout.files()) {
            SortedRows rows = writer.rows(batch, layout.order(), slice.from(), slice.to());
            long start = CpuTime.ofThread();
            if (form.name.equals(STOCK)) {
                StockFile.write(path, batch.buffer(), rows, LEVEL);
            } else {
                writer.write(new LocalOutputFile(path), columns, rows, slice.partition(), slice.content(), COMMIT);
            }
            long writeNs = CpuTime.ofThread() - start;
            cost = cost.plus(read(batch, group, slice, path, writeNs));
            Files.delete(path);
        }
        return cost;
    }

    private static Cost read(Batch batch, ReplicaGroup group, FileSlice slice, Path path, long writeNs)
            throws IOException {
        long start = CpuTime.ofThread();
        MergeInput input = new MergeInput(path.toString(), new LocalInputFile(path), COMMIT, slice.content());
        try (RecordReader reader = RecordReader.ofAnyRecords(
                batch.groups(),
                group,
                batch.buffer().schema(),
                slice.partition(),
                input,
                slice.content().kind())) {
            while (reader.next()) {
                // The reader hashes the records.
            }
            long readNs = CpuTime.ofThread() - start;
            return new Cost(Files.size(path), writeNs, readNs, reader.content().equals(slice.content()));
        }
    }

    private static void print(String data, Form form, ReplicaGroup group, int round, int records, Cost cost) {
        System.out.println(String.format(
                Locale.ROOT,
                "{\"kind\": \"copy\", \"data\": \"%s\", \"form\": \"%s\", \"group\": \"%s\", \"round\": %d, \"records\": %d,"
                        + " \"bytes\": %d, \"cpuNs\": %d, \"readNs\": %d, \"exact\": %b}",
                data,
                form.name,
                group.name(),
                round,
                records,
                cost.bytes,
                cost.writeNs,
                cost.readNs,
                cost.isExact));
    }

    /** Only the default group holds values as they are. */
    private static ReplicaGroups groups(Form form) {
        return new ReplicaGroups(
                List.of(
                        group("time", form, "", "month(timestamp_ns)", "timestamp_ns", "signal"),
                        group("signal", form, form.transform, "bucket(8, signal)", "signal", "timestamp_ns"),
                        group(
                                "device",
                                form,
                                form.transform,
                                "year(timestamp_ns)",
                                "system",
                                "device",
                                "timestamp_ns")),
                "time");
    }

    private static ReplicaGroup group(String name, Form form, String transform, String predicate, String... sort) {
        return new ReplicaGroup(
                        name,
                        List.of(Predicate.parse(predicate)),
                        SortKey.of(List.of(sort)),
                        1,
                        Codecs.parse(form.codec))
                .with(ColumnTransforms.parse(transform.isEmpty() ? List.of() : List.of(transform)));
    }
}
