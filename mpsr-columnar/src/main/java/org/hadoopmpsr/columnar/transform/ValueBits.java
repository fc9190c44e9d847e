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
package org.hadoopmpsr.columnar.transform;

import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.transform.TransformedColumn;

/** Values of a column of numbers as {@link org.hadoopmpsr.core.transform.TransformedColumn} has them, between arrays and vectors. */
public final class ValueBits {
    /** What the footer of a file calls the transform of a column, before the column's name. */
    public static final String METADATA = "mpsr.transform.";

    private static final int BLOCK = 1 << 12;

    private final boolean isFloat;

    /** The values of a column whose vectors are of whole or of floating point numbers. */
    public ValueBits(Column column) {
        isFloat = column.type().equals(ColumnType.FLOAT);
    }

    /** Gets the values of some rows; those of null rows are anything. */
    public void get(ColumnVector vector, int[] rows, int from, int count, long[] into) {
        if (vector instanceof LongVector longs) {
            long[] values = longs.values();
            for (int i = 0; i < count; i++) {
                into[i] = values[rows[from + i]];
            }
            return;
        }
        double[] values = ((DoubleVector) vector).values();
        for (int i = 0; i < count; i++) {
            into[i] = bits(values[rows[from + i]]);
        }
    }

    /**
     * A copy of a vector with the values that a transform rounds to.
     *
     * @param rows how many rows are copied
     */
    public ColumnVector rounded(ColumnVector vector, int rows, TransformedColumn transform) {
        ColumnVector copy = new DoubleVector();
        copy.reserve(rows);
        copy.copyRows(vector, 0, 0, rows);
        long[] values = new long[Math.min(rows, BLOCK)];
        for (int from = 0; from < rows; from += BLOCK) {
            round(copy, from, Math.min(BLOCK, rows - from), transform, values);
        }
        return copy;
    }

    /**
     * Rounds the values of some rows in their place.
     *
     * @param values is used for that; as long as the number of rows
     */
    public void round(ColumnVector vector, int at, int count, TransformedColumn transform, long[] values) {
        double[] of = ((DoubleVector) vector).values();
        for (int i = 0; i < count; i++) {
            values[i] = bits(of[at + i]);
        }
        transform.round(values, count);
        put(values, count, vector, at);
    }

    private long bits(double value) {
        return isFloat
                ? Integer.toUnsignedLong(Float.floatToRawIntBits((float) value))
                : Double.doubleToRawLongBits(value);
    }

    /** Puts values to consecutive rows, which must be reserved. */
    public void put(long[] values, int count, ColumnVector vector, int at) {
        if (vector instanceof LongVector longs) {
            System.arraycopy(values, 0, longs.values(), at, count);
            return;
        }
        double[] into = ((DoubleVector) vector).values();
        for (int i = 0; i < count; i++) {
            into[at + i] = isFloat ? Float.intBitsToFloat((int) values[i]) : Double.longBitsToDouble(values[i]);
        }
    }
}
