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
import java.util.function.ToIntFunction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.hadoopmpsr.client.BegunCommit;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.MpsrClient;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;

/** A change of a dataset as a job makes it. */
interface TestChange {
    String id();

    /** @param path where the dataset is now */
    TestChange stage(MpsrClient client, String path, DistributedFileSystem fs) throws IOException;

    /** @param path where the dataset is now */
    PublishResult publish(MpsrClient client, String path) throws IOException;

    /**
     * Begins a change and writes its files.
     *
     * @param path where the dataset is now
     * @param bytes the length of each file
     * @throws IOException with the reason when it is refused
     */
    static void stage(
            MpsrClient client,
            DistributedFileSystem fs,
            String path,
            Dataset dataset,
            String id,
            List<StagedFile> files,
            ToIntFunction<StagedFile> bytes)
            throws IOException {
        BegunCommit begun = client.beginCommit(path, dataset.id(), id);
        if (begun.refusal() != null) {
            throw new IOException(begun.refusal().reason());
        }
        for (StagedFile file : files) {
            TestCluster.write(
                    fs, begun.stagingDir() + "/" + file.group() + "/" + file.relativePath(), bytes.applyAsInt(file));
        }
    }
}
