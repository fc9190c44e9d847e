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
package org.hadoopmpsr.client;

import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.plan.Candidate;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.FileTotals;
import org.jspecify.annotations.Nullable;

/**
 * The NameNode's answer to a read request.
 *
 * @param stock true if the reader must read the default representation as without MPSR
 * @param root the directory of the chosen group's files
 * @param generation a number that changes with every publish, and differs between the groups that a plan chooses
 * @param defaultTotals the totals of the default representation at this generation; null from an older NameNode, which
 *     cannot identify a state by them
 * @param leadRows as in {@link org.hadoopmpsr.core.plan.Plan#leadRows}; 0 also from an older NameNode
 */
public record ReadPlan(
        boolean stock,
        String group,
        String root,
        List<PlannedFile> files,
        List<Candidate> candidates,
        String reason,
        long generation,
        @Nullable FileTotals defaultTotals,
        Schema schema,
        ReplicaGroups groups,
        long leadRows) {
    /** The maximum number of groups whose generations identify the chosen group. */
    public static final int MAX_GROUPS = 64;

    /** True if both plans are of one state of the dataset, as one NameNode knows it, whichever group they read. */
    public boolean isOfStateOf(ReadPlan other) {
        return generation / MAX_GROUPS == other.generation / MAX_GROUPS;
    }

    /**
     * A file to read. Times are in milliseconds since the epoch.
     *
     * @param columns the known statistics of the requested columns
     * @param content the stated hash of the records, if the request was for a comparison of files and had columns; else null
     */
    public record PlannedFile(
            String path,
            long length,
            long modificationTime,
            long rows,
            List<Block> blocks,
            Map<String, ColumnStatistics> columns,
            @Nullable ContentHash content) {

        /** A file without a hash. */
        public PlannedFile(
                String path,
                long length,
                long modificationTime,
                long rows,
                List<Block> blocks,
                Map<String, ColumnStatistics> columns) {
            this(path, length, modificationTime, rows, blocks, columns, null);
        }

        /** The known statistics of the file's records. */
        public FileStatistics statistics() {
            return new FileStatistics("", new ContentHash(rows, 0, 0), List.of(), columns);
        }
    }

    /** The hosts of a part of a file. */
    public record Block(long offset, long length, List<String> hosts) {}
}
