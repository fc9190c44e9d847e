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
package org.hadoopmpsr.columnar.derive;

import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.compress.MergeCodecs;
import org.hadoopmpsr.columnar.file.GroupFileWriter;
import org.hadoopmpsr.columnar.merge.FileSize;
import org.hadoopmpsr.columnar.merge.MergeBatch;
import org.hadoopmpsr.columnar.merge.MergeColumns;
import org.hadoopmpsr.columnar.merge.MergeResult.MergedFile;
import org.hadoopmpsr.columnar.merge.MergeTarget;
import org.hadoopmpsr.columnar.merge.MergedFiles;
import org.hadoopmpsr.columnar.merge.RowHasher;
import org.hadoopmpsr.columnar.merge.StringMemory;
import org.hadoopmpsr.columnar.transform.RoundedColumns;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Writes records that come sorted into files of a group, one partition after the other. The files are those that a merge
 * writes. Begin a partition, then for each record begin a row, put its values into the vectors, and end the row. For one
 * thread.
 */
public final class SortedRecords implements AutoCloseable {
    /** Of a value in memory, at most. */
    private static final long VALUE_BYTES = 8;

    /** A column of which the group has rounded values, and its place in the batch. */
    private record RoundedPlace(int place, RoundedColumns.Rounded column) {}

    private final GroupFileWriter writer;
    private final ReplicaGroup group;
    private final Schema schema;
    private final MergeColumns columns;
    private final MergeTarget target;
    private final MergeBatch batch;
    private final StringMemory strings;
    private final List<RoundedPlace> rounded;
    private final long[] value = new long[1];
    private final int[] order;
    private int row;
    private @Nullable MergedFiles files;
    private @Nullable RowHasher hasher;

    /**
     * Makes it.
     *
     * @param groups all groups, {@code group} among them
     * @param rows how many records come, about
     * @param memoryBytes about the most memory that it takes
     */
    public SortedRecords(
            ReplicaGroups groups, ReplicaGroup group, Schema schema, MergeTarget target, long rows, long memoryBytes) {
        this.group = group;
        this.schema = schema;
        writer = new GroupFileWriter(groups, group, schema).withCodecs(MergeCodecs.OF_PROCESS);
        columns = MergeColumns.of(groups, group, schema);
        this.target = target;
        rounded = new RoundedColumns(group, schema)
                .columns().stream()
                        .map(column ->
                                new RoundedPlace(columns.place(column.column().name()), column))
                        .toList();
        long rowBytes = VALUE_BYTES * (columns.all().size() + 4);
        batch = new MergeBatch(columns, Math.min(memoryBytes, (rows + 1) * rowBytes));
        strings = new StringMemory(batch, memoryBytes);
        order = IntStream.range(0, batch.capacity()).toArray();
    }

    /** The columns of a group's files, in their order. */
    public static List<Column> columns(ReplicaGroups groups, ReplicaGroup group, Schema schema) {
        return MergeColumns.of(groups, group, schema).files();
    }

    /** What the records of a partition are sorted by. */
    public static List<SortKey> sort(ReplicaGroups groups, ReplicaGroup group, Schema schema) {
        MergeColumns columns = MergeColumns.of(groups, group, schema);
        return columns.sort().stream()
                .map(key -> new SortKey(columns.all().get(key.place()).name(), key.bits()))
                .toList();
    }

    /**
     * Begins a partition.
     *
     * @param partition its tuple
     * @param segment the segment that the records belong to
     * @param stem what the files' names start with
     * @param firstNumber the number of the first file, which is part of its name
     * @param size about the length of a file
     * @param kind how the records are hashed
     * @param isSorted false if the records come in the order of a file that an ordinary writer has written
     * @throws IllegalStateException if the partition before is not ended
     */
    public void begin(
            List<@Nullable Object> partition,
            String segment,
            String stem,
            int firstNumber,
            FileSize size,
            HashKind kind,
            boolean isSorted) {
        if (files != null) {
            throw new IllegalStateException("the partition before is not ended");
        }
        files = new MergedFiles(
                isSorted ? writer : writer.inAnyOrder(),
                batch,
                target,
                partition,
                segment,
                stem,
                firstNumber,
                size,
                Integer.MAX_VALUE,
                kind);
        hasher = new RowHasher(kind, batch.vectors(), columns, schema, group, partition);
    }

    /** Begins a record; returns the row of the vectors in which all of its values must be put. */
    public int beginRow() throws IOException {
        if (batch.room() == 0) {
            write(false);
        }
        row = batch.append(1);
        return row;
    }

    /** The values of a column by its place in {@link #columns}. */
    public ColumnVector vector(int place) {
        return batch.vector(place);
    }

    /** Ends the record that was begun. It is hashed as it is written: with rounded values, if the group has such. */
    public void endRow() {
        for (RoundedPlace at : rounded) {
            ColumnVector vector = batch.vector(at.place());
            if (!vector.isNull(row)) {
                at.column().bits().round(vector, row, 1, at.column().transform(), value);
            }
        }
        batch.fillPaths(row, 1);
        Objects.requireNonNull(hasher).hash(row, batch.high(), batch.low());
    }

    /** Ends the partition; returns its files, none if it has no records. */
    public List<MergedFile> end() throws IOException {
        write(true);
        List<MergedFile> written = open().files();
        files = null;
        return written;
    }

    private void write(boolean isLast) throws IOException {
        MergedFiles open = open();
        batch.removeFirst(open.write(order, batch.rows(), isLast));
        strings.trim(open);
    }

    private MergedFiles open() {
        if (files == null) {
            throw new IllegalStateException("no partition is begun");
        }
        return files;
    }

    @Override
    public void close() throws IOException {
        if (files != null) {
            files.close();
        }
    }
}
