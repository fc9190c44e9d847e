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
package org.hadoopmpsr.client.cli.survey;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.cli.common.Bytes;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.RunLimits;
import org.hadoopmpsr.client.cli.run.SparkJob;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.client.survey.TreeSurveyOptions;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr survey}. */
@Command(
        name = "survey",
        description =
                "Say what directory trees hold: formats, sizes, the state of Parquet files, what other codecs would save, and which"
                        + " directories could be adopted. Lists all files, and looks at a sample of them. Every figure that is estimated"
                        + " has its interval. Runs a Spark job, with the Spark of SPARK_HOME or PATH. Changes nothing. Needs no MPSR on"
                        + " the NameNode; directories that you may not read are left out and counted.",
        mixinStandardHelpOptions = true,
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {"0:the report is printed", "1:the job failed"})
public final class SurveyCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(paramLabel = "PATH", arity = "0..*", description = "The trees. Default: /.")
    private List<String> paths = List.of();

    @Option(
            names = TreeSurveyOptions.SAMPLE,
            paramLabel = "N",
            description =
                    "Look at so many files, drawn with equal chances, and at as many places, drawn by size. Default: as many as"
                            + " --precision needs.")
    private @Nullable Integer sample;

    @Option(
            names = TreeSurveyOptions.PRECISION,
            paramLabel = "PERCENT",
            defaultValue = "2",
            description = "Half the width of the intervals of shares of files. Default: ${DEFAULT-VALUE}.")
    private double precision;

    @Option(
            names = TreeSurveyOptions.CONFIDENCE,
            paramLabel = "PERCENT",
            defaultValue = "95",
            description = "How often the intervals hold the truth. Default: ${DEFAULT-VALUE}.")
    private double confidence;

    @Option(
            names = TreeSurveyOptions.SEED,
            paramLabel = "N",
            defaultValue = "1",
            description = "The same number looks at the same files of an unchanged tree. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = TreeSurveyOptions.CHUNK,
            paramLabel = "BYTES",
            defaultValue = "1m",
            converter = Bytes.class,
            description = "How many bytes are compressed by trial at each place. Default: ${DEFAULT-VALUE}.")
    private long chunkBytes;

    @Option(names = TreeSurveyOptions.NO_CODECS, description = "Compress nothing by trial.")
    private boolean noCodecs;

    @Option(
            names = TreeSurveyOptions.HTML,
            paramLabel = "FILE",
            description = "Also write the report, with figures, into this local file.")
    private @Nullable String html;

    @Mixin
    private RunLimits limits;

    @Mixin
    private SparkJob job;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        List<String> qualified = new ArrayList<>();
        for (String path : paths.isEmpty() ? List.of("/") : paths) {
            qualified.add(new Path(connection.path(path))
                    .makeQualified(connection.fileSystem(), null)
                    .toString());
        }
        return job.run(JobKind.SURVEY, options().toArguments(), qualified, connection.json());
    }

    private TreeSurveyOptions options() {
        if (sample != null && sample < 1) {
            throw new ParameterException(
                    spec.commandLine(),
                    TreeSurveyOptions.SAMPLE + " is " + sample + "; give a number from 1, or leave it out");
        }
        try {
            return new TreeSurveyOptions(
                    sample == null ? 0 : sample,
                    precision,
                    confidence,
                    seed,
                    (int) Math.min(Integer.MAX_VALUE, chunkBytes),
                    !noCodecs,
                    limits.bandwidth(),
                    limits.parallelism(),
                    html);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
