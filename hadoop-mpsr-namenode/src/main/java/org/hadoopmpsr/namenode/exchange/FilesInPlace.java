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
package org.hadoopmpsr.namenode.exchange;

import java.util.Collection;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.apache.hadoop.hdfs.server.namenode.MpsrNamesystem;
import org.hadoopmpsr.core.layout.PathNames;
import org.hadoopmpsr.namenode.index.GroupIndex.GroupFile;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/** Looks at single files, which somebody may have moved, deleted or put there. All calls need the read lock. */
final class FilesInPlace {

    private FilesInPlace() {}

    /** True if a file lies where it was found. */
    static boolean contain(MpsrNamesystem system, GroupFile file) {
        INode now = system.directory().getInode(file.file().getId());
        return now != null && now.getParent() != null && now.getParent().getId() == file.directoryId();
    }

    /**
     * A file that was never published and has the name of a file of some segment: somebody has put it there.
     *
     * @param id its inode id
     * @return null if there is no such file
     */
    static @Nullable GroupFile foreign(MpsrNamesystem system, long id, Collection<String> segments) {
        INode inode = system.directory().getInode(id);
        if (inode == null || !inode.isFile() || inode.getParent() == null) {
            return null;
        }
        INodeFile file = inode.asFile();
        boolean named = segments.stream().anyMatch(s -> file.getLocalName().startsWith(s + "-"));
        return named && !StoredStatistics.isPublished(file) && !file.isUnderConstruction()
                ? GroupFile.of(PathNames.parent(file.getFullPathName()), file)
                : null;
    }
}
