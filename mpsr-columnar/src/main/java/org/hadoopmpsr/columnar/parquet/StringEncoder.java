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

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.column.values.deltalengthbytearray.DeltaLengthByteArrayValuesWriter;
import org.apache.parquet.io.api.Binary;
import org.hadoopmpsr.columnar.buffer.ByteDictionary;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.pack.HybridPacker;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.ValueFilter;
import org.jspecify.annotations.Nullable;

/**
 * Strings or binary values by their numbers in a dictionary of the chunk; where most strings are distinct or the dictionary would be
 * large, as they are with packed lengths.
 */
sealed class StringEncoder extends ColumnEncoder permits WideDecimalEncoder {
    private static final int MAX_DICTIONARY_BYTES = 1 << 20;

    private final StringVector vector;
    private final ByteDictionary dictionary;
    private final Supplier<int[]> ranksNow;
    private final BitSet usedInFile = new BitSet();
    private final HybridPacker packer = new HybridPacker();

    /** By number in the column's dictionary: that in the chunk's, from 1; 0 for what it has not. */
    private int[] numberOf;

    private int[] ranks = {};

    /** By number in the chunk's dictionary: the string's rank, and in the lower half its number in the column's. */
    private long[] used = new long[256];

    private int usedCount;

    /** The chunk's values, without nulls, as numbers in its dictionary. */
    private int[] numbers = {};

    private int count;
    private int next;
    private int bytesPerRow;
    private @Nullable ValuesWriter plain;
    private final boolean isText;
    private int min = -1;
    private int max = -1;

    /** @param isText false for bytes that are no text: bounds and filters are of texts */
    StringEncoder(StringVector vector, Supplier<int[]> ranks, boolean isText) {
        this.vector = vector;
        this.isText = isText;
        ranksNow = ranks;
        dictionary = vector.dictionary();
        numberOf = new int[dictionary.size()];
    }

