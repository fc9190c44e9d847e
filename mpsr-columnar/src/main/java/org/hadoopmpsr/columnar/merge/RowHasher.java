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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.columnar.buffer.BooleanVector;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.hash.RecordHasher;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Hashes the records of a batch. A column of the schema that the files lack names their directory, and has the same value in all
 * records.
 */
public final class RowHasher {
    private final RecordHasher hasher;
    private final List<ColumnVector> vectors = new ArrayList<>();

    /** By position in the schema: 1 if the column's value is that of the row, 0 if it is the only one of the vector. */
    private final int[] strides;

    /**
     * @param read the values of the files' columns, in their order
     * @param partition the partition tuple of the files
     */
    public RowHasher(
            HashKind kind,
            List<ColumnVector> read,
            MergeColumns columns,
            Schema schema,
            ReplicaGroup group,
            List<@Nullable Object> partition) {
        hasher = new RecordHasher(kind);
        strides = new int[schema.columns().size()];
        for (int position = 0; position < strides.length; position++) {
            Column column = schema.columns().get(position);
            int place = columns.place(column.name());
            strides[position] = place < 0 ? 0 : 1;
            vectors.add(place < 0 ? constant(column, value(column, group, schema, partition)) : read.get(place));
        }
    }

    /**
     * Hashes the same records with other values in some columns.
     *
     * @param others the vectors to take, by position in the schema; row by row as the vectors in whose place they come
     */
    public RowHasher with(HashKind kind, Map<Integer, ColumnVector> others) {
        return new RowHasher(kind, this, others);
    }

    private RowHasher(HashKind kind, RowHasher like, Map<Integer, ColumnVector> others) {
        hasher = new RecordHasher(kind);
        strides = like.strides;
        for (int position = 0; position < strides.length; position++) {
            vectors.add(others.getOrDefault(position, like.vectors.get(position)));
        }
    }

    private static @Nullable Object value(
            Column column, ReplicaGroup group, Schema schema, List<@Nullable Object> partition) {
        for (int i = 0; i < group.predicates().size(); i++) {
            if (group.predicates().get(i).isColumn()
                    && group.predicates().get(i).source(schema).equals(column)) {
                return partition.get(i);
            }
        }
        throw new IllegalStateException("neither the files nor their directories have column '" + column.name() + "'");
    }

    private static ColumnVector constant(Column column, @Nullable Object value) {
        ColumnVector vector = ColumnVector.of(column.type());
        if (value == null) {
            vector.noteNull();
        } else if (vector instanceof StringVector strings) {
            byte[] utf8 = ((String) value).getBytes(java.nio.charset.StandardCharsets.UTF_8);
            strings.set(0, strings.dictionary().intern(utf8, 0, utf8.length));
        } else if (vector instanceof LongVector longs) {
            longs.set(0, (Long) value);
        } else if (vector instanceof DoubleVector doubles) {
            doubles.set(0, (Double) value);
        } else {
            ((BooleanVector) vector).set(0, (Boolean) value);
        }
        return vector;
    }

    /** The values of a column of the schema, by its place there. */
    public ColumnVector vector(int position) {
        return vectors.get(position);
    }

    /** True if the column's only value, that of all records, is in the first row of its vector. */
    public boolean isConstant(int position) {
        return strides[position] == 0;
    }

    /** Puts the halves of a record's hash to the record's places in two arrays. */
    public void hash(int row, long[] high, long[] low) {
        for (int position = 0; position < strides.length; position++) {
            ColumnVector vector = vectors.get(position);
            int at = row * strides[position];
            if (!vector.isNull(at)) {
                vector.hash(hasher, position, at);
            }
        }
        hasher.endRecord(high, low, row);
    }
}
