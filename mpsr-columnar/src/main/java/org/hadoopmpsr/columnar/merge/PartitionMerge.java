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
package org.hadoopmpsr.columnar.merge;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hadoopmpsr.columnar.compress.MergeCodecs;
import org.hadoopmpsr.columnar.compress.PageCodecs;
import org.hadoopmpsr.columnar.file.GroupFileWriter;
import org.hadoopmpsr.columnar.merge.RecordMerger.UncheckedFilesException;
import org.hadoopmpsr.core.group.KeyColumns;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.hash.ReadContent;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Merges the files of one partition of a replica group into few sorted files, written as the sink writes them. It takes a
 * bounded memory, however many files there are: with too many to read at a time it first merges some of them to local
 * files. Files that MPSR has not written are sorted first if they are not sorted. Immutable, and safe for use by several
 * threads.
 */
public final class PartitionMerge {
    private final ReplicaGroups groups;
    private final ReplicaGroup group;
    private final Schema schema;
    private final List<String> keys;
    private final MergeLimits limits;
    private final MergeColumns columns;
    private final PageCodecs codecs;

    /**
     * @param groups all groups, {@code group} among them
     * @param keys the key columns: of records with equal ones one is kept, see {@link #merge}; none to keep all records
     * @throws IllegalArgumentException if records with equal keys need not be in the same place in every group
     */
    public PartitionMerge(
            ReplicaGroups groups, ReplicaGroup group, Schema schema, List<String> keys, MergeLimits limits) {
        this(groups, group, schema, keys, limits, MergeCodecs.OF_PROCESS);
    }

    /**
     * As without {@code codecs}, which are those of all merges of this process.
     *
     * @param codecs what columns get whose codec is {@code auto}
     */
    PartitionMerge(
            ReplicaGroups groups,
            ReplicaGroup group,
            Schema schema,
            List<String> keys,
            MergeLimits limits,
            PageCodecs codecs) {
        Optional<String> problem = KeyColumns.problem(groups, schema, keys);
        if (problem.isPresent()) {
            throw new IllegalArgumentException(problem.get());
        }
        this.groups = groups;
        this.group = group;
        this.schema = schema;
        this.keys = List.copyOf(keys);
        this.limits = limits;
        this.codecs = codecs;
        columns = MergeColumns.of(groups, group, schema);
    }

    /**
     * Merges files. Records with equal sort columns keep the order of their files, and their order in a file. Of records
     * with equal keys one of the last segment is kept: the greatest one of it, by the columns in the order of the schema,
     * where null is least, and last by the content hash. Which one it is depends on the records and their segments alone,
     * therefore it is equal in all groups.
     *
     * @param inputs in ascending order of the sequences of their segments; the files of a segment follow one another
     * @param partition a value for each partition field of the group, null allowed
     * @param segment the id of the segment that the new files belong to
     * @param firstNumber the number of the first file; each file has the next one. Names consist of segment and number
     * @throws IOException if a file cannot be read or written, or does not hold the records that are stated of it
     */
    public MergeResult merge(
            List<MergeInput> inputs,
            List<@Nullable Object> partition,
            MergeTarget target,
            String segment,
            int firstNumber)
            throws IOException {
        List<MergeSource> sources = new ArrayList<>();
        long rows = 0;
        long bytes = 0;
        int segments = 0;
        for (MergeInput input : inputs) {
            if (!sources.isEmpty()
                    && !input.segment()
                            .equals(sources.get(sources.size() - 1).input().segment())) {
                segments++;
            }
            sources.add(MergeSource.of(input, segments, columns.files().size()));
            rows += input.content().count();
            bytes += input.file().getLength();
        }
        FileSize size = FileSize.of(rows, bytes, limits.targetBytes());
        MergePass pass = pass(group, partition, Integer.MAX_VALUE);
        ReadContent read = ReadContent.EMPTY;
        try (ScratchFiles scratch = new ScratchFiles(
                limits, columns, pass(ScratchFiles.group(group), partition, ScratchFiles.mostRows(limits, columns)))) {
            while (true) {
                try {
                    ScratchFiles.Sources few = scratch.few(sources);
                    MergeResult merged = pass.run(few.sources(), target, segment, firstNumber, size);
                    return new MergeResult(
                            merged.files(),
                            read.plus(few.read()).plus(merged.read()),
                            merged.written(),
                            few.duplicates().plus(merged.duplicates()));
                } catch (UncheckedFilesException e) {
                    ScratchFiles.Sources sorted = scratch.sorted(sources, e.files());
                    sources = sorted.sources();
                    read = read.plus(sorted.read());
                }
            }
        }
    }

    private MergePass pass(ReplicaGroup as, List<@Nullable Object> partition, int mostRows) {
        GroupFileWriter writer = new GroupFileWriter(groups, as, schema).withCodecs(codecs);
        return new MergePass(writer, columns, schema, partition, keys, limits, mostRows);
    }
}
