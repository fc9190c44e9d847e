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
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.parquet.io.LocalInputFile;
import org.hadoopmpsr.benchmarks.generator.CalsStream;
import org.hadoopmpsr.benchmarks.proto.Measurement;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.merge.MergeInput;
import org.hadoopmpsr.columnar.merge.MergeLimits;
import org.hadoopmpsr.columnar.merge.MergeResult;
import org.hadoopmpsr.columnar.merge.PartitionMerge;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.ingest.commit.CommitStager;
import org.hadoopmpsr.ingest.decode.ColumnMapping;
import org.hadoopmpsr.ingest.decode.protobuf.ProtobufDecoder;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures the merge of segments by itself: writes the generator's records as segments, as the sink does, and merges the
 * files of each group and partition on one thread, all in a local directory.
 */
@Command(
        name = "merge-path",
        mixinStandardHelpOptions = true,
        description =
                "Writes segments of the generator's records to a local directory and merges them group by group on"
                        + " one thread; prints JSON with records per CPU second of each group.")
public final class MergePath implements Callable<Integer> {
    @Option(names = "--records", defaultValue = "10000000", description = "Records in all (${DEFAULT-VALUE}).")
    private int records;

    @Option(names = "--segments", defaultValue = "10", description = "Segments that are merged (${DEFAULT-VALUE}).")
    private int segments;

    @Option(names = "--signals", defaultValue = "10000", description = "Distinct signals (${DEFAULT-VALUE}).")
    private int signals;

    @Option(
            names = "--buckets",
            defaultValue = "16",
            description = "Partitions of the signal group (${DEFAULT-VALUE}).")
    private int buckets;

    @Option(names = "--codec", defaultValue = "zstd:3", description = "Codec of all groups (${DEFAULT-VALUE}).")
    private String codec;

    @Option(names = "--memory-mb", defaultValue = "512", description = "Memory of a merge, in MiB (${DEFAULT-VALUE}).")
    private int memoryMb;

    @Option(names = "--target-mb", defaultValue = "128", description = "Length of a file, in MiB (${DEFAULT-VALUE}).")
    private int targetMb;

    @Option(names = "--rounds", defaultValue = "3", description = "Measured merges of each group (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--warm-up", defaultValue = "1", description = "Merges before that (${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--seed", defaultValue = "1", description = "Seed of the records (${DEFAULT-VALUE}).")
    private long seed;

    @Option(names = "--dir", description = "Where files are written and deleted; by default a temporary directory.")
    private Path dir;

    /** Runs the benchmark and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new MergePath()).execute(args));
    }

    /** The files of a partition, segment by segment. */
    private record Partition(List<Object> tuple, List<MergeInput> inputs) {}

    /** A merge of all partitions of a group. */
    private record Merged(long threadNs, long wallNs, int files, long bytes) {}

    @Override
    public Integer call() throws Exception {
        Path root = dir == null ? Files.createTempDirectory("merge-path") : Files.createDirectories(dir);
        ReplicaGroups groups = GeneratedDataset.groups(buckets, codec);
        List<String> lines = new ArrayList<>();
        try (LocalDirectory target = new LocalDirectory(root)) {
            Map<String, Map<List<Object>, Partition>> written = write(groups, target);
            for (ReplicaGroup group : groups.groups()) {
                List<Partition> partitions =
                        List.copyOf(written.getOrDefault(group.name(), Map.of()).values());
                List<Merged> measured = new ArrayList<>();
                for (int i = 0; i < warmUp + rounds; i++) {
                    Merged merged = merge(groups, group, partitions, target);
                    if (i >= warmUp) {
                        measured.add(merged);
                    }
                }
                lines.add(line(group, partitions, measured));
            }
            for (int i = 0; i < segments; i++) {
                target.abort("s" + i);
            }
        }
        System.out.println(String.format(
                Locale.ROOT,
                "{\"records\": %d, \"segments\": %d, \"signals\": %d, \"codec\": \"%s\", \"memoryMb\": %d, \"groups\": {%s}}",
                records,
                segments,
                signals,
                codec,
                memoryMb,
                String.join(", ", lines)));
        return 0;
    }

