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
package org.hadoopmpsr.client.cli.alter;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.DatasetAlterations;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.RepresentationName;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.group.WantedGroup;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.text.CommaList;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr dataset alter}. */
@Command(
        name = "alter",
        description =
                "Alter the groups and columns of a dataset while it is read and written. A group that is added, or set in another"
                        + " way, is incomplete at first: the maintenance service writes the dataset's records in it, as hdfs mpsr"
                        + " rebuild does. Queries read the other groups until it is complete. Needs a superuser.",
        mixinStandardHelpOptions = true)
public final class AlterCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(
            index = "0",
            paramLabel = "PATH",
            description =
                    "The dataset's directory; for groups also a directory above datasets, which are all altered: / for"
                            + " all datasets.")
    private String path = "";

    /** What is done. */
    enum Action {
        ADD_GROUP("add-group", "GROUP"),
        SET_GROUP("set-group", "GROUP"),
        DROP_GROUP("drop-group", "GROUP"),
        ADD_COLUMN("add-column", "COLUMN"),
        WIDEN_COLUMN("widen-column", "COLUMN"),
        RENAME_COLUMN("rename-column", "COLUMN"),
        DROP_COLUMN("drop-column", "COLUMN"),
        MOVE_COLUMN("move-column", "COLUMN"),
        CANCEL("cancel", null),
        STATUS("status", null);

        private final String text;
        private final @Nullable String takes;

        Action(String text, @Nullable String takes) {
            this.text = text;
            this.takes = takes;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    @Parameters(
            index = "1",
            paramLabel = "ACTION",
            description =
                    "add-group: a replica group in which the dataset has no files gets some. set-group: the files of"
                            + " the group are written anew, with other predicates, sort order, codec or transforms; the present ones go"
                            + " when the new ones are complete. drop-group: the dataset's files in the group go."
                            + " add-column: the dataset has one more column, which is null in the records that are there."
                            + " widen-column: a column gets a type that holds more values. rename-column: readers with MPSR see"
                            + " a column under the name of --to. drop-column: they do not see it any more. move-column: they"
                            + " see it at the place of --after or --first. cancel: all incomplete groups go. status: how far"
                            + " incomplete groups are.")
    private Action action = Action.STATUS;

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "GROUP|COLUMN",
            description =
                    "The replica group, as dfs.mpsr.groups names it; for drop-group also a name that hdfs mpsr dataset"
                            + " show prints. For add-column and widen-column the name and type of the column, such as"
                            + " 'pressure double' or '`wind speed` double', and for the others its name.")
    private @Nullable String what;

    @Option(
            names = "--predicates",
            paramLabel = "PREDICATES",
            description =
                    "The predicates of the group, in order, such as 'day(timestamp), bucket(64, signal)', or 'day(`time"
                            + " stamp`)' where a name is not of letters, digits and underscores. Default: for"
                            + " add-group those of the configuration, for set-group the present ones.")
    private String predicates = "";

    @Option(
            names = "--sort",
            paramLabel = "COLUMNS",
            description =
                    "The columns, fields of structs such as pos.x, or leading bits of numbers such as bits(16, value), by which the records"
                            + " of a file are sorted. Default: as for --predicates; with --predicates their columns.")
    private String sort = "";

    @Option(
            names = "--codec",
            paramLabel = "CODECS",
            description =
                    "zstd:1 to zstd:22, snappy, lz4_raw, gzip, gzip:1 to gzip:9 or none; for some columns another one, such as"
                            + " 'zstd:3, value=zstd:9'. Default: as for --predicates.")
    private @Nullable String codec;

    @Option(
            names = "--transform",
            paramLabel = "COLUMN=TRANSFORM",
            description =
                    "The form in which the group's files hold a column, such as value=planes:16,16,32; once for each column. value=identity alone:"
                            + " all as they are. Default: as for --predicates.")
    private List<String> transforms = List.of();

    @Option(names = "--to", paramLabel = "NAME", description = "For rename-column: the new name.")
    private @Nullable String to;

    @Option(names = "--after", paramLabel = "COLUMN", description = "For move-column: the column before it.")
    private @Nullable String after;

    @Option(names = "--first", description = "For move-column: the column becomes the first.")
    private boolean first;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        check(action.takes == null && what != null, action + " takes no GROUP or COLUMN");
        check(action.takes != null && what == null, action + " needs a " + action.takes);
        boolean wants = !predicates.isBlank() || !sort.isBlank() || codec != null || !transforms.isEmpty();
        check(
                wants && action != Action.ADD_GROUP && action != Action.SET_GROUP,
                "--predicates, --sort, --codec and --transform are for add-group and set-group");
        check(
                (to != null) != (action == Action.RENAME_COLUMN),
                "rename-column needs --to NAME, and nothing else takes it");
        check(
                (after != null ? 1 : 0) + (first ? 1 : 0) != (action == Action.MOVE_COLUMN ? 1 : 0),
                "move-column needs either --after COLUMN or --first, and nothing else takes them");
        Output out = Output.of(spec);
        try (MpsrClient client = connection.client()) {
            String directory = connection.path(path);
            Dataset known;
            try {
                known = client.getDataset(directory);
            } catch (IOException e) {
                List<Dataset> below = DatasetsBelow.of(client, directory);
                if (below.isEmpty()) {
                    throw e;
                }
                check(
                        "COLUMN".equals(action.takes),
                        directory + " is no dataset, and has datasets below it; " + action
                                + " alters one dataset: name it");
                return new DatasetsBelow(out, connection.json()).each(below, each -> altered(client, each));
            }
            Dataset dataset = run(client.alterations(), known);
            if (connection.json()) {
                out.json(AlterView.json(dataset));
            } else {
                AlterView.lines(dataset).forEach(out::line);
            }
        }
        return 0;
    }

    /** The dataset after the action, which it may not need: somebody gives the command again after a failure. */
    private Dataset altered(MpsrClient client, Dataset known) throws IOException {
        boolean has = known.writtenGroups().names().stream()
                .anyMatch(name -> RepresentationName.group(name).equals(what));
        boolean isDone = action == Action.ADD_GROUP && has || action == Action.DROP_GROUP && !has;
        return isDone ? known : run(client.alterations(), known);
    }

    private void check(boolean wrong, String problem) {
        if (wrong) {
            throw new ParameterException(spec.commandLine(), problem);
        }
    }

    private Dataset run(DatasetAlterations alterations, Dataset known) throws IOException {
        return switch (action) {
            case ADD_GROUP -> alterations.add(known.path(), known.id(), wanted());
            case SET_GROUP -> alterations.set(known.path(), known.id(), wanted());
            case DROP_GROUP -> alterations.drop(known.path(), known.id(), String.valueOf(what));
            case ADD_COLUMN -> alterations.addColumn(known.path(), known.id(), String.valueOf(what));
            case WIDEN_COLUMN -> alterations.widenColumn(known.path(), known.id(), String.valueOf(what));
            case RENAME_COLUMN -> alterations.renameColumn(known.path(), known.id(), column(what), column(to));
            case DROP_COLUMN -> alterations.dropColumn(known.path(), known.id(), column(what));
            case MOVE_COLUMN ->
                alterations.moveColumn(known.path(), known.id(), column(what), after == null ? null : column(after));
            case CANCEL -> alterations.cancel(known.path(), known.id());
            case STATUS -> known;
        };
    }

    private static String column(@Nullable String text) {
        return ColumnName.parse(String.valueOf(text));
    }

    private WantedGroup wanted() {
        return new WantedGroup(
                String.valueOf(what),
                CommaList.of(predicates).stream().map(Predicate::parse).toList(),
                SortKey.parseList(sort),
                codec == null ? null : Codecs.parse(codec),
                transforms.isEmpty() ? null : ColumnTransforms.parse(transforms));
    }
}
