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
package org.hadoopmpsr.columnar.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The distinct strings of a column as UTF-8, numbered from 0 in the order in which they came. A string that is known
 * costs no allocation. Not safe for use by several threads while strings are added.
 */
public final class ByteDictionary {
    private static final int MIN_SLOTS = 1024;
    private static final int MAX_BYTES = Integer.MAX_VALUE - 8;
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = new byte[4096];
    private int[] ends = new int[256];
    /**
     * The hash of a string in the upper half, the number of the string plus one in the lower half; 0 where there is no
     * string.
     */
    private long[] slots = new long[MIN_SLOTS];

    private int size;

    /** Decides whether a string may be added. */
    @FunctionalInterface
    interface Check {
        /** @throws BadRecordException when not, saying why */
        void admit(byte[] utf8, int offset, int length) throws BadRecordException;
    }

    /** Returns the number of a string; adds it when it is new. */
    public int intern(byte[] utf8, int offset, int length) {
        int hash = hash(utf8, offset, length);
        int slot = slot(hash, utf8, offset, length);
        return slots[slot] == 0 ? add(utf8, offset, length, hash, slot) : (int) slots[slot] - 1;
    }

    /** Returns the number of a string; adds it when it is new and {@code check} admits it. */
    int intern(byte[] utf8, int offset, int length, Check check) throws BadRecordException {
        int hash = hash(utf8, offset, length);
        int slot = slot(hash, utf8, offset, length);
        if (slots[slot] != 0) {
            return (int) slots[slot] - 1;
        }
        check.admit(utf8, offset, length);
        return add(utf8, offset, length, hash, slot);
    }

