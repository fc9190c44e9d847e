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
package org.hadoopmpsr.ingest.decode.avro;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a message in Avro's binary encoding, from one value to the next. No claim of the message is believed before
 * it is compared with the bytes that are left, and nothing is allocated for it. Not safe for use by several threads.
 */
final class AvroInput {
    /** How deeply records may be nested, as {@code JsonDecoder} allows it for objects. */
    static final int MAX_DEPTH = 1000;

    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = {};
    private int at;
    private int end;
    private int depth;
    private String what = "";

    /**
     * Begins with a message.
     *
     * @param expected what the bytes should be, for messages, such as {@code an Avro record t.Reading}
     */
    void open(byte[] message, int offset, int length, String expected) {
        what = expected;
        bytes = message;
        at = offset;
        end = offset + length;
        depth = 0;
    }

    /** The array that holds the message. Not to be changed. */
    byte[] bytes() {
        return bytes;
    }

    /** Where the next value begins in {@link #bytes}. */
    int position() {
        return at;
    }

    /** The number of bytes that are left. */
    int remaining() {
        return end - at;
    }

    /** Goes over bytes, and returns where they begin in {@link #bytes}. */
    int skip(long length) throws BadRecordException {
        if (length < 0 || length > remaining()) {
            throw bad("it claims " + length + " bytes where " + remaining() + " are left");
        }
        int start = at;
        at += (int) length;
        return start;
    }

    long readLong() throws BadRecordException {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            if (at == end) {
                throw bad("it ends within a number");
            }
            byte next = bytes[at++];
            if (shift == 63 && next > 1) {
                break;
            }
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value >>> 1 ^ -(value & 1);
            }
        }
        throw bad("a number has more than 64 bits");
    }

    int readInt() throws BadRecordException {
        long value = readLong();
        if (value != (int) value) {
            throw bad("the number " + value + " has more than 32 bits");
        }
        return (int) value;
    }

    /** The position of a union's branch or an enum's symbol, below {@code count}. */
    int readIndex(int count) throws BadRecordException {
        long index = readLong();
        if (index < 0 || index >= count) {
            throw bad("it chooses number " + index + " of " + count + " branches or symbols");
        }
        return (int) index;
    }

    boolean readBoolean() throws BadRecordException {
        byte value = bytes[skip(1)];
        if (value != 0 && value != 1) {
            throw bad("a boolean is " + value);
        }
        return value == 1;
    }

    float readFloat() throws BadRecordException {
        return Float.intBitsToFloat((int) INTS.get(bytes, skip(Float.BYTES)));
    }

    double readDouble() throws BadRecordException {
        return Double.longBitsToDouble((long) LONGS.get(bytes, skip(Double.BYTES)));
    }

    /** A string where allocating it does no harm, such as the key of a map. */
    String readString() throws BadRecordException {
        long length = readLong();
        return new String(bytes, skip(length), (int) length, StandardCharsets.UTF_8);
    }

    /**
     * Begins a block of an array or map, and returns how many items it has; 0 after the last block.
     *
     * @param itemBytes the fewest bytes that an item takes
     */
    long readBlock(long itemBytes) throws BadRecordException {
        long count = readLong();
        if (count < 0) {
            count = -count;
            long size = readLong();
            if (size < 0 || size > remaining()) {
                throw bad("a block claims " + size + " bytes where " + remaining() + " are left");
            }
        }
        if (count < 0 || itemBytes > 0 && count > remaining() / itemBytes) {
            throw bad("a block claims " + count + " items where " + remaining() + " bytes are left");
        }
        return count;
    }

    /** Notes that a record begins within the one that is read. */
    void enter() throws BadRecordException {
        if (++depth > MAX_DEPTH) {
            throw bad("records are nested deeper than " + MAX_DEPTH);
        }
    }

    /** Leaves the record that was entered last. */
    void leave() {
        depth--;
    }

    /** The message is not what it should be. */
    BadRecordException bad(String problem) {
        return bad(problem, null);
    }

    /** The message is not what it should be. */
    BadRecordException bad(String problem, @Nullable Throwable cause) {
        return new BadRecordException("the value is not " + what + ": " + problem, cause);
    }
}
