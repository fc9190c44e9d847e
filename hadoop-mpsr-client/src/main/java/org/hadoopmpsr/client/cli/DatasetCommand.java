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
package org.hadoopmpsr.client.cli;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.adopt.AdoptCommand;
import org.hadoopmpsr.client.cli.alter.AlterCommand;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.delete.DeleteCommand;
import org.hadoopmpsr.client.cli.delete.ExpireCommand;
import org.hadoopmpsr.client.cli.delete.PurgeCommand;
import org.hadoopmpsr.client.cli.history.HistoryCommand;
import org.hadoopmpsr.client.cli.history.RollbackCommand;
import org.hadoopmpsr.client.cli.history.TagCommand;
import org.hadoopmpsr.client.proto.MpsrProtos.DropDatasetResponseProto;
import org.hadoopmpsr.client.verify.PlacementCheck;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr dataset …}. */
@Command(
        name = "dataset",
        description =
                "Create, adopt, alter, list, show, check and drop datasets, move committed offsets, delete records, and name"
                        + " earlier states or bring them back.",
        subcommands = {
            AdoptCommand.class,
            AlterCommand.class,
            OffsetsCommand.class,
            DeleteCommand.class,
            ExpireCommand.class,
            PurgeCommand.class,
            HistoryCommand.class,
            TagCommand.class,
            RollbackCommand.class
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND")
final class DatasetCommand {
    @Spec
    private CommandSpec spec;

    private static Output out(CommandSpec spec) {
        return Output.of(spec);
    }

    @Command(
            name = "create",
            description =
                    "Turn a directory into a dataset. The directory must be missing or empty; 'dataset adopt' takes one"
                            + " with files. Only for superusers.",
            mixinStandardHelpOptions = true)
    int create(
            @Mixin Connection connection,
            @Parameters(paramLabel = "PATH", description = "The dataset's directory.") String path,
            @Option(
                            names = "--schema",
                            required = true,
                            paramLabel = "COLUMNS",
                            description = "The columns, such as 'signal string not null, timestamp timestamp not null,"
                                    + " value double, `wind speed` double'; a name that is not of letters, digits and"
                                    + " underscores stands in backticks. Types: string, int, bigint, float, double, boolean, date,"
                                    + " timestamp (microseconds), timestamp_ns.")
                    String schema,
            @Option(
                            names = "--dedup",
                            paramLabel = "COLUMNS",
                            description = "Key columns, such as 'signal,device,timestamp'. Of records with equal keys,"
                                    + " compaction keeps one, of the last commit. All columns that a replica group"
                                    + " partitions or sorts by must be keys, and floating-point columns cannot be."
                                    + " Default: all records are kept.")
                    @Nullable
                    String keys)
            throws IOException {
        try (MpsrClient client = connection.client()) {
            Dataset dataset = client.createDataset(
                    connection.path(path), Schema.parse(schema), keys == null ? List.of() : ColumnName.parseList(keys));
            print(connection, dataset);
        }
        return 0;
    }

    @Command(name = "list", description = "List the datasets that you may read.", mixinStandardHelpOptions = true)
    int list(@Mixin Connection connection) throws IOException {
        List<Dataset> datasets;
        try (MpsrClient client = connection.client()) {
            datasets = client.listDatasets();
        }
        if (connection.json()) {
            out(spec)
                    .json(Map.of(
                            "datasets", datasets.stream().map(DatasetView::json).toList()));
        } else {
            out(spec).table(DatasetView.table(datasets));
        }
        return 0;
    }

    @Command(
            name = "show",
            description = "Show a dataset's schema, its representations and its committed offsets.",
            mixinStandardHelpOptions = true)
    int show(
            @Mixin Connection connection,
            @Parameters(paramLabel = "PATH", description = "The dataset's directory.") String path)
            throws IOException {
        try (MpsrClient client = connection.client()) {
            print(connection, client.getDataset(connection.path(path)));
        }
        return 0;
    }

    @Command(
            name = "check",
            description =
                    "Check that every block of a dataset lies on the nodes of its replica group, that every published"
                            + " file has the blocks, the length and the time with which it was published, and that the"
                            + " groups hold the same records, by what writers stated. The exit code is 1 if not. No file"
                            + " is read: hdfs mpsr verify compares the records.",
            mixinStandardHelpOptions = true)
    int check(
            @Mixin Connection connection,
            @Parameters(paramLabel = "PATH", description = "The dataset's directory.") String path)
            throws IOException {
        PlacementCheck.Result result;
        try (MpsrClient client = connection.client()) {
            result = PlacementCheck.run(client, connection.conf(), connection.fileSystem(), connection.path(path));
        }
        if (connection.json()) {
            out(spec).json(CheckView.json(connection.path(path), result));
        } else {
            CheckView.print(
                    out(spec),
                    new Path(connection.path(path)).makeQualified(connection.fileSystem(), new Path("/")),
                    result);
        }
        return result.isRight() ? 0 : 1;
    }

    @Command(
            name = "drop",
            description =
                    "Turn a dataset back into an ordinary directory. The files of the default group stay, with the"
                            + " cluster's replication. The files of the other groups stay readable for"
                            + " dfs.mpsr.drop.delay.seconds. They are deleted then, once HDFS has made all copies of"
                            + " the files that stay. Only for superusers.",
            mixinStandardHelpOptions = true)
    int drop(
            @Mixin Connection connection,
            @Parameters(paramLabel = "PATH", description = "The dataset's directory.") String path,
            @Option(
                            names = "--now",
                            description = "Wait only for the copies of the files that stay, not for the delay.")
                    boolean now)
            throws IOException {
        DropDatasetResponseProto answer;
        try (MpsrClient client = connection.client()) {
            answer = client.dropDataset(connection.path(path), now);
        }
        if (connection.json()) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("path", connection.path(path));
            json.put("filesKept", answer.getFilesKept());
            if (answer.hasDropped()) {
                json.put("dropped", DroppedView.json(answer.getDropped()));
            }
            out(spec).json(json);
        } else {
            out(spec)
                    .line(connection.path(path) + " is an ordinary directory again, with " + answer.getFilesKept()
                            + " files");
            if (answer.hasDropped()) {
                out(spec).line(DroppedView.text(answer.getDropped()));
            }
        }
        return 0;
    }

    private void print(Connection connection, Dataset dataset) {
        if (connection.json()) {
            out(spec).json(DatasetView.json(dataset));
        } else {
            DatasetView.print(out(spec), dataset);
        }
    }
}
