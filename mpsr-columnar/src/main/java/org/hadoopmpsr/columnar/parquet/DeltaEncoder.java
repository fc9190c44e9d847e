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
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.Set;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.pack.DeltaPacker;
import org.hadoopmpsr.columnar.pack.KeyNumbers;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.jspecify.annotations.Nullable;

/** Whole numbers, dates and timestamps as packed differences, by their numbers in a dictionary of the chunk, or as they are. */
abstract class DeltaEncoder extends ColumnEncoder implements ChunkDictionary.Values {
    private final LongVector vector;
    private final DeltaPacker packer;
    private final @Nullable ChunkDictionary dictionary;
    private final @Nullable PackingTrial packing;
    private byte[] whole = {};
    private boolean isPlain;
    private boolean compresses = true;
    private boolean hasDictionary;
    private long min = Long.MAX_VALUE;
    private long max = Long.MIN_VALUE;
    private long[] page = {};
    private long last = Long.MIN_VALUE;
    private boolean ascending = true;
    private long distinct;

    /** @param packs whether numbers may also be written as they are, and pages without compression */
    private DeltaEncoder(LongVector vector, boolean narrow, @Nullable Trials trials, boolean packs) {
        this.vector = vector;
        packer = new DeltaPacker(narrow);
        dictionary = trials == null ? null : new ChunkDictionary(vector, this, trials);
        packing = trials == null || !packs ? null : new PackingTrial(vector, trials.compressor());
    }

    abstract void bounds(Statistics<?> statistics, long low, long high);

    @Override
    @Nullable
    DictionaryPage beginChunk(int[] order, int from, int to) throws IOException {
        if (packing != null) {
            packing.begin(order, from, to, this::differences, this::asTheyAre);
            isPlain = packing.isPlain();
        }
        DictionaryPage begun = dictionary == null ? null : dictionary.begin(order, from, to);
        hasDictionary = begun != null;
        compresses = hasDictionary || packing == null || packing.isCompressed();
        return begun;
    }

    @Override
    boolean compresses() {
        return compresses;
    }

    @Override
    public final void keys(int[] rows, int from, int to, long[] keys) {
        long[] values = vector.values();
        for (int i = from; i < to; i++) {
            keys[i - from] = values[rows[i]];
        }
    }

    @Override
    public final BytesInput plain(int[] rows, int from, int to) {
        return isPlain ? asTheyAre(rows, from, to) : differences(rows, from, to);
    }

    private BytesInput differences(int[] rows, int from, int to) {
        gather(rows, from, to - from);
        return packer.pack(page, to - from);
    }

    private BytesInput asTheyAre(int[] rows, int from, int to) {
        gather(rows, from, to - from);
        return asTheyAre(to - from);
    }

    /** The page's values as a page of Parquet's plain encoding. */
    private BytesInput asTheyAre(int count) {
        if (whole.length < count * width()) {
            whole = new byte[count * width()];
        }
        ByteBuffer out = ByteBuffer.wrap(whole).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < count; i++) {
            put(page[i], out);
        }
        return BytesInput.from(whole, 0, count * width());
    }

    @Override
    public final boolean complete(KeyNumbers keys) {
        return true; // equal values are the same bits
    }

    @Override
    BytesInput encode(int[] rows, int from, int to, Statistics<?> statistics) {
        int count = to - from;
        gather(rows, from, count);
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        long before = last;
        int descents = 0;
        int steps = 0;
        for (int i = 0; i < count; i++) {
            long value = page[i];
            low = Math.min(low, value);
            high = Math.max(high, value);
            descents += value < before ? 1 : 0;
            steps += value == before ? 0 : 1;
            before = value;
        }
        ascending &= descents == 0;
        distinct += steps;
        last = before;
        if (low <= high) {
            bounds(statistics, low, high);
            min = Math.min(min, low);
            max = Math.max(max, high);
        }
        if (dictionary != null && hasDictionary) {
            return dictionary.page(count);
        }
        return isPlain ? asTheyAre(count) : packer.pack(page, count);
    }

    /** Fetches the page's values from all over memory in a loop of its own, where the processor can wait for many. */
    private void gather(int[] rows, int from, int count) {
        if (page.length < count) {
            page = new long[count];
        }
        long[] values = vector.values();
        for (int i = 0; i < count; i++) {
            page[i] = values[rows[from + i]];
        }
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
        if (hasDictionary) {
            return Encoding.RLE_DICTIONARY;
        }
        return isPlain ? Encoding.PLAIN : Encoding.DELTA_BINARY_PACKED;
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

    /** For columns of 64 bits. */
    static final class OfLong extends DeltaEncoder {
        OfLong(LongVector vector, @Nullable Trials trials, boolean packs) {
            super(vector, false, trials, packs);
        }

        @Override
        public void put(long key, ByteBuffer out) {
            out.putLong(key);
        }

        @Override
        public int width() {
            return Long.BYTES;
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

    /** For columns of 32 bits. */
    static final class OfInt extends DeltaEncoder {
        OfInt(LongVector vector, @Nullable Trials trials, boolean packs) {
            super(vector, true, trials, packs);
        }

        @Override
        public void put(long key, ByteBuffer out) {
            out.putInt((int) key);
        }

        @Override
        public int width() {
            return Integer.BYTES;
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
