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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.ThroughputOperation;
import org.hadoopmpsr.client.MpsrClient;

/**
 * Hadoop's NNThroughputBenchmark over RPC, against a stock NameNode, one with MPSR, and one with MPSR where the files lie
 * in a dataset: each operation on all three in turn, again and again, in another order each time.
 */
final class Throughput {
    private static final List<String> OPERATIONS = List.of("create", "open", "delete", "rename", "fileStatus");
    private static final int THREADS = 4;

    private final int files;
    private final int rounds;

    Throughput(int files, int rounds) {
        this.files = files;
        this.rounds = rounds;
    }

    void run(Path directory, Report report) throws IOException {
        try (Cluster stock = start(directory, "stock", false);
                Cluster outside = start(directory, "outside", true);
                Cluster inside = start(directory, "inside", true);
                MpsrClient client = inside.client()) {
            client.createDataset(ThroughputOperation.DIRECTORY, Cluster.SCHEMA);
            ThroughputOperation operation = new ThroughputOperation(stock.mini().getConfiguration(0));
            for (String name : OPERATIONS) {
                measure(
                        operation,
                        name,
                        List.of(
                                new Subject("stock", stock, new ArrayList<>()),
                                new Subject("outside", outside, new ArrayList<>()),
                                new Subject("inside", inside, new ArrayList<>())),
                        report);
            }
        }
    }

    private static Cluster start(Path directory, String name, boolean withMpsr) throws IOException {
        return Cluster.start(Files.createDirectory(directory.resolve(name)), withMpsr);
    }

    /** A NameNode, and how many operations it did in a second of each round. */
    private record Subject(String name, Cluster cluster, List<Double> perSecond) {}

    private void measure(ThroughputOperation operation, String name, List<Subject> subjects, Report report)
            throws IOException {
        List<Subject> order = new ArrayList<>(subjects);
        for (int round = -1; round < rounds; round++) {
            for (Subject subject : order) {
                ThroughputOperation.against(subject.cluster().mini().getFileSystem());
                double value = operation.run(name, files, THREADS);
                if (round >= 0) {
                    subject.perSecond().add(value);
                    report.run(name + "." + subject.name(), round, value, "1/s");
                }
            }
            order.add(order.remove(0));
        }
        Subject stock = subjects.get(0);
        report.figure("throughput." + name + ".stock", stock.perSecond(), "1/s", Goal.NONE);
        for (Subject ours : subjects.subList(1, subjects.size())) {
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                ratios.add(ours.perSecond().get(round) / stock.perSecond().get(round));
            }
            report.figure("throughput." + name + "." + ours.name(), ratios, "x stock", Goal.atLeast(0.97));
        }
    }
}
