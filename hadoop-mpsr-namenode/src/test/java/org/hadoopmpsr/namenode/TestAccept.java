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
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.Rebuild;

/** An acceptance of what a group has of a segment. */
public final class TestAccept implements TestChange {
    private final Dataset dataset;
    private final String id;
    private final Rebuild accepted;
    private final List<Long> states;
    private final List<StagedFile> files;

    /**
     * @param segment the id of the segment
     * @param read the states of the files that were read, by inode id
     * @param files the new files in all groups, of the change's segment
     */
    public TestAccept(
            Dataset dataset, String id, String group, String segment, Map<Long, Long> read, List<StagedFile> files) {
        this.dataset = dataset;
        this.id = id;
        this.accepted = new Rebuild(group, List.of(segment), List.copyOf(read.keySet()));
        this.states = accepted.replaces().stream().map(read::get).toList();
        this.files = List.copyOf(files);
    }

    @Override
    public String id() {
        return id;
    }

    public TestAccept stage(MpsrClient client, DistributedFileSystem fs) throws IOException {
        return stage(client, dataset.path(), fs);
    }

    @Override
    public TestAccept stage(MpsrClient client, String path, DistributedFileSystem fs) throws IOException {
        TestChange.stage(client, fs, path, dataset, id, files, file -> 2_000);
        return this;
    }

    public PublishResult publish(MpsrClient client) throws IOException {
        return publish(client, dataset.path());
    }

    @Override
    public PublishResult publish(MpsrClient client, String path) throws IOException {
        return client.accept(path, dataset.id(), id, accepted, states, files);
    }
}
