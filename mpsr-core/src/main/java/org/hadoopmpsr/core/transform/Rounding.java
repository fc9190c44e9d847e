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
 * Rounds numbers within a greatest error. What a number becomes depends on it alone, and a rounded number becomes itself, so that rounding again
 * changes nothing. Null is not passed. NaN with all of its bits, infinite numbers and both zeros stay themselves.
 */
sealed interface Rounding {

    /**
     * The bits of the number that takes the place of one.
     *
     * @param bits as {@link TransformedColumn} has them
     */
    long round(long bits);

    /** How the error is counted. */
    ReadLevel.Kind kind();

    /** No number is farther from the one whose place it takes. */
    double error();

    /**
     * Rounds numbers to the nearest multiple of a power of two, the greatest one that is at most twice the error. Multiples of a power of two are exact: their last
     * digits are zeros, which compress, and a multiple is a multiple again. A number that would be off by more, by the difference that is computed for each
     * one, stays itself; so do numbers with fewer digits than that.
     *
     * @param error the greatest difference from the value
     * @param wide true for {@code double}, false for {@code float}
     */
    record Grid(double error, boolean wide) implements Rounding {
        @Override
        public ReadLevel.Kind kind() {
            return ReadLevel.Kind.ABSOLUTE;
        }

        /** The distance of the multiples. */
        double step() {
            return Math.scalb(1.0, Math.getExponent(error) + 1);
        }

        @Override
        public long round(long bits) {
            double value = wide ? Double.longBitsToDouble(bits) : Float.intBitsToFloat((int) bits);
            if (value == 0) {
                return bits;
            }
            double step = step();
            // both exact, as the step is a power of two, unless they are infinite or NaN
            double rounded = Math.rint(value / step) * step;
            if (rounded == 0) {
                rounded = 0.0; // not -0.0
            }
            // the difference of a number and a near one is exact, and that of others is not small
            if (!(Math.abs(rounded - value) <= error)) {
                return bits;
            }
            if (wide) {
                return Double.doubleToRawLongBits(rounded);
            }
            float narrow = (float) rounded;
            return narrow == rounded ? Integer.toUnsignedLong(Float.floatToRawIntBits(narrow)) : bits;
        }
    }

    /**
     * Keeps the leading bits of mantissas, and rounds to the nearest number that has no others, of two to the one that ends with a zero. Numbers nearer to zero than
     * the least normal one stay themselves, and so does a number that would become infinite.
     *
     * @param error the greatest difference as a part of the value, from 2^-52 to below 1
     * @param wide true for {@code double}, false for {@code float}
     */
    record Mantissa(double error, boolean wide) implements Rounding {
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
            // in units of the number's own last bit: the bits of numbers without a sign count these, also across a
            // power of two
            long significand = bits & (1L << mantissa) - 1 | 1L << mantissa;
            boolean isWithin = Math.abs(rounded - bits) <= error * significand;
            return isWithin && (rounded & exponents) != exponents ? rounded : bits;
        }
    }
}
