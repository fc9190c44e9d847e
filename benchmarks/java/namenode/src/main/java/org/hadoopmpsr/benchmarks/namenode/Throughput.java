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
import org.apache.hadoop.hdfs.server.namenode.Measurement;
import org.apache.hadoop.hdfs.server.namenode.ThroughputOperation;
import org.hadoopmpsr.benchmarks.namenode.Alternation.Subject;
import org.hadoopmpsr.client.MpsrClient;

/**
 * The clients' operations of Hadoop's NNThroughputBenchmark over RPC, against a stock NameNode, one with MPSR, and one
 * with MPSR where the files lie in a dataset.
 */
final class Throughput {
    private static final int THREADS = 4;

    private final int files;
    private final Alternation alternation;

    /** @param files of a chunk of an operation that waits for the disk; others get more, so that they last as long */
    Throughput(int files, Alternation alternation) {
        this.files = files;
        this.alternation = alternation;
    }

    /** What an operation needs: how many files, and what becomes of them. */
    private enum Operation {
        create(1, false),
        open(12, true),
        delete(1, false),
        rename(1, false),
        fileStatus(12, true);

        private final int factor;
        private final boolean reads;

        Operation(int factor, boolean reads) {
            this.factor = factor;
            this.reads = reads;
        }
    }

    void run(Path directory, Report report) throws IOException {
        try (Cluster stock = start(directory, "stock", false);
                Cluster outside = start(directory, "outside", true);
                Cluster inside = start(directory, "inside", true);
                MpsrClient client = inside.client()) {
            client.createDataset(ThroughputOperation.DIRECTORY, Cluster.SCHEMA);
            ThroughputOperation calls = new ThroughputOperation(stock.mini().getConfiguration(0), THREADS);
            for (Operation operation : Operation.values()) {
                measure(calls, operation, stock, outside, inside, report);
            }
        }
    }

    private static Cluster start(Path directory, String name, boolean withMpsr) throws IOException {
        return Cluster.start(Files.createDirectory(directory.resolve(name)), withMpsr);
    }

    private void measure(
            ThroughputOperation calls,
            Operation operation,
            Cluster stock,
            Cluster outside,
            Cluster inside,
            Report report)
            throws IOException {
        List<Cluster> clusters = List.of(stock, outside, inside);
        if (operation.reads) {
            for (Cluster cluster : clusters) {
                calls.against(cluster.mini().getFileSystem());
                calls.createFiles(files * operation.factor);
            }
        }
        alternation.measure(
                operation.name(),
                List.of(
                        new Subject("stock", () -> chunk(calls, operation, stock)),
                        new Subject("outside", () -> chunk(calls, operation, outside)),
                        new Subject("inside", () -> chunk(calls, operation, inside))),
                report);
        if (operation.reads) {
            for (Cluster cluster : clusters) {
                calls.against(cluster.mini().getFileSystem());
                calls.cleanUp(operation.name());
            }
        }
    }

    private Measurement chunk(ThroughputOperation calls, Operation operation, Cluster cluster) throws IOException {
        calls.against(cluster.mini().getFileSystem());
        if (operation.reads) {
            return calls.run(operation.name(), files * operation.factor);
        }
        if (operation != Operation.create) {
            calls.createFiles(files);
        }
        Measurement measured = calls.run(operation.name(), files);
        calls.cleanUp(operation.name());
        return measured;
    }
}
