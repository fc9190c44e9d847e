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
package org.hadoopmpsr.ingest.decode;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;

/**
 * The wire format of protobuf, read from bytes in place. One serves many messages, one after the other. Where the bytes
 * are no message, methods throw {@link IOException}. For one thread.
 */
final class ProtobufInput {
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int MAX_GROUPS = 100;

    private final CharsetDecoder utf8 = StandardCharsets.UTF_8.newDecoder();
    private byte[] bytes = {};
    private int at;
    private int limit;

    /** Begins a message. */
    void open(byte[] message) {
        bytes = message;
        at = 0;
        limit = message.length;
    }

    /** What the message that was opened consists of. */
    byte[] bytes() {
        return bytes;
    }

    /** Where the next byte lies in {@link #bytes}. */
    int position() {
        return at;
    }

    /** Goes back to a position of this message. */
    void rewind(int position) {
        at = position;
    }

    /** True when all is read up to the limit. */
    boolean isAtEnd() {
        return at == limit;
    }

    /** Reads a length, and makes the end of that many bytes the limit; returns the limit before. */
    int enter() throws IOException {
        int length = readLength();
        int outer = limit;
        limit = at + length;
        return outer;
    }

    /** Makes a limit that {@link #enter} returned the limit again. */
    void leave(int outer) {
        limit = outer;
    }

    /** The tag of the next field; 0 at the limit. */
    int readTag() throws IOException {
        if (at == limit) {
            return 0;
        }
        int tag = readInt();
        if (WireFormat.getTagFieldNumber(tag) == 0) {
            throw new InvalidProtocolBufferException("a field has the number 0");
        }
        return tag;
    }

    /** A length that fits before the limit. */
    int readLength() throws IOException {
        int length = readInt();
        if (length < 0) {
            throw new InvalidProtocolBufferException("a length is negative");
        }
        require(length);
        return length;
    }

    /** A number of variable length, cut to 32 bits. */
    int readInt() throws IOException {
        return (int) readLong();
    }

    /** A number of variable length. */
    long readLong() throws IOException {
        if (at < limit && bytes[at] >= 0) {
            return bytes[at++];
        }
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            require(1);
            byte next = bytes[at++];
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new InvalidProtocolBufferException("a number has more than ten bytes");
    }

    /** Four bytes. */
    int readFixedInt() throws IOException {
        require(Integer.BYTES);
        int value = (int) INTS.get(bytes, at);
        at += Integer.BYTES;
        return value;
    }

    /** Eight bytes. */
    long readFixedLong() throws IOException {
        require(Long.BYTES);
        long value = (long) LONGS.get(bytes, at);
        at += Long.BYTES;
        return value;
    }

    /** A string, which must be valid UTF-8. */
    String readText() throws IOException {
        int length = readLength();
        String text = utf8.decode(ByteBuffer.wrap(bytes, at, length)).toString();
        at += length;
        return text;
    }

    /** Skips bytes, which must lie before the limit. */
    void skipBytes(int count) throws IOException {
        require(count);
        at += count;
    }

    /** Skips the field of a tag. */
    void skip(int tag) throws IOException {
        switch (WireFormat.getTagWireType(tag)) {
            case WireFormat.WIRETYPE_VARINT -> readLong();
            case WireFormat.WIRETYPE_FIXED64 -> skipBytes(Long.BYTES);
            case WireFormat.WIRETYPE_LENGTH_DELIMITED -> skipBytes(readLength());
            case WireFormat.WIRETYPE_START_GROUP -> skipGroup(WireFormat.getTagFieldNumber(tag));
            case WireFormat.WIRETYPE_END_GROUP ->
                throw new InvalidProtocolBufferException("a group ends that did not begin");
            case WireFormat.WIRETYPE_FIXED32 -> skipBytes(Integer.BYTES);
            default ->
                throw new InvalidProtocolBufferException("there is no wire type " + WireFormat.getTagWireType(tag));
        }
    }

    private void skipGroup(int number) throws IOException {
        int[] open = new int[MAX_GROUPS];
        open[0] = number;
        int depth = 1;
        while (depth > 0) {
            int tag = readTag();
            if (tag == 0) {
                throw truncated();
            }
            int field = WireFormat.getTagFieldNumber(tag);
            switch (WireFormat.getTagWireType(tag)) {
                case WireFormat.WIRETYPE_START_GROUP -> {
                    if (depth == MAX_GROUPS) {
                        throw new InvalidProtocolBufferException(
                                "more than " + MAX_GROUPS + " groups lie in one another");
                    }
                    open[depth++] = field;
                }
                case WireFormat.WIRETYPE_END_GROUP -> {
                    if (open[--depth] != field) {
                        throw new InvalidProtocolBufferException("a group ends within another one");
                    }
                }
                default -> skip(tag);
            }
        }
    }

    private void require(int count) throws IOException {
        if (count > limit - at) {
            throw truncated();
        }
    }

    private static IOException truncated() {
        return new InvalidProtocolBufferException("it ends in the middle of a field");
    }
}
