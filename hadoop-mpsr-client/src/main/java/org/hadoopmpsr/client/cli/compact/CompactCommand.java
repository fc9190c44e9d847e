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
package org.hadoopmpsr.client.cli.compact;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.RemoteException;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.cli.run.Runs;
import org.hadoopmpsr.client.cli.run.SparkJob;
import org.hadoopmpsr.client.compact.SegmentList;
import org.hadoopmpsr.client.run.ChangeLimits;
import org.hadoopmpsr.client.run.JobKind;
import org.hadoopmpsr.core.compact.CompactionPlan;
import org.hadoopmpsr.core.compact.CompactionPlanner;
import org.hadoopmpsr.core.compact.HeldSegment;
import org.hadoopmpsr.core.compact.MergeRules;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr compact}. */
@Command(
        name = "compact",
        description =
                "Merge small segments into large ones, in all replica groups at once, so that the dataset has few large"
                        + " files. Prints what is merged, then runs the Spark job that does it, with the Spark of"
                        + " SPARK_HOME or PATH. Queries go on meanwhile. Needs the dataset's owner or a superuser.",
        mixinStandardHelpOptions = true)
public final class CompactCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(
            paramLabel = "DATASET",
            arity = "0..1",
            description = "The dataset's directory. Default: every dataset that you may read.")
    private @Nullable String path;

    private static final class Deed {
        @Option(names = "--dry-run", description = "Only print what would be merged.")
        private boolean dryRun;

        @Option(
                names = "--status",
                description = "Show how far your compaction is, or how the last one ended: merges, segments, bytes and"
                        + " the estimated time left.")
        private boolean status;

        @Option(
                names = "--cancel",
                description = "End your compaction: the merge underway is given up; merges that are done stay.")
        private boolean cancel;
    }

    @ArgGroup
    private Deed deed = new Deed();

    @Mixin
    private MergeOptions options;

    @Mixin
    private SparkJob job;

    @Spec
    private CommandSpec spec;

    private boolean unreadable;

    @Override
    public Integer call() throws Exception {
        try (MpsrClient client = connection.client()) {
            List<Dataset> datasets =
                    path == null ? client.listDatasets() : List.of(client.getDataset(connection.path(path)));
            if (deed.status) {
                runs().status(datasets);
                return 0;
            }
            if (deed.cancel) {
                runs().cancel(datasets);
                return 0;
            }
            List<Dataset> due = plan(client, datasets);
            int failed = unreadable ? 1 : 0;
            if (deed.dryRun || due.isEmpty()) {
                return failed;
            }
            Output.of(spec).flush();
            int code = job.run(
                    JobKind.COMPACT,
                    options.get(connection).toArguments(),
                    connection.qualified(due),
                    connection.json());
            return code == 0 ? failed : code;
        }
    }

    /** Prints what is merged; returns the datasets in which something is. One of many that cannot be read is left out. */
    private List<Dataset> plan(MpsrClient client, List<Dataset> datasets) throws IOException {
        FileSystem fs = FileSystem.get(connection.fileSystem(), connection.conf());
        int maxFiles = ChangeLimits.maxFiles(connection.conf());
        List<Dataset> due = new ArrayList<>();
        List<Object> json = new ArrayList<>();
        for (Dataset dataset : datasets) {
            MergeRules rules =
                    options.get(connection).rules(fs.getDefaultBlockSize(new Path(dataset.path())), maxFiles);
            List<HeldSegment> segments;
            try {
                segments = SegmentList.of(client, dataset.path());
            } catch (RemoteException e) {
                if (path != null) {
                    throw e;
                }
                unreadable = true;
                Output.ofErrors(spec).message("mpsr: " + dataset.path() + ": " + MpsrClient.answer(e));
                continue;
            }
            List<CompactionPlan> rounds = CompactionPlanner.rounds(segments, rules);
            if (!rounds.isEmpty()) {
                due.add(dataset);
            }
            json.add(CompactView.json(dataset.path(), segments, rounds));
            if (!connection.json()) {
                CompactView.print(Output.of(spec), dataset.path(), segments, rounds);
            }
        }
        if (connection.json() && (deed.dryRun || due.isEmpty())) {
            Output.of(spec).json(Map.of("datasets", json));
        }
        return due;
    }

    private Runs runs() throws IOException {
        return new Runs(options.records(connection), Output.of(spec), connection.json());
    }
}