    @Override
    @Nullable
    DictionaryPage beginChunk(int[] order, int from, int to) {
        close();
        ranks = ranksNow.get();
        if (numberOf.length < dictionary.size()) {
            numberOf = Arrays.copyOf(numberOf, dictionary.size());
        }
        number(order, from, to);
        long dictionaryBytes = 0;
        for (int i = 0; i < usedCount; i++) {
            dictionaryBytes += bytesInPage((int) used[i]);
        }
        if (usedCount == 0 || dictionaryBytes > MAX_DICTIONARY_BYTES || usedCount > (to - from) / 2 + 16) {
            plain = plainWriter();
            bytesPerRow = (int) Math.max(1, plainBytes() / Math.max(1, to - from));
            return null;
        }
        bytesPerRow = Integer.BYTES;
        ByteBuffer page = ByteBuffer.allocate((int) dictionaryBytes).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < usedCount; i++) {
            put((int) used[i], page);
        }
        return new DictionaryPage(BytesInput.from(page.array()), usedCount, Encoding.PLAIN);
    }

    /** What writes the values of a chunk without a dictionary. */
    ValuesWriter plainWriter() {
        return new DeltaLengthByteArrayValuesWriter(SLAB_BYTES, PAGE_BYTES, new HeapByteBufferAllocator());
    }

    /** The encoding of {@link #plainWriter}. */
    Encoding plainEncoding() {
        return Encoding.DELTA_LENGTH_BYTE_ARRAY;
    }

    /** The bytes that a value takes in a dictionary page. */
    int bytesInPage(int id) {
        return Integer.BYTES + dictionary.length(id);
    }

    /** Puts a value to a dictionary page. */
    void put(int id, ByteBuffer page) {
        page.putInt(dictionary.length(id));
        page.put(dictionary.bytes(), dictionary.start(id), dictionary.length(id));
    }

    /** Numbers the chunk's strings in the order of their first rows. */
    private void number(int[] order, int from, int to) {
        for (int i = 0; i < usedCount; i++) {
            numberOf[(int) used[i]] = 0;
        }
        usedCount = 0;
        next = 0;
        count = 0;
        if (numbers.length < to - from) {
            numbers = new int[to - from];
        }
        gather(order, from, to);
        for (int i = 0; i < count; i++) {
            int id = numbers[i];
            int number = numberOf[id];
            numbers[i] = (number == 0 ? use(id) : number) - 1;
        }
    }

    /** Fetches the numbers in the column's dictionary in a loop of its own, where the processor can wait for many. */
    private void gather(int[] order, int from, int to) {
        int[] ids = vector.ids();
        if (!vector.mayHaveNulls()) {
            for (int i = from; i < to; i++) {
                numbers[i - from] = ids[order[i]];
            }
            count = to - from;
            return;
        }
        for (int i = from; i < to; i++) {
            if (!vector.isNull(order[i])) {
                numbers[count++] = ids[order[i]];
            }
        }
    }

    private int use(int id) {
        if (usedCount == used.length) {
            used = Arrays.copyOf(used, usedCount * 2);
        }
        used[usedCount++] = (long) ranks[id] << Integer.SIZE | id;
        usedInFile.set(id);
        numberOf[id] = usedCount;
        return usedCount;
    }

    private long plainBytes() {
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += bytesInPage((int) used[numbers[i]]);
        }
        return bytes;
    }

    @Override
    BytesInput encode(int[] rows, int from, int to, Statistics<?> statistics) {
        int first = next;
        next += to - from;
        long low = Long.MAX_VALUE;
        long high = Long.MIN_VALUE;
        for (int i = first; i < next; i++) {
            long value = used[numbers[i]];
            low = Math.min(low, value);
            high = Math.max(high, value);
        }
        if (low <= high) {
            statistics.updateStats(binary((int) low));
            statistics.updateStats(binary((int) high));
            min = min < 0 || dictionary.compare(min, (int) low) > 0 ? (int) low : min;
            max = max < 0 || dictionary.compare(max, (int) high) < 0 ? (int) high : max;
        }
        if (plain == null) {
            int width = BytesUtils.getWidthFromMaxInt(usedCount - 1);
            return BytesInput.concat(
                    BytesInput.from(new byte[] {(byte) width}), packer.pack(numbers, first, to - from, width));
        }
        plain.reset();
        for (int i = first; i < next; i++) {
            plain.writeBytes(binary((int) used[numbers[i]]));
        }
        return plain.getBytes();
    }

    /** A value as files have it. */
    Binary binary(int id) {
        return Binary.fromConstantByteArray(dictionary.bytes(), dictionary.start(id), dictionary.length(id));
    }

    @Override
    BloomFilter bloomFilter(int[] order, int from, int to) {
        BloomFilter filter = emptyFilter(usedCount);
        for (int i = 0; i < usedCount; i++) {
            filter.insertHash(filter.hash(binary((int) used[i])));
        }
        return filter;
    }

    @Override
    Encoding encoding() {
        return plain == null ? Encoding.RLE_DICTIONARY : plainEncoding();
    }

    @Override
    int bytesPerRow() {
        return bytesPerRow;
    }

    @Override
    ColumnStatistics statistics(long nulls) {
        int distinct = usedInFile.cardinality();
        ColumnStatistics bounds =
                (min < 0 ? ColumnStatistics.of(null, null, nulls) : bounds(min, max, nulls)).withDistinct(distinct);
        if (!isText) {
            return bounds;
        }
        return bounds.withValues(
                distinct <= ValueFilter.MAX_VALUES ? ValueFilter.of(values()).orElse(null) : null);
    }

    /** The bounds of values that lie between two. */
    ColumnStatistics bounds(int least, int greatest, long nulls) {
        return isText
                ? ColumnStatistics.of(dictionary.text(least), dictionary.text(greatest), nulls)
                : ColumnStatistics.of(null, null, nulls);
    }

    /** The file's strings, each once, as UTF-8. */
    private List<byte[]> values() {
        return usedInFile.stream().mapToObj(id -> binary(id).getBytes()).toList();
    }

    @Override
    public void close() {
        if (plain != null) {
            plain.close();
            plain = null;
        }
    }
}
