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

import java.util.HashSet;
import java.util.Set;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileTotals;

/**
 * Published files that are gone. Immutable.
 *
 * @param ids their inode ids
 * @param totals their totals
 * @param segments the ids of their segments
 */
record DeletedFiles(Set<Long> ids, FileTotals totals, Set<String> segments) {
    static final DeletedFiles NONE = new DeletedFiles(Set.of(), FileTotals.EMPTY, Set.of());

    /** What the index knows of the files. */
    static DeletedFiles of(GroupIndex index, Set<Long> ids) {
        FileTotals totals = FileTotals.EMPTY;
        Set<String> segments = new HashSet<>();
        for (PartitionIndex partition : index.partitions()) {
            for (DataFile file : partition.only(ids).files()) {
                totals = totals.plus(file.path(), file.length());
                segments.add(file.statistics().commitId());
            }
        }
        return new DeletedFiles(Set.copyOf(ids), totals, Set.copyOf(segments));
    }
}
