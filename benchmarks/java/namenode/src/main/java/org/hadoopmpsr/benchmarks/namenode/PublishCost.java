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

/** How long a publish holds the namesystem's write lock. */
final class PublishCost {
    private final String name;
    private final int filesPerGroup;
    private final int warmUp;
    private final int rounds;

    /** @param name of the figures */
    PublishCost(String name, int filesPerGroup, int warmUp, int rounds) {
        this.name = name;
        this.filesPerGroup = filesPerGroup;
        this.warmUp = warmUp;
        this.rounds = rounds;
    }

    void run(Path directory, Report report) throws IOException {
        List<Double> longest = new ArrayList<>();
        List<Double> cpu = new ArrayList<>();
        List<Double> total = new ArrayList<>();
        List<Double> holds = new ArrayList<>();
        List<Double> seconds = new ArrayList<>();
        try (Cluster cluster = Cluster.start(directory, true);
                MpsrClient client = cluster.client()) {
            NameNode nameNode = cluster.mini().getNameNode();
            TimedLock lock = new TimedLock();
            GeneratedFiles.lockWith(nameNode, lock);
            GeneratedFiles generated = new GeneratedFiles(nameNode, System.getProperty("user.name"), (short) 1);
            Dataset dataset = client.createDataset("/bench/meas", Cluster.SCHEMA);
            for (int i = 0; i < warmUp + rounds; i++) {
                Commit commit = new Commit(dataset, i, filesPerGroup);
                commit.stage(client, generated);
                lock.take();
                long start = System.nanoTime();
                commit.publish(client);
                double took = (System.nanoTime() - start) / 1e9;
                List<TimedLock.Hold> held = lock.take();
                commit.check(client, i + 1);
                double max = held.stream().mapToLong(TimedLock.Hold::ns).max().orElseThrow() / 1e6;
                report.run(name, i, max, "ms");
                if (i >= warmUp) {
                    longest.add(max);
                    cpu.add(held.stream().mapToLong(TimedLock.Hold::cpuNs).max().orElseThrow() / 1e6);
                    total.add(held.stream().mapToLong(TimedLock.Hold::ns).sum() / 1e6);
                    holds.add((double) held.size());
                    seconds.add(took);
                }
            }
        }
        report.figure(name + ".files", 3.0 * filesPerGroup, "files");
        report.figure(name + ".longestHold", longest, "ms", Goal.atMost(20));
        report.figure(name + ".longestHoldCpu", cpu, "ms", Goal.NONE);
        report.figure(name + ".allHolds", total, "ms", Goal.NONE);
        report.figure(name + ".numberOfHolds", holds, "holds", Goal.NONE);
        report.figure(name + ".call", seconds, "s", Goal.NONE);
    }
}
