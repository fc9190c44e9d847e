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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.GeneratedFiles;
import org.hadoopmpsr.benchmarks.year.Year;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.core.compact.HeldSegment;

/**
 * The NameNode's heap after months of commits and merges. The files, their statistics, the segments' records and what MPSR
 * keeps of them in memory are real. There are no data, and only the segments that are left at the end of a month are published.
 */
final class YearCost {
    private static final int MONTH = 30;

    private final int months;

    YearCost(int months) {
        this.months = months;
    }

    void run(Path directory, Report report) throws IOException {
        Year year = new Year();
        for (int month = 1; month <= months; month++) {
            while (year.days() < month * MONTH) {
                year.passDay();
            }
            String name = "year." + month;
            measure(Files.createDirectory(directory.resolve(name)), name, year, report);
        }
        report.figure("year.mostFiles", year.mostFiles(), "files", Goal.atMost(1_000_000));
        report.figure("year.rewrites", year.rewrites(), "times");
    }

    private static void measure(Path directory, String name, Year year, Report report) throws IOException {
        Configuration conf = new HdfsConfiguration();
        conf.set("dfs.mpsr.replica.group.signal.predicates", "bucket(" + Year.BUCKETS + ", signal)");
        try (Cluster cluster = Cluster.start(directory, true, conf);
                MpsrClient client = cluster.client()) {
            GeneratedFiles generated =
                    new GeneratedFiles(cluster.mini().getNameNode(), System.getProperty("user.name"), (short) 1);
            Dataset dataset = client.createDataset("/bench/year", Cluster.SCHEMA);
            long before = HeapCost.usedBytes();
            long sequence = 0;
            for (HeldSegment segment : year.segments()) {
                new YearSegment(dataset, segment, year.bytesByDay(segment)).publish(client, generated, sequence++);
            }
            long files = client.getDataset(dataset.path()).representations().stream()
                    .mapToLong(Dataset.Representation::files)
                    .sum();
            if (files != year.files()) {
                throw new IllegalStateException("there are " + files + " files instead of " + year.files());
            }
            report.figure(name + ".files", files, "files");
            report.figure(name + ".segments", year.segments().size(), "segments");
            report.figure(name + ".heap", HeapCost.usedBytes() - before, "bytes", Goal.atMost(450_000_000));
        }
    }
}
