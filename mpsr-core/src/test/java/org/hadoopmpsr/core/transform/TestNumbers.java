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
package org.hadoopmpsr.core.transform;

import java.util.Random;

/** Numbers that transforms must give back. */
final class TestNumbers {
    static final long[] ODD = {
        0L,
        Long.MIN_VALUE, // zeros
        0x7ff0_0000_0000_0000L,
        0xfff0_0000_0000_0000L, // infinities
        0x7ff8_0000_0000_0000L,
        0x7ff8_0000_dead_beefL,
        0xfff8_0000_0000_0001L,
        0x7ff0_0000_0000_0001L, // NaN
        0xfff0_0000_0000_0001L,
        -1L,
        Long.MAX_VALUE,
        1L,
        0x800f_ffff_ffff_ffffL,
        0x000f_ffff_ffff_ffffL, // subnormal
        0x7fef_ffff_ffff_ffffL,
        0xffef_ffff_ffff_ffffL,
        0x3ff0_0000_0000_0000L,
        0xbfef_ffff_ffff_ffffL
    };

    private TestNumbers() {}

    /** Bits of all kinds: any, odd ones, those next to odd ones, and those of usual numbers. */
    static long[] bits(Random random, int count, boolean wide) {
        long[] bits = new long[count];
        for (int i = 0; i < count; i++) {
            bits[i] = switch (random.nextInt(4)) {
                case 0 -> random.nextLong();
                case 1 -> ODD[random.nextInt(ODD.length)];
                case 2 -> ODD[random.nextInt(ODD.length)] + random.nextInt(5) - 2;
                default -> Double.doubleToRawLongBits(random.nextGaussian() * Math.pow(10, random.nextInt(9) - 4));
            };
            if (!wide) {
                bits[i] = bits[i] >>> 32;
            }
        }
        return bits;
    }

    /** The values of all physical columns. */
    static long[][] split(TransformedColumn transform, long[] values) {
        long[][] parts = new long[transform.columns().size()][values.length];
        for (int i = 0; i < parts.length; i++) {
            transform.split(i, values, values.length, parts[i]);
        }
        return parts;
    }
}
