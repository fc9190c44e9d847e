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

/** Reads a form that {@link NestedWriter} has written, value by value in its order. Not thread-safe. */
public final class NestedReader {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] bytes = {};
    private int at;
    private int start;
    private int length;

    /** Begins at a place of an array, which is not copied. */
    public void start(byte[] form, int offset) {
        bytes = form;
        at = offset;
    }

    /** True if the next value is null, which is read then. */
    public boolean takeNull() {
        boolean isNull = bytes[at] == NestedTag.NULL;
        at += isNull ? 1 : 0;
        return isNull;
    }

    /** Reads a truth value. */
    public boolean readBoolean() {
        tag(NestedTag.BOOLEAN);
        return bytes[at++] != 0;
    }

    /** Reads a whole number, a date or a time, or the digits of a decimal that fit. */
    public long readLong() {
        tag(NestedTag.WHOLE);
        return longBytes();
    }

    /** Reads a floating point number. */
    public double readDouble() {
        tag(NestedTag.FLOATING);
        return Double.longBitsToDouble(longBytes());
    }

    /** Reads the digits of a decimal number without the point. */
    public BigInteger readDecimal() {
        if (bytes[at] == NestedTag.WHOLE) {
            return BigInteger.valueOf(readLong());
        }
        tag(NestedTag.WIDE_DECIMAL);
        at += 2 * Long.BYTES;
        return new BigInteger(bytes, at - 2 * Long.BYTES, 2 * Long.BYTES);
    }

    /** Reads a string or a binary value: {@link #bytes} has it from {@link #start} on, {@link #length} bytes. */
    public void readBytes() {
        tag(NestedTag.BYTES);
        length = intBytes();
        start = at;
        at += length;
    }

    /** The bytes that are read. */
    public byte[] bytes() {
        return bytes;
    }

    /** Where the bytes of the last string or binary value begin. */
    public int start() {
        return start;
    }

    /** How many bytes the last string or binary value has. */
    public int length() {
        return length;
    }

    /** Reads the beginning of a struct: how many fields follow, each with {@link #readField} before its value. */
    public int readStruct() {
        tag(NestedTag.STRUCT);
        return intBytes();
    }

    /** Reads the beginning of a list: how many elements follow. */
    public int readList() {
        tag(NestedTag.LIST);
        return intBytes();
    }

    /** Reads the beginning of a map: how many entries follow. */
    public int readMap() {
        tag(NestedTag.MAP);
        return intBytes();
    }

    /** Reads the position of a field. */
    public int readField() {
        return intBytes();
    }

    /** Reads a value of any type, or null. */
    public void skip() {
        byte tag = bytes[at];
        switch (tag) {
            case NestedTag.NULL -> at++;
            case NestedTag.BOOLEAN -> at += 2;
            case NestedTag.WHOLE, NestedTag.FLOATING -> at += 1 + Long.BYTES;
            case NestedTag.WIDE_DECIMAL -> at += 1 + 2 * Long.BYTES;
            case NestedTag.BYTES -> readBytes();
            case NestedTag.STRUCT -> {
                for (int left = readStruct(); left > 0; left--) {
                    readField();
                    skip();
                }
            }
            case NestedTag.LIST -> {
                for (int left = readList(); left > 0; left--) {
                    skip();
                }
            }
            case NestedTag.MAP -> {
                for (int left = readMap(); left > 0; left--) {
                    skip();
                    skip();
                }
            }
            default -> throw new IllegalStateException("the form of a nested value has the unknown tag " + tag);
        }
    }

    private void tag(byte tag) {
        if (bytes[at] != tag) {
            throw new IllegalStateException("the form of a nested value has the tag " + bytes[at] + " where " + tag
                    + " is expected: it is of another type");
        }
        at++;
    }

    private int intBytes() {
        int value = (int) INTS.get(bytes, at);
        at += Integer.BYTES;
        return value;
    }

    private long longBytes() {
        long value = (long) LONGS.get(bytes, at);
        at += Long.BYTES;
        return value;
    }
}
