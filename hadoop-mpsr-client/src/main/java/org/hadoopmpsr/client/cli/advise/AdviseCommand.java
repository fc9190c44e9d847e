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
package org.hadoopmpsr.client.cli.advise;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.advise.AdviceView;
import org.hadoopmpsr.client.advise.AdviseOptions;
import org.hadoopmpsr.client.advise.DatasetAdvice;
import org.hadoopmpsr.client.advise.WorkloadFile;
import org.hadoopmpsr.client.cli.common.Bytes;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.common.Table;
import org.hadoopmpsr.client.cli.run.SparkJob;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.workload.QueryClass;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr advise}. */
@Command(
        name = "advise",
        description =
                "Advise replica groups for a dataset, from what is asked of it and from what the NameNode knows of its files: how"
                        + " they are partitioned and sorted, what each class of queries would read, and the commands that do it."
                        + " The default group stays as it is. Changes nothing, and opens no file, unless --verify is given. For a directory with Parquet"
                        + " files that is no dataset, --from names what is asked, and a Spark job, with the Spark of SPARK_HOME or"
                        + " PATH, reads the ends of some files; it needs no MPSR on the NameNode.",
        mixinStandardHelpOptions = true)
public final class AdviseCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(paramLabel = "PATH", description = "The dataset's directory, or one with Parquet files.")
    private String path = "";

    @Option(
            names = "--groups",
            paramLabel = "N",
            description = "How many groups are wanted, with the default group. Default: as many as there are.")
    private @Nullable Integer groups;

    @Option(
            names = "--budget",
            paramLabel = "COPIES",
            description =
                    "How many copies all groups may have together; those that answer most get more than one. Default: each group"
                            + " keeps its number of copies.")
    private @Nullable Integer budget;

    @Option(
            names = "--from",
            paramLabel = "LOG",
            description =
                    "A local file with a workload, as hdfs mpsr workload --json and hdfs mpsr workload import --json print it."
                            + " Default: what the NameNode has counted since it started; a directory that is no"
                            + " dataset needs this option.")
    private @Nullable String from;

    @Option(
            names = AdviseOptions.FILES,
            paramLabel = "N",
            defaultValue = "" + AdviseOptions.USUAL_FILES,
            description =
                    "Of a directory that is no dataset, read the ends of at most so many files. Default: ${DEFAULT-VALUE}.")
    private int files;

    @Option(
            names = AdviseOptions.SCHEMA,
            paramLabel = "COLUMNS",
            description =
                    "Of a directory that is no dataset, columns that are to have other types than in the files, as for"
                            + " 'hdfs mpsr dataset adopt'.")
    private @Nullable String schema;

    @Option(
            names = AdviseOptions.MEASURE,
            paramLabel = "BYTES",
            defaultValue = "64m",
            converter = Bytes.class,
            description =
                    "Of a directory that is no dataset, and with --verify, read files of about so many bytes as a whole, and sort and"
                            + " compress their records as the advised groups would be, to learn what they take there. Nothing is"
                            + " kept. 0: they take as much as in the files as they lie. Default: ${DEFAULT-VALUE}.")
    private long measureBytes;

    @Option(
            names = "--seed",
            paramLabel = "NUMBER",
            defaultValue = "1",
            description =
                    "The sample is drawn by this number; equal numbers give equal advice. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Option(
            names = AdviseOptions.VERIFY,
            description =
                    "Also build what is advised from some of the data, in a dataset of its own below .mpsr/advise of the home"
                            + " directory, read it as queries would, print what was measured beside what was predicted, and"
                            + " remove it. Runs a Spark job; needs MPSR on the NameNode, and space for the data in all groups.")
    private boolean verify;

    @Option(
            names = AdviseOptions.SAMPLE,
            paramLabel = "BYTES",
            defaultValue = "256m",
            converter = Bytes.class,
            description = "With --verify, take files of about so many bytes. Default: ${DEFAULT-VALUE}.")
    private long sampleBytes;

    @Option(
            names = AdviseOptions.HTML,
            paramLabel = "FILE",
            description = "With --verify, also write the report, with figures, into this local file.")
    private @Nullable String html;

    @Mixin
    private SparkJob job;

    @Spec
    private CommandSpec spec;

    private record Printed(Output out) implements AdviceView.Printer {
        @Override
        public void line(String text) {
            out.line(text);
        }

        @Override
        public void table(List<List<String>> rows) {
            Table table = new Table(rows.get(0).toArray(String[]::new));
            rows.stream().skip(1).forEach(row -> table.row(row.toArray()));
            out.table(table);
        }
    }

    @Override
    public Integer call() throws Exception {
        if (groups != null && groups < 1) {
            throw new IllegalArgumentException("--groups " + groups + " leaves no group; want at least 1");
        }
        AdviseOptions options = options();
        Dataset dataset = dataset(connection.path(path));
        if (dataset == null) {
            checkDirectory(connection.path(path));
        } else if (!verify) {
            ofDataset(dataset, options);
            return 0;
        }
        String qualified = new Path(connection.path(path))
                .makeQualified(connection.fileSystem(), null)
                .toString();
        return job.run(JobKind.ADVISE, options.toArguments(), List.of(qualified), connection.json());
    }

    private AdviseOptions options() {
        try {
            return new AdviseOptions(
                    from == null ? null : Paths.get(from).toAbsolutePath().toString(),
                    groups == null ? 0 : groups,
                    budget == null ? 0 : budget,
                    seed,
                    files,
                    schema,
                    measureBytes,
                    verify ? sampleBytes : 0,
                    html == null ? null : Paths.get(html).toAbsolutePath().toString());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private void ofDataset(Dataset dataset, AdviseOptions options) throws IOException {
        try (MpsrClient client = connection.client()) {
            List<QueryClass> classes = DatasetAdvice.classes(client, dataset, options.from());
            AdviceView view = new AdviceView(
                    dataset.path(), DatasetAdvice.of(client, dataset, classes, connection.conf(), options));
            if (connection.json()) {
                Output.of(spec).json(view.json());
            } else {
                view.print(new Printed(Output.of(spec)));
            }
        }
    }

    /** The dataset at a path; null if there is a directory that is none. */
    private @Nullable Dataset dataset(String absolute) throws IOException {
        IOException refused;
        try (MpsrClient client = connection.client()) {
            return client.getDataset(absolute);
        } catch (FileNotFoundException e) {
            refused = e;
        } catch (IOException e) {
            if (!MpsrClient.isWithoutMpsr(e)) {
                throw e;
            }
            refused = e;
        }
        FileSystem fs = FileSystem.get(connection.fileSystem(), connection.conf());
        try {
            if (fs.getFileStatus(new Path(absolute)).isDirectory()) {
                return null;
            }
        } catch (FileNotFoundException e) {
            refused.addSuppressed(e);
        }
        throw refused;
    }

    private void checkDirectory(String absolute) throws IOException {
        if (from == null) {
            throw new IOException("there is no workload for the directory '" + absolute + "', which is no dataset:"
                    + " the NameNode counts queries of datasets alone; import logs with 'hdfs mpsr workload import --spark FILE"
                    + " --json', and name the output with --from");
        }
        WorkloadFile.classes(from, absolute); // a wrong one is told before Spark starts
        if (schema != null) {
            Schema.parse(schema);
        }
    }
}
