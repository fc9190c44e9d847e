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
package org.hadoopmpsr.columnar.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.parquet.io.OutputFile;
import org.hadoopmpsr.columnar.compress.PageCodecs;
import org.hadoopmpsr.columnar.layout.LogicalVectors;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.columnar.transform.ValueBits;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.group.PartitionTransform;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.transform.TransformedColumn;
import org.jspecify.annotations.Nullable;

/** Writes the files of one replica group. Immutable, and safe for use by several threads. */
public final class GroupFileWriter {
    /**
     * A file that is written and closed.
     *
     * @param bytes the file's length
     */
    public record WrittenFile(FileStatistics statistics, long bytes) {}

    private final ReplicaGroups groups;
    private final ReplicaGroup group;
    private final Schema schema;
    private final List<Column> fields;
    private final List<SortKey> sort;
    private final boolean isSorted;
    private final PageCodecs codecs;

    private final ColumnTransforms held;

    /** By the names of the columns that files hold in other columns. */
    private final Map<String, TransformedColumn> transforms = new HashMap<>();

    /**
     * A writer for a group.
     *
     * @param groups all groups, {@code group} among them
     * @throws IllegalArgumentException if this process does not know a transform of the group
     */
    public GroupFileWriter(ReplicaGroups groups, ReplicaGroup group, Schema schema) {
        this(groups, group, schema, true, PageCodecs.STANDARD);
    }

    private GroupFileWriter(
            ReplicaGroups groups, ReplicaGroup group, Schema schema, boolean isSorted, PageCodecs codecs) {
        this.groups = groups;
        this.group = group;
        this.schema = schema;
        this.isSorted = isSorted;
        this.codecs = codecs;
        fields = group.partitionFields(schema);
        held = group.transforms().of(schema);
        for (Column column : schema.columns()) {
            held.transformed(column).ifPresent(found -> transforms.put(column.name(), found));
        }
        sort = isSorted ? group.sortWithinFiles(schema) : List.of();
    }

    /** Writes files whose records come in any order, as those of ordinary writers: who reads them does not take them for sorted. */
    public GroupFileWriter inAnyOrder() {
        return new GroupFileWriter(groups, group, schema, false, codecs);
    }

    /** Writes columns whose codec is {@code auto} with what this gives. */
    public GroupFileWriter withCodecs(PageCodecs other) {
        return new GroupFileWriter(groups, group, schema, isSorted, other);
    }

    /** The group whose files it writes. */
    public ReplicaGroup group() {
        return group;
    }

    /**
     * The columns of the group's files, in their order. After them come the values within columns by which the group is partitioned or sorted,
     * for statistics of their own.
     */
    public List<FileColumn> columns(LogicalVectors vectors) {
        List<FileColumn> columns = new ArrayList<>();
        for (Column column : groups.physicalColumns(group.name(), schema)) {
            columns.add(column(vectors, column, transforms.get(column.name())));
        }
        group.paths(schema).forEach(path -> columns.add(column(vectors, path, null)));
        return columns;
    }

    private FileColumn column(LogicalVectors vectors, Column column, @Nullable TransformedColumn transform) {
        return new FileColumn(
                column,
                vectors.vector(column.name()),
                () -> vectors.ranks(column.name()),
                isBucketed(column),
                transform);
    }

    /** The rows {@code order[from]} to {@code order[to - 1]}, which are sorted as the group's files are. */
    public SortedRows rows(LogicalVectors vectors, int[] order, int from, int to) {
        return new SortedRows(order, from, to, sort.isEmpty() ? null : vectors.values(sort.get(0)));
    }

    /**
     * The path of a file below the group's directory.
     *
     * @param partition a value for each partition field, null allowed
     * @param commitId the commit that the file belongs to
     * @param number tells the files of a commit and group apart
     */
    public String relativePath(List<@Nullable Object> partition, String commitId, int number) {
        return PartitionPath.of(fields, partition) + String.format(Locale.ROOT, "/%s-%05d.parquet", commitId, number);
    }

    /**
     * Writes a file and closes it.
     *
     * @param columns as {@link #columns} gives them
     * @param rows of one partition, as {@link #rows} gives them
     * @param partition a value for each partition field, null allowed
     * @param content the content hash of the rows
     */
    public WrittenFile write(
            OutputFile out,
            List<FileColumn> columns,
            SortedRows rows,
            List<@Nullable Object> partition,
            ContentHash content,
            String commitId)
            throws IOException {
        try (ColumnarParquetFile file = begin(out, columns, commitId)) {
            file.writeAll(rows, Integer.MAX_VALUE);
            return finish(file, columns, partition, content, commitId);
        }
    }

    /** Begins a file whose row groups the caller writes. */
    public ColumnarParquetFile begin(OutputFile out, List<FileColumn> columns, String commitId) throws IOException {
        Map<String, String> metadata = new HashMap<>();
        if (isSorted) {
            metadata.put("mpsr.commit", commitId);
        }
        transforms
                .keySet()
                .forEach(column -> metadata.put(
                        ValueBits.METADATA + column,
                        held.find(column).orElseThrow().recorded()));
        return ColumnarParquetFile.begin(out, columns, sort, group.codec(), ofGroup(), metadata);
    }

    /** A column of another group has its values in another order. */
    private PageCodecs ofGroup() {
        return (codec, column) -> codecs.of(codec, group.name() + "." + column);
    }

    /**
     * Finishes a file that was begun; the caller closes it.
     *
     * @param columns those that it was begun with
     * @param partition a value for each partition field, null allowed
     * @param content the content hash of its rows
     */
    public WrittenFile finish(
            ColumnarParquetFile file,
            List<FileColumn> columns,
            List<@Nullable Object> partition,
            ContentHash content,
            String commitId)
            throws IOException {
        ColumnarParquetFile.Written written = file.finish();
        Map<String, ColumnStatistics> statistics = new HashMap<>();
        for (int i = 0; i < written.columns().size(); i++) {
            statistics.put(columns.get(i).column().name(), written.columns().get(i));
        }
        if (group.name().equals(groups.defaultName())) {
            statistics.putAll(ofDirectories(partition, content.count()));
        }
        return new WrittenFile(
                new FileStatistics(commitId, content, partition, statistics, written.rowGroups()), written.bytes());
    }

    /** The default group's files hold their partition fields in the path: the same for all rows. */
    private Map<String, ColumnStatistics> ofDirectories(List<@Nullable Object> partition, long rows) {
        Map<String, ColumnStatistics> statistics = new HashMap<>();
        for (int i = 0; i < fields.size(); i++) {
            Object value = partition.get(i);
            statistics.put(
                    fields.get(i).name(),
                    ColumnStatistics.of(value, value, value == null ? rows : 0).withBytes(0));
        }
        return statistics;
    }

    /** Readers ask for single values of such columns, and a bucket's file holds many between its bounds. */
    private boolean isBucketed(Column column) {
        return group.predicates().stream()
                .anyMatch(p -> p.transform() instanceof PartitionTransform.Bucket
                        && p.column().equalsIgnoreCase(column.name()));
    }
}
