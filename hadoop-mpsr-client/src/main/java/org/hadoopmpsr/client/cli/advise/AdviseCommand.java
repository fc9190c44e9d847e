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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.advise.DatasetSampler;
import org.hadoopmpsr.client.cli.common.Connection;
import org.hadoopmpsr.client.cli.common.Output;
import org.hadoopmpsr.client.workload.WorkloadJson;
import org.hadoopmpsr.client.workload.WorkloadReport;
import org.hadoopmpsr.core.advise.Advice;
import org.hadoopmpsr.core.advise.Advisor;
import org.hadoopmpsr.core.advise.DataSample;
import org.hadoopmpsr.core.config.MpsrConfig;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.workload.QueryClass;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mpsr advise}. */
@Command(
        name = "advise",
        description =
                "Advise replica groups for a dataset, from what is asked of it and from what the NameNode knows of its files: how"
                        + " they are partitioned and sorted, what each class of queries would read, and the commands that do it."
                        + " The default group stays as it is. Changes nothing, and opens no file.",
        mixinStandardHelpOptions = true)
public final class AdviseCommand implements Callable<Integer> {
    @Mixin
    private Connection connection;

    @Parameters(paramLabel = "PATH", description = "The dataset's directory.")
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
                            + " Default: what the NameNode has counted since it started.")
    private @Nullable String from;

    @Option(
            names = "--seed",
            paramLabel = "NUMBER",
            defaultValue = "1",
            description =
                    "The sample is drawn by this number; equal numbers give equal advice. Default: ${DEFAULT-VALUE}.")
    private long seed;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws Exception {
        if (groups != null && groups < 1) {
            throw new IllegalArgumentException("--groups " + groups + " leaves no group; want at least 1");
        }
        try (MpsrClient client = connection.client()) {
            Dataset dataset = client.getDataset(connection.path(path));
            DataSample sample = DatasetSampler.sample(client, dataset, seed);
            List<ReplicaGroup> today = today(dataset.groups());
            Advice advice = Advisor.advise(
                    sample,
                    classes(client, dataset),
                    today,
                    groups == null ? today.size() : groups,
                    MpsrConfig.read(connection.conf()::get).costs(),
                    connection.conf().getLongBytes("dfs.blocksize", 128L << 20),
                    seed);
            AdviceView view = new AdviceView(dataset.path(), budget == null ? advice : advice.withCopies(budget));
            if (connection.json()) {
                Output.of(spec).json(view.json());
            } else {
                view.print(Output.of(spec));
            }
        }
        return 0;
    }

    /** The present groups that can answer every query, the default group first: a lossy group is read for few. */
    static List<ReplicaGroup> today(ReplicaGroups groups) {
        List<ReplicaGroup> today = new ArrayList<>(groups.exact());
        ReplicaGroup first = groups.defaultGroup();
        today.remove(first);
        today.add(0, first);
        return today;
    }

    private List<QueryClass> classes(MpsrClient client, Dataset dataset) throws IOException {
        WorkloadReport report = from == null ? client.workload(dataset.path()) : read(from);
        List<QueryClass> classes = new ArrayList<>();
        report.datasets().stream()
                .filter(d -> from == null || d.path().equals(dataset.path()))
                .forEach(d -> classes.addAll(d.classes()));
        if (classes.isEmpty() && from != null) {
            throw new IOException("the workload in '" + from + "' has no query of " + dataset.path() + ", but of "
                    + report.datasets().stream()
                            .map(WorkloadReport.OfDataset::path)
                            .limit(10)
                            .toList());
        }
        return classes;
    }

    private static WorkloadReport read(String file) throws IOException {
        try {
            return WorkloadJson.read(Files.readString(Path.of(file), StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            throw new IOException("the file '" + file + "' is no workload: " + e.getMessage(), e);
        }
    }
}
