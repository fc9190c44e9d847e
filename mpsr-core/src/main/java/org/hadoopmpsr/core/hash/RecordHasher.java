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
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import org.hadoopmpsr.core.schema.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * Computes the content hash of records. For each record, call {@code put…} for each column that is not null, in
 * ascending position in the dataset's schema, and then {@link #endRecord}.
 *
 * <p>The canonical encoding of a record has, for each such column, the position (4 bytes), a tag and the value: 1
 * boolean (1 byte), 2 whole number (8 bytes), 3 floating point (8 bytes of IEEE 754, with one NaN), 4 string (length in
 * 4 bytes, UTF-8), all big-endian. The hash of the record is the first 16 bytes of the SHA-256 of this encoding. A
 * column that is added later as null, and a widened number, therefore leave the hash unchanged. Partition fields are
 * not part of a record. Not thread-safe.
 */
public final class RecordHasher {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final MessageDigest sha;
    private final byte[] digest = new byte[32];
    private byte[] buffer = new byte[256];
    private int size;
    private long count;
    private long high;
    private long low;

    public RecordHasher() {
        try {
            sha = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
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

    /** Adds a string by its UTF-8 bytes. */
    public void putString(int position, byte[] utf8, int offset, int length) {
        head(position, 4, 4 + length);
        intBytes(length);
        System.arraycopy(utf8, offset, buffer, size, length);
        size += length;
    }

    /** Adds a value of a class that {@link ColumnType} names; null adds nothing. */
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
        } else if (value != null) {
            throw new IllegalArgumentException("no column holds a " + value.getClass());
        }
    }

    /** Ends the record and adds its hash to the sum. */
    public void endRecord() {
        sha.update(buffer, 0, size);
        try {
            sha.digest(digest, 0, digest.length);
        } catch (DigestException e) {
            throw new IllegalStateException("SHA-256 fits in 32 bytes", e);
        }
        long before = low;
        low += (long) LONGS.get(digest, 8);
        high += (long) LONGS.get(digest, 0) + (Long.compareUnsigned(low, before) < 0 ? 1 : 0);
        count++;
        size = 0;
    }

    /** The content hash of the records that ended since the last call. Starts a new sum. */
    public ContentHash take() {
        ContentHash taken = new ContentHash(count, high, low);
        count = 0;
        high = 0;
        low = 0;
        size = 0;
        return taken;
    }

    private void head(int position, int tag, int length) {
        if (buffer.length < size + 5 + length) {
            buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, size + 5 + length));
        }
        intBytes(position);
        buffer[size++] = (byte) tag;
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
