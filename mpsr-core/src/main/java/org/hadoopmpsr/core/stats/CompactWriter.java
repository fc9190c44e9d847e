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

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes numbers and values in few bytes, for {@link CompactReader}. For one thread. */
final class CompactWriter {
    /** The maximum number of divisions of a number by 1000. */
    static final int MAX_SCALE = 3;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream(128);

    byte[] toByteArray() {
        return out.toByteArray();
    }

    void octet(int value) {
        out.write(value);
    }

    /** Writes seven bits per byte, the lowest first. A negative number counts as an unsigned one. */
    void number(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.write((int) (rest & 0x7F) | 0x80);
            rest >>>= 7;
        }
        out.write((int) rest);
    }

    void fourBytes(int value) {
        bits((long) value << 32, Integer.BYTES);
    }

    void eightBytes(long value) {
        bits(value, Long.BYTES);
    }

    void text(String value) {
        bytes(utf8(value));
    }

    /** Writes a value without its kind. */
    void value(Kind kind, Object value) {
        switch (kind) {
            case LONG -> scaled((Long) value);
            case DOUBLE -> doubleBits(Double.doubleToRawLongBits((Double) value));
            case BOOLEAN -> octet((Boolean) value ? 1 : 0);
            case STRING -> text((String) value);
        }
    }

    /** Writes a value as its difference from another value of the same kind that is not above it. */
    void valueAbove(Kind kind, Object low, Object value) {
        switch (kind) {
            case LONG -> scaled((Long) value - (Long) low);
            case STRING -> {
                byte[] from = utf8((String) low);
                byte[] to = utf8((String) value);
                int mismatch = Arrays.mismatch(from, to);
                int shared = mismatch < 0 ? to.length : mismatch;
                number(shared);
                bytes(Arrays.copyOfRange(to, shared, to.length));
            }
            default -> value(kind, value);
        }
    }

    /** Writes the kind and the value, which may be null. */
    void anyValue(@Nullable Object value) {
        Kind kind = Kind.of(value);
        octet(kind == null ? 0 : 1 + kind.ordinal());
        if (kind != null) {
            value(kind, Objects.requireNonNull(value));
        }
    }

    /**
     * Writes a whole number. Times in nanoseconds are often whole microseconds, milliseconds or seconds, and are
     * therefore divided by 1000.
     */
    private void scaled(long value) {
        long rest = value;
        int scale = 0;
        while (scale < MAX_SCALE && rest != 0 && rest % 1_000 == 0) {
            rest /= 1_000;
            scale++;
        }
        long zigzag = (rest << 1) ^ (rest >> 63);
        int length = (Long.SIZE - Long.numberOfLeadingZeros(zigzag) + 7) / 8;
        octet(scale << 4 | length);
        if (length > 0) {
            bits(zigzag << 8 * (Long.BYTES - length), length);
        }
    }

    /** Writes a double without the zero bytes at its end. */
    private void doubleBits(long bits) {
        int zeros = bits == 0 ? Long.BYTES : Long.numberOfTrailingZeros(bits) / 8;
        octet(Long.BYTES - zeros);
        bits(bits, Long.BYTES - zeros);
    }

    private void bits(long bits, int count) {
        for (int shift = 56; shift > 56 - 8 * count; shift -= 8) {
            out.write((int) (bits >>> shift));
        }
    }

    /** Writes the number of the bytes, and the bytes. */
    void bytes(byte[] bytes) {
        number(bytes.length);
        out.writeBytes(bytes);
    }

    private static byte[] utf8(String value) {
        return value.getBytes(StandardCharsets.UTF_8);
    }

    /** The classes of values. */
    enum Kind {
        LONG,
        DOUBLE,
        BOOLEAN,
        STRING;

        /** @return null for null */
        static @Nullable Kind of(@Nullable Object value) {
            if (value == null) {
                return null;
            }
            if (value instanceof Long) {
                return LONG;
            }
            if (value instanceof Double) {
                return DOUBLE;
            }
            if (value instanceof Boolean) {
                return BOOLEAN;
            }
            if (value instanceof String) {
                return STRING;
            }
            throw new IllegalArgumentException("no column holds a " + value.getClass());
        }
    }
}
