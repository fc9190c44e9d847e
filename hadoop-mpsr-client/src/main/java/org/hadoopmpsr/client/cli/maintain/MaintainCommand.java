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
package org.hadoopmpsr.client.cli.maintain;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ShutdownHookManager;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.adopt.AdoptOptions;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.RunLimits;
import org.hadoopmpsr.client.cli.compact.MergeTarget;
import org.hadoopmpsr.client.cli.run.SparkJob;
import org.hadoopmpsr.client.compact.CompactionOptions;
import org.hadoopmpsr.client.compact.SegmentList;
import org.hadoopmpsr.client.maintain.AdoptTask;
import org.hadoopmpsr.client.maintain.CompactionTask;
import org.hadoopmpsr.client.maintain.Maintainer;
import org.hadoopmpsr.client.maintain.MaintenanceLog;
import org.hadoopmpsr.client.maintain.MaintenanceTask;
import org.hadoopmpsr.client.maintain.RebuildTask;
import org.hadoopmpsr.client.maintain.ScrubTask;
import org.hadoopmpsr.client.rebuild.RebuildOptions;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.scrub.Candidates;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code mpsr maintain}. */
@Command(
        name = "maintain",
        description =
                "Maintain datasets: look again and again what is due, and run it, such as merging small files with Spark."
                        + " Runs until it is ended; of several such processes one works, and the others wait. With"
                        + " --json each line of the log is a JSON object. Only for superusers.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:with --once, nothing failed; else it was ended",
            "1:something failed or was ended before it was done"
        })
public final class MaintainCommand implements Callable<Integer> {
    private static final List<String> TASKS =
            List.of(RebuildTask.NAME, AdoptTask.NAME, CompactionTask.NAME, ScrubTask.NAME);
    /** So many damaged files are looked at. */
    private static final int MOST_DAMAGED = 1_000;

    private static final long LEASE_MS = TimeUnit.MINUTES.toMillis(1);
    /** Before the file systems are closed, which is at {@code FileSystem.SHUTDOWN_HOOK_PRIORITY}. */
    private static final int PRIORITY = FileSystem.SHUTDOWN_HOOK_PRIORITY + 10;

    private static final long LONGEST_END_S = 70;

    @Mixin
    private Connection connection;

    @Parameters(
            paramLabel = "DATASET",
            arity = "0..*",
            description = "The datasets' directories. Default: all datasets.")
    private List<String> paths = List.of();

    @Option(
            names = "--once",
            description = "Do what is due now and end, for cron and other schedulers. If another process maintains the"
                    + " cluster, end at once.")
    private boolean once;

    @Option(
            names = "--interval",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = Interval.class,
            description =
                    "The time between two looks, such as 90s, 10m or 1h (${DEFAULT-VALUE}). After a failure a task"
                            + " waits as long, and longer after each further one.")
    private long intervalMs;

    @Option(
            names = "--adopt-interval",
            paramLabel = "TIME",
            defaultValue = "15s",
            converter = Interval.class,
            description = "The time between two looks for files of ordinary writers (${DEFAULT-VALUE}).")
    private long adoptIntervalMs;

