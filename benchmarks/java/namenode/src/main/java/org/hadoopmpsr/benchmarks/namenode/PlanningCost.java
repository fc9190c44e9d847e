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
package org.hadoopmpsr.benchmarks.namenode;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.server.namenode.GeneratedFiles;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.ReadPlan;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.And;
import org.hadoopmpsr.core.plan.Filter.Compare;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.plan.ReadRequest;

/**
 * How long a client waits for a plan over RPC with all its pages, for filters of several kinds, and in the same run for
 * what stock Spark does instead: a listing of the default group with the places of blocks.
 */
final class PlanningCost {
    static final int FILES_PER_GROUP = 334;
    private static final int WARM_UP = 3;

    private final int files;
    private final int rounds;
    private final Users users;

    PlanningCost(int files, int rounds) {
        this(files, rounds, nameNode -> {});
    }

    /** @param users who may use the NameNode after it was measured, until they return */
    PlanningCost(int files, int rounds, Users users) {
        this.files = files;
        this.rounds = rounds;
        this.users = users;
    }

    /** Others that use a NameNode with the planned files. */
    interface Users {
        void use(URI nameNode) throws IOException;
    }

    /**
     * A filter and what its plan must be.
     *
     * @param group the group to be chosen; empty for any
     * @param perCommit files of each commit that may hold what is asked for
     */
    private record Kind(String name, Filter filter, String group, int perCommit, Goal goal) {}

    private static List<Kind> kinds() {
        Filter signal = new Compare(Operator.EQ, "signal", Commit.signal(5));
        Filter day = new And(List.of(
                new Compare(Operator.GE, "timestamp_ns", Commit.time(7)),
                new Compare(Operator.LT, "timestamp_ns", Commit.time(8))));
        Filter device = new And(List.of(
                new Compare(Operator.EQ, "system", Commit.SYSTEM),
                new Compare(Operator.EQ, "device", Commit.device(9))));
        Filter both = new And(List.of(
                new Compare(Operator.EQ, "signal", Commit.signal(5)),
                new Compare(Operator.GE, "timestamp_ns", Commit.time(5)),
                new Compare(Operator.LT, "timestamp_ns", Commit.time(6))));
        return List.of(
                new Kind("signal", signal, "signal", 1, Goal.atMost(100)),
                new Kind("day", day, "time", 1, Goal.atMost(100)),
                new Kind("device", device, "device", 1, Goal.atMost(100)),
                new Kind("both", both, "signal", 1, Goal.atMost(100)),
                new Kind("all", Filter.ALL, "", FILES_PER_GROUP, Goal.NONE));
    }

    void run(Path directory, Report report) throws IOException {
        int commits = Math.max(1, Math.round(files / (3f * FILES_PER_GROUP)));
        try (Cluster cluster = Cluster.start(directory, true);
                MpsrClient client = cluster.client()) {
            Dataset dataset = client.createDataset("/bench/meas", Cluster.SCHEMA);
            fill(cluster, client, dataset, commits);
            report.figure("planning.files", 3.0 * commits * FILES_PER_GROUP, "files");
            // looks at every file
            report.figure("planning.first", planMs(client, dataset, kinds().get(0), commits), "ms");
            for (Kind kind : kinds()) {
                List<Double> ms = new ArrayList<>();
                List<Double> keptMs = new ArrayList<>();
                for (int i = -Math.min(WARM_UP, rounds); i < rounds; i++) {
                    // which has no plan yet, and a connection
                    try (MpsrClient fresh = cluster.client()) {
                        double took = planMs(fresh, dataset, kind, commits);
                        double again = planMs(fresh, dataset, kind, commits);
                        report.run("planning." + kind.name(), i, took, "ms");
                        report.run("planning." + kind.name() + ".kept", i, again, "ms");
                        if (i >= 0) {
                            ms.add(took);
                            keptMs.add(again);
                        }
                    }
                }
                report.figure("planning." + kind.name(), ms, "ms", kind.goal());
                report.figure("planning." + kind.name() + ".kept", keptMs, "ms", Goal.NONE);
            }
            List<Double> stock = new ArrayList<>();
            for (int i = 0; i < Math.min(rounds, 3); i++) {
                stock.add(listingMs(cluster.mini().getFileSystem(), dataset, commits * FILES_PER_GROUP));
            }
            report.figure("planning.stock", stock, "ms", Goal.NONE);
            CompactionPlanCost.measure(client, dataset, report);
            users.use(cluster.mini().getURI());
        }
    }

    private static void fill(Cluster cluster, MpsrClient client, Dataset dataset, int commits) throws IOException {
        Map<String, String> nodes = new HashMap<>();
        client.status().getNodeList().forEach(n -> nodes.put(n.getGroup(), n.getUuid()));
        GeneratedFiles generated =
                new GeneratedFiles(cluster.mini().getNameNode(), System.getProperty("user.name"), (short) 1);
        for (int i = 0; i < commits; i++) {
            Commit commit = new Commit(dataset, i, FILES_PER_GROUP, true);
            commit.stage(client, generated, nodes);
            commit.publish(client);
        }
    }

    private static double planMs(MpsrClient client, Dataset dataset, Kind kind, int commits) throws IOException {
        long start = System.nanoTime();
        ReadRequest asked = ReadRequest.ofAllColumns(kind.filter()).inParts(); // as Spark asks
        ReadPlan plan = client.plan(dataset.path(), asked, null, List.of()).orElseThrow();
        double ms = (System.nanoTime() - start) / 1e6;
        boolean right = kind.group().isEmpty() || kind.group().equals(plan.group());
        if (plan.stock() || !right || plan.files().size() != kind.perCommit() * commits) {
            throw new IllegalStateException(
                    kind.filter() + " is planned as " + plan.files().size() + " files of "
                            + plan.group() + ", not " + kind.perCommit() * commits + " of " + kind.group() + ": "
                            + plan.reason()
                            + "; " + plan.candidates());
        }
        return ms;
    }

    private static double listingMs(FileSystem fs, Dataset dataset, int expected) throws IOException {
        long start = System.nanoTime();
        RemoteIterator<LocatedFileStatus> listing = fs.listFiles(new org.apache.hadoop.fs.Path(dataset.path()), true);
        int found = 0;
        while (listing.hasNext()) {
            found += listing.next().getBlockLocations().length;
        }
        if (found != expected) {
            throw new IllegalStateException("the listing found " + found + " blocks and not " + expected);
        }
        return (System.nanoTime() - start) / 1e6;
    }
}
