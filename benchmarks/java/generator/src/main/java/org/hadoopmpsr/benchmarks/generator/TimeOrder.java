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
package org.hadoopmpsr.benchmarks.generator;

import java.util.Arrays;
import java.util.stream.IntStream;

/** A stable radix sort of row numbers by time. */
final class TimeOrder {

    private static final int DIGIT_BITS = 16;
    private static final int DIGITS = 1 << DIGIT_BITS;

    private TimeOrder() {}

    /**
     * The numbers 0 to {@code size} - 1, ordered by their times; equal times keep the order of the numbers.
     *
     * @throws ArithmeticException if first and last time are more than a {@code long} apart
     */
    static int[] of(long[] times, int size) {
        int[] order = IntStream.range(0, size).toArray();
        if (size == 0) {
            return order;
        }
        long first = Arrays.stream(times, 0, size).min().orElseThrow();
        long last = Arrays.stream(times, 0, size).max().orElseThrow();
        long span = Math.subtractExact(last, first);
        int[] target = new int[size];
        for (int shift = 0; shift < Long.SIZE && (span >>> shift) > 0; shift += DIGIT_BITS) {
            pass(times, first, shift, order, target);
            int[] sorted = target;
            target = order;
            order = sorted;
        }
        return order;
    }

    private static void pass(long[] times, long first, int shift, int[] source, int[] target) {
        int[] next = new int[DIGITS + 1];
        for (int row : source) {
            next[digit(times[row] - first, shift) + 1]++;
        }
        for (int digit = 0; digit < DIGITS; digit++) {
            next[digit + 1] += next[digit];
        }
        for (int row : source) {
            target[next[digit(times[row] - first, shift)]++] = row;
        }
    }

    private static int digit(long offset, int shift) {
        return (int) (offset >>> shift) & (DIGITS - 1);
    }
}
