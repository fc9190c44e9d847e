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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.server.namenode.GeneratedFiles;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Fence.Verdict;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * A commit of many files: so many in each group, each of another signal, device and day, with statistics of all columns
 * as ingest writes them.
 */
final class Commit {
    private static final long DAY_NS = 86_400_000_000_000L;
    private static final int RECORDS = 50_000;

    private final Dataset dataset;
    private final int number;
    private final String id;
    private final List<StagedFile> files = new ArrayList<>();

    Commit(Dataset dataset, int number, int filesPerGroup) {
        this.dataset = dataset;
        this.number = number;
        this.id = "meas-0-" + number + "00000-" + (number + 1) + "00000";
        for (ReplicaGroup group : dataset.groups().groups()) {
            for (int i = 0; i < filesPerGroup; i++) {
                files.add(file(group, i));
            }
        }
    }

    private StagedFile file(ReplicaGroup group, int i) {
        String signal = "PT-" + (1_000 + i);
        String device = "DEV-" + (100 + i);
        long time = (16_000L + i) * DAY_NS;
        Map<String, Object> values = Map.of("signal", signal, "device", device, "system", "CRYO", "timestamp_ns", time);
        List<Object> partition = group.predicates().stream()
                .map(p -> p.transform()
                        .apply(
                                p.source(dataset.schema()).type(),
                                switch (p.column()) {
                                    case "signal" -> signal;
                                    case "device" -> device;
                                    case "system" -> "CRYO";
                                    default -> (Object) time;
                                }))
                .toList();
        FileStatistics statistics = new FileStatistics(
                id,
                new ContentHash(RECORDS, 0x9E3779B97F4A7C15L * (i + 1), 0xC2B2AE3D27D4EB4FL * (number + i + 1L)),
                partition,
                Map.of(
                        "signal", new ColumnStatistics(signal, signal + "9", 0, 10),
                        "device", new ColumnStatistics(device, device + "9", 0, 10),
                        "system", new ColumnStatistics("CRYO", "CRYO", 0, 1),
                        "timestamp_ns", new ColumnStatistics(time, time + DAY_NS - 1_000_000, 0, RECORDS),
                        "value", new ColumnStatistics(-1.5 * i, 273.15 + i / 7.0, 3, 4_000)));
        String directory = PartitionPath.of(group.partitionFields(dataset.schema()), partition);
        return new StagedFile(group.name(), directory + "/" + id + "-" + i + ".parquet", statistics);
    }

    /** Where the files lie in a directory that holds one for each group. */
    Map<String, List<String>> namesByDirectory() {
        Map<String, List<String>> names = new HashMap<>();
        for (StagedFile file : files) {
            String path = "/" + file.group() + "/" + file.relativePath();
            int slash = path.lastIndexOf('/');
            names.computeIfAbsent(path.substring(0, slash), d -> new ArrayList<>())
                    .add(path.substring(slash + 1));
        }
        return names;
    }

    /** Puts the files below a directory, into directories for their groups. */
    void generate(GeneratedFiles generated, String root) throws IOException {
        for (Map.Entry<String, List<String>> directory : namesByDirectory().entrySet()) {
            generated.add(root + directory.getKey(), directory.getValue(), 1_000_000);
        }
    }

    /** Begins the commit and puts its files into the staging directory. */
    void stage(MpsrClient client, GeneratedFiles generated) throws IOException {
        generate(generated, client.beginCommit(dataset.path(), id));
    }

    void publish(MpsrClient client) throws IOException {
        CommitSource source = new CommitSource("meas", 0, number * 100_000L, (number + 1) * 100_000L);
        Verdict verdict =
                client.publish(dataset.path(), id, List.of(source), files).verdict();
        if (verdict != Verdict.OPEN) {
            throw new IllegalStateException("commit " + id + " was not published: " + verdict);
        }
    }

    int files() {
        return files.size();
    }

    /** Checks that all groups hold the files of so many such commits, and can be read. */
    void check(MpsrClient client, int commits) throws IOException {
        for (Dataset.Representation r : client.getDataset(dataset.path()).representations()) {
            long expected =
                    (long) commits * files.size() / dataset.groups().names().size();
            if (r.files() != expected || r.content().count() != expected * RECORDS || r.unusable() != null) {
                throw new IllegalStateException("group " + r.group() + " holds " + r.files() + " files with "
                        + r.content().count() + " records instead of " + expected + " files with " + expected * RECORDS
                        + " records; " + r.unusable());
            }
        }
    }
}