    /** The slot of a string, or a free one when it is new. */
    private int slot(int hash, byte[] utf8, int offset, int length) {
        int slot = hash & slots.length - 1;
        for (long entry = slots[slot]; entry != 0; entry = slots[slot]) {
            if ((int) (entry >>> 32) == hash && matches((int) entry - 1, utf8, offset, length)) {
                break;
            }
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }

    /** The number of distinct strings. */
    public int size() {
        return size;
    }

    /** The bytes of all strings; string {@code id} lies from {@link #start} to {@link #end}. Not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    /** Where a string begins in {@link #bytes}. */
    public int start(int id) {
        return id == 0 ? 0 : ends[id - 1];
    }

    /** Where a string ends in {@link #bytes}, exclusive. */
    public int end(int id) {
        return ends[id];
    }

    /** A string's length in bytes. */
    public int length(int id) {
        return ends[id] - start(id);
    }

    /** A string by its number. */
    public String text(int id) {
        return new String(bytes, start(id), length(id), StandardCharsets.UTF_8);
    }

    /** Compares two strings by their UTF-8 bytes, unsigned. */
    public int compare(int id, int other) {
        return Arrays.compareUnsigned(bytes, start(id), ends[id], bytes, start(other), ends[other]);
    }

    /** The length of all strings together. */
    public long sizeBytes() {
        return size == 0 ? 0 : ends[size - 1];
    }

    /** The place of each string in the order of the UTF-8 bytes, unsigned, from 0. */
    public int[] ranks() {
        long[] keyed = new long[size];
        for (int id = 0; id < size; id++) {
            keyed[id] = (long) prefix(id) << 32 ^ Long.MIN_VALUE | id;
        }
        // Most strings differ in their first bytes: sort by those as primitives, then mend the runs of equal prefixes.
        Arrays.sort(keyed);
        int[] ranks = new int[size];
        for (int from = 0; from < size; ) {
            int to = from + 1;
            while (to < size && keyed[to] >>> 32 == keyed[from] >>> 32) {
                to++;
            }
            rankRun(keyed, from, to, ranks);
            from = to;
        }
        return ranks;
    }

    /**
     * Forgets strings, and numbers the others anew in their order.
     *
     * @param kept the numbers of the strings that are kept
     * @return by old number the new one, where the string is kept
     */
    public int[] retain(BitSet kept) {
        int[] numbers = new int[size];
        byte[] oldBytes = bytes;
        int[] oldEnds = ends;
        bytes = new byte[4096];
        ends = new int[256];
        slots = new long[MIN_SLOTS];
        size = 0;
        for (int id = kept.nextSetBit(0); id >= 0; id = kept.nextSetBit(id + 1)) {
            int start = id == 0 ? 0 : oldEnds[id - 1];
            numbers[id] = intern(oldBytes, start, oldEnds[id] - start);
        }
        return numbers;
    }

    /** Forgets all strings and keeps the memory. */
    void clear() {
        size = 0;
        Arrays.fill(slots, 0);
    }

    private void rankRun(long[] keyed, int from, int to, int[] ranks) {
        if (to - from == 1) {
            ranks[(int) keyed[from]] = from;
            return;
        }
        Integer[] ids = new Integer[to - from];
        for (int i = from; i < to; i++) {
            ids[i - from] = (int) keyed[i];
        }
        Arrays.sort(ids, this::compare);
        for (int i = from; i < to; i++) {
            ranks[ids[i - from]] = i;
        }
    }

    private int prefix(int id) {
        int value = 0;
        for (int i = 0; i < 4; i++) {
            int at = start(id) + i;
            value = value << 8 | (at < ends[id] ? bytes[at] & 0xff : 0);
        }
        return value;
    }

    /**
     * True when the string of that number has these bytes. Compares eight bytes at a time; the last eight may overlap
     * those before.
     */
    private boolean matches(int id, byte[] utf8, int offset, int length) {
        int start = start(id);
        if (ends[id] - start != length) {
            return false;
        }
        for (int i = 0; i < length - Long.BYTES; i += Long.BYTES) {
            if ((long) LONGS.get(bytes, start + i) != (long) LONGS.get(utf8, offset + i)) {
                return false;
            }
        }
        return tail(bytes, start, length) == tail(utf8, offset, length);
    }

    /** The hash of a string: eight bytes at a time, multiplied and folded, as wyhash does. Used in this table alone. */
    private static int hash(byte[] utf8, int offset, int length) {
        long hash = length * MULTIPLIER;
        int last = offset + length - Long.BYTES;
        for (int at = offset; at < last; at += Long.BYTES) {
            hash = fold(hash ^ (long) LONGS.get(utf8, at));
        }
        hash = fold(hash ^ tail(utf8, offset, length));
        return (int) (hash ^ hash >>> 32);
    }

    /** The last eight bytes; of a shorter string a number that no other one of its length has. */
    private static long tail(byte[] utf8, int offset, int length) {
        if (length >= Long.BYTES) {
            return (long) LONGS.get(utf8, offset + length - Long.BYTES);
        }
        if (length >= Integer.BYTES) {
            return (long) (int) INTS.get(utf8, offset) << Integer.SIZE
                    ^ (int) INTS.get(utf8, offset + length - Integer.BYTES) & 0xffff_ffffL;
        }
        long tail = 0;
        for (int at = offset; at < offset + length; at++) {
            tail = tail << Byte.SIZE | utf8[at] & 0xff;
        }
        return tail;
    }

    private static long fold(long value) {
        return value * MULTIPLIER ^ Math.multiplyHigh(value, MULTIPLIER);
    }

    private int add(byte[] utf8, int offset, int length, int hash, int slot) {
        int at = size == 0 ? 0 : ends[size - 1];
        int end = at + length;
        int free = slot;
        try {
            reserve(end);
            if (size * 2 >= slots.length) {
                slots = rehashed();
                free = freeSlot(slots, hash);
            }
        } catch (OutOfMemoryError e) {
            throw new BufferFullException(
                    "the " + size + " distinct strings of a column take " + at + " bytes, and there is no memory for "
                            + length + " more",
                    e);
        }
        System.arraycopy(utf8, offset, bytes, at, length);
        ends[size] = end;
        slots[free] = (long) hash << 32 | ++size;
        return size - 1;
    }

    /** @param end the bytes that are needed; negative when they are more than an array holds */
    private void reserve(int end) {
        if (end < 0 || end > MAX_BYTES) {
            throw new OutOfMemoryError("more than " + MAX_BYTES + " bytes in one array");
        }
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, Math.max(end, bytes.length * 2L)));
        }
        if (size == ends.length) {
            ends = Arrays.copyOf(ends, size * 2);
        }
    }

    private long[] rehashed() {
        long[] wider = new long[slots.length * 2];
        for (long entry : slots) {
            if (entry != 0) {
                wider[freeSlot(wider, (int) (entry >>> 32))] = entry;
            }
        }
        return wider;
    }

    private static int freeSlot(long[] slots, int hash) {
        int slot = hash & slots.length - 1;
        while (slots[slot] != 0) {
            slot = slot + 1 & slots.length - 1;
        }
        return slot;
    }
}
