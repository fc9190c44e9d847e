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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import org.hadoopmpsr.benchmarks.encode.EncodeFlushes.Flush;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures what the sink does with records on its way to HDFS: decode them, sort them in three ways, encode them and
 * write the files of three groups, here to a local directory. One thread works at a time.
 */
@Command(
        name = "encode-path",
        mixinStandardHelpOptions = true,
        description = "Decodes protobuf records, sorts them three ways and writes three groups of Parquet files, one"
                + " thread at a time; prints JSON with records per second of time and of CPU time.")
public final class EncodePath implements Callable<Integer> {
    @Option(names = "--records", defaultValue = "1000000", description = "Records of a flush (${DEFAULT-VALUE}).")
    private int records;

    @Option(names = "--signals", defaultValue = "10000", description = "Distinct signals (${DEFAULT-VALUE}).")
    private int signals;

    @Option(names = "--rounds", defaultValue = "5", description = "Measured flushes (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "3", description = "Flushes before that (${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--buckets", defaultValue = "1", description = "Files of the signal group (${DEFAULT-VALUE}).")
    private int buckets;

    @Option(names = "--codec", defaultValue = "zstd:3", description = "Codec of all groups (${DEFAULT-VALUE}).")
    private String codec;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of the records (${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--dir", description = "Where files are written and deleted; by default a temporary directory.")
    private Path dir;

    /** Runs the benchmark and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new EncodePath()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        Path root = dir == null ? Files.createTempDirectory("encode-path") : Files.createDirectories(dir);
        try (EncodeFlushes flushes =
                new EncodeFlushes(messages(), GeneratedDataset.SCHEMA, GeneratedDataset.groups(buckets, codec), root)) {
            for (int i = 0; i < warmUp; i++) {
                flushes.one();
            }
            List<Flush> measured = new ArrayList<>();
            for (int i = 0; i < rounds; i++) {
                measured.add(flushes.one());
            }
            print(measured);
        }
        return 0;
    }

    private byte[][] messages() {
        long stepNs = 3600L * 1_000_000_000 / records; // an hour in one flush
        return GeneratedDataset.messages(GeneratedDataset.stream(signals, stepNs, seed), records);
    }

    private void print(List<Flush> measured) {
        Flush last = measured.get(measured.size() - 1);
        long decode = median(measured, Flush::decodeNs);
        long stage = median(measured, Flush::stageNs);
        long cpu = median(measured, Flush::cpuNs);
        System.out.println(String.format(
                Locale.ROOT,
                "{\"records\": %d, \"signals\": %d, \"rounds\": %d, \"seed\": %d, \"codec\": \"%s\", \"files\": %d,"
                        + " \"bytes\": %d, \"decodeMs\": %.1f, \"stageMs\": %.1f, \"decodeThreadMs\": %.1f,"
                        + " \"stageThreadMs\": %.1f, \"cpuMs\": %.1f,"
                        + " \"recordsPerSecond\": %.0f, \"recordsPerCpuSecond\": %.0f}",
                records,
                signals,
                rounds,
                seed,
                codec,
                last.files(),
                last.bytes(),
                decode / 1e6,
                stage / 1e6,
                median(measured, Flush::decodeThreadNs) / 1e6,
                median(measured, Flush::stageThreadNs) / 1e6,
                cpu / 1e6,
                records * 1e9 / (decode + stage),
                records * 1e9 / cpu));
    }

    private static long median(List<Flush> flushes, ToLongFunction<Flush> value) {
        return flushes.stream().mapToLong(value).sorted().toArray()[flushes.size() / 2];
    }
}
