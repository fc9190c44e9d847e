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

/**
 * Numbers as multiples of a step, within a greatest error. The step is less than twice the error by a factor of 1 - 2^-30, so that rounding
 * seldom takes a value beyond it, and each value is checked when it is coded. A value that no multiple gives within the error, which are infinite numbers, NaN and numbers so
 * large that multiples are not exact, keeps its bits, turned around to have the order of the numbers. The bits of normal numbers lie
 * beyond ±2^52, and multiples within ±2^51.
 *
 * @param error the greatest difference from the value
 */
record QuantisedNumbers(double error) {
    /** All multiples are nearer to zero. */
    private static final long MOST = 1L << 51;

    /** Stands for -0.0: no multiple, and the bits of no normal number. */
    private static final long MINUS_ZERO = -MOST;

    private static final long MINUS_ZERO_BITS = Long.MIN_VALUE;

    double step() {
        return 2 * error * (1 - 0x1p-30);
    }

    /** Codes the bits of numbers. */
    void code(long[] values, int count, long[] into) {
        double step = step();
        for (int i = 0; i < count; i++) {
            into[i] = code(values[i], step);
        }
    }

    private long code(long bits, double step) {
        if (bits == MINUS_ZERO_BITS) {
            return MINUS_ZERO;
        }
        double value = Double.longBitsToDouble(bits);
        double multiple = Math.rint(value / step);
        // below and not at the error: the difference may have been rounded down to it. Not so for NaN
        boolean isWithin = Math.abs(multiple) < MOST && Math.abs(multiple * step - value) < error;
        return isWithin ? (long) multiple : order(bits);
    }

    /** Gets the bits of numbers from codes. */
    void decode(long[] codes, int count, long[] into) {
        double step = step();
        for (int i = 0; i < count; i++) {
            long code = codes[i];
            into[i] = code > -MOST && code < MOST
                    ? Double.doubleToRawLongBits(code * step)
                    : code == MINUS_ZERO ? MINUS_ZERO_BITS : order(code);
        }
    }

    /** Bits as a number with a sign that has the order of the numbers; and the other way round. */
    private static long order(long bits) {
        return bits ^ (bits >> Long.SIZE - 1 & Long.MAX_VALUE);
    }
}
