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
package org.hadoopmpsr.ingest.parquet;

import java.util.HashSet;
import java.util.Set;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriter;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForInteger;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForLong;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.ingest.buffer.LongVector;

/** Whole numbers, dates and timestamps as packed differences. */
abstract class DeltaEncoder extends ColumnEncoder {
    private final LongVector vector;
    private final DeltaBinaryPackingValuesWriter writer;
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;
    private long[] page = {};
    private long last = Long.MIN_VALUE;
    private boolean ascending = true;
    private long distinct;

    private DeltaEncoder(LongVector vector, DeltaBinaryPackingValuesWriter writer) {
        this.vector = vector;
        this.writer = writer;
    }

    abstract void write(long value);

    abstract void bounds(Statistics<?> statistics, long low, long high);

    @Override
    BytesInput encode(int[] order, int from, int to, Statistics<?> statistics) {
        writer.reset();
        int count = gather(order, from, to);
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        long before = last;
        int steps = 0;
        for (int i = 0; i < count; i++) {
            long value = page[i];
            low = Math.min(low, value);
            high = Math.max(high, value);
            ascending &= value >= before;
            steps += value == before ? 0 : 1;
            before = value;
            write(value);
        }
        distinct += steps;
        last = before;
        if (low <= high) {
            bounds(statistics, low, high);
            min = Math.min(min, low);
            max = Math.max(max, high);
        }
        return writer.getBytes();
    }

    /** Fetches the page's values from all over memory in a loop of its own, where the processor can wait for many. */
    private int gather(int[] order, int from, int to) {
        if (page.length < to - from) {
            page = new long[to - from];
        }
        long[] values = vector.values();
        int count = 0;
        if (vector.mayHaveNulls()) {
            for (int i = from; i < to; i++) {
                if (!vector.isNull(order[i])) {
                    page[count++] = values[order[i]];
                }
            }
        } else {
            for (int i = from; i < to; i++) {
                page[count++] = values[order[i]];
            }
        }
        return count;
    }

    abstract long hash(BloomFilter filter, long value);

    @Override
    BloomFilter bloomFilter(int[] order, int from, int to) {
        Set<Long> values = new HashSet<>();
        for (int i = from; i < to; i++) {
            if (!vector.isNull(order[i])) {
                values.add(vector.values()[order[i]]);
            }
        }
        BloomFilter filter = emptyFilter(values.size());
        values.forEach(value -> filter.insertHash(hash(filter, value)));
        return filter;
    }

    @Override
    Encoding encoding() {
        return Encoding.DELTA_BINARY_PACKED;
    }

    @Override
    int bytesPerRow() {
        return Long.BYTES;
    }

    @Override
    ColumnStatistics statistics(long nulls) {
        ColumnStatistics bounds =
                min <= max ? ColumnStatistics.of(min, max, nulls) : ColumnStatistics.of(null, null, nulls);
        // equal values lie together then; the smallest long is not told from the beginning
        return ascending ? bounds.withDistinct(distinct + (min == Long.MIN_VALUE ? 1 : 0)) : bounds;
    }

    @Override
    public void close() {
        writer.close();
    }

    /** 64 bits. */
    static final class OfLong extends DeltaEncoder {
        private final DeltaBinaryPackingValuesWriterForLong writer;

        OfLong(LongVector vector) {
            this(
                    vector,
                    new DeltaBinaryPackingValuesWriterForLong(SLAB_BYTES, PAGE_BYTES, new HeapByteBufferAllocator()));
        }

        private OfLong(LongVector vector, DeltaBinaryPackingValuesWriterForLong writer) {
            super(vector, writer);
            this.writer = writer;
        }

        @Override
        void write(long value) {
            writer.writeLong(value);
        }

        @Override
        long hash(BloomFilter filter, long value) {
            return filter.hash(value);
        }

        @Override
        void bounds(Statistics<?> statistics, long low, long high) {
            statistics.updateStats(low);
            statistics.updateStats(high);
        }
    }

    /** 32 bits. */
    static final class OfInt extends DeltaEncoder {
        private final DeltaBinaryPackingValuesWriterForInteger writer;

        OfInt(LongVector vector) {
            this(
                    vector,
                    new DeltaBinaryPackingValuesWriterForInteger(
                            SLAB_BYTES, PAGE_BYTES, new HeapByteBufferAllocator()));
        }

        private OfInt(LongVector vector, DeltaBinaryPackingValuesWriterForInteger writer) {
            super(vector, writer);
            this.writer = writer;
        }

        @Override
        void write(long value) {
            writer.writeInteger((int) value);
        }

        @Override
        long hash(BloomFilter filter, long value) {
            return filter.hash((int) value);
        }

        @Override
        void bounds(Statistics<?> statistics, long low, long high) {
            statistics.updateStats((int) low);
            statistics.updateStats((int) high);
        }
    }
}
