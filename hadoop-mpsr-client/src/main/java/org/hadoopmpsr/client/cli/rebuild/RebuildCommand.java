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
package org.hadoopmpsr.client.cli.rebuild;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.RunLimits;
import org.hadoopmpsr.client.cli.run.Runs;
import org.hadoopmpsr.client.cli.run.SparkJob;
import org.hadoopmpsr.client.rebuild.RebuildOptions;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecords;
import org.hadoopmpsr.core.rebuild.Damage;
import org.hadoopmpsr.core.rebuild.Damages;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr rebuild}. */
@Command(
        name = "rebuild",
        description =
                "Write damaged files anew: those that are lost or corrupt, and those that somebody changed or deleted. Each"
                        + " comes from the same segment in another replica group. Prints what is damaged, then runs the"
                        + " Spark job, with the Spark of SPARK_HOME or PATH. Queries go on meanwhile. Needs the"
                        + " dataset's owner or a superuser.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:nothing is damaged, or all of it is rebuilt; with --dry-run, all of it can be rebuilt",
            "1:something stays damaged, or failed"
        })
public final class RebuildCommand implements Callable<Integer> {
    /** So many damaged files are shown. */
    private static final int MOST_FILES = 100_000;

    @Mixin
    private Connection connection;

    @Parameters(
            paramLabel = "DATASET",
            arity = "0..*",
            description = "The datasets' directories. Default: every dataset that you may read.")
    private List<String> paths = List.of();

    private static final class Deed {
        @Option(names = "--dry-run", description = "Only print what is damaged, and whether it can be rebuilt.")
        private boolean dryRun;

        @Option(
                names = "--status",
                description =
                        "Show how far your rebuild is, or how the last one ended: changes, segments, bytes and the"
                                + " estimated time left.")
        private boolean status;

        @Option(
                names = "--cancel",
                description = "End your rebuild: the change underway is given up; changes that are done stay.")
        private boolean cancel;
    }

    @ArgGroup
    private Deed deed = new Deed();

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            description = "Rebuild only this replica group. May be given several times.")
    private List<String> groups = List.of();

    @Option(
            names = "--only-due",
            description = "Leave out what was damaged less than dfs.mpsr.rebuild.delay.seconds ago: a DataNode that"
                    + " restarts brings it back.")
    private boolean onlyDue;

    @Mixin
    private RunLimits limits;

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "The directory in HDFS for the record of the run, by which --status and --cancel find it."
                    + " Default: .mpsr/rebuild in your home directory.")
    private @Nullable String runDir;

    @Mixin
    private SparkJob job;

    @Spec
    private CommandSpec spec;

    private int code;

    @Override
    public Integer call() throws Exception {
        RebuildOptions options = options();
        try (MpsrClient client = connection.client()) {
            List<Dataset> datasets = new ArrayList<>();
            for (String path : paths) {
                datasets.add(client.getDataset(connection.path(path)));
            }
            if (paths.isEmpty()) {
                datasets.addAll(client.listDatasets());
            }
            if (deed.status) {
                runs(options).status(datasets);
                return 0;
            }
            if (deed.cancel) {
                runs(options).cancel(datasets);
                return 0;
            }
            List<Dataset> due = look(client, datasets, options);
            if (deed.dryRun || due.isEmpty()) {
                return code;
            }
            Output.of(spec).flush();
            int ended = job.run(JobKind.REBUILD, options.toArguments(), connection.qualified(due), connection.json());
            return ended == 0 ? code : ended;
        }
    }

    /** As the job reads them. */
    private RebuildOptions options() throws IOException {
        RebuildOptions given =
                new RebuildOptions(groups, onlyDue, limits.bandwidth(), limits.parallelism(), runDirectory());
        return RebuildOptions.parse(given.toArguments(), new ArrayList<>());
    }

    private @Nullable String runDirectory() throws IOException {
        return runDir == null ? null : connection.path(runDir);
    }

    private Runs runs(RebuildOptions options) throws IOException {
        FileSystem fs = FileSystem.get(connection.fileSystem(), connection.conf());
        RunRecords records = new RunRecords(JobKind.REBUILD, fs, connection.conf(), options.runDir());
        return new Runs(records, Output.of(spec), connection.json());
    }

    /** Prints what is damaged; returns the datasets in which something can be rebuilt. */
    private List<Dataset> look(MpsrClient client, List<Dataset> datasets, RebuildOptions options) throws IOException {
        List<Dataset> due = new ArrayList<>();
        List<Object> json = new ArrayList<>();
        for (Dataset dataset : datasets) {
            Damages found;
            try {
                found = client.damage(dataset.path(), MOST_FILES);
            } catch (RemoteException e) {
                if (!paths.isEmpty()) {
                    throw e;
                }
                code = 1;
                Output.ofErrors(spec).message("mpsr: " + dataset.path() + ": " + MpsrClient.answer(e));
                continue;
            }
            List<Damage> damages =
                    found.damages().stream().filter(options::wants).toList();
            if (damages.stream().anyMatch(damage -> damage.liveCopies() > 0)) {
                due.add(dataset);
            }
            if (damages.stream().anyMatch(damage -> damage.liveCopies() == 0)) {
                code = 1;
            }
            json.add(DamageView.json(dataset.path(), damages));
            if (!connection.json()) {
                DamageView.print(Output.of(spec), dataset.path(), damages);
            }
        }
        if (connection.json() && (deed.dryRun || due.isEmpty())) {
            Output.of(spec).json(Map.of("datasets", json));
        }
        return due;
    }
}
