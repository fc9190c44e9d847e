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
import java.util.Set;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileTotals;
import org.hadoopmpsr.namenode.store.Namespace;
import org.jspecify.annotations.Nullable;

/**
 * The published files of a representation that are gone. Immutable.
 *
 * @param index the index, and
 * @param seen the directories of which this holds
 * @param ids the inode ids of the files; null if they are too many, or planning cannot evaluate them
 * @param totals their totals
 * @param segments the ids of their segments
 */
record DeletedFiles(
        GroupIndex index, SeenDirectories seen, @Nullable Set<Long> ids, FileTotals totals, Set<String> segments) {

    /** Looks at the directories that hold fewer files than were published there. */
    static DeletedFiles of(Namespace namespace, GroupIndex index, SeenDirectories seen) throws IOException {
        Set<Long> ids = DamagedFiles.known(index, DamagedFiles.gone(namespace, index, seen));
        if (ids == null) {
            return new DeletedFiles(index, seen, null, FileTotals.EMPTY, Set.of());
        }
        FileTotals totals = FileTotals.EMPTY;
        Set<String> segments = new HashSet<>();
        for (PartitionIndex partition : index.partitions()) {
            for (DataFile file : partition.only(ids).files()) {
                totals = totals.plus(file.path(), file.length());
                segments.add(file.statistics().commitId());
            }
        }
        return new DeletedFiles(index, seen, ids, totals, Set.copyOf(segments));
    }
}
