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
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.namenode.SimulatedDataNodes;
import org.apache.hadoop.hdfs.server.namenode.SimulatedDataNodes.Reports;
import org.hadoopmpsr.benchmarks.namenode.Alternation.Subject;
import org.hadoopmpsr.client.MpsrClient;

/**
 * The DataNodes' operations of Hadoop's NNThroughputBenchmark, against a stock NameNode and one with MPSR that has a
 * dataset. The files lie outside of it: inside, they would have another number of copies.
 */
final class DataNodeThroughput {
    private static final int NODES = 9;
    /** Copies are made of a third of so many times the blocks of a report. */
    private static final int COPIED = 30;

    private final int blocks;
    private final Alternation alternation;

    /** @param blocks of a full block report */
    DataNodeThroughput(int blocks, Alternation alternation) {
        this.blocks = blocks;
        this.alternation = alternation;
    }

    void run(Path directory, Report report) throws IOException {
        measure(directory.resolve("reports"), "blockReport", report, nodes -> {
            Reports reports = nodes.prepareReports(blocks);
            return () -> reports.send(blocks);
        });
        measure(directory.resolve("copies"), "replication", report, nodes -> {
            nodes.prepareReplication(COPIED * blocks);
            return nodes::replicate;
        });
    }

    /** Puts into a NameNode what an operation needs. */
    private interface Preparation {
        Alternation.Chunk prepare(SimulatedDataNodes nodes) throws IOException;
    }

    private void measure(Path directory, String operation, Report report, Preparation preparation) throws IOException {
        Configuration stockConf = SimulatedDataNodes.configuration(
                directory.resolve("stock-hosts").toString());
        Configuration oursConf =
                SimulatedDataNodes.configuration(directory.resolve("ours-hosts").toString());
        try (Cluster stock = Cluster.start(Files.createDirectories(directory.resolve("stock")), false, stockConf);
                Cluster ours = Cluster.start(Files.createDirectories(directory.resolve("ours")), true, oursConf);
                MpsrClient client = ours.client();
                SimulatedDataNodes stockNodes =
                        SimulatedDataNodes.of(stock.mini().getNameNode(), stockConf, NODES);
                SimulatedDataNodes ourNodes = SimulatedDataNodes.of(ours.mini().getNameNode(), oursConf, NODES)) {
            client.createDataset("/bench/meas", Cluster.SCHEMA);
            alternation.measure(
                    operation,
                    List.of(
                            new Subject("stock", preparation.prepare(stockNodes)),
                            new Subject("outside", preparation.prepare(ourNodes))),
                    report);
        }
    }
}
