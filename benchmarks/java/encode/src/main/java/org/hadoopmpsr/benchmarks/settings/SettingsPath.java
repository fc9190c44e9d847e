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
package org.hadoopmpsr.benchmarks.settings;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.cost.CostModel;
import org.hadoopmpsr.core.cost.FileTasks;
import org.hadoopmpsr.core.tune.DatasetFeatures;
import org.hadoopmpsr.core.tune.Settings;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Measures CPU time, bytes and places of writes and reads with a designed grid of settings, and makes the times of workloads of them: of
 * files that are written once, and read some times, at some bandwidth. A time is that of the CPU, of the bytes at the bandwidth, and of
 * opening files and jumping in them as {@code dfs.mpsr.cost.*} has it; reads are divided among tasks as Spark divides them.
 */
@Command(
        name = "settings-path",
        mixinStandardHelpOptions = true,
        description =
                "Measures a designed grid of settings of the sink and of readers on small data. Writes a line of JSON for each"
                        + " workload and configuration into a file, and prints one that says how many.")
public final class SettingsPath implements Callable<Integer> {
    private static final double LEAST_BANDWIDTH = 5;
    private static final double MOST_BANDWIDTH = 2000;
    private static final double LEAST_READS = 0.1;
    private static final double MOST_READS = 100;
    /** Jumps to the end of a file and to the footer, which count as opening. */
    private static final int FOOTER_JUMPS = 2;

    @Option(names = "--out", required = true, description = "The file of the runs.")
    private Path out;

    @Option(names = "--configurations", defaultValue = "400", description = "How many (${DEFAULT-VALUE}).")
    private int configurations;

    @Option(
            names = "--rows",
            defaultValue = "100000",
            description = "Records of the largest data set (${DEFAULT-VALUE}).")
    private int rows;

    @Option(
            names = "--draws",
            defaultValue = "4",
            description = "Bandwidths for each data set and query (${DEFAULT-VALUE}).")
    private int draws;

    @Option(names = "--rounds", defaultValue = "1", description = "Measurements of each (${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--tasks", defaultValue = "8", description = "Tasks of a read at a time (${DEFAULT-VALUE}).")
    private int tasks;

    @Option(names = "--task-ms", defaultValue = "8", description = "What a task takes besides (${DEFAULT-VALUE}).")
    private double taskMs;

    @Option(names = "--seed", defaultValue = "1", description = "Of data, grid and bandwidths (${DEFAULT-VALUE}).")
    private long seed;

    private final CostModel costs = MpsrConfig.read(key -> null).costs();
    private final Map<String, WrittenFiles> written = new HashMap<>();
    private final Map<String, List<FileRead>> reads = new HashMap<>();
    private int workloads;
    private long lines;

    /** Runs the benchmark and ends the process with its exit code. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new SettingsPath()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        long start = System.nanoTime();
        List<Settings> grid = SettingsGrid.of(configurations, seed);
        Path root = Files.createTempDirectory("settings-path");
        Random random = new Random(seed);
        try (BufferedWriter runs = Files.newBufferedWriter(out, StandardCharsets.UTF_8)) {
            for (String kind : List.of("readings", "simulation", "log")) {
                for (int divisor : List.of(1, 4)) {
                    TrialData data = data(kind, divisor);
                    measure(data, grid, Files.createDirectory(root.resolve(data.name())));
                    write(kind, data, grid, random, runs);
                    written.clear();
                    reads.clear();
                }
            }
        } finally {
            delete(root);
        }
        System.out.printf(
                Locale.ROOT,
                "{\"kind\": \"settings\", \"configurations\": %d, \"workloads\": %d, \"runs\": %d, \"seconds\": %.1f}%n",
                grid.size(),
                workloads,
                lines,
                (System.nanoTime() - start) / 1e9);
        return 0;
    }

    private TrialData data(String kind, int divisor) {
        String name = kind + (divisor == 1 ? "" : "-small");
        return switch (kind) {
            case "readings" -> TrialData.readings(name, rows / divisor, seed);
            case "simulation" -> TrialData.simulation(name, rows / 2 / divisor, seed);
            default -> TrialData.log(name, rows / 2 / divisor, seed);
        };
    }

    /** Measures everything in rounds, so that what disturbs for a while does not hit one configuration alone. The first round compiles. */
    private void measure(TrialData data, List<Settings> grid, Path directory)
            throws IOException, BadRecordException, InterruptedException {
        for (int round = 0; round <= rounds; round++) {
            Map<String, WrittenFiles> before = new HashMap<>(written);
            written.clear();
            for (Settings settings : grid) {
                if (!written.containsKey(ofWrite(settings))) {
                    int number = written.size();
                    Path into = Files.createDirectory(directory.resolve(round + "-" + number));
                    WrittenFiles now = WrittenFiles.of(
                            data,
                            value(settings, SettingsGrid.CODEC),
                            Integer.parseInt(value(settings, SettingsGrid.FLUSH)),
                            into);
                    WrittenFiles earlier = before.get(ofWrite(settings));
                    long least = earlier == null || round == 1 ? now.cpuNs() : Math.min(now.cpuNs(), earlier.cpuNs());
                    written.put(ofWrite(settings), new WrittenFiles(now.files(), now.bytes(), least));
                    if (earlier != null) {
                        delete(directory.resolve((round - 1) + "-" + number));
                    }
                }
            }
            read(data, grid, round);
        }
    }

