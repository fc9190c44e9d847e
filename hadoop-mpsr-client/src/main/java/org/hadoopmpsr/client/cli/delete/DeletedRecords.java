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
package org.hadoopmpsr.client.cli.delete;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.RunLimits;
import org.hadoopmpsr.client.cli.run.Runs;
import org.hadoopmpsr.client.cli.run.SparkJob;
import org.hadoopmpsr.client.delete.DeleteOptions;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecords;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** What the commands have in common that take records away. */
final class DeletedRecords {
    @Mixin
    private Connection connection;

    @Parameters(paramLabel = "PATH", description = "The dataset's directory.")
    private String path = "";

    private static final class Wanted {
        @Option(
                names = "--dry-run",
                description = "Only say how many records would go, from which segments. Reads the columns of the"
                        + " condition in one replica group, where statistics do not tell.")
        private boolean dryRun;

        @Option(
                names = "--execute",
                description =
                        "Delete the records, in all replica groups or in none, and print a certificate: number and"
                                + " content hash of the records before, deleted and after. Look at --dry-run first.")
        private boolean execute;

        @Option(
                names = "--status",
                description = "Show how far your delete is, or how the last one ended: changes, segments, bytes and the"
                        + " estimated time left.")
        private boolean status;

        @Option(
                names = "--cancel",
                description = "End your delete: the change underway is given up; changes that are done stay.")
        private boolean cancel;
    }

    @ArgGroup(multiplicity = "1")
    private Wanted wanted = new Wanted();

    @Option(
            names = "--purge",
            description =
                    "With --execute, delete all replaced files of the dataset at once. Otherwise they are kept for"
                            + " dfs.mpsr.drop.delay.seconds. Readers that planned before fail then.")
    private boolean purge;

    @Mixin
    private RunLimits limits;

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "The directory in HDFS for the record of the run, by which --status and --cancel find it."
                    + " Default: .mpsr/delete in your home directory.")
    private @Nullable String runDir;

    @Mixin
    private SparkJob job;

    /** Requires the option that says which records go, unless only a run is looked at. */
    void require(CommandSpec spec, @Nullable String value, String option) {
        if (value == null && (wanted.dryRun || wanted.execute)) {
            throw new ParameterException(spec.commandLine(), "Missing required option: '" + option + "'");
        }
    }

    /**
     * Does what is wanted.
     *
     * @param where the condition, or null
     * @param beforeMs the time before which records go, or null
     * @param column the column with the times, or null
     * @return the exit code
     */
    int run(Output out, @Nullable String where, @Nullable Long beforeMs, @Nullable String column, boolean inParts)
            throws IOException, InterruptedException {
        try (MpsrClient client = connection.client()) {
            List<Dataset> datasets = List.of(client.getDataset(connection.path(path)));
            if (wanted.status || wanted.cancel) {
                Runs runs = runs(out);
                if (wanted.status) {
                    runs.status(datasets);
                } else {
                    runs.cancel(datasets);
                }
                return 0;
            }
            List<String> arguments = options(where, beforeMs, column, inParts).toArguments();
            return job.run(JobKind.DELETE, arguments, connection.qualified(datasets), connection.json());
        }
    }

    /** As the job reads them. */
    private DeleteOptions options(
            @Nullable String where, @Nullable Long beforeMs, @Nullable String column, boolean inParts)
            throws IOException {
        DeleteOptions given = new DeleteOptions(
                wanted.execute,
                where,
                beforeMs,
                column,
                purge,
                inParts,
                limits.bandwidth(),
                limits.parallelism(),
                runDir == null ? null : connection.path(runDir));
        return DeleteOptions.parse(given.toArguments(), new ArrayList<>());
    }

    private Runs runs(Output out) throws IOException {
        FileSystem fs = FileSystem.get(connection.fileSystem(), connection.conf());
        String directory = runDir == null ? null : connection.path(runDir);
        return new Runs(new RunRecords(JobKind.DELETE, fs, connection.conf(), directory), out, connection.json());
    }
}
