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
package org.hadoopmpsr.client.cli.io;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.Table;
import org.hadoopmpsr.client.readtimes.LiveReads;
import org.hadoopmpsr.client.readtimes.ReadTimesFile;
import org.hadoopmpsr.client.readtimes.ReadTimesPage;
import org.hadoopmpsr.client.readtimes.ReadTimesReport;
import org.hadoopmpsr.core.assign.ReadCost;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.readtimes.Anomaly;
import org.hadoopmpsr.core.readtimes.ExpectedTimes;
import org.hadoopmpsr.core.readtimes.LiveAnomalies;
import org.hadoopmpsr.core.readtimes.ReadClasses;
import org.hadoopmpsr.core.readtimes.ReadTime;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code mpsr io}. */
@Command(
        name = "io",
        description =
                "Say what times of reads tell: classes such as reads from memory and from disks, what they cost and why, and which"
                        + " host, disk or time is slower than the others, with how sure that is. The times are those of a file, or"
                        + " of the running DataNodes. Changes nothing. Needs no MPSR on the NameNode.",
        mixinStandardHelpOptions = true)
public final class IoCommand implements Callable<Integer> {
    private static final int LOOK_SECONDS = 5;

    @Mixin
    private Connection connection;

    @Option(
            names = "--from",
            paramLabel = "FILE",
            description =
                    "A local file with a line for each read. The first line names the columns: bytes, nanos and host, and if they"
                            + " are known disk, reader and at (milliseconds since the epoch).")
    private @Nullable Path from;

    @Option(
            names = "--live",
            description =
                    "Watch the counters of all live DataNodes, for --seconds, and name a slow one as soon as that is sure. Needs"
                            + " the rights of a superuser.")
    private boolean live;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "60",
            description = "How long --live watches. Default: ${DEFAULT-VALUE}.")
    private int seconds;

    @Option(
            names = "--html",
            paramLabel = "FILE",
            description = "Also write the report, with figures, into this local file.")
    private @Nullable Path html;

    @Option(
            names = "--classes",
            paramLabel = "FILE",
            description = "Also write the times, with the class of each read, into this local file.")
    private @Nullable Path classes;

    @Option(
            names = "--calibrated",
            paramLabel = "FILE",
            description =
                    "A local file that 'hdfs mpsr calibrate --times' has written. Its reads tell what each cause takes here;"
                            + " without it, dfs.mpsr.cost.* and constants for memory do.")
    private @Nullable Path calibrated;

    @Spec
    private CommandSpec spec;

    private final LiveAnomalies watch = new LiveAnomalies();

    @Override
    public Integer call() throws Exception {
        if (live == (from != null)) {
            throw new IllegalArgumentException("give either --from FILE or --live");
        }
        List<ReadTime> reads = from == null ? watched() : read(from);
        if (reads.isEmpty()) {
            throw new IllegalArgumentException("the DataNodes served no read in " + seconds
                    + " s, or not twice in a row; read something meanwhile, or watch longer with --seconds");
        }
        ReadTimesReport report = from == null
                ? new ReadTimesReport(reads, ReadClasses.of(reads, expected()), watch.all())
                : ReadTimesReport.of(reads, expected());
        if (html != null) {
            Files.writeString(html, ReadTimesPage.html(report, words(report)), StandardCharsets.UTF_8);
        }
        if (classes != null) {
            ReadTimesFile.write(classes, reads, "class", report.classOfReads());
        }
        Output out = Output.of(spec);
        if (connection.json()) {
            out.json(report.json());
        } else {
            out.table(table(report));
            report.lines().forEach(out::line);
        }
        return 0;
    }

    private ExpectedTimes expected() throws IOException {
        ReadCost cost = MpsrConfig.read(key -> connection.conf().getTrimmed(key))
                .costs()
                .read();
        if (calibrated == null) {
            return ExpectedTimes.of(cost);
        }
        ReadTimesFile.Content its = ReadTimesFile.read(calibrated);
        List<ReadTime> first = its.ofTurn("first");
        List<ReadTime> again = its.ofTurn("again");
        if (first.isEmpty() || again.isEmpty()) {
            throw new IllegalArgumentException(calibrated + " has no reads of the turns first and again;"
                    + " give a file that 'hdfs mpsr calibrate --times' has written");
        }
        return ExpectedTimes.of(first, again, cost);
    }

    private List<ReadTime> read(Path file) throws IOException {
        ReadTimesFile.Content content = ReadTimesFile.read(file);
        if (content.unreadable() > 0) {
            Output.ofErrors(spec).line(content.unreadable() + " lines were passed over; " + content.problem());
        }
        return content.reads();
    }

    private List<ReadTime> watched() throws IOException, InterruptedException {
        LiveReads reads = LiveReads.of(connection.fileSystem(), connection.conf());
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        reads.look();
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.sleep(Math.min(left, TimeUnit.SECONDS.toNanos(LOOK_SECONDS)));
            watch.look(reads.look()).forEach(this::tell);
        }
        reads.silent().forEach(node -> Output.ofErrors(spec).line("no answer from " + node));
        return reads.reads();
    }

    /** Programs get it at the end. */
    private void tell(Anomaly slow) {
        if (!connection.json()) {
            Output out = Output.of(spec);
            out.line(ReadTimesReport.line(slow));
            out.flush();
        }
    }

    private static Table table(ReadTimesReport report) {
        Table table = new Table("class", "reads", "share", "mean size", "takes", "begins after", "rate", "of expected");
        report.rows().forEach(table::row);
        return table;
    }

    private static List<String> words(ReadTimesReport report) {
        List<String> words = new ArrayList<>(List.of(table(report).toString()));
        words.addAll(report.lines());
        return words;
    }
}
