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
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.Rebuild;
import org.hadoopmpsr.core.layout.PathNames;

/** A rebuild as a job makes it: files of one group with the same records, under new names. */
public final class TestRebuild implements TestChange {
    /** The length of each file. */
    public static final int BYTES = 1_500;

    private final Dataset dataset;
    private final String id;
    private final Rebuild rebuild;
    private final List<StagedFile> files = new ArrayList<>();

    /**
     * @param name what its id ends with
     * @param lost the files to write anew, all of one group
     * @param replaces the inode ids of those that are still there
     */
    public TestRebuild(Dataset dataset, String name, Collection<StagedFile> lost, List<Long> replaces) {
        this(dataset, name, lost, replaces, false);
    }

    private TestRebuild(
            Dataset dataset, String name, Collection<StagedFile> lost, List<Long> replaces, boolean foreign) {
        this.dataset = dataset;
        this.id = Rebuild.ID_PREFIX + name;
        LinkedHashSet<String> segments = new LinkedHashSet<>();
        String group = "";
        for (StagedFile file : lost) {
            String segment = file.statistics().commitId();
            segments.add(segment);
            group = file.group();
            long parts = lost.stream()
                    .filter(f -> f.statistics().commitId().equals(segment))
                    .count();
            String newName = "%s-%s-parts%d-%d.parquet".formatted(segment, this.id, parts, files.size());
            files.add(new StagedFile(group, PathNames.parent(file.relativePath()) + "/" + newName, file.statistics()));
        }
        this.rebuild = new Rebuild(group, List.copyOf(segments), replaces, foreign, false);
    }

    /** One that may replace files of the default group that nobody published. */
    public static TestRebuild ofForeignFiles(
            Dataset dataset, String name, Collection<StagedFile> lost, List<Long> replaces) {
        return new TestRebuild(dataset, name, lost, replaces, true);
    }

    /** A rebuild of all files that a commit has in a group. */
    public static TestRebuild of(TestCluster cluster, Dataset dataset, String id, String group, TestCommit... commits)
            throws IOException {
        List<StagedFile> lost = new ArrayList<>();
        List<Long> replaces = new ArrayList<>();
        for (TestCommit commit : commits) {
            for (StagedFile file : commit.files()) {
                if (file.group().equals(group)) {
                    lost.add(file);
                    replaces.add(cluster.inodeId(root(dataset, group) + "/" + file.relativePath()));
                }
            }
        }
        return new TestRebuild(dataset, id, lost, replaces);
    }

    static String root(Dataset dataset, String group) {
        return dataset.representations().stream()
                .filter(r -> r.group().equals(group))
                .findFirst()
                .orElseThrow()
                .root();
    }

    @Override
    public String id() {
        return id;
    }

    public Rebuild rebuild() {
        return rebuild;
    }

    public List<StagedFile> files() {
        return files;
    }

    /** Where the files are when it is published. */
    public List<String> published() {
        return files.stream()
                .map(f -> root(dataset, f.group()) + "/" + f.relativePath())
                .toList();
    }

    /** Begins it and writes its files. */
    public TestRebuild stage(MpsrClient client, DistributedFileSystem fs) throws IOException {
        return stage(client, dataset.path(), fs);
    }

    /** The same, where the dataset may have been renamed. */
    @Override
    public TestRebuild stage(MpsrClient client, String path, DistributedFileSystem fs) throws IOException {
        TestChange.stage(client, fs, path, dataset, id, files, file -> BYTES);
        return this;
    }

    public PublishResult publish(MpsrClient client) throws IOException {
        return publish(client, dataset.path());
    }

    /** The same, where the dataset may have been renamed. */
    @Override
    public PublishResult publish(MpsrClient client, String path) throws IOException {
        return client.rebuild(path, dataset.id(), id, rebuild, files);
    }
}
