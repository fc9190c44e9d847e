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

import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.hadoopmpsr.columnar.buffer.BooleanVector;
import org.hadoopmpsr.core.stats.ColumnStatistics;

/** Truth values as bits, the first in the lowest bit. */
final class BooleanEncoder extends ColumnEncoder {
    private final BooleanVector vector;
    private byte[] page = {};
    private boolean anyTrue;
    private boolean anyFalse;

    BooleanEncoder(BooleanVector vector) {
        this.vector = vector;
    }

    @Override
    BytesInput encode(int[] rows, int from, int to, Statistics<?> statistics) {
        int capacity = (to - from + 7) / 8;
        if (page.length < capacity) {
            page = new byte[capacity];
        } else {
            Arrays.fill(page, (byte) 0);
        }
        int count = 0;
        int trues = 0;
        for (int i = from; i < to; i++) {
            if (vector.values()[rows[i]]) {
                page[count >>> 3] |= (byte) (1 << (count & 7));
                trues++;
            }
            count++;
        }
        if (trues > 0) {
            statistics.updateStats(true);
        }
        if (trues < count) {
            statistics.updateStats(false);
        }
        anyTrue |= trues > 0;
        anyFalse |= trues < count;
        return BytesInput.from(page, 0, (count + 7) / 8);
    }

    @Override
    Encoding encoding() {
        return Encoding.PLAIN;
    }

    @Override
    int bytesPerRow() {
        return 1;
    }

    @Override
    ColumnStatistics statistics(long nulls) {
        return anyTrue || anyFalse
                ? ColumnStatistics.of(!anyFalse, anyTrue, nulls).withDistinct(anyTrue && anyFalse ? 2 : 1)
                : ColumnStatistics.of(null, null, nulls);
    }
}
