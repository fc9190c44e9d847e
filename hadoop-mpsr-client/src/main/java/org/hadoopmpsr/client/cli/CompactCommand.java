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
package org.hadoopmpsr.client.cli;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.compact.BeforeTime;
import org.hadoopmpsr.client.compact.CompactionOptions;
import org.hadoopmpsr.client.compact.RunRecord;
import org.hadoopmpsr.client.compact.RunRecords;
import org.hadoopmpsr.client.compact.SegmentList;
import org.hadoopmpsr.client.compact.SparkSubmit;
import org.hadoopmpsr.core.compact.CompactionPlan;
import org.hadoopmpsr.core.compact.CompactionPlanner;
import org.hadoopmpsr.core.compact.HeldSegment;
import org.hadoopmpsr.core.compact.MergeRules;
import org.hadoopmpsr.core.config.ConfigKeys;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code mpsr compact}. */
@Command(
        name = "compact",
        description =
                "Merge small segments into large ones, in all replica groups at once, so that the dataset has few large"
                        + " files. Prints what is merged, then runs the Spark job that does it, with the Spark of"
                        + " SPARK_HOME or PATH. Queries go on meanwhile. Needs the dataset's owner or a superuser.",
        mixinStandardHelpOptions = true)
final class CompactCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(
            paramLabel = "DATASET",
            arity = "0..1",
            description = "The dataset's directory. Default: every dataset that you may read.")
    private @Nullable String path;

    private static final class Deed {
        @Option(names = "--dry-run", description = "Only print what would be merged.")
        private boolean dryRun;

        @Option(
                names = "--status",
                description = "Show how far your compaction is, or how the last one ended: merges, segments, bytes and"
                        + " the estimated time left.")
        private boolean status;

        @Option(
                names = "--cancel",
                description = "End your compaction: the merge underway is given up; merges that are done stay.")
        private boolean cancel;
    }

    @ArgGroup
    private Deed deed = new Deed();

    @Option(
            names = "--target-bytes",
            paramLabel = "BYTES",
            defaultValue = "0",
            converter = Bytes.class,
            description = "The most bytes that a merged segment has in a replica group, such as 8g (k, m and g are"
                    + " multiples of 1,024). Default: 64 HDFS blocks.")
    private long targetBytes;

    @Option(
            names = "--before",
            paramLabel = "TIME",
            converter = Before.class,
            description = "Merge only what was committed before this time: a day such as 2026-11-24, a time such as"
                    + " 2026-11-24T06:00:00Z, or an age such as 90m, 12h or 7d.")
    private @Nullable Long before;

    @Option(
            names = "--all",
            description = "Merge all that fits into the target, also where little is gained. Not for regular runs: it"
                    + " rewrites large segments for a few small ones.")
    private boolean all;

    @Option(
            names = "--bandwidth",
            paramLabel = "BYTES",
            defaultValue = "0",
            converter = Bytes.class,
            description = "The most bytes that all tasks together read in a second, such as 50m. Default: no limit.")
    private long bandwidth;

    @Option(
            names = "--parallelism",
            paramLabel = "N",
            defaultValue = "0",
            description = "The most tasks that run at a time. Default: as many as Spark has cores.")
    private int parallelism;

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "The directory in HDFS for the record of the run, by which --status and --cancel find it."
                    + " Default: .mpsr/compact in your home directory.")
    private @Nullable String runDir;

    @Option(
            names = "--spark-options",
            paramLabel = "OPTIONS",
            defaultValue = "",
            description = "Options of spark-submit, separated by blanks, such as '--master yarn --num-executors 8'."
                    + " Default: those of spark-defaults.conf.")
    private String sparkOptions;

    @Option(
            names = "--jar",
            paramLabel = "FILE",
            description = "The jar of the job. Default: share/spark/mpsr-spark-connector.jar of the distribution.")
    private @Nullable Path jar;

    @Spec
    private CommandSpec spec;

    private static final class Before implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                return BeforeTime.parse(text, System.currentTimeMillis());
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        }
    }

    @Override
    public Integer call() throws Exception {
        try (MpsrClient client = connection.client()) {
            List<Dataset> datasets =
                    path == null ? client.listDatasets() : List.of(client.getDataset(connection.path(path)));
            if (deed.status) {
                status(datasets);
                return 0;
            }
            if (deed.cancel) {
                cancel(datasets);
                return 0;
            }
            List<Dataset> due = plan(client, datasets);
            return deed.dryRun || due.isEmpty() ? 0 : run(due);
        }
    }

    private CompactionOptions options() {
        return new CompactionOptions(
                targetBytes, before == null ? Long.MAX_VALUE : before, all, bandwidth, parallelism, runDir);
    }

    /** Prints what is merged; returns the datasets in which something is. */
    private List<Dataset> plan(MpsrClient client, List<Dataset> datasets) throws IOException {
        FileSystem fs = FileSystem.get(connection.fileSystem(), connection.conf());
        int maxFiles = connection
                .conf()
                .getInt(
                        ConfigKeys.MAX_COMMIT_FILES.name(),
                        Integer.parseInt(ConfigKeys.MAX_COMMIT_FILES.defaultValue()));
        List<Dataset> due = new ArrayList<>();
        List<Object> json = new ArrayList<>();
        for (Dataset dataset : datasets) {
            MergeRules rules =
                    options().rules(fs.getDefaultBlockSize(new org.apache.hadoop.fs.Path(dataset.path())), maxFiles);
            List<HeldSegment> segments = SegmentList.of(client, dataset.path());
            List<CompactionPlan> rounds = CompactionPlanner.rounds(segments, rules);
            if (!rounds.isEmpty()) {
                due.add(dataset);
            }
            json.add(CompactView.json(dataset.path(), segments, rounds));
            if (!connection.json()) {
                CompactView.print(Output.of(spec), dataset.path(), segments, rounds);
            }
        }
        if (connection.json() && (deed.dryRun || due.isEmpty())) {
            Output.of(spec).json(Map.of("datasets", json));
        }
        return due;
    }

    private int run(List<Dataset> due) throws IOException, InterruptedException, URISyntaxException {
        CodeSource code = MpsrCommand.class.getProtectionDomain().getCodeSource();
        Path commands = code == null ? null : Path.of(code.getLocation().toURI());
        List<String> blanks = List.of(sparkOptions.strip().split("\\s+"));
        List<String> command = SparkSubmit.command(
                SparkSubmit.program(System.getenv()),
                SparkSubmit.jar(jar, System.getenv(), commands),
                sparkOptions.isBlank() ? List.of() : blanks,
                options(),
                due.stream().map(d -> qualified(d)).toList());
        List<String> whole = new ArrayList<>(command);
        if (connection.json()) {
            whole.add("--json");
        }
        Output.of(spec).flush();
        return new ProcessBuilder(whole).inheritIO().start().waitFor();
    }

    private String qualified(Dataset dataset) {
        return new org.apache.hadoop.fs.Path(dataset.path())
                .makeQualified(connection.fileSystem(), null)
                .toString();
    }

    private void status(List<Dataset> datasets) throws IOException {
        RunRecords records = records();
        long now = System.currentTimeMillis();
        List<Object> json = new ArrayList<>();
        for (Dataset dataset : datasets) {
            Optional<RunRecord> run = records.read(dataset.id());
            json.add(CompactView.json(dataset.path(), run.orElse(null), now));
            if (!connection.json()) {
                CompactView.print(Output.of(spec), dataset.path(), run.orElse(null), now);
            }
        }
        if (connection.json()) {
            Output.of(spec).json(Map.of("datasets", json));
        }
    }

    private void cancel(List<Dataset> datasets) throws IOException {
        RunRecords records = records();
        List<String> asked = new ArrayList<>();
        for (Dataset dataset : datasets) {
            Optional<RunRecord> run = records.read(dataset.id());
            if (run.isPresent() && run.get().isAlive(System.currentTimeMillis())) {
                records.requestCancel(dataset.id());
                asked.add(dataset.path());
            }
        }
        if (connection.json()) {
            Output.of(spec).json(Map.of("cancelled", asked));
        } else if (asked.isEmpty()) {
            Output.of(spec).line("No compaction of yours runs.");
        } else {
            asked.forEach(p -> Output.of(spec).line(p + ": the compaction ends within some seconds"));
        }
    }

    private RunRecords records() throws IOException {
        FileSystem fs = FileSystem.get(connection.fileSystem(), connection.conf());
        return new RunRecords(fs, connection.conf(), runDir == null ? null : connection.path(runDir));
    }
}
