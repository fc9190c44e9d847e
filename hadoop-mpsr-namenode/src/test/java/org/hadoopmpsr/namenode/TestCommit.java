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
package org.hadoopmpsr.namenode;

import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;

/** A commit of ten records of one signal, device and day, in a file for each group. */
final class TestCommit {
    private static final long DAY_NS = 86_400_000_000_000L;
    private static final int RECORDS = 10;

    private final Dataset dataset;
    private final String id;
    private final List<CommitSource> sources = new ArrayList<>();
    private final List<StagedFile> files = new ArrayList<>();

    TestCommit(Dataset dataset, long start, long end) {
        this(dataset, start, end, "PT-" + start, LocalDate.of(2014, 5, 1).plusDays(start / 10));
    }

    TestCommit(Dataset dataset, long start, long end, String signal, LocalDate day) {
        this.dataset = dataset;
        this.id = "t-0-" + start + "-" + end;
        sources.add(new CommitSource("t", 0, start, end));
        for (ReplicaGroup group : dataset.groups().groups()) {
            files.add(file(group, signal, day.toEpochDay(), new ContentHash(RECORDS, start, end)));
        }
    }

    private StagedFile file(ReplicaGroup group, String signal, long day, ContentHash content) {
        Map<String, Object> values =
                Map.of("signal", signal, "device", "D1", "system", "CRYO", "timestamp_ns", day * DAY_NS);
        List<Object> partition = group.predicates().stream()
                .map(p -> p.transform().apply(p.source(dataset.schema()).type(), values.get(p.column())))
                .toList();
        FileStatistics statistics = new FileStatistics(
                id,
                content,
                partition,
                Map.of(
                        "signal", ColumnStatistics.of(signal, signal, 0),
                        "device", ColumnStatistics.of("D1", "D1", 0),
                        "system", ColumnStatistics.of("CRYO", "CRYO", 0),
                        "timestamp_ns", ColumnStatistics.of(day * DAY_NS, day * DAY_NS + RECORDS, 0)));
        String dir = PartitionPath.of(group.partitionFields(dataset.schema()), partition);
        return new StagedFile(group.name(), dir + "/" + id + "-0.parquet", statistics);
    }

    /** This with one more source. */
    TestCommit plus(CommitSource source) {
        sources.add(source);
        return this;
    }

    String id() {
        return id;
    }

    List<CommitSource> sources() {
        return sources;
    }

    List<StagedFile> files() {
        return files;
    }

    StagedFile file(String group) {
        return files.stream().filter(f -> f.group().equals(group)).findFirst().orElseThrow();
    }

    /** Where a group's file is when it is published. */
    String published(String group) {
        String root = dataset.representations().stream()
                .filter(r -> r.group().equals(group))
                .findFirst()
                .orElseThrow()
                .root();
        return root + "/" + file(group).relativePath();
    }

    /** Begins the commit and writes its files. */
    TestCommit stage(MpsrClient client, DistributedFileSystem fs) throws IOException {
        String staging = client.beginCommit(dataset.path(), id);
        for (StagedFile file : files) {
            TestCluster.write(fs, staging + "/" + file.group() + "/" + file.relativePath(), 1_000);
        }
        return this;
    }

    PublishResult publish(MpsrClient client) throws IOException {
        return client.publish(dataset.path(), id, sources, files);
    }
}
