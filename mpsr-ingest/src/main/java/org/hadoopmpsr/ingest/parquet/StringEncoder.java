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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.column.values.deltalengthbytearray.DeltaLengthByteArrayValuesWriter;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.apache.parquet.io.api.Binary;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.ingest.buffer.ByteDictionary;
import org.hadoopmpsr.ingest.buffer.StringVector;
import org.jspecify.annotations.Nullable;

/**
 * Strings by their numbers in a dictionary of the chunk; where most strings are distinct or the dictionary would be
 * large, as they are with packed lengths.
 */
final class StringEncoder extends ColumnEncoder {
    private static final int MAX_DICTIONARY_BYTES = 1 << 20;
    private static final int BLOCK_ROWS = 8192;

    private final StringVector vector;
    private final ByteDictionary dictionary;
    private final int[] ranks;
    private final int[] chunkNumber;
    private int[] page = {};
    private int[] used = new int[256];
    private int usedCount;
    private final BitSet usedInFile = new BitSet();
    private long chunkBytes;
    private int chunkRows;
    private @Nullable RunLengthBitPackingHybridEncoder numbers;
    private @Nullable DeltaLengthByteArrayValuesWriter plain;
    private int minId = -1;
    private int maxId = -1;

    StringEncoder(StringVector vector, int[] ranks) {
        this.vector = vector;
        this.ranks = ranks;
        dictionary = vector.dictionary();
        chunkNumber = new int[dictionary.size()];
    }

    @Override
    @Nullable
    DictionaryPage beginChunk(int[] order, int from, int to) throws IOException {
        close();
        long dictionaryBytes = collect(order, from, to);
        int values = usedCount;
        if (values == 0 || dictionaryBytes > MAX_DICTIONARY_BYTES || values > (to - from) / 2 + 16) {
            plain = new DeltaLengthByteArrayValuesWriter(SLAB_BYTES, PAGE_BYTES, new HeapByteBufferAllocator());
            return null;
        }
        ByteBuffer page = ByteBuffer.allocate((int) dictionaryBytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < values; i++) {
            page.putInt(dictionary.length(used[i]));
            page.put(dictionary.bytes(), dictionary.start(used[i]), dictionary.length(used[i]));
        }
        numbers = new RunLengthBitPackingHybridEncoder(
                BytesUtils.getWidthFromMaxInt(values - 1), SLAB_BYTES, PAGE_BYTES, new HeapByteBufferAllocator());
        return new DictionaryPage(BytesInput.from(page.array()), values, Encoding.PLAIN);
    }

    /** Numbers the chunk's strings in the order of their first rows; returns the size of their dictionary. */
    private long collect(int[] order, int from, int to) {
        for (int i = 0; i < usedCount; i++) {
            chunkNumber[used[i]] = 0;
        }
        usedCount = 0;
        chunkBytes = 0;
        chunkRows = to - from;
        long dictionaryBytes = 0;
        for (int start = from; start < to; start += BLOCK_ROWS) {
            int count = gather(order, start, Math.min(to, start + BLOCK_ROWS));
            for (int i = 0; i < count; i++) {
                int id = page[i];
                int size = Integer.BYTES + dictionary.length(id);
                chunkBytes += size;
                if (chunkNumber[id] == 0) {
                    use(id);
                    dictionaryBytes += size;
                }
            }
        }
        return dictionaryBytes;
    }

    private void use(int id) {
        if (usedCount == used.length) {
            used = Arrays.copyOf(used, usedCount * 2);
        }
        used[usedCount++] = id;
        usedInFile.set(id);
        chunkNumber[id] = usedCount;
    }

    /** Fetches the rows' numbers from all over memory in a loop of its own, where the processor can wait for many. */
    private int gather(int[] order, int from, int to) {
        if (page.length < to - from) {
            page = new int[to - from];
        }
        int[] ids = vector.ids();
        int count = 0;
        if (vector.mayHaveNulls()) {
            for (int i = from; i < to; i++) {
                if (!vector.isNull(order[i])) {
                    page[count++] = ids[order[i]];
                }
            }
        } else {
            for (int i = from; i < to; i++) {
                page[count++] = ids[order[i]];
            }
        }
        return count;
    }

    @Override
    BytesInput encode(int[] order, int from, int to, Statistics<?> statistics) throws IOException {
        int count = gather(order, from, to);
        int low = -1;
        int high = -1;
        for (int i = 0; i < count; i++) {
            int id = page[i];
            low = low < 0 || ranks[id] < ranks[low] ? id : low;
            high = high < 0 || ranks[id] > ranks[high] ? id : high;
        }
        if (numbers != null) {
            numbers.reset();
            for (int i = 0; i < count; i++) {
                numbers.writeInt(chunkNumber[page[i]] - 1);
            }
        } else if (plain != null) {
            plain.reset();
            for (int i = 0; i < count; i++) {
                plain.writeBytes(binary(page[i]));
            }
        }
        if (low >= 0) {
            statistics.updateStats(binary(low));
            statistics.updateStats(binary(high));
            minId = minId < 0 || ranks[low] < ranks[minId] ? low : minId;
            maxId = maxId < 0 || ranks[high] > ranks[maxId] ? high : maxId;
        }
        return bytes();
    }

    private BytesInput bytes() throws IOException {
        if (numbers != null) {
            byte width = (byte) BytesUtils.getWidthFromMaxInt(usedCount - 1);
            return BytesInput.concat(BytesInput.from(new byte[] {width}), numbers.toBytes());
        }
        if (plain != null) {
            return plain.getBytes();
        }
        throw new IllegalStateException("no chunk was begun");
    }

    private Binary binary(int id) {
        return Binary.fromConstantByteArray(dictionary.bytes(), dictionary.start(id), dictionary.length(id));
    }

    @Override
    BloomFilter bloomFilter(int[] order, int from, int to) {
        BloomFilter filter = emptyFilter(usedCount);
        for (int i = 0; i < usedCount; i++) {
            filter.insertHash(filter.hash(binary(used[i])));
        }
        return filter;
    }

    @Override
    Encoding encoding() {
        return numbers != null ? Encoding.RLE_DICTIONARY : Encoding.DELTA_LENGTH_BYTE_ARRAY;
    }

    @Override
    int bytesPerRow() {
        return numbers != null ? Integer.BYTES : (int) Math.max(1, chunkBytes / Math.max(1, chunkRows));
    }

    @Override
    ColumnStatistics statistics(long nulls) {
        ColumnStatistics bounds = minId < 0
                ? ColumnStatistics.of(null, null, nulls)
                : ColumnStatistics.of(dictionary.text(minId), dictionary.text(maxId), nulls);
        return bounds.withDistinct(usedInFile.cardinality());
    }

    @Override
    public void close() {
        if (numbers != null) {
            numbers.close();
            numbers = null;
        }
        if (plain != null) {
            plain.close();
            plain = null;
        }
    }
}
