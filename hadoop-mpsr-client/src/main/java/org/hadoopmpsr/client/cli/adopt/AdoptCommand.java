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
package org.hadoopmpsr.client.cli.adopt;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.adopt.AdoptOptions;
import org.hadoopmpsr.client.adopt.SurveyOptions;
import org.hadoopmpsr.client.cli.common.Bytes;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.RunLimits;
import org.hadoopmpsr.client.cli.run.Runs;
import org.hadoopmpsr.client.cli.run.SparkJob;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.run.RunRecords;
import org.hadoopmpsr.core.group.WantedGroup;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr dataset adopt}. */
@Command(
        name = "adopt",
        description =
                "Turn a directory with Parquet files into a dataset. The files stay where they are, for readers and for"
                        + " writers. Their records are written in the other groups, and then their surplus copies are deleted."
                        + " Runs a Spark job, with the Spark of SPARK_HOME or PATH. 'hdfs mpsr dataset drop' turns the dataset"
                        + " back into a directory whose files have the cluster's number of copies. Only for superusers.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:all files are adopted, or can be", "1:some files stay as they are, or the job failed"})
public final class AdoptCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(paramLabel = "PATH", description = "The directory.")
    private String path = "";

    private static final class Wanted {
        @Option(
                names = SurveyOptions.DRY_RUN,
                description =
                        "Only say which columns the dataset gets, which files cannot be adopted and why, how many bytes are"
                                + " read and written, and how long it takes. Reads the end of each file and a sample of the files."
                                + " The values of others are looked at when the files are adopted.")
        private boolean dryRun;

        @Option(
                names = SurveyOptions.EXECUTE,
                description = "Do it. Where it was begun before, it goes on. Queries and writers go on meanwhile.")
        private boolean execute;

        @Option(names = "--status", description = "Show how far your adoption is, or how the last one ended.")
        private boolean status;

        @Option(
                names = "--pause",
                description =
                        "End your adoption, and let the maintenance service adopt no more files of the directory until"
                                + " --execute. Queries and writers go on; all files are read.")
        private boolean pause;

        @Option(
                names = "--cancel",
                description =
                        "End your adoption: files that are adopted stay so. The maintenance service goes on with the others,"
                                + " unless its task 'adopt' is off.")
        private boolean cancel;
    }

    @ArgGroup(multiplicity = "1")
    private Wanted wanted = new Wanted();

    @Option(
            names = SurveyOptions.SCHEMA,
            paramLabel = "COLUMNS",
            description =
                    "Columns that are to have other types than in the files, such as 'timestamp timestamp_ns not null' for"
                            + " nanoseconds in whole numbers, and those that are names of directories. Default: all columns of the files,"
                            + " each in the type in which most records can be read.")
    private @Nullable String schema;

    @Option(
            names = SurveyOptions.GROUP,
            paramLabel = "GROUP=PREDICATES[;SORT]",
            description =
                    "A replica group, also the default group, that is to have other predicates than hdfs-site.xml says, and perhaps a"
                            + " sort order, such as 'signal=bucket(64, signal); timestamp'. Once for each such group. 'hdfs mpsr advise'"
                            + " tells which ones are worth it. Only until the directory is a dataset; 'dataset alter' afterwards.")
    private List<String> groups = List.of();

    @Option(
            names = SurveyOptions.SAMPLE,
            paramLabel = "BYTES",
            defaultValue = "256m",
            converter = Bytes.class,
            description =
                    "With --dry-run, read about so many bytes, write their records nowhere, and foretell bytes and time from"
                            + " that. 0 for no trial. Default: ${DEFAULT-VALUE}.")
    private long sampleBytes;

    @Mixin
    private RunLimits limits;

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "The directory in HDFS for the record of the run, by which --status and --cancel find it."
                    + " Default: .mpsr/adopt in your home directory.")
    private @Nullable String runDir;

    @Mixin
    private SparkJob job;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (wanted.status || wanted.cancel || wanted.pause) {
            try (MpsrClient client = connection.client()) {
                ofDataset(client, client.getDataset(connection.path(path)));
            }
            return 0;
        }
        if (schema != null) {
            Schema.parse(schema); // a wrong one is told before Spark starts
        }
        SurveyOptions options = new SurveyOptions(
                wanted.execute,
                schema,
                groups.stream().map(WantedGroup::parse).toList(),
                sampleBytes,
                new AdoptOptions(true, limits.bandwidth(), limits.parallelism(), runDir()));
        String qualified = new Path(connection.path(path))
                .makeQualified(connection.fileSystem(), null)
                .toString();
        return job.run(JobKind.ADOPT_DIRECTORY, options.toArguments(), List.of(qualified), connection.json());
    }

    private void ofDataset(MpsrClient client, Dataset dataset) throws IOException {
        boolean paused = wanted.pause || dataset.adoptionPaused();
        if (wanted.pause) {
            client.alterations().pauseAdoption(dataset.path(), dataset.id(), true);
        }
        if (paused && !connection.json()) {
            Output.of(spec).line(dataset.path() + ": adoption is paused; --execute goes on with it");
        }
        if (wanted.status) {
            runs().status(List.of(dataset));
        } else {
            runs().cancel(List.of(dataset));
        }
    }

    private @Nullable String runDir() throws IOException {
        return runDir == null ? null : connection.path(runDir);
    }

    private Runs runs() throws IOException {
        FileSystem fs = FileSystem.get(connection.fileSystem(), connection.conf());
        RunRecords records = new RunRecords(JobKind.ADOPT_DIRECTORY, fs, connection.conf(), runDir());
        return new Runs(records, Output.of(spec), connection.json());
    }
}
