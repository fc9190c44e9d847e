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
package org.hadoopmpsr.core.group;

/** MurmurHash3_x86_32 with seed 0 (Austin Appleby, public domain), as the Iceberg specification requires. */
public final class Murmur3 {
    private static final int C1 = 0xcc9e2d51;
    private static final int C2 = 0x1b873593;

    private Murmur3() {}

    /** The hash of a long as its 8 little-endian bytes. */
    public static int hashLong(long value) {
        int h = mix(0, (int) value);
        h = mix(h, (int) (value >>> 32));
        return finish(h, 8);
    }

    /** The hash of {@code length} bytes from {@code offset}. */
    public static int hash32(byte[] bytes, int offset, int length) {
        int h = 0;
        int i = offset;
        for (int end = offset + (length & ~3); i < end; i += 4) {
            h = mix(h, bytes[i] & 0xff | (bytes[i + 1] & 0xff) << 8 | (bytes[i + 2] & 0xff) << 16 | bytes[i + 3] << 24);
        }
        int tail = 0;
        for (int left = length & 3; left > 0; left--) {
            tail = tail << 8 | bytes[i + left - 1] & 0xff;
        }
        if ((length & 3) != 0) {
            h ^= scramble(tail);
        }
        return finish(h, length);
    }

    private static int scramble(int k) {
        return Integer.rotateLeft(k * C1, 15) * C2;
    }

    private static int mix(int h, int k) {
        return Integer.rotateLeft(h ^ scramble(k), 13) * 5 + 0xe6546b64;
    }

    private static int finish(int hash, int length) {
        int h = hash ^ length;
        h = (h ^ h >>> 16) * 0x85ebca6b;
        h = (h ^ h >>> 13) * 0xc2b2ae35;
        return h ^ h >>> 16;
    }
}
