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

import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.parquet.hadoop.util.HadoopStreams;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;

/** A dataset in HDFS. Safe for use by several threads. */
public final class HdfsCommitTarget implements CommitTarget {
    private static final String COMPLETE_DELAY_KEY = "dfs.client.block.write.locateFollowingBlock.initial.delay.ms";
    private static final String COMPLETE_RETRIES_KEY = "dfs.client.block.write.locateFollowingBlock.retries";

    private final MpsrClient client;
    private final FileSystem fs;
    private final String dataset;

    private HdfsCommitTarget(MpsrClient client, FileSystem fs, String dataset) {
        this.client = client;
        this.fs = fs;
        this.dataset = dataset;
    }

    /**
     * Opens a dataset.
     *
     * @param fs the file system's URI, such as {@code hdfs://namenode:8020}
     * @param dataset the dataset's path, without scheme
     */
    public static HdfsCommitTarget open(Configuration conf, URI fs, String dataset) throws IOException {
        Configuration tuned = new Configuration(conf);
        // Closing a small file waits for the DataNode's report: ask again soon, and as long in total as by default.
        tuned.setInt(COMPLETE_DELAY_KEY, 10);
        tuned.setInt(COMPLETE_RETRIES_KEY, 12);
        FileSystem fileSystem = FileSystem.newInstance(fs, tuned);
        try {
            return new HdfsCommitTarget(MpsrClient.create(tuned, fs), fileSystem, dataset);
        } catch (IOException | RuntimeException e) {
            fileSystem.close();
            throw e;
        }
    }

    @Override
    public String path() {
        return dataset;
    }

    @Override
    public Dataset dataset() throws IOException {
        return client.getDataset(dataset);
    }

    @Override
    public String begin(String commitId) throws IOException {
        return client.beginCommit(dataset, commitId);
    }

    @Override
    public OutputFile file(String path) {
        return new NewFile(new Path(path));
    }

    @Override
    public PublishResult publish(String commitId, List<CommitSource> sources, List<StagedFile> files)
            throws IOException {
        return client.publish(dataset, commitId, sources, files);
    }

    @Override
    public void abort(String commitId) throws IOException {
        client.abortCommit(dataset, commitId);
    }

    @Override
    public void close() throws IOException {
        try {
            client.close();
        } finally {
            fs.close();
        }
    }

    private final class NewFile implements OutputFile {
        private final Path path;

        NewFile(Path path) {
            this.path = path;
        }

        @Override
        public PositionOutputStream create(long blockSizeHint) throws IOException {
            return HadoopStreams.wrap(fs.create(path, false));
        }

        @Override
        public PositionOutputStream createOrOverwrite(long blockSizeHint) throws IOException {
            return HadoopStreams.wrap(fs.create(path, true));
        }

        @Override
        public boolean supportsBlockSize() {
            return false;
        }

        @Override
        public long defaultBlockSize() {
            return fs.getDefaultBlockSize(path);
        }

        @Override
        public String getPath() {
            return path.toString();
        }
    }
}
