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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
            Map<String, Cluster> clusters = new LinkedHashMap<>();
            clusters.put("stock", stock);
            clusters.put("outside", outside);
            clusters.put("inside", inside);
            ThroughputOperation operation = new ThroughputOperation(stock.mini().getConfiguration(0));
            for (String name : OPERATIONS) {
                measure(operation, name, clusters, report);
            }
        }
    }

    private static Cluster start(Path directory, String name, boolean withMpsr) throws IOException {
        return Cluster.start(Files.createDirectory(directory.resolve(name)), withMpsr);
    }

    private void measure(ThroughputOperation operation, String name, Map<String, Cluster> clusters, Report report)
            throws IOException {
        Map<String, List<Double>> perSecond = new LinkedHashMap<>();
        List<String> order = new ArrayList<>(clusters.keySet());
        order.forEach(c -> perSecond.put(c, new ArrayList<>()));
        for (int round = -1; round < rounds; round++) {
            for (String cluster : order) {
                ThroughputOperation.against(clusters.get(cluster).mini().getFileSystem());
                double value = operation.run(name, files, THREADS);
                if (round >= 0) {
                    perSecond.get(cluster).add(value);
                    report.run(name + "." + cluster, round, value, "1/s");
                }
            }
            order.add(order.remove(0));
        }
        report.figure("throughput." + name + ".stock", perSecond.get("stock"), "1/s", Goal.NONE);
        for (String cluster : List.of("outside", "inside")) {
            List<Double> ratios = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                ratios.add(perSecond.get(cluster).get(round)
                        / perSecond.get("stock").get(round));
            }
            report.figure("throughput." + name + "." + cluster, ratios, "x stock", Goal.atLeast(0.97));
        }
    }
}
