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
import org.hadoopmpsr.core.hash.RecordHasher;
import org.hadoopmpsr.core.schema.ColumnType;

/**
 * The values of one column, by row. Reading is safe for several threads once no more rows are added.
 *
 * @see RecordBuffer
 */
public abstract sealed class ColumnVector permits LongVector, DoubleVector, BooleanVector, StringVector {
    private long[] present = new long[16];
    private boolean anyNull;

    /** An empty vector for values of the type. */
    public static ColumnVector of(ColumnType type) {
        return switch (type.kind()) {
            case STRING, BINARY -> new StringVector();
            case FLOAT, DOUBLE -> new DoubleVector();
            case BOOLEAN -> new BooleanVector();
            case DECIMAL -> type.isWideDecimal() ? new WideDecimalVector() : new LongVector();
            case TINYINT, SMALLINT, INT, LONG, DATE, TIMESTAMP, TIMESTAMP_NTZ, TIMESTAMP_NS, TIME_NS ->
                new LongVector();
            case LIST, STRUCT, MAP -> new NestedVector();
        };
    }

    /** True when the row has no value in this column. */
    public final boolean isNull(int row) {
        return anyNull && isUnset(row);
    }

    /** False when no row is null. */
    public final boolean mayHaveNulls() {
        return anyNull;
    }

    /** True when the row, which may not be complete, has no value in this column. */
    final boolean isUnset(int row) {
        return (present[row >>> 6] >>> row & 1L) == 0;
    }

    /** A complete row has no value in this column. As long as there is none, asking for nulls costs nothing. */
    public final void noteNull() {
        anyNull = true;
    }

    /** The number of nulls in the first {@code rows} rows. */
    public final int nulls(int rows) {
        if (!anyNull) {
            return 0;
        }
        int values = 0;
        for (int i = 0; i < rows >>> 6; i++) {
            values += Long.bitCount(present[i]);
        }
        if ((rows & 63) != 0) {
            values += Long.bitCount(present[rows >>> 6] & (1L << rows) - 1);
        }
        return rows - values;
    }

    /** Makes room for {@code rows} rows; new rows are null. */
    public void reserve(int rows) {
        int words = (rows + 63) / 64;
        if (words > present.length) {
            present = Arrays.copyOf(present, Math.max(words, present.length * 2));
        }
    }

    final void setPresent(int row) {
        present[row >>> 6] |= 1L << row;
    }

    final void setNull(int row) {
        present[row >>> 6] &= ~(1L << row);
    }

    /** Copies a row's value, or null, to another row. */
    final void copy(int from, int to) {
        if (isUnset(from)) {
            setNull(to);
        } else {
            setPresent(to);
            copyValue(from, to);
        }
    }

    abstract void copyValue(int from, int to);

    /** Gives rows values, which the caller puts; the rows must be reserved. */
    public final void setPresent(int at, int count) {
        for (int row = at; row < at + count; ) {
            if ((row & 63) == 0 && row + 64 <= at + count) {
                present[row >>> 6] = -1;
                row += 64;
            } else {
                setPresent(row++);
            }
        }
    }

    /** Takes the values of rows away; the rows must be reserved. */
    public final void setNull(int at, int count) {
        for (int row = at; row < at + count; row++) {
            setNull(row);
        }
        anyNull |= count > 0;
    }

    /**
     * Copies rows of a vector of the same class, which may be this one if the rows move to the front. The rows must be
     * reserved. Vectors of strings must share their dictionary.
     */
    public final void copyRows(ColumnVector other, int from, int at, int count) {
        copyValues(other, from, at, count);
        if (!other.anyNull) {
            setPresent(at, count);
            return;
        }
        for (int i = 0; i < count; i++) {
            if (other.isUnset(from + i)) {
                setNull(at + i);
                anyNull = true;
            } else {
                setPresent(at + i);
            }
        }
    }

    abstract void copyValues(ColumnVector other, int from, int at, int count);

    /**
     * Compares rows in the order in which files are sorted: nulls first, NaN last, -0.0 equal to 0.0, strings and
     * binary values by their bytes, unsigned.
     *
     * @param other a vector of the same class; one of strings must share the dictionary
     */
    public final int compare(int row, ColumnVector other, int otherRow) {
        boolean absent = isNull(row);
        boolean otherAbsent = other.isNull(otherRow);
        return absent || otherAbsent ? Boolean.compare(otherAbsent, absent) : compareValues(row, other, otherRow);
    }

    abstract int compareValues(int row, ColumnVector other, int otherRow);

    /** True when both rows have the same value, or none. */
    public final boolean same(int row, int other) {
        return isNull(row) ? isNull(other) : !isNull(other) && sameValue(row, other);
    }

    abstract boolean sameValue(int row, int other);

    /** Adds the value of a row, which is not null, to the record's hash. */
    public abstract void hash(RecordHasher hasher, int position, int row);

    /** The memory that a row takes, in bytes. */
    public abstract int bytesPerRow();

    /** Forgets what belongs to all rows. */
    void clear() {
        anyNull = false;
    }

    static int grown(int capacity, int rows) {
        return Math.max(rows, (int) Math.min(Integer.MAX_VALUE - 8, capacity * 2L));
    }
}
