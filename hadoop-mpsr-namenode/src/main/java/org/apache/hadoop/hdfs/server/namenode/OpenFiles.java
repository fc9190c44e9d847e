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
package org.apache.hadoop.hdfs.server.namenode;

import java.util.ArrayList;
import java.util.function.Predicate;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockInfo;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeStorageInfo;
import org.jspecify.annotations.Nullable;

/** Finds files that are being written. */
public final class OpenFiles {

    private OpenFiles() {}

    /**
     * Finds a file of which a block is being written to a DataNode; HDFS does not count such a block among the node's
     * blocks yet. Needs the read lock; visits every open file.
     *
     * @param which the relevant paths
     * @return the path of a file, or null if there is none
     */
    public static @Nullable String on(FSDirectory directory, DatanodeDescriptor node, Predicate<String> which) {
        for (long id : new ArrayList<>(directory.getFSNamesystem().leaseManager.getINodeIdWithLeases())) {
            INode inode = directory.getInode(id);
            if (inode != null && inode.isFile() && isWritten(inode.asFile(), node)) {
                String path = inode.getFullPathName();
                if (which.test(path)) {
                    return path;
                }
            }
        }
        return null;
    }

    private static boolean isWritten(INodeFile file, DatanodeDescriptor node) {
        BlockInfo[] blocks = file.getBlocks();
        // only the last two blocks of a file can be incomplete
        for (int i = Math.max(0, blocks.length - 2); i < blocks.length; i++) {
            if (!blocks[i].isComplete()) {
                for (DatanodeStorageInfo storage :
                        blocks[i].getUnderConstructionFeature().getExpectedStorageLocations()) {
                    if (storage.getDatanodeDescriptor().equals(node)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }
}
