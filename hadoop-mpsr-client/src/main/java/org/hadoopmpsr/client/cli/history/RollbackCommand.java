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
package org.hadoopmpsr.client.cli.history;

import java.io.IOException;
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
import org.hadoopmpsr.client.history.PlannedRollback;
import org.hadoopmpsr.client.rollback.RollbackOptions;
import org.hadoopmpsr.client.rollback.RollbackReport;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecords;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr dataset rollback}. */
@Command(
        name = "rollback",
        description =
                "Bring an earlier state of a dataset back, in all replica groups at once, as a new change. Records"
                        + " that came since go, and records that went since come back. Runs a Spark job, with the Spark of"
                        + " SPARK_HOME or PATH. Queries and commits go on meanwhile; records that are committed while the job"
                        + " runs stay. Committed offsets stay as they are. --execute needs the dataset's owner or a superuser.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:done, or both states have the same records", "1:it failed, and nothing is changed"})
public final class RollbackCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(paramLabel = "PATH", description = "The dataset's directory.")
    private String path = "";

    @Option(
            names = "--to",
            paramLabel = "STATE",
            description = "Which state: the number of a change, a day such as 2026-11-24 (0:00 UTC), a time such as"
                    + " 2026-11-24T06:00:00Z, or a tag. 'dataset history' lists changes and tags.")
    private @Nullable String to;

    private static final class Wanted {
        @Option(
                names = "--dry-run",
                description = "Only say which segments would be removed and restored, with how many records. Reads no"
                        + " file.")
        private boolean dryRun;

        @Option(names = "--execute", description = "Bring the state back. Look at --dry-run first.")
        private boolean execute;

        @Option(names = "--status", description = "Show how far your rollback is, or how the last one ended.")
        private boolean status;

        @Option(names = "--cancel", description = "End your rollback: nothing is changed.")
        private boolean cancel;
    }

    @ArgGroup(multiplicity = "1")
    private Wanted wanted = new Wanted();

    @Mixin
    private RunLimits limits;

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "The directory in HDFS for the record of the run, by which --status and --cancel find it."
                    + " Default: .mpsr/rollback in your home directory.")
    private @Nullable String runDir;

    @Mixin
    private SparkJob job;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        Output out = Output.of(spec);
        boolean looks = wanted.status || wanted.cancel;
        if (to == null && !looks) {
            throw new ParameterException(spec.commandLine(), "Missing required option: '--to=STATE'");
        }
        String directory = runDir == null ? null : connection.path(runDir);
        RollbackOptions options =
                to == null ? null : new RollbackOptions(to, limits.bandwidth(), limits.parallelism(), directory);
        try (MpsrClient client = connection.client()) {
            Dataset dataset = client.getDataset(connection.path(path));
            if (options == null || looks) {
                look(out, List.of(dataset), directory);
                return 0;
            }
            PlannedRollback plan = client.planRollback(dataset.path(), options.to());
            if (wanted.dryRun || plan.isEmpty()) {
                print(out, new RollbackReport(dataset.path(), plan, null));
                return 0;
            }
            out.flush();
            return job.run(
                    JobKind.ROLLBACK, options.toArguments(), connection.qualified(List.of(dataset)), connection.json());
        }
    }

    private void print(Output out, RollbackReport report) {
        if (connection.json()) {
            out.json(RollbackReport.json(List.of(report)));
        } else {
            report.lines().forEach(out::line);
        }
    }

    private void look(Output out, List<Dataset> datasets, @Nullable String directory) throws IOException {
        FileSystem fs = FileSystem.get(connection.fileSystem(), connection.conf());
        RunRecords records = new RunRecords(JobKind.ROLLBACK, fs, connection.conf(), directory);
        Runs runs = new Runs(records, out, connection.json());
        if (wanted.status) {
            runs.status(datasets);
        } else {
            runs.cancel(datasets);
        }
    }
}
