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
package org.hadoopmpsr.core.degraded;

import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.jspecify.annotations.Nullable;

/**
 * A file that cannot be read.
 *
 * @param group whose file it is
 * @param others the group's other files of the same segment and partition
 */
public record LostFile(ReplicaGroup group, DataFile file, List<DataFile> others) {
    /** The file's partition tuple. */
    public List<@Nullable Object> partition() {
        return file.statistics().partition();
    }

    /** The column whose values, or bits, the file is sorted by first; null if it is not sorted. */
    public @Nullable Column lead(Schema schema) {
        List<SortKey> sort = group.sortWithinFiles(schema);
        return sort.isEmpty() ? null : sort.get(0).source(schema);
    }

    /**
     * What tells the file's records from those of the other files of the partition.
     *
     * @throws NoSubstituteException if nothing does
     */
    public LeadRange range(Schema schema) throws NoSubstituteException {
        Column lead = lead(schema);
        List<FileStatistics> statistics = new ArrayList<>();
        others.forEach(other -> statistics.add(other.statistics()));
        return LeadRange.alone(file.statistics(), statistics, lead == null ? null : lead.name())
                .orElseThrow(() ->
                        new NoSubstituteException("segment " + file.statistics().commitId() + " has "
                                + (others.size() + 1) + " files in this partition of group " + group.name()
                                + ", and their statistics do not tell which of them has which records"));
    }

    /**
     * The records of a part of the file.
     *
     * @param start the offset of the part's first byte
     * @param length the number of the part's bytes
     * @throws NoSubstituteException if nothing tells which records these are
     */
    public RowRange rows(long start, long length) throws NoSubstituteException {
        return RowRange.of(file, start, length)
                .orElseThrow(() -> new NoSubstituteException(
                        "the file is read in several parts, and its statistics do not tell where its row groups lie"));
    }
}
