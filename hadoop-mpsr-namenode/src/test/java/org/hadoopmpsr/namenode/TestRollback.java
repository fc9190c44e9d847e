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
import java.util.List;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.history.PlannedRollback;
import org.hadoopmpsr.core.commit.KeptSegment;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;

/** A rollback as a job makes it: each file of a restored segment is written again. */
public final class TestRollback implements TestChange {
    private final Dataset dataset;
    private final String id;
    private final PlannedRollback plan;
    private final List<StagedFile> files = new ArrayList<>();

    /** Plans a rollback to a state. */
    public TestRollback(MpsrClient client, Dataset dataset, String id, String to) throws IOException {
        this.dataset = dataset;
        this.id = id;
        this.plan = client.planRollback(dataset.path(), to);
        for (Dataset.Representation r : dataset.representations()) {
            for (DataFile file : client.removedSegmentFiles(dataset.path(), r.group(), plan.restoredIds())) {
                int place = plan.restoredIds().indexOf(file.statistics().commitId());
                add(r, file, KeptSegment.id(id, place));
            }
        }
    }

    private void add(Dataset.Representation r, DataFile file, String segment) {
        String directory = PathNames.parent(file.path()).substring(r.root().length() + 1);
        FileStatistics was = file.statistics();
        files.add(new StagedFile(
                r.group(),
                directory + "/" + segment + "-" + files.size() + ".parquet",
                new FileStatistics(segment, was.content(), was.partition(), was.columns())));
    }

    @Override
    public String id() {
        return id;
    }

    public PlannedRollback plan() {
        return plan;
    }

    public List<StagedFile> files() {
        return files;
    }

    public TestRollback stage(MpsrClient client, DistributedFileSystem fs) throws IOException {
        return stage(client, dataset.path(), fs);
    }

    @Override
    public TestRollback stage(MpsrClient client, String path, DistributedFileSystem fs) throws IOException {
        TestChange.stage(client, fs, path, dataset, id, files, file -> 2_000);
        return this;
    }

    public PublishResult publish(MpsrClient client) throws IOException {
        return publish(client, dataset.path());
    }

    @Override
    public PublishResult publish(MpsrClient client, String path) throws IOException {
        return client.rollback(path, dataset.id(), id, plan, "change " + plan.sequence(), files);
    }
}
