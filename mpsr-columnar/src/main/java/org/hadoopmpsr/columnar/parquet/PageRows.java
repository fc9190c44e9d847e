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
package org.hadoopmpsr.columnar.parquet;

import org.apache.parquet.bytes.BytesInput;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.pack.HybridPacker;

/** The rows of a page that have a value. For one thread. */
final class PageRows {
    private final ColumnVector vector;
    private final HybridPacker packer = new HybridPacker();
    private int[] present = {};
    private int[] levels = {};
    private int[] rows = {};
    private int from;
    private int to;
    private int all;

    PageRows(ColumnVector vector) {
        this.vector = vector;
    }

    /** Takes the rows {@code order[first]} to {@code order[end - 1]}. */
    void select(int[] order, int first, int end) {
        all = end - first;
        rows = order;
        from = first;
        to = end;
        if (vector.mayHaveNulls()) {
            leaveNullsOut(order, first);
        }
    }

    private void leaveNullsOut(int[] order, int first) {
        if (present.length < all) {
            present = new int[all];
            levels = new int[all];
        }
        int count = 0;
        for (int i = 0; i < all; i++) {
            int row = order[first + i];
            int level = vector.isNull(row) ? 0 : 1;
            levels[i] = level;
            present[count] = row;
            count += level;
        }
        rows = present;
        from = 0;
        to = count;
    }

    /** Holds the rows with a value, from {@link #from} to {@link #to}, exclusive. */
    int[] rows() {
        return rows;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    /** The number of rows without a value. */
    int nulls() {
        return all - (to - from);
    }

    /** Definition levels: 1 where there is a value, with their length in front. */
    BytesInput levels() {
        BytesInput packed;
        if (nulls() == 0) {
            packed = BytesInput.concat(BytesInput.fromUnsignedVarInt(all << 1), BytesInput.from(new byte[] {1}));
        } else {
            packed = packer.pack(levels, 0, all, 1);
        }
        return BytesInput.concat(BytesInput.fromInt((int) packed.size()), packed);
    }
}
