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
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.adopt.UntrackedFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Rebuild;

/** Files of an ordinary writer, and their adoption. */
public final class TestAdopt implements TestChange {
    private final Dataset dataset;
    private final String id;
    private final List<StagedFile> files = new ArrayList<>();
    private List<Long> ids = List.of();
    private List<Long> states = List.of();

    /**
     * Of some files of one directory, with ten records each.
     *
     * @param start tells their records from those of others
     */
    public TestAdopt(Dataset dataset, String id, long start, int parts) {
        this.dataset = dataset;
        this.id = id;
        CommitSource source = new CommitSource("t", 0, start, start + 10);
        int part = 0;
        for (StagedFile file : new TestCommit(dataset, id, source, "PT", LocalDate.of(2014, 5, 1), parts).files()) {
            files.add(file.group().equals(group()) ? ordinary(file, part++) : file);
        }
    }

    /** Of one file with ten records. */
    public TestAdopt(Dataset dataset, String id, long start, String path) {
        this(dataset, id, start, 1);
        String relative = path.substring(dataset.path().length() + 1);
        files.replaceAll(file -> file.group().equals(group())
                ? new StagedFile(file.group(), relative, file.statistics(), file.length())
                : file);
    }

    private StagedFile ordinary(StagedFile file, int part) {
        String directory = file.relativePath().substring(0, file.relativePath().lastIndexOf('/'));
        return new StagedFile(
                file.group(),
                directory + "/part-" + part + "-of-" + id + ".parquet",
                file.statistics(),
                TestCommit.BYTES);
    }

    private String group() {
        return dataset.groups().defaultName();
    }

    /** The paths of the ordinary writer's files. */
    public List<String> paths() {
        return files.stream()
                .filter(f -> f.group().equals(group()))
                .map(f -> dataset.path() + "/" + f.relativePath())
                .toList();
    }

    public List<StagedFile> files() {
        return files;
    }

    /** The ordinary writer writes. */
    public TestAdopt write(DistributedFileSystem fs) throws IOException {
        for (String path : paths()) {
            TestCluster.write(fs, path, TestCommit.BYTES);
        }
        return this;
    }

    /** The job reads the files as they are now. */
    public TestAdopt read(MpsrClient client) throws IOException {
        Map<String, UntrackedFile> found = client.untracked(dataset.path()).stream()
                .collect(Collectors.toMap(UntrackedFile::path, Function.identity()));
        List<UntrackedFile> own = paths().stream().map(found::get).toList();
        ids = own.stream().map(UntrackedFile::fileId).toList();
        states = own.stream().map(UntrackedFile::state).toList();
        return this;
    }

    @Override
    public String id() {
        return id;
    }

    public TestAdopt stage(MpsrClient client, DistributedFileSystem fs) throws IOException {
        return stage(client, dataset.path(), fs);
    }

    @Override
    public TestAdopt stage(MpsrClient client, String path, DistributedFileSystem fs) throws IOException {
        TestChange.stage(
                client, fs, path, dataset, id, files, file -> file.group().equals(group()) ? 0 : TestCommit.BYTES);
        return this;
    }

    public PublishResult publish(MpsrClient client) throws IOException {
        return publish(client, dataset.path());
    }

    @Override
    public PublishResult publish(MpsrClient client, String path) throws IOException {
        return publish(client, path, id, files);
    }

    /** Publishes a change with another id, or that states other files. */
    public PublishResult publishAs(MpsrClient client, String as, List<StagedFile> stated) throws IOException {
        return publish(client, dataset.path(), as, stated);
    }

    private PublishResult publish(MpsrClient client, String path, String as, List<StagedFile> stated)
            throws IOException {
        return client.adopt(path, dataset.id(), as, new Rebuild(group(), List.of(), ids), states, stated);
    }
}
