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
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DictionaryPage;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.pack.HybridPacker;
import org.hadoopmpsr.columnar.pack.KeyNumbers;
import org.jspecify.annotations.Nullable;

/**
 * The dictionaries of a column of numbers, and the pages of those chunks that have one; {@link DictionaryTrial} decides which do. A
 * dictionary is in ascending order: near values have near numbers, and both the dictionary and the numbers compress better than in the
 * order of first rows. For one thread.
 */
final class ChunkDictionary {
    /** What a dictionary page may have in bytes before compression: readers keep it in memory. */
    private static final int MAX_BYTES = 1 << 20;

    /** So many rows are looked at at a time. */
    static final int BLOCK = 1 << 10;

    private static final int SAMPLE_BLOCK = 64;
    private static final int LEAST_SAMPLE = SAMPLE_BLOCK * SAMPLE_BLOCK;
    private static final int GREATEST_SAMPLE = 8 * LEAST_SAMPLE;

    /** A column of numbers. */
    interface Values {
        /**
         * The keys of rows that have values. Different bits have different keys, and the order of keys is that of the values.
         *
         * @param keys gets them, from its beginning on
         */
        void keys(int[] rows, int from, int to, long[] keys);

        /** The rows, which have values, as a page without a dictionary; valid until the next call. */
        BytesInput plain(int[] rows, int from, int to);

        /** Puts the value of a key as a dictionary page has it. */
        void put(long key, ByteBuffer page);

        /** The bytes of a value in a dictionary page. */
        int width();

        /**
         * Adds what a dictionary must have besides the chunk's values.
         *
         * @return false if it has too many then
         */
        boolean complete(KeyNumbers keys);
    }

    private final Values values;
    private final PageRows block;
    private final DictionaryTrial trial;
    private final KeyNumbers keys;
    private final HybridPacker packer = new HybridPacker();
    private final long[] blockKeys = new long[BLOCK];

    /** By block of the chunk: the number of values before it. */
    private int[] valuesBefore = {};

    private int next;
    private int bits;

    ChunkDictionary(ColumnVector vector, Values values, Trials trials) {
        this.values = values;
        block = new PageRows(vector);
        trial = new DictionaryTrial(this, trials.compressor());
        keys = trials.keys();
    }

    /**
     * Begins a chunk.
     *
     * @return its dictionary, uncompressed; null if it gets none
     */
    @Nullable
    DictionaryPage begin(int[] order, int from, int to) throws IOException {
        next = 0;
        int most = Math.min((to - from) / 3, MAX_BYTES / values.width());
        if (to - from < LEAST_SAMPLE * 2) {
            if (!number(order, from, to, most)) {
                return null;
            }
            trial.begin(order, from, to);
        } else if (!isPromising(order, from, to, most) || !number(order, from, to, most)) {
            return null;
        }
        if (!values.complete(keys)) {
            return null;
        }
        keys.sort();
        bits = trial.bits();
        return bits == 0 ? null : new DictionaryPage(entries(0, keys.size()), keys.size(), Encoding.PLAIN);
    }

    /** The next page of the chunk, which has so many values; valid until the next call. */
    BytesInput page(int count) {
        next += count;
        return numbers(next - count, next, bits);
    }

    /**
     * Looks at some rows that lie together and apart. False if the chunk has too many distinct values by them, or if these take few bits
     * as they are. Begins the trial.
     */
    private boolean isPromising(int[] order, int from, int to, int most) throws IOException {
        int sample = Math.max(LEAST_SAMPLE, Math.min(GREATEST_SAMPLE, (to - from) / SAMPLE_BLOCK));
        int blocks = sample / SAMPLE_BLOCK;
        keys.begin(blocks * SAMPLE_BLOCK, blocks * SAMPLE_BLOCK);
        for (int i = 0; i < blocks; i++) {
            int start = from + (int) ((long) (to - from - SAMPLE_BLOCK) * i / (blocks - 1));
            add(order, start, start + SAMPLE_BLOCK);
        }
        if (keys.distinctAtLeast() > 1.25 * most) { // it is an estimate
            return false;
        }
        int distinct = keys.size();
        double bits = trial.begin(order, from, to);
        return bits > Math.log(Math.max(1, distinct)) / Math.log(2) / 2;
    }

    private boolean number(int[] order, int from, int to, int most) {
        keys.begin(to - from, most);
        int blocks = (to - from + BLOCK - 1) / BLOCK;
        if (valuesBefore.length <= blocks) {
            valuesBefore = new int[blocks + 1];
        }
        for (int i = 0; i < blocks; i++) {
            int start = from + i * BLOCK;
            if (!add(order, start, Math.min(to, start + BLOCK))) {
                return false;
            }
            valuesBefore[i + 1] = keys.count();
        }
        return keys.count() > 0;
    }

    private boolean add(int[] order, int from, int to) {
        block.select(order, from, to);
        values.keys(block.rows(), block.from(), block.to(), blockKeys);
        return keys.add(blockKeys, block.to() - block.from());
    }

    /** Some rows as a page without a dictionary; valid until the next call. */
    BytesInput plain(int[] order, int from, int to) {
        block.select(order, from, to);
        return values.plain(block.rows(), block.from(), block.to());
    }

    /** How many values, without nulls, the last rows have. */
    int selected() {
        return block.to() - block.from();
    }

    /** Values of the dictionary, as its page has them. */
    BytesInput entries(int from, int to) {
        ByteBuffer page = ByteBuffer.allocate((to - from) * values.width()).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = from; i < to; i++) {
            values.put(keys.key(i), page);
        }
        return BytesInput.from(page.array());
    }

    /** Some values of the chunk, without nulls, as a page with so many bits for each; valid until the next call. */
    BytesInput numbers(int from, int to, int width) {
        return BytesInput.concat(
                BytesInput.from(new byte[] {(byte) width}), packer.pack(keys.numbers(), from, to - from, width));
    }

    /** How many of the chunk's values lie before a block of {@link #BLOCK} rows. */
    int valuesBefore(int blockOfChunk) {
        return valuesBefore[blockOfChunk];
    }

    /** How many values the dictionary has. */
    int size() {
        return keys.size();
    }

    /** How many values the chunk has. */
    int count() {
        return keys.count();
    }
}
