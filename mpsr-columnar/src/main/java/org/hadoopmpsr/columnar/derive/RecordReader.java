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

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.layout.PartitionFields;
import org.hadoopmpsr.columnar.merge.MergeColumns;
import org.hadoopmpsr.columnar.merge.MergeInput;
import org.hadoopmpsr.columnar.merge.RowHasher;
import org.hadoopmpsr.columnar.read.ColumnFile;
import org.hadoopmpsr.columnar.transform.RoundedColumns;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentSum;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.RowGroup;
import org.jspecify.annotations.Nullable;

/** The records of a group's file, some thousands at a time, by the columns of the schema. For one thread. */
public final class RecordReader implements Closeable {
    private static final int CHUNK_ROWS = 4096;

    /** Strings that take more are forgotten when no record to come needs them. */
    private static final long DICTIONARY_BYTES = 16L << 20;

    private final MergeInput input;
    private final Schema schema;
    private final List<ColumnVector> read = new ArrayList<>();
    private final RowHasher hasher;
    private final boolean isWhole;
    private final boolean isStated;
    private final List<Column> storedFields = new ArrayList<>();
    private final HashKind kind;
    private final ContentSum sum;
    private final ColumnFile file;
    private final long[] high = new long[CHUNK_ROWS];
    private final long[] low = new long[CHUNK_ROWS];
    private final Map<String, RowsHeldBy> heldBy = new HashMap<>();
    private PartitionFields fields;
    private int rows;
    private long leftInGroup;
    private long done;

    private RecordReader(
            ReplicaGroups groups,
            ReplicaGroup group,
            Schema schema,
            List<@Nullable Object> partition,
            MergeInput input,
            Predicate<Column> wanted,
            HashKind kind,
            boolean isStated,
            boolean withFields)
            throws IOException {
        this.input = input;
        this.schema = schema;
        this.isStated = isStated;
        this.kind = kind;
        List<Column> physical = groups.physicalColumns(group.name(), schema);
        MergeColumns columns = MergeColumns.unsorted(physical.stream()
                .filter(column -> schema.find(column.name()).isPresent())
                .toList());
        List<ColumnVector> vectors = new ArrayList<>();
        List<Column> readColumns = new ArrayList<>();
        for (Column column : columns.files()) {
            ColumnVector vector = ColumnVector.of(column.type());
            vector.reserve(CHUNK_ROWS);
            vectors.add(vector);
            if (wanted.test(column)) {
                read.add(vector);
                readColumns.add(column);
            }
        }
        isWhole = read.size() == vectors.size();
        if (withFields) {
            for (Column column : physical) {
                if (schema.find(column.name()).isEmpty()) {
                    ColumnVector vector = ColumnVector.of(column.type());
                    vector.reserve(CHUNK_ROWS);
                    storedFields.add(column);
                    read.add(vector);
                    readColumns.add(column);
                }
            }
        }
        hasher = new RowHasher(kind, vectors, columns, schema, group, partition);
        for (int position = 0; position < schema.columns().size(); position++) {
            if (hasher.isConstant(position)) {
                repeatFirst(hasher.vector(position));
            }
        }
        sum = new ContentSum(kind);
        fields = new PartitionFields(schema, hasher::vector, 0);
        file = ColumnFile.open(input.path(), input.file(), readColumns, read);
    }

    private static void repeatFirst(ColumnVector vector) {
        vector.reserve(CHUNK_ROWS);
        for (int row = 1; row < CHUNK_ROWS; row++) {
            vector.copyRows(vector, 0, row, 1);
        }
    }

    /**
     * Opens a file to read its records.
     *
     * @param group whose file it is, one of {@code groups}
     * @param partition the file's partition tuple
     * @param input its records are hashed as its content is
     */
    public static RecordReader ofRecords(
            ReplicaGroups groups, ReplicaGroup group, Schema schema, List<@Nullable Object> partition, MergeInput input)
            throws IOException {
        return new RecordReader(
                groups,
                group,
                schema,
                partition,
                input,
                column -> true,
                input.content().kind(),
                true,
                false);
    }

    /**
     * Opens a file that may hold any records.
     *
     * @param input its content does not matter
     * @param kind how its records are hashed
     */
    public static RecordReader ofAnyRecords(
            ReplicaGroups groups,
            ReplicaGroup group,
            Schema schema,
            List<@Nullable Object> partition,
            MergeInput input,
            HashKind kind)
            throws IOException {
        return new RecordReader(groups, group, schema, partition, input, column -> true, kind, false, false);
    }

    /**
     * Opens a file to find out what it holds, whatever is stated of it. Partition fields are also read from the file where it
     * has them.
     *
     * @param group whose file it is, one of {@code groups}
     * @param partition the file's partition tuple, as stated
     * @param input its records are hashed as its content is
     */
    public static RecordReader ofWhatIsThere(
            ReplicaGroups groups, ReplicaGroup group, Schema schema, List<@Nullable Object> partition, MergeInput input)
            throws IOException {
        return new RecordReader(
                groups,
                group,
                schema,
                partition,
                input,
                column -> true,
                input.content().kind(),
                false,
                true);
    }

