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
package org.hadoopmpsr.columnar.buffer;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.Stream;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentSum;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.hash.RecordHasher;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;

/**
 * Records in memory: a vector per column of the schema, and for each row the hash of its record and the number of its
 * origin (the topic-partition). A row is begun, set column by column and ended; a row that is not ended leaves no
 * trace. Reading is safe for several threads as long as nothing is added.
 */
public final class RecordBuffer {
    private static final int MIN_ROWS = 1024;
    private static final int BOOKKEEPING_BYTES = 2 * Long.BYTES + Integer.BYTES;

    private final Schema schema;
    private final ColumnVector[] vectors;
    private final RecordHasher hasher = new RecordHasher(HashKind.CURRENT);
    private long[] hashHigh = new long[0];
    private long[] hashLow = new long[0];
    private int[] origins = new int[0];
    private int rows;

    public RecordBuffer(Schema schema) {
        this.schema = schema;
        vectors = new ColumnVector[schema.columns().size()];
        release();
    }

    /** The schema of the records. */
    public Schema schema() {
        return schema;
    }

    /** The number of rows that are ended. */
    public int rows() {
        return rows;
    }

    /** The values of a column, by its position in the schema. */
    public ColumnVector vector(int column) {
        return vectors[column];
    }

    /** Roughly the memory that the records take, in bytes. */
    public long sizeBytes() {
        long perRow = BOOKKEEPING_BYTES;
        long fixed = 0;
        for (ColumnVector vector : vectors) {
            perRow += vector.bytesPerRow();
            if (vector instanceof StringVector strings) {
                fixed += strings.dictionary().sizeBytes();
            }
        }
        return rows * perRow + fixed;
    }

    /**
     * Begins a row, all null, and returns its number. A row that was begun before and not ended is overwritten.
     *
     * @throws BufferFullException when there is no memory for it
     */
    int begin() {
        if (rows == origins.length) {
            grow(ColumnVector.grown(rows, rows + 1));
        }
        for (ColumnVector vector : vectors) {
            vector.setNull(rows);
        }
        return rows;
    }

    /** The origins tell the capacity, and grow last. */
    private void grow(int capacity) {
        try {
            for (ColumnVector vector : vectors) {
                vector.reserve(capacity);
            }
            hashHigh = Arrays.copyOf(hashHigh, capacity);
            hashLow = Arrays.copyOf(hashLow, capacity);
            origins = Arrays.copyOf(origins, capacity);
        } catch (OutOfMemoryError e) {
            throw new BufferFullException(rows + " rows are buffered, and there is no memory for more", e);
        }
    }

    /**
     * Ends the row that was begun.
     *
     * @throws BadRecordException when a column that must have a value has none
     */
    void end(int origin) throws BadRecordException {
        for (int i = 0; i < vectors.length; i++) {
            if (vectors[i].isUnset(rows)) {
                requireNullable(schema.columns().get(i));
                vectors[i].noteNull();
            } else {
                vectors[i].hash(hasher, i, rows);
            }
        }
        hasher.endRecord(hashHigh, hashLow, rows);
        origins[rows] = origin;
        rows++;
    }

    private void requireNullable(Column column) throws BadRecordException {
        if (!column.nullable()) {
            hasher.dropRecord(); // forget what the columns before have put
            throw new BadRecordException(
                    "column '" + column.name() + "' is not null, but the record has no value for it");
        }
    }

    /**
     * The same records with other values in some columns, hashed anew. Both share what is equal: nothing may be added to either.
     *
     * @param others the vectors to take, by position in the schema, with as many rows
     */
    public RecordBuffer with(Map<Integer, ColumnVector> others) {
        RecordBuffer copy = new RecordBuffer(schema);
        copy.hashHigh = new long[rows];
        copy.hashLow = new long[rows];
        copy.origins = origins;
        copy.rows = rows;
        for (int i = 0; i < vectors.length; i++) {
            copy.vectors[i] = others.getOrDefault(i, vectors[i]);
        }
        for (int row = 0; row < rows; row++) {
            for (int i = 0; i < vectors.length; i++) {
                if (!copy.vectors[i].isNull(row)) {
                    copy.vectors[i].hash(copy.hasher, i, row);
                }
            }
            copy.hasher.endRecord(copy.hashHigh, copy.hashLow, row);
        }
        return copy;
    }

    /** The content hash of all rows, of kind {@link HashKind#CURRENT}. */
    public ContentHash content() {
        ContentSum sum = new ContentSum(HashKind.CURRENT);
        for (int row = 0; row < rows; row++) {
            sum.add(hashHigh[row], hashLow[row]);
        }
        return sum.result();
    }

    /** The content hash of each part of the rows; the part of a row is {@code partOf[row]}, below {@code parts}. */
    public List<ContentHash> content(int[] partOf, int parts) {
        ContentSum[] sums = new ContentSum[parts];
        Arrays.setAll(sums, part -> new ContentSum(HashKind.CURRENT));
        for (int row = 0; row < rows; row++) {
            sums[partOf[row]].add(hashHigh[row], hashLow[row]);
        }
        return Stream.of(sums).map(ContentSum::result).toList();
    }

    /** Removes the rows whose origin is not kept; the others keep their order. */
    public void retain(IntPredicate keptOrigin) {
        int kept = 0;
        for (int row = 0; row < rows; row++) {
            if (!keptOrigin.test(origins[row])) {
                continue;
            }
            if (kept < row) {
                for (ColumnVector vector : vectors) {
                    vector.copy(row, kept);
                }
                hashHigh[kept] = hashHigh[row];
                hashLow[kept] = hashLow[row];
                origins[kept] = origins[row];
            }
            kept++;
        }
        rows = kept;
    }

    /** Removes all rows and keeps the memory for the next ones. */
    public void clear() {
        rows = 0;
        for (ColumnVector vector : vectors) {
            vector.clear();
        }
    }

    /** Removes all rows and gives their memory back. */
    public void release() {
        rows = 0;
        hashHigh = new long[MIN_ROWS];
        hashLow = new long[MIN_ROWS];
        origins = new int[MIN_ROWS];
        for (int i = 0; i < vectors.length; i++) {
            vectors[i] = ColumnVector.of(schema.columns().get(i).type());
            vectors[i].reserve(MIN_ROWS);
        }
    }
}
