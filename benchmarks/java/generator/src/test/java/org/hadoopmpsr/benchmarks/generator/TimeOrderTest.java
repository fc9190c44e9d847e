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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class TimeOrderTest {

    @Test
    void ordersByTimeAndKeepsTheOrderOfEqualTimes() {
        assertThat(TimeOrder.of(new long[] {5, -3, 5, 0, -3}, 5)).containsExactly(1, 4, 3, 0, 2);
    }

    @Test
    void agreesWithASortByComparatorOverTheWholeRange() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        long[] times =
                random.longs(5000, Long.MIN_VALUE / 2, Long.MAX_VALUE / 2).toArray();
        int[] expected = IntStream.range(0, times.length)
                .boxed()
                .sorted(Comparator.comparingLong(row -> times[row]))
                .mapToInt(Integer::intValue)
                .toArray();
        assertThat(TimeOrder.of(times, times.length)).as("seed %d", seed).containsExactly(expected);
    }

    @Test
    void leavesOutWhatLiesBeyondTheSize() {
        assertThat(TimeOrder.of(new long[] {2, 1, 0}, 2)).containsExactly(1, 0);
        assertThat(TimeOrder.of(new long[] {2, 1, 0}, 0)).isEmpty();
    }

    @Test
    void refusesTimesTooFarApart() {
        assertThatThrownBy(() -> TimeOrder.of(new long[] {Long.MIN_VALUE, Long.MAX_VALUE}, 2))
                .isInstanceOf(ArithmeticException.class);
    }
}
