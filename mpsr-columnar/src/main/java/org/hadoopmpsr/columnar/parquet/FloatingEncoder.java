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

import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.statistics.Statistics;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.pack.KeyNumbers;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Floating point numbers as they are, or by their numbers in a dictionary of the chunk. NaN is above all numbers, as in queries. All bits
 * are kept.
 */
final class FloatingEncoder extends ColumnEncoder {
    private static final VarHandle DOUBLES =
            MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle FLOATS =
            MethodHandles.byteArrayViewVarHandle(float[].class, ByteOrder.LITTLE_ENDIAN);

    /** Its bits as a double, and as a float in the upper half. */
    private static final long NEGATIVE_ZERO = Long.MIN_VALUE;

    private final DoubleVector vector;
    private final boolean narrow;
    private final @Nullable ChunkDictionary dictionary;
    private byte[] page = {};
    private boolean hasDictionary;
    private boolean any;
    private double min;
    private double max;

    /** @param trials null if a dictionary is never wanted */
    FloatingEncoder(DoubleVector vector, boolean narrow, @Nullable Trials trials) {
        this.vector = vector;
        this.narrow = narrow;
        dictionary = trials == null ? null : new ChunkDictionary(vector, narrow ? new Floats() : new Doubles(), trials);
    }

    @Override
    @Nullable
    DictionaryPage beginChunk(int[] order, int from, int to) throws IOException {
        DictionaryPage begun = dictionary == null ? null : dictionary.begin(order, from, to);
        hasDictionary = begun != null;
        return begun;
    }

    @Override
    BytesInput encode(int[] rows, int from, int to, Statistics<?> statistics) {
        double[] values = vector.values();
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (int i = from; i < to; i++) {
            double value = values[rows[i]];
            low = Math.min(low, value); // both become NaN with a NaN
            high = Math.max(high, value);
        }
        if (from < to) {
            bounds(statistics, low, high);
        }
        return dictionary != null && hasDictionary ? dictionary.page(to - from) : plain(rows, from, to);
    }

    private BytesInput plain(int[] rows, int from, int to) {
        int capacity = (to - from) * bytesPerRow();
        if (page.length < capacity) {
            page = new byte[capacity];
        }
        double[] values = vector.values();
        int at = 0;
        if (narrow) {
            for (int i = from; i < to; i++) {
                FLOATS.set(page, at, (float) values[rows[i]]);
                at += Float.BYTES;
            }
        } else {
            for (int i = from; i < to; i++) {
                DOUBLES.set(page, at, values[rows[i]]);
                at += Double.BYTES;
            }
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
        return hasDictionary ? Encoding.RLE_DICTIONARY : Encoding.PLAIN;
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

    /** The values as {@link ChunkDictionary} sees them. Keys are the bits, of negative numbers turned around. */
    private abstract class Numbers implements ChunkDictionary.Values {
        @Override
        public final BytesInput plain(int[] rows, int from, int to) {
            return FloatingEncoder.this.plain(rows, from, to);
        }

        @Override
        public final int width() {
            return bytesPerRow();
        }

        /**
         * With a zero goes the other one. They are equal to queries, but readers look for the bits of one of them in the dictionary, and
         * leave the chunk out if it is not there.
         */
        @Override
        public final boolean complete(KeyNumbers keys) {
            boolean hasZero = keys.has(key(0)) || keys.has(key(NEGATIVE_ZERO));
            return !hasZero || keys.addKey(key(0)) && keys.addKey(key(NEGATIVE_ZERO));
        }

        /** The key of bits, or the bits of a key. */
        final long key(long bits) {
            return bits ^ bits >> Long.SIZE - 1 & Long.MAX_VALUE;
        }
    }

    private final class Doubles extends Numbers {
        @Override
        public void keys(int[] rows, int from, int to, long[] keys) {
            double[] values = vector.values();
            for (int i = from; i < to; i++) {
                keys[i - from] = key(Double.doubleToRawLongBits(values[rows[i]]));
            }
        }

        @Override
        public void put(long key, ByteBuffer out) {
            out.putLong(key(key));
        }
    }

    /** As keys, their bits lie in the upper half. */
    private final class Floats extends Numbers {
        @Override
        public void keys(int[] rows, int from, int to, long[] keys) {
            double[] values = vector.values();
            for (int i = from; i < to; i++) {
                keys[i - from] = key((long) Float.floatToRawIntBits((float) values[rows[i]]) << Integer.SIZE);
            }
        }

        @Override
        public void put(long key, ByteBuffer out) {
            out.putInt((int) (key(key) >>> Integer.SIZE));
        }
    }
}
