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

/**
 * XXH128, the variant of 128 bits of XXH3, with seed 0 and the default secret, as {@code doc/xxhash_spec.md} of xxHash
 * 0.8 specifies it (Yann Collet). Not thread-safe.
 */
final class Xxh128 implements RecordHash {
    static final long PRIME32_1 = 0x9E3779B1L;
    static final long PRIME32_2 = 0x85EBCA77L;
    static final long PRIME32_3 = 0xC2B2AE3DL;
    static final long PRIME64_1 = 0x9E3779B185EBCA87L;
    static final long PRIME64_2 = 0xC2B2AE3D27D4EB4FL;
    static final long PRIME64_3 = 0x165667B19E3779F9L;
    static final long PRIME64_4 = 0x85EBCA77C2B2AE63L;
    static final long PRIME64_5 = 0x27D4EB2F165667C5L;
    private static final long MIX_1 = 0x165667919E3779F9L;
    private static final long MIX_2 = 0x9FB21C651E98DF25L;
    private static final int SHORT = 16;
    private static final int MEDIUM = 128;
    private static final int LONG = 240;
    private static final VarHandle INTS = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** The default secret of XXH3. */
    static final byte[] SECRET = bytes("b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f"
            + "cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c"
            + "3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8"
            + "a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364"
            + "eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e"
            + "2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e");

    private final Xxh128Stripes stripes = new Xxh128Stripes();
    private long low;
    private long high;

    @Override
    public void hash(byte[] input, int length) {
        if (length <= SHORT) {
            hashShort(input, length);
        } else if (length <= LONG) {
            hashMedium(input, length);
        } else {
            stripes.consume(input, length);
            low = stripes.merge(length * PRIME64_1, 11);
            high = stripes.merge(~(length * PRIME64_2), 117);
        }
    }

    @Override
    public long low() {
        return low;
    }

    @Override
    public long high() {
        return high;
    }

    private void hashShort(byte[] input, int length) {
        if (length > 8) {
            hash9To16(word(input, 0), word(input, length - 8), length);
        } else if (length >= 4) {
            hash4To8(half(input, 0) | half(input, length - 4) << 32, length);
        } else if (length > 0) {
            int combined = input[length - 1] & 0xff
                    | length << 8
                    | (input[0] & 0xff) << 16
                    | (input[length >> 1] & 0xff) << 24;
            int swapped = Integer.rotateLeft(Integer.reverseBytes(combined), 13);
            low = finished(half(SECRET, 0) ^ half(SECRET, 4) ^ Integer.toUnsignedLong(combined));
            high = finished(half(SECRET, 8) ^ half(SECRET, 12) ^ Integer.toUnsignedLong(swapped));
        } else {
            low = finished(word(SECRET, 64) ^ word(SECRET, 72));
            high = finished(word(SECRET, 80) ^ word(SECRET, 88));
        }
    }

    private void hash4To8(long combined, int length) {
        long value = word(SECRET, 16) ^ word(SECRET, 24) ^ combined;
        long prime = PRIME64_1 + ((long) length << 2);
        long lower = value * prime;
        long upper = multiplyHigh(value, prime) + (lower << 1);
        lower ^= upper >>> 3;
        lower = (lower ^ lower >>> 35) * MIX_2;
        low = lower ^ lower >>> 28;
        high = avalanche(upper);
    }

    private void hash9To16(long first, long last, int length) {
        long both = word(SECRET, 32) ^ word(SECRET, 40) ^ first ^ last;
        long second = word(SECRET, 48) ^ word(SECRET, 56) ^ last;
        long lower = both * PRIME64_1 + ((length - 1L) << 54);
        long upper = multiplyHigh(both, PRIME64_1) + second + (second & 0xFFFFFFFFL) * (PRIME32_2 - 1);
        lower ^= Long.reverseBytes(upper);
        low = avalanche(lower * PRIME64_2);
        high = avalanche(multiplyHigh(lower, PRIME64_2) + upper * PRIME64_2);
    }

    private void hashMedium(byte[] input, int length) {
        low = length * PRIME64_1;
        high = 0;
        if (length <= MEDIUM) {
            for (int i = (length - 1 >> 5) * 16; i >= 0; i -= 16) {
                mix(input, i, length - i - 16, i * 2);
            }
        } else {
            for (int i = 0; i < MEDIUM; i += 32) {
                mix(input, i, i + 16, i);
            }
            low = avalanche(low);
            high = avalanche(high);
            for (int i = MEDIUM; i + 32 <= length; i += 32) {
                mix(input, i, i + 16, i - MEDIUM + 3);
            }
            mix(input, length - 16, length - 32, 103);
        }
        long sum = low + high;
        high = -avalanche(low * PRIME64_1 + high * PRIME64_4 + length * PRIME64_2);
        low = avalanche(sum);
    }

    /** Mixes two pieces of 16 bytes with 32 bytes of the secret into the state. */
    private void mix(byte[] input, int first, int second, int secret) {
        long a = word(input, first);
        long b = word(input, first + 8);
        long c = word(input, second);
        long d = word(input, second + 8);
        low = low + folded(a ^ word(SECRET, secret), b ^ word(SECRET, secret + 8)) ^ c + d;
        high = high + folded(c ^ word(SECRET, secret + 16), d ^ word(SECRET, secret + 24)) ^ a + b;
    }

    /** Both halves of the product of two unsigned numbers, in one. */
    static long folded(long a, long b) {
        return a * b ^ multiplyHigh(a, b);
    }

    private static long multiplyHigh(long a, long b) {
        return Math.multiplyHigh(a, b) + (a >> 63 & b) + (b >> 63 & a); // unsigned, which Java 17 lacks
    }

    static long avalanche(long value) {
        long mixed = (value ^ value >>> 37) * MIX_1;
        return mixed ^ mixed >>> 32;
    }

    /** The last step of XXH64. */
    private static long finished(long value) {
        long mixed = (value ^ value >>> 33) * PRIME64_2;
        mixed = (mixed ^ mixed >>> 29) * PRIME64_3;
        return mixed ^ mixed >>> 32;
    }

    static long word(byte[] bytes, int offset) {
        return (long) LONGS.get(bytes, offset);
    }

    private static long half(byte[] bytes, int offset) {
        return Integer.toUnsignedLong((int) INTS.get(bytes, offset));
    }

    private static byte[] bytes(String hexadecimal) {
        byte[] bytes = new byte[hexadecimal.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(hexadecimal.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }
}