    private Map<String, Map<List<Object>, Partition>> write(ReplicaGroups groups, LocalDirectory target)
            throws Exception {
        CalsStream stream = GeneratedDataset.stream(signals, 100_000, seed);
        RecordBuffer buffer = new RecordBuffer(GeneratedDataset.SCHEMA);
        RecordAppender appender = new RecordAppender(buffer, groups);
        ProtobufDecoder decoder =
                new ProtobufDecoder(Measurement.getDescriptor(), GeneratedDataset.SCHEMA, ColumnMapping.BY_NAME);
        Map<String, Map<List<Object>, Partition>> written = new LinkedHashMap<>();
        try (CommitStager stager = new CommitStager(target, groups, 1)) {
            for (int i = 0; i < segments; i++) {
                for (byte[] message : GeneratedDataset.messages(stream, records / segments)) {
                    appender.begin();
                    decoder.decode(message, appender);
                    appender.end(0);
                }
                String segment = "s" + i;
                for (StagedFile file :
                        stager.stage(buffer, segment, target.begin(segment)).files()) {
                    Path path =
                            target.root().resolve(segment).resolve(file.group()).resolve(file.relativePath());
                    written.computeIfAbsent(file.group(), g -> new LinkedHashMap<>())
                            .computeIfAbsent(
                                    file.statistics().partition(), tuple -> new Partition(tuple, new ArrayList<>()))
                            .inputs()
                            .add(new MergeInput(
                                    path.toString(),
                                    new LocalInputFile(path),
                                    segment,
                                    file.statistics().content()));
                }
                buffer.clear();
            }
        }
        return written;
    }

    private Merged merge(ReplicaGroups groups, ReplicaGroup group, List<Partition> partitions, LocalDirectory target)
            throws IOException {
        MergeLimits limits = new MergeLimits((long) targetMb << 20, (long) memoryMb << 20, target.root());
        PartitionMerge merge = new PartitionMerge(groups, group, GeneratedDataset.SCHEMA, List.of(), limits);
        long thread = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long start = System.nanoTime();
        int files = 0;
        long bytes = 0;
        for (Partition partition : partitions) {
            MergeResult result = merge.merge(
                    partition.inputs(),
                    partition.tuple(),
                    path -> target.file(target.root() + "/merged/" + path),
                    "merged",
                    files);
            files += result.files().size();
            bytes += result.files().stream()
                    .mapToLong(MergeResult.MergedFile::bytes)
                    .sum();
        }
        Merged merged = new Merged(
                ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - thread,
                System.nanoTime() - start,
                files,
                bytes);
        target.abort("merged");
        return merged;
    }

    private String line(ReplicaGroup group, List<Partition> partitions, List<Merged> measured) {
        long thread = measured.stream().mapToLong(Merged::threadNs).sorted().toArray()[measured.size() / 2];
        long wall = measured.stream().mapToLong(Merged::wallNs).sorted().toArray()[measured.size() / 2];
        long read = partitions.stream()
                .flatMap(partition -> partition.inputs().stream())
                .mapToLong(input -> input.content().count())
                .sum();
        return String.format(
                Locale.ROOT,
                "\"%s\": {\"inputFiles\": %d, \"files\": %d, \"bytes\": %d, \"threadMs\": %.0f, \"ms\": %.0f,"
                        + " \"recordsPerCpuSecond\": %.0f}",
                group.name(),
                partitions.stream()
                        .mapToInt(partition -> partition.inputs().size())
                        .sum(),
                measured.get(0).files(),
                measured.get(0).bytes(),
                thread / 1e6,
                wall / 1e6,
                read * 1e9 / thread);
    }
}
