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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.ThroughputOperation;
import org.hadoopmpsr.client.MpsrClient;

/**
 * Hadoop's NNThroughputBenchmark over RPC, against a stock NameNode, one with MPSR, and one with MPSR where the files lie
 * in a dataset: each operation on all three in turn, again and again, in another order each time. Operations of DataNodes
 * are measured on a new NameNode each time, called directly, and not in a dataset: there a file has other numbers of copies.
 */
final class Throughput {
    private static final List<String> OPERATIONS = List.of("create", "open", "delete", "rename", "fileStatus");
    private static final int THREADS = 4;
    private static final int DATANODES = 9;

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
        simulated(directory, "blockReport", o -> o.blockReports(DATANODES, files, 3 * files), report);
        simulated(directory, "replication", o -> o.replication(DATANODES, 5 * files), report);
    }

    /** What simulated DataNodes do. */
    private interface Simulated {
        double run(ThroughputOperation operation) throws IOException;
    }

    private void simulated(Path directory, String name, Simulated simulated, Report report) throws IOException {
        List<Double> stock = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int round = rounds > 1 ? -1 : 0; round < rounds; round++) {
            double[] perSecond = new double[2];
            for (int i = 0; i < 2; i++) {
                boolean withMpsr = (round & 1) == i;
                perSecond[withMpsr ? 1 : 0] = simulated(directory.resolve("simulated"), withMpsr, simulated);
            }
            if (round >= 0) {
                report.run(name + ".stock", round, perSecond[0], "1/s");
                report.run(name + ".outside", round, perSecond[1], "1/s");
                stock.add(perSecond[0]);
                if (perSecond[0] == 0 || perSecond[1] == 0) {
                    throw new IllegalStateException(name + " took less than a millisecond: too few files to measure");
                }
                ratios.add(perSecond[1] / perSecond[0]);
            }
        }
        report.figure("throughput." + name + ".stock", stock, "1/s", Goal.NONE);
        report.figure("throughput." + name + ".outside", ratios, "x stock", Goal.atLeast(0.97));
    }

    private static double simulated(Path directory, boolean withMpsr, Simulated simulated) throws IOException {
        Configuration conf = new HdfsConfiguration();
        conf.set("hadoop.tmp.dir", directory.resolveSibling("tmp").toString());
        ThroughputOperation operation = new ThroughputOperation(conf);
        try (Cluster cluster = Cluster.start(directory, withMpsr, ThroughputOperation.configuration())) {
            if (withMpsr) {
                try (MpsrClient client = cluster.client()) {
                    client.createDataset("/bench/meas", Cluster.SCHEMA); // so that DataNodes are given groups
                }
            }
            ThroughputOperation.within(cluster.mini().getNameNode());
            return simulated.run(operation);
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
        for (int round = rounds > 1 ? -1 : 0; round < rounds; round++) {
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
