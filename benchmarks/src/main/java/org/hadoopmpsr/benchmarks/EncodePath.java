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
package org.hadoopmpsr.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.hadoopmpsr.benchmarks.proto.Measurement;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.buffer.BadRecordException;
import org.hadoopmpsr.ingest.buffer.RecordAppender;
import org.hadoopmpsr.ingest.buffer.RecordBuffer;
import org.hadoopmpsr.ingest.commit.CommitStager;
import org.hadoopmpsr.ingest.commit.CommitTarget;
import org.hadoopmpsr.ingest.decode.ColumnMapping;
import org.hadoopmpsr.ingest.decode.ProtobufDecoder;
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
    private static final Schema SCHEMA = Schema.parse("signal string not null, device string not null,"
            + " system string not null, timestamp_ns timestamp_ns not null, value double");
    private static final long START_NS = 1_493_596_800_000_000_000L;

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

    private long bytes;
    private int files;

    /** Runs the benchmark and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new EncodePath()).execute(args));
    }

    /** Nanoseconds of one flush. */
    private record Round(long decodeNs, long stageNs, long decodeCpuNs, long cpuNs) {}

    @Override
    public Integer call() throws Exception {
        byte[][] messages = messages();
        ReplicaGroups groups = groups();
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        RecordAppender appender = new RecordAppender(buffer, groups);
        ProtobufDecoder decoder = new ProtobufDecoder(Measurement.getDescriptor(), SCHEMA, ColumnMapping.BY_NAME);
        List<Round> measured = new ArrayList<>();
        Path root = dir == null ? Files.createTempDirectory("encode-path") : Files.createDirectories(dir);
        try (LocalDirectory target = new LocalDirectory(root);
                CommitStager stager = new CommitStager(target, groups, 1)) {
            for (int i = 0; i < warmUp + rounds; i++) {
                Round round = round(messages, buffer, appender, decoder, stager, target);
                if (i >= warmUp) {
                    measured.add(round);
                }
            }
        }
        print(measured);
        return 0;
    }

    private byte[][] messages() {
        CalsCatalog catalog = new CalsCatalog(signals, Math.max(1, signals / 20), 12, seed);
        long stepNs = 3600L * 1_000_000_000 / records; // an hour in one flush
        CalsStream stream = new CalsStream(catalog, new CalsStream.Shape(START_NS, stepNs, 0, 0.001, 0.01), seed);
        byte[][] messages = new byte[records][];
        for (int i = 0; i < records; i++) {
            messages[i] = stream.encode(stream.next());
        }
        return messages;
    }

    private ReplicaGroups groups() {
        return new ReplicaGroups(
                List.of(
                        group("time", "day(timestamp_ns)", "timestamp_ns", "signal"),
                        group("signal", "bucket(" + buckets + ", signal)", "signal", "timestamp_ns"),
                        group("device", "year(timestamp_ns)", "system", "device", "timestamp_ns")),
                "time");
    }

    private ReplicaGroup group(String name, String predicate, String... sort) {
        return new ReplicaGroup(name, List.of(Predicate.parse(predicate)), List.of(sort), 1, Codec.parse(codec));
    }

    private Round round(
            byte[][] messages,
            RecordBuffer buffer,
            RecordAppender appender,
            ProtobufDecoder decoder,
            CommitStager stager,
            LocalDirectory target)
            throws IOException, BadRecordException, InterruptedException {
        long cpu = cpuNs();
        long start = System.nanoTime();
        for (byte[] message : messages) {
            appender.begin();
            decoder.decode(message, appender);
            appender.end(0);
        }
        long decoded = System.nanoTime();
        long decodeCpu = cpuNs() - cpu;
        List<StagedFile> staged = stager.stage(buffer, "c", target.begin("c"));
        long end = System.nanoTime();
        Round round = new Round(decoded - start, end - decoded, decodeCpu, cpuNs() - cpu);
        files = staged.size();
        bytes = target.sizeBytes("c");
        target.abort("c");
        buffer.clear();
        return round;
    }

    /** Of the whole process, with garbage collection and compilation. */
    private static long cpuNs() {
        return ((com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }

    private void print(List<Round> measured) {
        long decode = median(measured, Round::decodeNs);
        long stage = median(measured, Round::stageNs);
        long cpu = median(measured, Round::cpuNs);
        System.out.println(String.format(
                Locale.ROOT,
                "{\"records\": %d, \"signals\": %d, \"rounds\": %d, \"seed\": %d, \"codec\": \"%s\", \"files\": %d,"
                        + " \"bytes\": %d, \"decodeMs\": %.1f, \"stageMs\": %.1f, \"decodeCpuMs\": %.1f, \"cpuMs\": %.1f,"
                        + " \"recordsPerSecond\": %.0f, \"recordsPerCpuSecond\": %.0f}",
                records,
                signals,
                rounds,
                seed,
                codec,
                files,
                bytes,
                decode / 1e6,
                stage / 1e6,
                median(measured, Round::decodeCpuNs) / 1e6,
                cpu / 1e6,
                records * 1e9 / (decode + stage),
                records * 1e9 / cpu));
    }

    private static long median(List<Round> rounds, java.util.function.ToLongFunction<Round> value) {
        return rounds.stream().mapToLong(value).sorted().toArray()[rounds.size() / 2];
    }

    /** A directory in place of HDFS; nothing is published. */
    private record LocalDirectory(Path root) implements CommitTarget {
        @Override
        public String path() {
            return root.toString();
        }

        @Override
        public String begin(String commitId) {
            return root.resolve(commitId).toString();
        }

        @Override
        public OutputFile file(String path) {
            try {
                Files.createDirectories(Path.of(path).getParent());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return new LocalOutputFile(Path.of(path));
        }

        long sizeBytes(String commitId) throws IOException {
            try (Stream<Path> all = Files.walk(root.resolve(commitId))) {
                return all.filter(Files::isRegularFile)
                        .mapToLong(f -> f.toFile().length())
                        .sum();
            }
        }

        @Override
        public void abort(String commitId) throws IOException {
            try (Stream<Path> all = Files.walk(root.resolve(commitId))) {
                for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }

        @Override
        public Dataset dataset() {
            throw new UnsupportedOperationException("nothing is published here");
        }

        @Override
        public PublishResult publish(String commitId, List<CommitSource> sources, List<StagedFile> files) {
            throw new UnsupportedOperationException("nothing is published here");
        }

        @Override
        public void close() throws IOException {
            Files.deleteIfExists(root);
        }
    }
}
