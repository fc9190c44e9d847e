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
 * Packs numbers as Parquet does levels and numbers in a dictionary: eight or more equal ones as a run, others by groups
 * of eight without gaps. For one thread.
 */
public final class HybridPacker {
    private static final int GROUP = 8;
    /** The most groups whose number takes one byte. */
    private static final int MAX_GROUPS = 63;

    private static final int MAX_VARINT = 5;

    private final PageBytes page = new PageBytes();
    private final int[] last = new int[GROUP];

    /** Packs some numbers of {@code width} bits; the bytes are valid until the next call. */
    public BytesInput pack(int[] values, int from, int count, int width) {
        page.reset((count / GROUP + 1) * (MAX_VARINT + Integer.BYTES + width));
        int end = from + count;
        int at = from;
        while (at < end) {
            int run = run(values, at, end);
            if (run >= GROUP || at + run == end) {
                putRun(values[at], run, width);
                at += run;
            } else {
                at = putGroups(values, at, end, width);
            }
        }
        return page.toBytes();
    }

    /** How many equal numbers begin there; not counted on when the first group has others. */
    private static int run(int[] values, int from, int end) {
        int first = values[from];
        int to = from + 1;
        while (to < end && values[to] == first) {
            to++;
        }
        return to - from;
    }

    private void putRun(int value, int length, int width) {
        page.putVarint((long) length << 1);
        for (int bits = 0; bits < width; bits += Byte.SIZE) {
            page.put(value >>> bits);
        }
    }

    /** Packs the groups up to the next run, at least one; returns where they end. */
    private int putGroups(int[] values, int from, int end, int width) {
        int to = from + GROUP;
        while (to < end && to - from < MAX_GROUPS * GROUP && !isRun(values, to, end)) {
            to += GROUP;
        }
        int whole = Math.min(to, end - (end - from) % GROUP);
        page.put((to - from) / GROUP << 1 | 1);
        page.putPacked(values, from, whole - from, width);
        if (whole < to) {
            Arrays.fill(last, 0);
            System.arraycopy(values, whole, last, 0, end - whole);
            page.putPacked(last, 0, GROUP, width);
        }
        return Math.min(to, end);
    }

    private static boolean isRun(int[] values, int from, int end) {
        if (end - from < GROUP) {
            return false;
        }
        int first = values[from];
        int different = 0;
        for (int i = 1; i < GROUP; i++) {
            different |= first ^ values[from + i];
        }
        return different == 0;
    }
}
