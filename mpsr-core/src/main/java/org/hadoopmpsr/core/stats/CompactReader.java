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
package org.hadoopmpsr.core.stats;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.hadoopmpsr.core.stats.CompactWriter.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Reads the bytes of a {@link CompactWriter}. For one thread.
 *
 * <p>Methods throw {@link IllegalArgumentException} if the bytes do not have this form.
 */
final class CompactReader {
    private static final Kind[] KINDS = Kind.values();

    private final byte[] bytes;
    private int position;

    CompactReader(byte[] bytes) {
        this.bytes = bytes;
    }

    boolean isAtEnd() {
        return position == bytes.length;
    }

    int octet() {
        return bytes[take(1)] & 0xFF;
    }

    long number() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            int next = octet();
            value |= (next & 0x7FL) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IllegalArgumentException("a number of more than 64 bits");
    }

    /** A count of things that take at least one byte each. */
    int count() {
        long count = number();
        if (count < 0 || count > bytes.length) {
            throw new IllegalArgumentException("a count of " + count + " in " + bytes.length + " bytes");
        }
        return (int) count;
    }

    int fourBytes() {
        return (int) bits(Integer.BYTES);
    }

    long eightBytes() {
        return bits(Long.BYTES);
    }

    String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    byte[] bytes() {
        int length = count();
        int from = take(length);
        return Arrays.copyOfRange(bytes, from, from + length);
    }

    Object value(Kind kind) {
        return switch (kind) {
            case LONG -> scaled();
            case DOUBLE -> {
                int length = octet();
                yield Double.longBitsToDouble(length == 0 ? 0 : bits(length) << 8 * (Long.BYTES - length));
            }
            case BOOLEAN -> octet() != 0;
            case STRING -> text();
        };
    }

    Object valueAbove(Kind kind, Object low) {
        return switch (kind) {
            case LONG -> (Long) low + scaled();
            case STRING -> {
                byte[] from = ((String) low).getBytes(StandardCharsets.UTF_8);
                int shared = count();
                int more = count();
                if (shared > from.length) {
                    throw new IllegalArgumentException(shared + " shared bytes of " + from.length);
                }
                byte[] all = new byte[shared + more];
                System.arraycopy(from, 0, all, 0, shared);
                System.arraycopy(bytes, take(more), all, shared, more);
                yield new String(all, StandardCharsets.UTF_8);
            }
            default -> value(kind);
        };
    }

    @Nullable
    Object anyValue() {
        int kind = octet();
        return kind == 0 ? null : value(kind(kind - 1));
    }

    static Kind kind(int ordinal) {
        if (ordinal >= KINDS.length) {
            throw new IllegalArgumentException("a value of kind " + ordinal);
        }
        return KINDS[ordinal];
    }

    private long scaled() {
        int form = octet();
        long zigzag = bits(form & 0xF);
        long value = (zigzag >>> 1) ^ -(zigzag & 1);
        for (int scale = form >> 4; scale > 0; scale--) {
            value *= 1_000;
        }
        return value;
    }

    private long bits(int length) {
        if (length > Long.BYTES) {
            throw new IllegalArgumentException("a number of " + length + " bytes");
        }
        long bits = 0;
        int from = take(length);
        for (int i = from; i < from + length; i++) {
            bits = bits << 8 | (bytes[i] & 0xFF);
        }
        return bits;
    }

    /** Skips {@code length} bytes and returns the position of the first. */
    private int take(int length) {
        if (length > bytes.length - position) {
            throw new IllegalArgumentException("it ends after " + bytes.length + " bytes, in the middle of a value");
        }
        int from = position;
        position += length;
        return from;
    }
}
