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
package org.hadoopmpsr.columnar.pack;

import java.util.Arrays;
import org.apache.parquet.bytes.BytesInput;

/**
 * Packs whole numbers as Parquet's DELTA_BINARY_PACKED: blocks of differences, each with its least one, in miniblocks of
 * as many bits as the largest one above that needs. For one thread.
 */
public final class DeltaPacker {
    private static final int MINIBLOCK = 32;
    private static final int MINIBLOCKS = 4;
    private static final int BLOCK = MINIBLOCK * MINIBLOCKS;
    private static final int MAX_VARINT = 10;

    private final boolean narrow;
    private final long[] deltas = new long[BLOCK];
    private final PageBytes page = new PageBytes();

    /** @param narrow for numbers of 32 bits, whose differences have no more */
    public DeltaPacker(boolean narrow) {
        this.narrow = narrow;
    }

    /** Packs the first {@code count} values; the bytes are valid until the next call. */
    public BytesInput pack(long[] values, int count) {
        int blocks = count / BLOCK + 1;
        page.reset(4 * MAX_VARINT + blocks * (MAX_VARINT + MINIBLOCKS + BLOCK * Long.BYTES));
        page.putVarint(BLOCK);
        page.putVarint(MINIBLOCKS);
        page.putVarint(count);
        page.putZigZag(count == 0 ? 0 : values[0]);
        for (int from = 1; from < count; from += BLOCK) {
            packBlock(values, from, Math.min(BLOCK, count - from));
        }
        return page.toBytes();
    }

    private void packBlock(long[] values, int from, int size) {
        long least = difference(values, from);
        for (int i = 0; i < size; i++) {
            deltas[i] = difference(values, from + i);
            least = Math.min(least, deltas[i]);
        }
        Arrays.fill(deltas, size, BLOCK, least);
        page.putZigZag(least);
        int widths = page.skip(MINIBLOCKS);
        for (int i = 0; i * MINIBLOCK < size; i++) {
            int width = aboveLeast(least, i * MINIBLOCK);
            page.set(widths + i, width);
            page.putPacked(deltas, i * MINIBLOCK, MINIBLOCK, width);
        }
    }

    private long difference(long[] values, int i) {
        long delta = values[i] - values[i - 1];
        return narrow ? (int) delta : delta;
    }

    /** Makes the differences of a miniblock to what they are above the least; returns the bits they need. */
    private int aboveLeast(long least, int from) {
        long mask = narrow ? 0xffff_ffffL : -1L;
        long used = 0;
        for (int i = from; i < from + MINIBLOCK; i++) {
            deltas[i] = deltas[i] - least & mask;
            used |= deltas[i];
        }
        return Long.SIZE - Long.numberOfLeadingZeros(used);
    }
}
