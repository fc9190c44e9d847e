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

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import org.apache.parquet.io.OutputFile;
import org.hadoopmpsr.client.BegunCommit;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.client.PublishResult;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.commit.CommitSource;

/**
 * The dataset that a sink writes to: the one that was at its path when this was opened, and no other. Where there is
 * another one now, calls are refused. {@link #file} is safe for use by several threads.
 */
public interface CommitTarget extends Closeable {
    /** The dataset as it was when this was opened. */
    Dataset dataset();

    /** The committed offsets of the dataset now. */
    CommittedOffsets offsets() throws IOException;

    /** Makes a commit's staging directory; the files of a group go to a directory of the group's name below. */
    BegunCommit begin(String commitId) throws IOException;

    /** A new file at a path below a staging directory; its directories are made with it. */
    OutputFile file(String path);

    /**
     * Publishes a commit in all groups or in none. After an exception the outcome is unknown, and publishing the same
     * commit again tells it.
     */
    PublishResult publish(String commitId, List<CommitSource> sources, List<StagedFile> files) throws IOException;

    /** Deletes what is staged of a commit; no effect on a commit that is published, or where another dataset is. */
    void abort(String commitId) throws IOException;
}
