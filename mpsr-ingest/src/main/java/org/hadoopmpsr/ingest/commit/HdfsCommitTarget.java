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
package org.hadoopmpsr.ingest.commit;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.AccessControlException;
import org.apache.parquet.io.OutputFile;
import org.hadoopmpsr.client.BegunCommit;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.client.write.HdfsFile;
import org.hadoopmpsr.core.commit.CommitSource;
import org.hadoopmpsr.core.commit.Refusal.Kind;

/** A dataset in HDFS. Safe for use by several threads. */
public final class HdfsCommitTarget implements CommitTarget {
    private static final String COMPLETE_DELAY_KEY = "dfs.client.block.write.locateFollowingBlock.initial.delay.ms";
    private static final String CONNECT_RETRIES_KEY = "ipc.client.connect.max.retries";
    private static final String CONNECT_RETRIES_ON_TIMEOUTS_KEY = "ipc.client.connect.max.retries.on.timeouts";
    private static final String COMPLETE_RETRIES_KEY = "dfs.client.block.write.locateFollowingBlock.retries";

    private final MpsrClient client;
    private final FileSystem fs;
    private final Dataset dataset;

    private HdfsCommitTarget(MpsrClient client, FileSystem fs, Dataset dataset) {
        this.client = client;
        this.fs = fs;
        this.dataset = dataset;
    }

    /**
     * Opens the dataset that is at a path now.
     *
     * @param fs the file system's URI, such as {@code hdfs://namenode:8020}
     * @param path the dataset's path, without scheme
     * @throws FileNotFoundException when there is none
     * @throws UnknownHostException when nobody knows the NameNode's host now
     */
    public static HdfsCommitTarget open(Configuration conf, URI fs, String path) throws IOException {
        Configuration tuned = new Configuration(conf);
        // Closing a small file waits for the DataNode's report: ask again soon, and as long in total as by default.
        tuned.setInt(COMPLETE_DELAY_KEY, 10);
        tuned.setInt(COMPLETE_RETRIES_KEY, 12);
        // The sink itself tries again, and meanwhile goes on with other datasets; a nameservice has these values by
        // default.
        tuned.setInt(CONNECT_RETRIES_KEY, 0);
        tuned.setInt(CONNECT_RETRIES_ON_TIMEOUTS_KEY, 0);
        MpsrClient client = MpsrClient.create(tuned, fs);
        try {
            Dataset dataset = client.getDataset(path);
            return new HdfsCommitTarget(client, FileSystem.newInstance(fs, tuned), dataset);
        } catch (IllegalArgumentException e) {
            client.close();
            if (e.getCause() instanceof UnknownHostException unknown) {
                throw unknown;
            }
            throw e;
        } catch (IOException | RuntimeException e) {
            client.close();
            throw e;
        }
    }

    @Override
    public Dataset dataset() {
        return dataset;
    }

    @Override
    public CommittedOffsets offsets() throws IOException {
        try {
            Dataset now = client.getDataset(dataset.path());
            return now.id().equals(dataset.id())
                    ? CommittedOffsets.of(now.offsets())
                    : CommittedOffsets.refused(
                            Kind.OTHER_DATASET,
                            "the dataset at " + dataset.path() + " is another one (" + now.id() + ") than it was ("
                                    + dataset.id() + "): it was dropped and created again");
        } catch (FileNotFoundException e) {
            return CommittedOffsets.refused(Kind.NO_SUCH_DATASET, "there is no dataset at " + dataset.path());
        } catch (AccessControlException e) {
            return CommittedOffsets.refused(Kind.NO_PERMISSION, String.valueOf(e.getMessage()));
        }
    }

    @Override
    public BegunCommit begin(String commitId) throws IOException {
        return client.beginCommit(dataset.path(), dataset.id(), commitId, dataset.columns());
    }

    @Override
    public OutputFile file(String path) {
        return new HdfsFile(fs, new Path(path));
    }

    @Override
    public PublishResult publish(String commitId, List<CommitSource> sources, List<StagedFile> files)
            throws IOException {
        return client.publish(dataset.path(), dataset.id(), commitId, sources, files);
    }

    @Override
    public void abort(String commitId) throws IOException {
        client.abortCommit(dataset.path(), dataset.id(), commitId);
    }

    @Override
    public void close() throws IOException {
        try {
            client.close();
        } finally {
            fs.close();
        }
    }
}
