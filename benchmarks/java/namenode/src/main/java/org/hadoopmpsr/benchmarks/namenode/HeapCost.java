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
import org.apache.hadoop.hdfs.server.namenode.GeneratedFiles;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;

/** The NameNode's heap for a published file, and for the same file outside datasets. */
final class HeapCost {
    private static final int FILES_PER_GROUP = 334;

    private final int files;

    HeapCost(int files) {
        this.files = files;
    }

    void run(Path directory, Report report) throws IOException {
        int commits = Math.max(1, files / (3 * FILES_PER_GROUP));
        try (Cluster cluster = Cluster.start(directory, true);
                MpsrClient client = cluster.client()) {
            NameNode nameNode = cluster.mini().getNameNode();
            GeneratedFiles generated = new GeneratedFiles(nameNode, System.getProperty("user.name"), (short) 1);
            Dataset dataset = client.createDataset("/bench/meas", Cluster.SCHEMA);
            // directories and what is made once shall not count
            new Commit(dataset, commits, FILES_PER_GROUP).generate(generated, "/plain");
            Commit first = publish(client, generated, dataset, 0);
            first.check(client, 1);

            long before = usedBytes();
            for (int i = 0; i < commits; i++) {
                new Commit(dataset, i, FILES_PER_GROUP).generate(generated, "/plain");
            }
            long plain = usedBytes();
            Commit last = first;
            for (int i = 1; i <= commits; i++) {
                last = publish(client, generated, dataset, i);
            }
            last.check(client, commits + 1);
            long published = usedBytes();
            double count = (double) commits * 3 * FILES_PER_GROUP;
            report.figure("heap.files", count, "files");
            report.figure("heap.stock", (plain - before) / count, "bytes/file");
            report.figure("heap.published", (published - plain) / count, "bytes/file");
            report.figure("heap.more", (published - plain - (plain - before)) / count, "bytes/file", Goal.atMost(200));
        }
    }

    private static Commit publish(MpsrClient client, GeneratedFiles generated, Dataset dataset, int number)
            throws IOException {
        Commit commit = new Commit(dataset, number, FILES_PER_GROUP);
        commit.stage(client, generated);
        commit.publish(client);
        return commit;
    }

    /** The least of several measurements: the first collections free what only waits to be freed. */
    static long usedBytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }
}
