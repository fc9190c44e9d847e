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
package org.hadoopmpsr.namenode.commit;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.NamespaceEdits;
import org.hadoopmpsr.core.commit.CommittedOffset;
import org.hadoopmpsr.core.commit.Fence;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.namenode.staging.NamedFile;
import org.hadoopmpsr.namenode.store.CommitRecord;
import org.hadoopmpsr.namenode.store.CommittedContent;

/** The rules of one kind of change for its publish, in the order in which they are asked. For one publish and one thread. */
interface ChangeRules {
    /**
     * Checks what the change says by itself.
     *
     * @param named the new files
     * @param content their records, each counted once
     */
    void read(List<NamedFile> named, ContentHash content) throws IOException;

    /** Whether the change may be published now. Needs the read lock. */
    Fence.Decision decide() throws IOException;

    /** Checks all that takes long, when the change may be published. Takes the lock in short holds. */
    void prepare() throws IOException;

    /**
     * The modification time in milliseconds that a new file is to have; empty for the one that it has. Asked after
     * {@link #prepare}.
     */
    OptionalLong modificationTime(NamedFile file);

    /** What is kept of the change. */
    CommitRecord record(ContentHash content);

    /**
     * Gives a new file of the default group the rights that it will have.
     *
     * @param source where it is staged
     * @param parent the directory to which it is moved
     */
    void giveRights(NamespaceEdits edits, String source, INode parent) throws IOException;

    /**
     * Prepares the dataset for the change, and repeats the checks that take long. The caller has the dataset alone. Takes the
     * lock in short holds.
     */
    void confirm() throws IOException;

    /** Checks that everything is as it was prepared. Needs the write lock, in the hold of the commit point. */
    void checkAgain() throws IOException;

    /** What the dataset should hold after the change. */
    CommittedContent after(CommittedContent before, CommittedContent added);

    /** Moves the files into place after the commit point. */
    Completion completion();

    /** Checks that a change that was published before is this one. Takes the read lock in short holds. */
    void checkSame() throws IOException;

    /** The committed offsets of the change's topic-partitions. Needs the read lock. */
    List<CommittedOffset> offsets() throws IOException;
}
