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
package org.hadoopmpsr.namenode.damage;

import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.ReadableReplicas;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.rebuild.DamagedFile.Cause;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/** How a published file is found. */
enum FileState {
    SOUND(null),
    /** It is not in its place any more. */
    GONE(null),
    CHANGED(Cause.CHANGED),
    LOST(Cause.LOST),
    CORRUPT(Cause.CORRUPT);

    private final @Nullable Cause cause;

    FileState(@Nullable Cause cause) {
        this.cause = cause;
    }

    /** What is wrong with a file that is there; null if nothing is, or it is not there. */
    @Nullable
    Cause cause() {
        return cause;
    }

    /** Needs the read lock. */
    static FileState of(MpsrNamesystem system, GroupFile file) {
        INode now = system.directory().getInode(file.file().getId());
        if (now == null || now.getParent() == null || now.getParent().getId() != file.directoryId()) {
            return GONE;
        }
        INodeFile inode = now.asFile();
        if (!StoredStatistics.isUnchanged(inode)) {
            return CHANGED;
        }
        for (BlockInfo block : inode.getBlocks()) {
            if (ReadableReplicas.of(system.blocks(), block).isEmpty()) {
                return ReadableReplicas.areCorrupt(system.blocks(), block) ? CORRUPT : LOST;
            }
        }
        return SOUND;
    }
}
