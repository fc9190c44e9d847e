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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.GeneratedFiles;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;

/** How long the publication of each kind of change holds the namesystem's write lock. */
final class PublishCost {
    /** Commits that a rewrite takes the place of. */
    private static final int MERGED = 2;

    private final String suffix;
    private final int filesPerGroup;
    private final int warmUp;
    private final int rounds;

    /**
     * @param suffix of the names of the figures
     * @param filesPerGroup of each commit
     * @param warmUp rounds that do not count; a round has two commits, a rewrite of them, and a rebuild
     */
    PublishCost(String suffix, int filesPerGroup, int warmUp, int rounds) {
        this.suffix = suffix;
        this.filesPerGroup = filesPerGroup;
        this.warmUp = warmUp;
        this.rounds = rounds;
    }

    void run(Path directory, Report report) throws IOException {
        Holds commits = new Holds("publish" + suffix, report);
        Holds rewrites = new Holds("rewrite" + suffix, report);
        Holds rebuilds = new Holds("rebuild" + suffix, report);
        try (Cluster cluster = Cluster.start(directory, true);
                MpsrClient client = cluster.client()) {
            NameNode nameNode = cluster.mini().getNameNode();
            TimedLock lock = new TimedLock();
            GeneratedFiles.lockWith(nameNode, lock);
            GeneratedFiles generated = new GeneratedFiles(nameNode, System.getProperty("user.name"), (short) 1);
            Dataset dataset = client.createDataset("/bench/meas", Cluster.SCHEMA);
            for (int round = 0; round < warmUp + rounds; round++) {
                boolean counts = round >= warmUp;
                List<Commit> both = new ArrayList<>();
                for (int i = 0; i < MERGED; i++) {
                    Commit commit = new Commit(dataset, MERGED * round + i, filesPerGroup);
                    commits.measure(client, generated, lock, commit, counts);
                    both.add(commit);
                }
                Merge merge = new Merge("merge-" + round, both);
                rewrites.measure(client, generated, lock, merge, counts);
                RebuiltGroup rebuilt = RebuiltGroup.of(nameNode, client, dataset, merge.id());
                rebuilds.measure(client, generated, lock, rebuilt, counts);
                Commit.checkRecords(client, dataset, MERGED * (round + 1) * filesPerGroup);
            }
        }
        commits.report();
        rewrites.report();
        rebuilds.report();
    }

    /** The holds of the write lock for changes of a kind. */
    private static final class Holds {
        private final String name;
        private final Report report;
        private int measured;
        private final List<Double> files = new ArrayList<>();
        private final List<Double> longest = new ArrayList<>();
        private final List<Double> cpu = new ArrayList<>();
        private final List<Double> total = new ArrayList<>();
        private final List<Double> number = new ArrayList<>();
        private final List<Double> seconds = new ArrayList<>();

        Holds(String name, Report report) {
            this.name = name;
            this.report = report;
        }

        void measure(MpsrClient client, GeneratedFiles generated, TimedLock lock, Change change, boolean counts)
                throws IOException {
            change.stage(client, generated);
            lock.take();
            long start = System.nanoTime();
            change.publish(client);
            double took = (System.nanoTime() - start) / 1e9;
            List<TimedLock.Hold> held = lock.take();
            double max = held.stream().mapToLong(TimedLock.Hold::ns).max().orElseThrow() / 1e6;
            report.run(name, measured++, max, "ms");
            if (counts) {
                files.add((double) change.files().size());
                longest.add(max);
                cpu.add(held.stream().mapToLong(TimedLock.Hold::cpuNs).max().orElseThrow() / 1e6);
                total.add(held.stream().mapToLong(TimedLock.Hold::ns).sum() / 1e6);
                number.add((double) held.size());
                seconds.add(took);
            }
        }

        void report() {
            report.figure(name + ".files", files, "files", Goal.NONE);
            report.figure(name + ".longestHold", longest, "ms", Goal.atMost(20));
            report.figure(name + ".longestHoldCpu", cpu, "ms", Goal.NONE);
            report.figure(name + ".allHolds", total, "ms", Goal.NONE);
            report.figure(name + ".numberOfHolds", number, "holds", Goal.NONE);
            report.figure(name + ".call", seconds, "s", Goal.NONE);
        }
    }
}
