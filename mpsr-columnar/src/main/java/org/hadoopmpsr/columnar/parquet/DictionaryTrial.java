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
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * Decides whether a chunk of numbers gets a dictionary, by compressing some rows from all over it with a dictionary and without. Readers of
 * few pages read all of a dictionary. A small one must pay for itself where all of the chunk is read; others where an eighth is, or
 * two pages. For one thread.
 */
final class DictionaryTrial {
    private static final int SLICES = 4;
    private static final int MAX_SLICE_BLOCKS = 4;

    /** One row in so many is tried. */
    private static final int SHARE = 32;

    /** Reading so much more makes no difference to a reader. */
    private static final int SMALL_BYTES = 128 << 10;

    /** What a dictionary page costs besides its values. */
    private static final int PAGE_OVERHEAD = 64;

    /** Of what the chunk takes without a dictionary, one must save such a part. */
    private static final int LEAST_SAVING = 16;

    private final ChunkDictionary dictionary;
    private final BytesInputCompressor compressor;
    private int blocks;
    private int length;
    private int slices;
    private long plain;

    DictionaryTrial(ChunkDictionary dictionary, BytesInputCompressor compressor) {
        this.dictionary = dictionary;
        this.compressor = compressor;
    }

    /**
     * Begins with the rows as they are without a dictionary.
     *
     * @return the bits that a value takes; 0 if all that are tried are null
     */
    double begin(int[] order, int from, int to) throws IOException {
        blocks = (to - from + ChunkDictionary.BLOCK - 1) / ChunkDictionary.BLOCK;
        length = Math.max(1, Math.min(MAX_SLICE_BLOCKS, blocks / (SLICES * SHARE)));
        slices = Math.max(1, Math.min(SLICES, 2 * blocks / (length * SHARE)));
        plain = 0;
        int tried = 0;
        for (int i = 0; i < slices; i++) {
            int start = from + firstBlock(i) * ChunkDictionary.BLOCK;
            int end = Math.min(to, start + length * ChunkDictionary.BLOCK);
            plain += compressed(dictionary.plain(order, start, end));
            tried += dictionary.selected();
        }
        return tried == 0 ? 0 : (double) plain * Byte.SIZE / tried;
    }

    private int firstBlock(int slice) {
        return slices == 1 ? (blocks - length) / 2 : (int) ((long) (blocks - length) * slice / (slices - 1));
    }

    /** How many bits a number in the dictionary, which is made now, is to have; 0 if the chunk is smaller without. */
    int bits() throws IOException {
        int exact = Math.max(1, BytesUtils.getWidthFromMaxInt(dictionary.size() - 1));
        int whole = (exact + Byte.SIZE - 1) / Byte.SIZE * Byte.SIZE; // more bits, which compress better at times
        long exactBytes = numbers(exact);
        long wholeBytes = whole == exact ? exactBytes : numbers(whole);
        long tried = 0;
        for (int i = 0; i < slices; i++) {
            tried += dictionary.valuesBefore(firstBlock(i) + length) - dictionary.valuesBefore(firstBlock(i));
        }
        int count = dictionary.count();
        double entries = entries();
        double part = entries < SMALL_BYTES ? count : Math.max(2 * FileStatistics.PAGE_ROWS, count / 8.0);
        double read = Math.min(count, part) / Math.max(1, tried);
        double saved = (plain - Math.min(exactBytes, wholeBytes)) * read;
        if (saved <= entries + plain * read / LEAST_SAVING) {
            return 0;
        }
        return wholeBytes < exactBytes ? whole : exact;
    }

    /** What the rows take by their numbers. */
    private long numbers(int width) throws IOException {
        long bytes = 0;
        for (int i = 0; i < slices; i++) {
            int block = firstBlock(i);
            bytes += compressed(
                    dictionary.numbers(dictionary.valuesBefore(block), dictionary.valuesBefore(block + length), width));
        }
        return bytes;
    }

    /** About what the dictionary takes in the file. */
    private double entries() throws IOException {
        int size = dictionary.size();
        int part = ChunkDictionary.BLOCK;
        if (size <= SLICES * part) {
            return PAGE_OVERHEAD + compressed(dictionary.entries(0, size));
        }
        long bytes = 0;
        for (int i = 0; i < SLICES; i++) {
            int start = (int) ((long) (size - part) * i / (SLICES - 1));
            bytes += compressed(dictionary.entries(start, start + part));
        }
        return PAGE_OVERHEAD + (double) bytes / (SLICES * part) * size;
    }

    private long compressed(BytesInput bytes) throws IOException {
        return compressor.compress(bytes).size();
    }
}
