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
 * Rounds numbers to the nearest multiple of a power of two, the greatest one that is at most twice the error. Multiples of a power of two are exact: their last
 * digits are zeros, which compress, and a multiple is a multiple again. A number that would be off by more, by the difference that is computed for each
 * one, stays itself; so do numbers with fewer digits than that.
 *
 * @param error the greatest difference from the value
 * @param wide true for {@code double}, false for {@code float}
 */
record GridRounding(double error, boolean wide) implements Rounding {
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
