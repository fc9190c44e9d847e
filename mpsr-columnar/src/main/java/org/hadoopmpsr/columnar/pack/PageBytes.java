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

/** The bytes of a page as they grow. For one thread. */
final class PageBytes {
    private byte[] bytes = {};
    private int size;

    /** Forgets what was put, and makes room for that many bytes. */
    void reset(int capacity) {
        size = 0;
        if (bytes.length < capacity + BitPacker.SLACK) {
            bytes = new byte[capacity + BitPacker.SLACK];
        }
    }

    void put(int value) {
        bytes[size++] = (byte) value;
    }

    /** Puts a number in as many bytes as it needs, seven bits in each. */
    void putVarint(long value) {
        long rest = value;
        for (; (rest & ~0x7fL) != 0; rest >>>= 7) {
            put((int) rest & 0x7f | 0x80);
        }
        put((int) rest);
    }

    /** Puts a number that may be negative. */
    void putZigZag(long value) {
        putVarint(value << 1 ^ value >> 63);
    }

    /** Leaves room for some bytes; returns where they begin. */
    int skip(int count) {
        Arrays.fill(bytes, size, size + count, (byte) 0);
        size += count;
        return size - count;
    }

    /** Sets a byte at a place that was left. */
    void set(int place, int value) {
        bytes[place] = (byte) value;
    }

    /** Packs numbers, which must fill whole bytes. */
    void putPacked(long[] values, int from, int count, int width) {
        size = BitPacker.pack(values, from, count, width, bytes, size);
    }

    /** Packs numbers, which must fill whole bytes. */
    void putPacked(int[] values, int from, int count, int width) {
        size = BitPacker.pack(values, from, count, width, bytes, size);
    }

    int size() {
        return size;
    }

    /** What was put, valid until the next reset. */
    BytesInput toBytes() {
        return BytesInput.from(bytes, 0, size);
    }
}
