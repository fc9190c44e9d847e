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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.Duplicates;
import org.hadoopmpsr.core.commit.KeptSegment;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.stats.FileStatistics;

/** A delete as a job makes it: of each file of the segments all records go, or some. */
public final class TestDelete implements TestChange {
    private final Dataset dataset;
    private final String id;
    private final List<String> removes = new ArrayList<>();
    private final List<StagedFile> files = new ArrayList<>();
    private final List<Duplicates> deleted = new ArrayList<>();

    public TestDelete(Dataset dataset, String id) {
        this.dataset = dataset;
        this.id = id;
    }

    /** All records of a commit go. */
    public TestDelete drop(TestCommit commit) {
        return keep(commit, ContentHash.EMPTY);
    }

    /** Of each file of a commit these records stay. */
    public TestDelete keep(TestCommit commit, ContentHash stays) {
        String segment = KeptSegment.id(id, removes.size());
        removes.add(commit.id());
        Map<String, Duplicates> goes = new HashMap<>();
        int number = 0;
        for (StagedFile file : commit.files()) {
            String directory = PathNames.parent(file.relativePath());
            FileStatistics statistics = file.statistics();
            Duplicates some =
                    new Duplicates(file.group(), directory, statistics.content().minus(stays));
            goes.merge(
                    file.group() + "/" + directory,
                    some,
                    (a, b) ->
                            new Duplicates(a.group(), a.directory(), a.content().plus(b.content())));
            if (!stays.isEmpty()) {
                files.add(new StagedFile(
                        file.group(),
                        directory + "/" + segment + "-" + number++ + ".parquet",
                        new FileStatistics(segment, stays, statistics.partition(), statistics.columns())));
            }
        }
        deleted.addAll(goes.values());
        return this;
    }

    @Override
    public String id() {
        return id;
    }

    public List<StagedFile> files() {
        return files;
    }

    public List<Duplicates> deleted() {
        return deleted;
    }

    /** Where a group's files are when it is published. */
    public List<String> published(String group) {
        String root = dataset.representations().stream()
                .filter(r -> r.group().equals(group))
                .findFirst()
                .orElseThrow()
                .root();
        return files.stream()
                .filter(f -> f.group().equals(group))
                .map(f -> root + "/" + f.relativePath())
                .toList();
    }

    public TestDelete stage(MpsrClient client, DistributedFileSystem fs) throws IOException {
        return stage(client, dataset.path(), fs);
    }

    @Override
    public TestDelete stage(MpsrClient client, String path, DistributedFileSystem fs) throws IOException {
        TestChange.stage(client, fs, path, dataset, id, files, file -> 2_000);
        return this;
    }

    public PublishResult publish(MpsrClient client) throws IOException {
        return publish(client, dataset.path());
    }

    @Override
    public PublishResult publish(MpsrClient client, String path) throws IOException {
        return client.delete(path, dataset.id(), id, removes, deleted, "signal = 'X'", files);
    }
}
