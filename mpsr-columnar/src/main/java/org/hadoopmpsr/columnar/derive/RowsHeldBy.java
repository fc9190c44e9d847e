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

import java.util.HashMap;
import java.util.Map;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.merge.RowHasher;
import org.hadoopmpsr.columnar.transform.RoundedColumns;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentSum;
import org.hadoopmpsr.core.hash.HashKind;

/** Hashes records as a group with rounded values holds them. For one thread. */
final class RowsHeldBy {
    private final HashKind kind;
    private final RoundedColumns rounded;
    private final RowHasher exact;
    private final ContentSum sum;
    private final long[] high;
    private final long[] low;

    /** @param exact has the values of the records */
    RowsHeldBy(HashKind kind, RoundedColumns rounded, RowHasher exact, int capacity) {
        this.kind = kind;
        this.rounded = rounded;
        this.exact = exact;
        sum = new ContentSum(kind);
        high = new long[capacity];
        low = new long[capacity];
    }

    /** Hashes the first rows. */
    void hash(int rows) {
        Map<Integer, ColumnVector> others = new HashMap<>();
        rounded.columns().forEach(column -> {
            int held = exact.isConstant(column.position()) ? 1 : rows;
            others.put(column.position(), column.of(exact.vector(column.position()), held));
        });
        RowHasher hasher = exact.with(kind, others);
        for (int row = 0; row < rows; row++) {
            hasher.hash(row, high, low);
            sum.add(high[row], low[row]);
        }
    }

    long[] high() {
        return high;
    }

    long[] low() {
        return low;
    }

    ContentHash content() {
        return sum.result();
    }
}
