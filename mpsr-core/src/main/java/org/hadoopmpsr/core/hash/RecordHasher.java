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
package org.hadoopmpsr.core.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigInteger;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.hadoopmpsr.core.nested.NestedWriter;
import org.hadoopmpsr.core.schema.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * Computes the content hash of records. For each record, call {@code put…} for each column that is not null, in
 * ascending position in the dataset's schema, and then {@link #endRecord()}.
 *
 * <p>The canonical encoding of a record has, for each such column, the position (4 bytes), a tag and the value: 1
 * boolean (1 byte), 2 whole number (8 bytes), 3 floating point (8 bytes of IEEE 754, with one NaN), 4 string (length in
 * 4 bytes, UTF-8 or the bytes of a binary value), 5 a decimal whose digits take more than 64 bits (16 bytes), all
 * big-endian. A decimal whose digits fit is a whole number of its digits without the point. A nested value has the form
 * that {@link NestedWriter} says in place of tag and value. The hash of the record is that of this encoding, in the way that the {@link HashKind}
 * says. A column that is added later as null, and a widened number, therefore leave the hash unchanged. Partition fields
 * are not part of a record. Not thread-safe.
 */
public final class RecordHasher {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final HashKind kind;
    private final RecordHash hash;
    private byte[] buffer = new byte[256];
    private int size;
    private ContentSum sum;

    /** @param kind how records are hashed */
    public RecordHasher(HashKind kind) {
        this.kind = kind;
        hash = RecordHash.of(kind);
        sum = new ContentSum(kind);
    }

    /** Adds a whole number, date or timestamp. */
    public void putLong(int position, long value) {
        head(position, 2, 8);
        longBytes(value);
    }

    /** Adds a floating point number. */
    public void putDouble(int position, double value) {
        head(position, 3, 8);
        longBytes(Double.doubleToLongBits(value));
    }

    /** Adds a boolean. */
    public void putBoolean(int position, boolean value) {
        head(position, 1, 1);
        buffer[size++] = (byte) (value ? 1 : 0);
    }

    /** Adds the digits of a decimal number without the point, of at most 128 bits. */
    public void putDecimal(int position, BigInteger digits) {
        if (digits.bitLength() < Long.SIZE) {
            putLong(position, digits.longValue());
        } else {
            head(position, 5, 2 * Long.BYTES);
            longBytes(digits.shiftRight(Long.SIZE).longValueExact());
            longBytes(digits.longValue());
        }
    }

    /** Adds a string by its UTF-8 bytes, or a binary value. */
    public void putString(int position, byte[] utf8, int offset, int length) {
        head(position, 4, 4 + length);
        intBytes(length);
        System.arraycopy(utf8, offset, buffer, size, length);
        size += length;
    }

    /** Adds a nested value by its form, which {@link NestedWriter} says. */
    public void putNested(int position, byte[] form, int offset, int length) {
        reserve(Integer.BYTES + length);
        intBytes(position);
        System.arraycopy(form, offset, buffer, size, length);
        size += length;
    }

    /**
     * Adds a value of a class that {@link ColumnType} names, the digits of a decimal, or a nested value that is written;
     * null adds nothing.
     */
    public void put(int position, @Nullable Object value) {
        if (value instanceof Long v) {
            putLong(position, v);
        } else if (value instanceof Double v) {
            putDouble(position, v);
        } else if (value instanceof Boolean v) {
            putBoolean(position, v);
        } else if (value instanceof String v) {
            byte[] utf8 = v.getBytes(StandardCharsets.UTF_8);
            putString(position, utf8, 0, utf8.length);
        } else if (value instanceof byte[] v) {
            putString(position, v, 0, v.length);
        } else if (value instanceof BigInteger v) {
            putDecimal(position, v);
        } else if (value instanceof NestedWriter v) {
            putNested(position, v.bytes(), 0, v.size());
        } else if (value != null) {
            throw new IllegalArgumentException("no column holds a " + value.getClass());
        }
    }

    /** Ends the record and adds its hash to the sum. */
    public void endRecord() {
        hash.hash(buffer, size);
        sum.add(hash.high(), hash.low());
        size = 0;
    }

    /** Ends the record and puts the halves of its hash to a place of two arrays; the sum stays as it is. */
    public void endRecord(long[] high, long[] low, int place) {
        hash.hash(buffer, size);
        high[place] = hash.high();
        low[place] = hash.low();
        size = 0;
    }

    /** Forgets the values since the last record. */
    public void dropRecord() {
        size = 0;
    }

    /** The content hash of the records that were added since the last call. Starts a new sum. */
    public ContentHash take() {
        ContentHash taken = sum.result();
        sum = new ContentSum(kind);
        size = 0;
        return taken;
    }

    private void head(int position, int tag, int length) {
        reserve(5 + length);
        intBytes(position);
        buffer[size++] = (byte) tag;
    }

    private void reserve(int length) {
        if (buffer.length < size + length) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, size + length));
        }
    }

    private void intBytes(int value) {
        INTS.set(buffer, size, value);
        size += Integer.BYTES;
    }

    private void longBytes(long value) {
        LONGS.set(buffer, size, value);
        size += Long.BYTES;
    }
}
