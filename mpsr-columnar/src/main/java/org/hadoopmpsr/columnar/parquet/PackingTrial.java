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
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.hadoopmpsr.columnar.buffer.ColumnVector;

/**
 * Decides how the pages of a chunk of whole numbers without a dictionary are written, by compressing some rows from all over it: as packed differences or as
 * they are, and compressed or not. Where the ways are nearly alike, the one that readers read faster is taken. For one thread.
 */
final class PackingTrial {
    private static final int SLICES = 4;
    private static final int SLICE_ROWS = 1 << 10;

    /** So much more is paid for numbers that readers take as they are, and for pages that they do not decompress. */
    private static final double FASTER = 1.03;

    /** Writes some rows, which have values, as a page. */
    interface Packing {
        BytesInput pack(int[] rows, int from, int to);
    }

    private final PageRows slice;
    private final BytesInputCompressor compressor;
    private long raw;
    private long compressed;
    private long rawPlain;
    private long compressedPlain;

    PackingTrial(ColumnVector vector, BytesInputCompressor compressor) {
        slice = new PageRows(vector);
        this.compressor = compressor;
    }

    /** Tries rows of a chunk. */
    void begin(int[] order, int from, int to, Packing differences, Packing plain) throws IOException {
        raw = 0;
        compressed = 0;
        rawPlain = 0;
        compressedPlain = 0;
        int length = Math.min(SLICE_ROWS, to - from);
        int slices = to - from > SLICES * SLICE_ROWS ? SLICES : 1;
        for (int i = 0; i < slices; i++) {
            int start = from + (slices == 1 ? 0 : (int) ((long) (to - from - length) * i / (slices - 1)));
            slice.select(order, start, start + length);
            BytesInput packed = differences.pack(slice.rows(), slice.from(), slice.to());
            raw += packed.size();
            compressed += compressor.compress(packed).size();
            BytesInput whole = plain.pack(slice.rows(), slice.from(), slice.to());
            rawPlain += whole.size();
            compressedPlain += compressor.compress(whole).size();
        }
    }

    /** Whether the numbers are written as they are. */
    boolean isPlain() {
        return Math.min(rawPlain, compressedPlain) <= Math.min(raw, compressed) * FASTER;
    }

    /** Whether the pages are compressed. */
    boolean isCompressed() {
        return isPlain() ? rawPlain > compressedPlain * FASTER : raw > compressed * FASTER;
    }
}
