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
package org.hadoopmpsr.client.cli.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.RunLimits;
import org.hadoopmpsr.client.cli.run.SparkJob;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.scrub.ScrubOptions;
import org.hadoopmpsr.client.verify.VerifyOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr verify}. */
@Command(
        name = "verify",
        description =
                "Read datasets in every replica group, and compare the records of each segment with what was published:"
                        + " their number and content hash, the partition they lie in, and the statistics of their files. Runs a"
                        + " Spark job, with the Spark of SPARK_HOME or PATH. Changes nothing without --heal. Needs the right to"
                        + " read all of the datasets; with --heal their owner or a superuser.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:all groups hold the records that they should, and all files are as they were published",
            "1:they do not, or the job failed"
        })
public final class VerifyCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(
            paramLabel = "DATASET",
            arity = "0..*",
            description = "The datasets' directories. Default: every dataset that you may read.")
    private List<String> paths = List.of();

    @Option(names = "--segment", paramLabel = "ID", description = "Read only this segment. May be given several times.")
    private List<String> segments = List.of();

    @Option(
            names = "--group",
            paramLabel = "GROUP",
            description = "Read only this replica group. May be given several times.")
    private List<String> groups = List.of();

    @Option(
            names = "--heal",
            description = "Write anew what is wrong in a group, from groups that are right. Where nobody can tell which"
                    + " group is right, nothing is changed. Reads all groups.")
    private boolean heal;

    @Mixin
    private RunLimits limits;

    @Option(
            names = "--run-dir",
            paramLabel = "DIR",
            description = "With --heal, the directory in HDFS for the record of the run, and of what was read. Default:"
                    + " .mpsr/scrub in your home directory.")
    private @Nullable String runDir;

    @Mixin
    private SparkJob job;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (heal && !groups.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--heal reads all groups, because others tell what is right: leave --group out");
        }
        List<Dataset> datasets = new ArrayList<>();
        try (MpsrClient client = connection.client()) {
            for (String path : paths) {
                datasets.add(client.getDataset(connection.path(path)));
            }
            if (paths.isEmpty()) {
                datasets.addAll(client.listDatasets());
            }
        }
        if (datasets.isEmpty()) {
            if (connection.json()) {
                Output.of(spec).json(Map.of("datasets", List.of()));
            }
            return 0;
        }
        if (heal) {
            ScrubOptions options = new ScrubOptions(
                    segments.isEmpty(),
                    segments,
                    ScrubOptions.DEFAULT.periodDays(),
                    Long.MAX_VALUE,
                    limits.bandwidth(),
                    limits.parallelism(),
                    runDir == null ? null : connection.path(runDir));
            return job.run(JobKind.SCRUB, options.toArguments(), connection.qualified(datasets), connection.json());
        }
        VerifyOptions options =
                new VerifyOptions(segments, groups, limits.bandwidth(), limits.parallelism(), !connection.json(), null);
        return job.run(JobKind.VERIFY, options.toArguments(), connection.qualified(datasets), false);
    }
}
