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
package org.hadoopmpsr.core.nested;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Writes the form of a nested value. A value is a tag and what follows; numbers have the highest byte first:
 *
 * <ul>
 *   <li>0: null, where an element of a list or a value of a map is null; nothing follows
 *   <li>1 to 5: a value as the content hash has it: 1 boolean (1 byte), 2 whole number (8 bytes), 3 floating point (8 bytes of
 *       IEEE 754, with one NaN), 4 string or binary (length in 4 bytes, then the bytes), 5 a decimal of more than 64 bits (16 bytes)
 *   <li>6: a struct: the number of fields that are not null (4 bytes), then for each its position in the struct (4 bytes) and its
 *       value, in ascending position
 *   <li>7: a list: the number of elements (4 bytes), then the elements
 *   <li>8: a map: the number of entries (4 bytes), then for each the key and the value
 * </ul>
 *
 * <p>Equal values have equal forms. A field that a struct gets later and that is null leaves the form as it was, and so does a
 * wider type of numbers. Not thread-safe.
 */
public final class NestedWriter {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
    private static final int MAX_BYTES = Integer.MAX_VALUE - 8;

    private byte[] bytes = new byte[256];
    private int size;

    /** Forgets what was written. */
    public void clear() {
        size = 0;
    }

    /** What was written is in the first {@link #size} bytes; not to be changed, and valid until the next call. */
    public byte[] bytes() {
        return bytes;
    }

    /** How many bytes were written. */
    public int size() {
        return size;
    }

    /** Writes null, as an element of a list or as a value of a map. */
    public void putNull() {
        tag(NestedTag.NULL, 0);
    }

    /** Writes a truth value. */
    public void putBoolean(boolean value) {
        tag(NestedTag.BOOLEAN, 1);
        bytes[size++] = (byte) (value ? 1 : 0);
    }

    /** Writes a whole number, a date or a time. */
    public void putLong(long value) {
        tag(NestedTag.WHOLE, Long.BYTES);
        longBytes(value);
    }

    /** Writes a floating point number. */
    public void putDouble(double value) {
        tag(NestedTag.FLOATING, Long.BYTES);
        longBytes(Double.doubleToLongBits(value));
    }

    /** Writes the digits of a decimal number without the point, of at most 128 bits. */
    public void putDecimal(BigInteger digits) {
        if (digits.bitLength() < Long.SIZE) {
            putLong(digits.longValue());
        } else {
            tag(NestedTag.WIDE_DECIMAL, 2 * Long.BYTES);
            longBytes(digits.shiftRight(Long.SIZE).longValueExact());
            longBytes(digits.longValue());
        }
    }

    /** Writes a string by its UTF-8, or a binary value. */
    public void putBytes(byte[] value, int offset, int length) {
        tag(NestedTag.BYTES, Integer.BYTES + length);
        intBytes(length);
        System.arraycopy(value, offset, bytes, size, length);
        size += length;
    }

    /** Begins a struct; returns the place for {@link #end}. For each field that is not null {@link #field} and its value follow. */
    public int beginStruct() {
        return begin(NestedTag.STRUCT);
    }

    /** Begins a list; returns the place for {@link #end}. Its elements follow. */
    public int beginList() {
        return begin(NestedTag.LIST);
    }

    /** Begins a map; returns the place for {@link #end}. Its keys and values follow. */
    public int beginMap() {
        return begin(NestedTag.MAP);
    }

    /** Says which field of a struct comes next, in ascending order. */
    public void field(int position) {
        reserve(Integer.BYTES);
        intBytes(position);
    }

    /** Ends what was begun at a place: it has that many fields, elements or entries. */
    public void end(int place, int count) {
        INTS.set(bytes, place, count);
    }

    /** Writes a value that another writer has. */
    public void putForm(NestedWriter other) {
        reserve(other.size);
        System.arraycopy(other.bytes, 0, bytes, size, other.size);
        size += other.size;
    }

    private int begin(byte tag) {
        tag(tag, Integer.BYTES);
        intBytes(0);
        return size - Integer.BYTES;
    }

    private void tag(byte tag, int more) {
        reserve(1L + more);
        bytes[size++] = tag;
    }

    private void reserve(long more) {
        if (size + more > bytes.length) {
            if (size + more > MAX_BYTES) {
                throw new IllegalArgumentException(
                        "a nested value takes more than " + MAX_BYTES + " bytes; divide the record");
            }
            bytes = Arrays.copyOf(bytes, (int) Math.min(MAX_BYTES, Math.max(size + more, bytes.length * 2L)));
        }
    }

    private void intBytes(int value) {
        INTS.set(bytes, size, value);
        size += Integer.BYTES;
    }

    private void longBytes(long value) {
        LONGS.set(bytes, size, value);
        size += Long.BYTES;
    }
}
