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
package org.hadoopmpsr.core.reduction;

/**
 * Floating-point numbers as whole numbers in the same order, so that reductions compare and keep one kind of number. A whole
 * number stands for itself.
 */
public final class ValueOrder {
    private ValueOrder() {}

    /**
     * The whole number of a floating-point number. Both zeros have the same.
     *
     * @throws IllegalArgumentException for NaN, which has no place in the order
     */
    public static long of(double value) {
        if (Double.isNaN(value)) {
            throw new IllegalArgumentException("NaN has no place among the numbers");
        }
        // -0.0 + 0.0 is 0.0
        return mirrored(Double.doubleToRawLongBits(value + 0.0));
    }

    /** The floating-point number that {@link #of} has made this of. */
    public static double toDouble(long number) {
        return Double.longBitsToDouble(mirrored(number));
    }

    /** The bits of negative numbers grow with their magnitude. */
    private static long mirrored(long bits) {
        return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
    }
}
