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

/** The vector of a column of whole numbers, dates or timestamps. */
public final class LongVector extends ColumnVector {
    private long[] values = new long[1024];

    /** The values by row; those of null rows mean nothing. Only who fills the vector changes them. */
    public long[] values() {
        return values;
    }

    /** Sets a row's value; the row must be reserved. */
    public void set(int row, long value) {
        values[row] = value;
        setPresent(row);
    }

    @Override
    public void reserve(int rows) {
        super.reserve(rows);
        if (rows > values.length) {
            values = Arrays.copyOf(values, grown(values.length, rows));
        }
    }

    @Override
    void copyValue(int from, int to) {
        values[to] = values[from];
    }

    @Override
    void copyValues(ColumnVector other, int from, int at, int count) {
        System.arraycopy(((LongVector) other).values, from, values, at, count);
    }

    @Override
    int compareValues(int row, ColumnVector other, int otherRow) {
        return Long.compare(values[row], ((LongVector) other).values[otherRow]);
    }

    @Override
    boolean sameValue(int row, int other) {
        return values[row] == values[other];
    }

    @Override
    public void hash(RecordHasher hasher, int position, int row) {
        hasher.putLong(position, values[row]);
    }

    @Override
    public int bytesPerRow() {
        return Long.BYTES;
    }
}
