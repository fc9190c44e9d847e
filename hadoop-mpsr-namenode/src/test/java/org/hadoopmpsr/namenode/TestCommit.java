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
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;

/** A commit of records of one signal, device and day, ten in each file; by default a file for each group. */
public final class TestCommit {
    private static final long DAY_NS = 86_400_000_000_000L;
    private static final int RECORDS = 10;
    /** The length of each file. */
    public static final int BYTES = 1_000;

    private final Dataset dataset;
    private final String id;
    private final List<CommitSource> sources = new ArrayList<>();
    private final List<StagedFile> files = new ArrayList<>();

    public TestCommit(Dataset dataset, long start, long end) {
        this(dataset, start, end, "PT-" + start, LocalDate.of(2014, 5, 1).plusDays(start / 10));
    }

    TestCommit(Dataset dataset, long start, long end, String signal, LocalDate day) {
        this(dataset, "t-0-" + start + "-" + end, new CommitSource("t", 0, start, end), signal, day, 1);
    }

    /** @param parts files for each group, each with ten records */
    public TestCommit(Dataset dataset, String id, CommitSource source, String signal, LocalDate day, int parts) {
        this.dataset = dataset;
        this.id = id;
        sources.add(source);
        ContentHash content = content(source);
        for (ReplicaGroup group : dataset.writtenGroups().groups()) {
            for (int part = 0; part < parts; part++) {
                files.add(file(group, signal, day.toEpochDay(), content, part));
            }
        }
    }

    /** Makes a dataset and publishes its first commit, of the source's records 0 to 10. */
    static Dataset published(MpsrClient client, DistributedFileSystem fs, String path) throws IOException {
        Dataset dataset = client.createDataset(path, TestCluster.SCHEMA);
        new TestCommit(dataset, 0, 10).stage(client, fs).publish(client);
        return dataset;
    }

    /** Every other commit is one of an older writer. */
    private static ContentHash content(CommitSource source) {
        HashKind kind = source.start() / RECORDS % 2 == 0 ? HashKind.SHA_256 : HashKind.XXH_128;
        return new ContentHash(kind, RECORDS, source.start(), source.end());
    }

    private StagedFile file(ReplicaGroup group, String signal, long day, ContentHash content, int part) {
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
        return new StagedFile(group.name(), dir + "/" + id + "-" + part + ".parquet", statistics);
    }

    /** This with one more source. */
    public TestCommit plus(CommitSource source) {
        sources.add(source);
        return this;
    }

    /** This with one more file for each group, with records of another day. */
    TestCommit plus(LocalDate day) {
        CommitSource source = sources.get(0);
        ContentHash content = content(source);
        int part = files.size();
        for (ReplicaGroup group : dataset.groups().groups()) {
            files.add(file(group, "PT-" + source.start(), day.toEpochDay(), content, part));
        }
        return this;
    }

    public String id() {
        return id;
    }

    public List<CommitSource> sources() {
        return sources;
    }

    public List<StagedFile> files() {
        return files;
    }

    public StagedFile file(String group) {
        return files.stream().filter(f -> f.group().equals(group)).findFirst().orElseThrow();
    }

    /** Where a group's file is when it is published. */
    public String published(String group) {
        String root = dataset.representations().stream()
                .filter(r -> r.group().equals(group))
                .findFirst()
                .orElseThrow()
                .root();
        return root + "/" + file(group).relativePath();
    }

    /**
     * Begins the commit and writes its files.
     *
     * @throws IOException with the reason when it is refused
     */
    public TestCommit stage(MpsrClient client, DistributedFileSystem fs) throws IOException {
        return stage(client, dataset.path(), fs);
    }

    /** The same, where the dataset may have been renamed. */
    TestCommit stage(MpsrClient client, String path, DistributedFileSystem fs) throws IOException {
        TestChange.stage(client, fs, path, dataset, id, files, file -> BYTES);
        return this;
    }

    /** @throws IOException with the reason when it is refused */
    public PublishResult publish(MpsrClient client) throws IOException {
        return publish(client, dataset.path());
    }

    /** The same, where the dataset may have been renamed. */
    PublishResult publish(MpsrClient client, String path) throws IOException {
        PublishResult result = client.publish(path, dataset.id(), id, sources, files);
        if (result.refusal() != null) {
            throw new IOException(result.reason());
        }
        return result;
    }
}