    /**
     * Opens a file to read only what another group's partition tuples are made of; nothing is hashed or checked.
     *
     * @param target the other group
     */
    public static RecordReader ofPartitions(
            ReplicaGroups groups,
            ReplicaGroup group,
            Schema schema,
            List<@Nullable Object> partition,
            MergeInput input,
            ReplicaGroup target)
            throws IOException {
        return new RecordReader(
                groups,
                group,
                schema,
                partition,
                input,
                column -> target.predicates().stream().anyMatch(predicate -> predicate.isOf(column)),
                input.content().kind(),
                false,
                false);
    }

    /**
     * Opens a file to read some columns of its records. If these are not all, only the number of records is checked.
     *
     * @param group whose file it is, one of {@code groups}
     * @param partition the file's partition tuple
     * @param wanted the columns that are read, of those that the group's files have
     */
    public static RecordReader ofColumns(
            ReplicaGroups groups,
            ReplicaGroup group,
            Schema schema,
            List<@Nullable Object> partition,
            MergeInput input,
            Set<Column> wanted)
            throws IOException {
        return new RecordReader(
                groups,
                group,
                schema,
                partition,
                input,
                wanted::contains,
                input.content().kind(),
                true,
                false);
    }

    /**
     * Hashes the records also as another group holds them, which may have rounded values. All columns must be read.
     *
     * @throws IllegalArgumentException if this process does not know a transform of the group
     */
    public void hashFor(ReplicaGroup other) {
        RoundedColumns rounded = new RoundedColumns(other, schema);
        if (!rounded.isEmpty()) {
            heldBy.put(other.name(), new RowsHeldBy(kind, rounded, hasher, CHUNK_ROWS));
        }
    }

    /**
     * Reads the next records in place of the ones before.
     *
     * @return false at the end of the file
     * @throws IOException if the file cannot be read; at its end, if it does not hold what is stated of it
     */
    public boolean next() throws IOException {
        trimStrings();
        if (leftInGroup == 0) {
            leftInGroup = file.nextRowGroup();
            if (leftInGroup == 0) {
                if (isStated && isWhole) {
                    input.check(sum.result());
                } else if (isStated) {
                    input.checkRows(done);
                }
                return false;
            }
        }
        rows = (int) Math.min(leftInGroup, CHUNK_ROWS);
        leftInGroup -= rows;
        done += rows;
        for (int i = 0; i < read.size(); i++) {
            file.read(i, read.get(i), 0, rows);
        }
        fields = new PartitionFields(schema, hasher::vector, rows);
        if (isWhole) {
            for (int row = 0; row < rows; row++) {
                hasher.hash(row, high, low);
                sum.add(high[row], low[row]);
            }
            heldBy.values().forEach(held -> held.hash(rows));
        }
        return true;
    }

    private void trimStrings() {
        for (int i = 0; i < read.size(); i++) {
            if (read.get(i) instanceof StringVector strings
                    && strings.dictionary().sizeBytes() > DICTIONARY_BYTES) {
                BitSet used = new BitSet();
                file.markUsed(i, used);
                file.renumber(i, strings.dictionary().retain(used));
            }
        }
    }

    /** True if MPSR wrote the file, whose records are sorted then. */
    public boolean isSorted() {
        return file.isOfCommit();
    }

    /** The number of records that were read last. */
    public int rows() {
        return rows;
    }

    /** Their values of a column that is read, by its place in the schema. */
    public ColumnVector column(int position) {
        return hasher.vector(position);
    }

    /** The partition fields that are read from the file itself; none unless it is read for what is there. */
    public List<Column> storedFields() {
        return List.copyOf(storedFields);
    }

    /** The values of a partition field that is read from the file, by its place among {@link #storedFields}. */
    public ColumnVector storedField(int place) {
        return read.get(read.size() - storedFields.size() + place);
    }

    /** Where the file's row groups lie by the footer, in their order. Records of two of them are never read together. */
    public List<RowGroup> rowGroups() {
        return file.rowGroups();
    }

    /** The content hash of all records that were read until now. */
    public ContentHash content() {
        return sum.result();
    }

    /** The content hash of all of them as a group holds them for which they are {@link #hashFor hashed} too, or that holds them as they are. */
    public ContentHash contentIn(String group) {
        RowsHeldBy held = heldBy.get(group);
        return held == null ? content() : held.content();
    }

    /** Their partition fields, as long as they are not replaced. */
    public PartitionFields fields() {
        return fields;
    }

    /** The upper halves of their hashes. */
    public long[] high() {
        return high;
    }

    /** The lower halves of their hashes. */
    public long[] low() {
        return low;
    }

    /** The upper halves of their hashes as a group holds them, as {@link #contentIn} has it. */
    public long[] highIn(String group) {
        RowsHeldBy held = heldBy.get(group);
        return held == null ? high : held.high();
    }

    /** The lower halves of these hashes. */
    public long[] lowIn(String group) {
        RowsHeldBy held = heldBy.get(group);
        return held == null ? low : held.low();
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