    private void read(TrialData data, List<Settings> grid, int round) throws IOException {
        Map<String, List<FileRead>> now = new HashMap<>();
        for (Settings settings : grid) {
            for (TrialData.Query query : TrialData.Query.values()) {
                String key = ofRead(settings, query);
                if (!now.containsKey(key)) {
                    now.put(key, files(data, settings, query, round < 2 ? null : reads.get(key)));
                }
            }
        }
        reads.putAll(now);
    }

    private List<FileRead> files(
            TrialData data, Settings settings, TrialData.Query query, @Nullable List<FileRead> before)
            throws IOException {
        List<FileRead> found = new ArrayList<>();
        List<Path> files = written(settings).files();
        for (int i = 0; i < files.size(); i++) {
            FileRead read = FileRead.of(files.get(i), data.columns(query), data.filter(query), settings.values());
            found.add(read.orLess(before == null ? null : before.get(i)));
        }
        return found;
    }

    private WrittenFiles written(Settings settings) {
        return Objects.requireNonNull(written.get(ofWrite(settings)));
    }

    private static String value(Settings settings, String key) {
        return Objects.requireNonNull(settings.values().get(key));
    }

    /** What makes a difference to files. */
    private static String ofWrite(Settings settings) {
        return value(settings, SettingsGrid.CODEC) + " " + value(settings, SettingsGrid.FLUSH);
    }

    /** What makes a difference to reads of files; splits are made of what was read. */
    private static String ofRead(Settings settings, TrialData.Query query) {
        return String.join(
                " ",
                query.name(),
                ofWrite(settings),
                value(settings, SettingsGrid.READ_AHEAD),
                value(settings, SettingsGrid.DICTIONARY),
                value(settings, SettingsGrid.COLUMN_INDEX));
    }

    private void write(String kind, TrialData data, List<Settings> grid, Random random, BufferedWriter runs)
            throws IOException {
        for (TrialData.Query query : TrialData.Query.values()) {
            for (int i = 0; i < draws; i++) {
                write(kind, data, query, i, logUniform(random, LEAST_READS, MOST_READS), grid, random, runs);
            }
        }
        for (int i = 0; i < draws; i++) {
            write(kind, data, TrialData.Query.ALL, i, 0, grid, random, runs);
        }
    }

    private void write(
            String kind,
            TrialData data,
            TrialData.Query query,
            int draw,
            double times,
            List<Settings> grid,
            Random random,
            BufferedWriter runs)
            throws IOException {
        String name = times == 0 ? "write" : query.name().toLowerCase(Locale.ROOT);
        double bandwidth = logUniform(random, LEAST_BANDWIDTH, MOST_BANDWIDTH);
        long returned = of(SettingsGrid.DEFAULTS, query).stream()
                .mapToLong(FileRead::records)
                .sum();
        String features = String.format(
                Locale.ROOT,
                "{\"rows\": %d, \"bytes\": %.0f, \"columns\": %d, \"selectivity\": %.6f, \"width\": %.1f, \"numeric\": %.3f,"
                        + " \"reads\": %.3f, \"bandwidth\": %.1f}",
                data.rows().size(),
                data.width() * data.rows().size(),
                times == 0 ? 0 : data.columns(query).size(),
                times == 0 ? 0 : (double) returned / data.rows().size(),
                data.width(),
                DatasetFeatures.numeric(data.schema()),
                times,
                bandwidth);
        for (Settings settings : grid) {
            double ms = writeMs(written(settings), bandwidth)
                    + (times == 0 ? 0 : times * readMs(of(settings, query), settings, bandwidth));
            runs.write(String.format(
                    Locale.ROOT,
                    "{\"workload\": \"%s.%s.%d\", \"family\": \"%s.%s\", \"features\": %s, \"settings\": {%s}, \"seconds\": %.6f}%n",
                    data.name(),
                    name,
                    draw,
                    kind,
                    name,
                    features,
                    text(settings),
                    ms / 1e3));
            lines++;
        }
        workloads++;
    }

    private List<FileRead> of(Settings settings, TrialData.Query query) {
        return Objects.requireNonNull(reads.get(ofRead(settings, query)));
    }

    private static String text(Settings settings) {
        return String.join(
                ", ",
                settings.values().entrySet().stream()
                        .map(entry -> "\"" + entry.getKey() + "\": \"" + entry.getValue() + "\"")
                        .toList());
    }

    /** @param bandwidth in megabytes per second, which are kilobytes per millisecond */
    private double writeMs(WrittenFiles files, double bandwidth) {
        return files.cpuNs() / 1e6 + files.files().size() * costs.openMs() + files.bytes() / (bandwidth * 1e3);
    }

    private double readMs(List<FileRead> files, Settings settings, double bandwidth) {
        List<FileTasks.Piece> pieces = files.stream()
                .map(file -> new FileTasks.Piece(
                        file.length(),
                        file.cpuNs() / 1e6
                                + costs.openMs()
                                + Math.max(0, file.jumps() - FOOTER_JUMPS)
                                        * costs.read().diskPrepareMs()
                                + file.bytes() / (bandwidth * 1e3)))
                .toList();
        return FileTasks.doneMs(pieces, tasks, Long.parseLong(value(settings, SettingsGrid.SPLIT)), taskMs);
    }

    private static double logUniform(Random random, double least, double most) {
        return least * Math.pow(most / least, random.nextDouble());
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