    @Option(
            names = "--tasks",
            paramLabel = "NAMES",
            split = ",",
            defaultValue = RebuildTask.NAME + "," + AdoptTask.NAME + "," + CompactionTask.NAME + "," + ScrubTask.NAME,
            description =
                    "The tasks, in the order in which they run in a dataset: rebuild, adopt, compact, scrub. Default: all.")
    private List<String> tasks;

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "1",
            description = "The most runs at a time, each in another dataset (${DEFAULT-VALUE}).")
    private int runs;

    @Mixin
    private MergeTarget target;

    @Mixin
    private RunLimits limits;

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "The directory in HDFS for the records of runs, with a directory for each task: those of"
                    + " compact are in DIR/compact. Default: .mpsr in your home directory.")
    private @Nullable String runDir;

    @Mixin
    private SparkJob job;

    @Spec
    private CommandSpec spec;

    private static final class Interval implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            try {
                long ms = new Configuration(false).getTimeDurationHelper("--interval", text, TimeUnit.MILLISECONDS);
                if (ms >= TimeUnit.SECONDS.toMillis(1)) {
                    return ms;
                }
            } catch (IllegalArgumentException e) { // said below
            }
            throw new TypeConversionException("'" + text + "' is no time from 1s; give one such as 90s, 10m or 1h");
        }
    }

    @Override
    public Integer call() throws Exception {
        checkOptions();
        List<String> own = new ArrayList<>();
        for (String path : paths) {
            own.add(connection.path(path));
        }
        List<String> login = KeytabLogin.login(connection.conf());
        try (MpsrClient client = connection.client()) {
            for (String path : own) {
                client.getDataset(path); // a wrong name is told before anything runs
            }
            FileSystem fs = FileSystem.get(connection.fileSystem(), connection.conf());
            MaintenanceLog log = new PrintedLog(Output.of(spec), connection.json());
            Maintainer maintainer = new Maintainer(
                    new ChosenDatasets(client, own, log),
                    tasks(client, fs, login),
                    new Maintainer.Options(
                            holder(), once, intervalMs, Math.min(adoptIntervalMs, intervalMs), LEASE_MS, runs),
                    log);
            Runnable end = () -> end(maintainer);
            ShutdownHookManager.get().addShutdownHook(end, PRIORITY, LONGEST_END_S, TimeUnit.SECONDS);
            boolean done = maintainer.run();
            if (!ShutdownHookManager.get().isShutdownInProgress()) {
                ShutdownHookManager.get().removeShutdownHook(end);
            }
            return done ? 0 : 1;
        }
    }

    private void checkOptions() {
        if (runs < 1) {
            throw new ParameterException(spec.commandLine(), "--runs " + runs + ": give a number from 1");
        }
        for (String name : tasks) {
            if (!TASKS.contains(name)) {
                throw new ParameterException(
                        spec.commandLine(),
                        "--tasks: '" + name + "' is no task; there are " + String.join(", ", TASKS));
            }
        }
    }

    private static void end(Maintainer maintainer) {
        try {
            maintainer.stop();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<MaintenanceTask> tasks(MpsrClient client, FileSystem fs, List<String> login) throws IOException {
        CompactionOptions compaction = new CompactionOptions(
                target.bytes(),
                Long.MAX_VALUE,
                false,
                limits.bandwidth(),
                limits.parallelism(),
                runDirectory(CompactionTask.NAME));
        RebuildOptions rebuild = new RebuildOptions(
                List.of(), true, limits.bandwidth(), limits.parallelism(), runDirectory(RebuildTask.NAME));
        Map<String, MaintenanceTask> all = Map.of(
                RebuildTask.NAME,
                new RebuildTask(
                        path -> client.damage(path, MOST_DAMAGED).damages(),
                        fs,
                        connection.conf(),
                        rebuild,
                        (options, dataset) -> job.command(JobKind.REBUILD, options, List.of(dataset), login)),
                AdoptTask.NAME,
                new AdoptTask(
                        client::untracked,
                        fs,
                        connection.conf(),
                        new AdoptOptions(false, limits.bandwidth(), limits.parallelism(), runDirectory(AdoptTask.NAME)),
                        (options, dataset) -> job.command(JobKind.ADOPT, options, List.of(dataset), login)),
                CompactionTask.NAME,
                new CompactionTask(
                        path -> SegmentList.of(client, path),
                        fs,
                        connection.conf(),
                        compaction,
                        (options, dataset) -> job.command(JobKind.COMPACT, options, List.of(dataset), login)),
                ScrubTask.NAME,
                new ScrubTask(
                        path -> Candidates.of(client.segments(path).segments()),
                        fs,
                        connection.conf(),
                        ScrubTask.options(
                                connection.conf(),
                                limits.bandwidth(),
                                limits.parallelism(),
                                runDirectory(ScrubTask.NAME)),
                        (options, dataset) -> job.command(JobKind.SCRUB, options, List.of(dataset), login)));
        return tasks.stream().distinct().map(all::get).toList();
    }

    private @Nullable String runDirectory(String task) throws IOException {
        return runDir == null ? null : connection.path(runDir) + "/" + task;
    }

    private static String holder() throws IOException {
        return UserGroupInformation.getCurrentUser().getShortUserName() + "@" + NetUtils.getLocalHostname() + ":"
                + ProcessHandle.current().pid() + "-"
                + UUID.randomUUID().toString().substring(0, 8);
    }
}
