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
package org.hadoopmpsr.columnar.layout;

import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.core.group.LeadingBits;
import org.jspecify.annotations.Nullable;

/**
 * The values of a sort key, by row: those of a column, or the leading bits of its numbers. Of a null the bits are null. Both zeros have the
 * same bits, and so have all NaN, which have the greatest.
 *
 * @param column the values of the column; of numbers if there are bits
 * @param bits null for the values themselves
 */
public record KeyValues(ColumnVector column, @Nullable LeadingBits bits) {
    /** The values of a column. */
    public static KeyValues of(ColumnVector column) {
        return new KeyValues(column, null);
    }

    /** True when both rows have the same value of the key, or none. */
    public boolean same(int row, int other) {
        if (bits == null) {
            return column.same(row, other);
        }
        return column.isNull(row)
                ? column.isNull(other)
                : !column.isNull(other) && bits.of(number(row)) == bits.of(number(other));
    }

    /** The values of the key in the first rows: the column's own vector if there are no bits, else a new one. */
    public ColumnVector vector(int rows) {
        if (bits == null) {
            return column;
        }
        LongVector vector = new LongVector();
        vector.reserve(rows);
        fill(0, vector, 0, rows);
        return vector;
    }

    /**
     * Puts the bits of rows to consecutive rows of a vector.
     *
     * @param into its rows must be reserved
     * @throws IllegalStateException if there are no bits
     */
    public void fill(int from, LongVector into, int at, int rows) {
        if (bits == null) {
            throw new IllegalStateException("the values of the column are those of the key");
        }
        for (int i = 0; i < rows; i++) {
            if (column.isNull(from + i)) {
                into.setNull(at + i, 1);
            } else {
                into.set(at + i, bits.of(number(from + i)));
            }
        }
    }

    private double number(int row) {
        return column instanceof DoubleVector doubles ? doubles.values()[row] : ((LongVector) column).values()[row];
    }
}
