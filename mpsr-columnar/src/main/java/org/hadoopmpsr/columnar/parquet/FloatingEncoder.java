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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.core.stats.ColumnStatistics;

/** Floating point numbers as they are. NaN is above all numbers, as in queries. */
final class FloatingEncoder extends ColumnEncoder {
    private static final VarHandle DOUBLES =
            MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle FLOATS =
            MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);
    private final DoubleVector vector;
    private final boolean narrow;
    private byte[] page = {};
    private boolean any;
    private double min;
    private double max;

    FloatingEncoder(DoubleVector vector, boolean narrow) {
        this.vector = vector;
        this.narrow = narrow;
    }

    @Override
    BytesInput encode(int[] rows, int from, int to, Statistics<?> statistics) {
        int capacity = (to - from) * bytesPerRow();
        if (page.length < capacity) {
            page = new byte[capacity];
        }
        double[] values = vector.values();
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        int at = 0;
        for (int i = from; i < to; i++) {
            double value = values[rows[i]];
            low = Math.min(low, value); // both become NaN with a NaN
            high = Math.max(high, value);
            if (narrow) {
                FLOATS.set(page, at, (float) value);
                at += Float.BYTES;
            } else {
                DOUBLES.set(page, at, value);
                at += Double.BYTES;
            }
        }
        if (at > 0) {
            bounds(statistics, low, high);
        }
        return BytesInput.from(page, 0, at);
    }

    private void bounds(Statistics<?> statistics, double low, double high) {
        if (narrow) {
            statistics.updateStats((float) low);
            statistics.updateStats((float) high);
        } else {
            statistics.updateStats(low);
            statistics.updateStats(high);
        }
        min = any && Double.compare(min, low) <= 0 ? min : low;
        max = any && Double.compare(max, high) >= 0 ? max : high;
        any = true;
    }

    @Override
    Encoding encoding() {
        return Encoding.PLAIN;
    }

    @Override
    int bytesPerRow() {
        return narrow ? Float.BYTES : Double.BYTES;
    }

    @Override
    ColumnStatistics statistics(long nulls) {
        return any && !Double.isNaN(max)
                ? ColumnStatistics.of(min, max, nulls)
                : ColumnStatistics.of(null, null, nulls);
    }
}
