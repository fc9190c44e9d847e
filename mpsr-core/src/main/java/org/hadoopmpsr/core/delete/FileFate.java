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
package org.hadoopmpsr.core.delete;

import java.util.Collection;
import java.util.List;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Pruner;
import org.hadoopmpsr.core.stats.FileStatistics;

/** What a delete does with the records of a file or of a segment, as far as statistics tell. */
public enum FileFate {
    /** All records stay. */
    STAYS,
    /** All records go. */
    GOES,
    /** Only the records themselves tell. */
    READ;

    /**
     * The fate of a file's records.
     *
     * @param filter the condition: a record goes if it is true
     */
    public static FileFate of(Pruner pruner, Filter filter, FileStatistics file) {
        if (!pruner.mayMatch(filter, file)) {
            return STAYS;
        }
        return pruner.allMatch(filter, file) ? GOES : READ;
    }

    /**
     * The fate of a segment's records, which every group has: what one group tells of all of its files holds for the others.
     *
     * @param groups the fates of the segment's files in each group, at least one file in each
     */
    public static FileFate ofSegment(Collection<List<FileFate>> groups) {
        boolean stays = isIn(groups, STAYS);
        boolean goes = isIn(groups, GOES);
        return stays == goes ? READ : stays ? STAYS : GOES;
    }

    private static boolean isIn(Collection<List<FileFate>> groups, FileFate fate) {
        return groups.stream().anyMatch(files -> files.stream().allMatch(file -> file == fate));
    }
}
