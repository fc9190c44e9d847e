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
package org.hadoopmpsr.namenode.index;

import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.server.namenode.INode;
import org.apache.hadoop.hdfs.server.namenode.INodeFile;
import org.hadoopmpsr.namenode.store.Namespace;
import org.hadoopmpsr.namenode.store.StoredStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The published files of a representation that were changed, or are not in their places any more. Immutable.
 *
 * @param index the index, and
 * @param seen the directories of which this holds
 * @param ids the inode ids of the files; null if the damage is not that of some published files alone
 */
record DamagedFiles(
        GroupIndex index, SeenDirectories seen, @Nullable Set<Long> ids) {
    /** With more files, the representation counts as damaged as a whole. */
    private static final int MOST = 100_000;

    /** Looks at the directories that hold fewer files than were published there. */
    static DamagedFiles of(Namespace namespace, GroupIndex index, SeenDirectories seen) throws IOException {
        if (seen.untracked() > 0) {
            return new DamagedFiles(index, seen, null);
        }
        Set<Long> ids = gone(namespace, index, seen);
        ids.addAll(seen.changed());
        return new DamagedFiles(index, seen, known(index, ids));
    }

    /** The inode ids of the published files that are not in their places, or more than {@value #MOST} of them. */
    static Set<Long> gone(Namespace namespace, GroupIndex index, SeenDirectories seen) throws IOException {
        Set<Long> ids = new HashSet<>();
        for (Map.Entry<Long, PartitionIndex> entry : index.byDirectory().entrySet()) {
            long id = entry.getKey();
            PartitionIndex partition = entry.getValue();
            if (ids.size() <= MOST && seen.trackedFiles(id) < partition.size()) {
                Set<Long> there = seen.holds(id) ? new HashSet<>(namespace.entries(id, INode::getId)) : Set.of();
                partition.inodes().stream()
                        .map(INodeFile::getId)
                        .filter(file -> !there.contains(file))
                        .forEach(ids::add);
            }
        }
        return ids;
    }

    /** The files, if they are few and planning can evaluate them: the index is no longer of use where it cannot. Else null. */
    static @Nullable Set<Long> known(GroupIndex index, Set<Long> ids) {
        boolean areKnown = ids.size() <= MOST
                && index.partitions().stream()
                        .flatMap(partition -> partition.inodes().stream())
                        .filter(file -> ids.contains(file.getId()))
                        .allMatch(file -> StoredStatistics.header(file) != null);
        return areKnown ? Set.copyOf(ids) : null;
    }
}
