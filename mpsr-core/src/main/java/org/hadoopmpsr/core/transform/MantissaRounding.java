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
 * Keeps the leading bits of mantissas, and rounds to the nearest number that has no others, of two to the one that ends with a zero. Numbers nearer to zero than
 * the least normal one stay themselves, and so does a number that would become infinite.
 *
 * @param error the greatest difference as a part of the value, from 2^-52 to below 1
 * @param wide true for {@code double}, false for {@code float}
 */
record MantissaRounding(double error, boolean wide) implements Rounding {
    private static final int DOUBLE_BITS = 52;
    private static final int FLOAT_BITS = 23;

    @Override
    public ReadLevel.Kind kind() {
        return ReadLevel.Kind.RELATIVE;
    }

    private int mantissa() {
        return wide ? DOUBLE_BITS : FLOAT_BITS;
    }

    /** How many bits of the mantissa are kept: with k of them, a number is off by at most 2^-(k+1) of itself. */
    int kept() {
        int least = -Math.getExponent(error) - 1; // 2^-(k+1) is at most the error
        return Math.max(0, Math.min(least, mantissa()));
    }

    @Override
    public long round(long bits) {
        int mantissa = mantissa();
        int dropped = mantissa - kept();
        long exponents = (wide ? 0x7ffL : 0xffL) << mantissa;
        long exponent = bits & exponents;
        if (dropped == 0 || exponent == 0 || exponent == exponents) {
            return bits;
        }
        long last = 1L << dropped;
        // half, to even; it may carry to the exponent, as it should
        long rounded = bits + (last >> 1) - 1 + (bits >>> dropped & 1) & -last;
        // by the number, in units of its own last bit: the bits of numbers without a sign count these, also across a
        // power of two
        long significand = bits & (1L << mantissa) - 1 | 1L << mantissa;
        boolean isWithin = Math.abs(rounded - bits) <= error * significand;
        return isWithin && (rounded & exponents) != exponents ? rounded : bits;
    }
}
