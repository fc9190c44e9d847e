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
package org.hadoopmpsr.client.cli.repair;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.RunLimits;
import org.hadoopmpsr.client.cli.run.Runs;
import org.hadoopmpsr.client.cli.run.SparkJob;
import org.hadoopmpsr.client.repair.RepairOptions;
import org.hadoopmpsr.client.repair.RepairOptions.Deed;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecords;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr repair}. */
@Command(
        name = "repair",
        description =
                "Repair files of segments that somebody has changed, deleted or written over by hand, in any replica"
                        + " group. Runs a Spark job, with the Spark of SPARK_HOME or PATH. Queries go on meanwhile. Changes need"
                        + " the dataset's owner or a superuser.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:all is as it was published, or accepted; with --dry-run, nothing differs",
            "1:something differs or stays as it is, or the repair failed"
        })
public final class RepairCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(paramLabel = "DATASET", arity = "1..*", description = "The datasets' directories.")
    private List<String> paths = List.of();

    private static final class Wanted {
        @Option(
                names = "--dry-run",
                description = "Only say what differs, record for record: compares with a group that holds all of the"
                        + " segment, and reads the segment in both groups.")
        private boolean dryRun;

        @Option(
                names = "--execute",
                description = "Write the published records anew from another group, as rebuild does. Files that"
                        + " somebody has written over published ones are replaced in the default group too. Replaced files are"
                        + " kept for dfs.mpsr.drop.delay.seconds.")
        private boolean execute;

        @Option(
                names = "--accept",
                description =
                        "Take what somebody has made of segments by hand in one group for their records: write it in"
                                + " all groups, each segment in all or in none. Records that are not there any more are gone from all groups. Look"
                                + " at --dry-run first.")
        private boolean accept;

        @Option(
                names = "--status",
                description = "Show how far your repair is, or how the last one ended: changes, segments, bytes and the"
                        + " estimated time left.")
        private boolean status;

        @Option(
                names = "--cancel",
                description = "End your repair: the change underway is given up; changes that are done stay.")
        private boolean cancel;

        private Deed deed() {
            return accept ? Deed.ACCEPT : execute ? Deed.EXECUTE : Deed.DRY_RUN;
        }
    }

    @ArgGroup(multiplicity = "1")
    private Wanted wanted = new Wanted();

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            description =
                    "Look only at this replica group. May be given several times. With --accept the group whose files"
                            + " are accepted; default: the default group.")
    private List<String> groups = List.of();

    @Option(
            names = "--examples",
            paramLabel = "N",
            defaultValue = "" + RepairOptions.EXAMPLES,
            description =
                    "With --dry-run, show of each segment so many records that the group lacks, and as many that it"
                            + " has too much. Default: ${DEFAULT-VALUE}.")
    private int examples;

    @Mixin
    private RunLimits limits;

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "The directory in HDFS for the record of the run, by which --status and --cancel find it."
                    + " Default: .mpsr/repair in your home directory.")
    private @Nullable String runDir;

    @Mixin
    private SparkJob job;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        RepairOptions options = options();
        try (MpsrClient client = connection.client()) {
            List<Dataset> datasets = new ArrayList<>();
            for (String path : paths) {
                datasets.add(client.getDataset(connection.path(path)));
            }
            if (wanted.status) {
                runs(options).status(datasets);
                return 0;
            }
            if (wanted.cancel) {
                runs(options).cancel(datasets);
                return 0;
            }
            return job.run(JobKind.REPAIR, options.toArguments(), connection.qualified(datasets), connection.json());
        }
    }

    /** As the job reads them. */
    private RepairOptions options() throws IOException {
        RepairOptions given = new RepairOptions(
                wanted.deed(),
                groups,
                examples,
                limits.bandwidth(),
                limits.parallelism(),
                runDir == null ? null : connection.path(runDir));
        return RepairOptions.parse(given.toArguments(), new ArrayList<>());
    }

    private Runs runs(RepairOptions options) throws IOException {
        FileSystem fs = FileSystem.get(connection.fileSystem(), connection.conf());
        RunRecords records = new RunRecords(JobKind.REPAIR, fs, connection.conf(), options.runDir());
        return new Runs(records, Output.of(spec), connection.json());
    }
}
