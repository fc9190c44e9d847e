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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Packs numbers without gaps, from the lowest bit of the first byte on. */
final class BitPacker {
    /** How many bytes beyond the packed ones may be overwritten. */
    static final int SLACK = Long.BYTES;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private BitPacker() {}

    /**
     * Packs {@code values[from]} to {@code values[from + count - 1]}, which fit in {@code width} bits and fill whole
     * bytes.
     *
     * @return where the packed bytes end
     */
    static int pack(long[] values, int from, int count, int width, byte[] out, int at) {
        long bits = 0;
        int used = 0;
        int to = at;
        for (int i = from; i < from + count; i++) {
            long value = values[i];
            bits |= value << used;
            used += width;
            if (used >= Long.SIZE) {
                LONGS.set(out, to, bits);
                to += Long.BYTES;
                used -= Long.SIZE;
                bits = used == 0 ? 0 : value >>> width - used;
            }
        }
        LONGS.set(out, to, bits);
        return at + (int) ((long) count * width / Byte.SIZE);
    }

    /** Packs numbers of at most 32 bits, as the method for longs does. */
    static int pack(int[] values, int from, int count, int width, byte[] out, int at) {
        long bits = 0;
        int used = 0;
        int to = at;
        for (int i = from; i < from + count; i++) {
            bits |= (long) values[i] << used;
            used += width;
            if (used >= Integer.SIZE) {
                LONGS.set(out, to, bits);
                to += Integer.BYTES;
                used -= Integer.SIZE;
                bits >>>= Integer.SIZE;
            }
        }
        LONGS.set(out, to, bits);
        return at + (int) ((long) count * width / Byte.SIZE);
    }
}
