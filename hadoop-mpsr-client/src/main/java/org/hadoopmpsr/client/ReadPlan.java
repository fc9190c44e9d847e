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
import org.hadoopmpsr.core.schema.ShownColumns;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.FileTotals;
import org.jspecify.annotations.Nullable;

/**
 * The NameNode's answer to a read request.
 *
 * @param stock true if the reader must read the default representation as without MPSR
 * @param parts the files to read, by group, the chosen group first: one part, unless the reader asked for parts and the
 *     chosen group cannot serve some segments. The parts together have each record once
 * @param generation a number that changes with every publish, and differs between the groups that a plan chooses
 * @param defaultTotals the totals of the default representation at this generation; null from an older NameNode, which
 *     cannot identify a state by them
 * @param untracked the paths of the files of the default group that came without a commit, if the reader asked for them. The
 *     parts and totals do not have them
 * @param shown the columns that readers with MPSR see in the planned state
 */
public record ReadPlan(
        boolean stock,
        List<Part> parts,
        List<Candidate> candidates,
        String reason,
        long generation,
        @Nullable FileTotals defaultTotals,
        Schema schema,
        ReplicaGroups groups,
        List<String> untracked,
        ShownColumns shown) {
    /** The maximum number of groups whose generations identify the chosen group. */
    public static final int MAX_GROUPS = 64;

    public ReadPlan {
        parts = List.copyOf(parts);
        untracked = List.copyOf(untracked);
    }

    /** A plan that reads one group. */
    public ReadPlan(
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
        this(
                stock,
                List.of(new Part(group, root, 0, files, leadRows)),
                candidates,
                reason,
                generation,
                defaultTotals,
                schema,
                groups,
                List.of(),
                ShownColumns.of(schema));
    }

    /**
     * The files to read of one group.
     *
     * @param root the directory of the group's files
     * @param segments the number of segments that the files belong to; 0 if the plan has one part
     * @param leadRows as in {@link org.hadoopmpsr.core.plan.PlanPart#leadRows}; 0 also from an older NameNode
     */
    public record Part(String group, String root, int segments, List<PlannedFile> files, long leadRows) {}

    /** The chosen group. */
    public String group() {
        return parts.get(0).group();
    }

    /** The directory of the chosen group's files. */
    public String root() {
        return parts.get(0).root();
    }

    /** About how many records have the same value in the chosen group's lead column; 0 if unknown. */
    public long leadRows() {
        return parts.get(0).leadRows();
    }

    /** True if the files are of several groups. */
    public boolean isUnion() {
        return parts.size() > 1;
    }

    /** True if the chosen group serves all segments. If not, files of the other segments may still be none. */
    public boolean isOfOneGroup() {
        return candidates.stream().filter(c -> c.group().equals(group())).allMatch(c -> c.elsewhere() == 0);
    }

    /** The files of all parts. */
    public List<PlannedFile> files() {
        return isUnion()
                ? parts.stream().flatMap(part -> part.files().stream()).toList()
                : parts.get(0).files();
    }

    /** A plan for each part, as if this part were all. */
    public List<ReadPlan> each() {
        return isUnion() ? parts.stream().map(this::of).toList() : List.of(this);
    }

    /**
     * A plan of the default group, of no file.
     *
     * @param root the dataset directory
     */
    public ReadPlan ofNoFiles(String root) {
        return of(new Part(groups.defaultName(), root, 0, List.of(), 0));
    }

    private ReadPlan of(Part part) {
        return new ReadPlan(
                stock, List.of(part), candidates, reason, generation, defaultTotals, schema, groups, untracked, shown);
    }

    /** True if both plans are of one state of the dataset, as one NameNode knows it, whichever group they read. */
    public boolean isOfStateOf(ReadPlan other) {
        return generation / MAX_GROUPS == other.generation / MAX_GROUPS;
    }

    /**
     * A file to read. Times are in milliseconds since the epoch.
     *
     * @param columns the known statistics of the requested columns
     * @param content the stated hash of the records, if the request was for a comparison of files and had columns; else null
     * @param fileId the inode id; 0 from an older NameNode
     */
    public record PlannedFile(
            String path,
            long length,
            long modificationTime,
            long rows,
            List<Block> blocks,
            Map<String, ColumnStatistics> columns,
            @Nullable ContentHash content,
            long fileId) {

        /** A file without a hash, of which nobody has said the id. */
        public PlannedFile(
                String path,
                long length,
                long modificationTime,
                long rows,
                List<Block> blocks,
                Map<String, ColumnStatistics> columns) {
            this(path, length, modificationTime, rows, blocks, columns, null, 0);
        }

        /** The known statistics of the file's records. */
        public FileStatistics statistics() {
            return new FileStatistics("", new ContentHash(rows, 0, 0), List.of(), columns);
        }
    }

    /** The hosts of a part of a file. */
    public record Block(long offset, long length, List<String> hosts) {}
}
