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
package org.hadoopmpsr.columnar.pack;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeyNumbersTest {
    private final KeyNumbers numbers = new KeyNumbers();

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void numbersKeysInTheirOrder(long seed) {
        Random random = new Random(seed);
        for (int chunk = 0; chunk < 5; chunk++) {
            int distinct = 1 + random.nextInt(seed % 2 == 0 ? 5 : 5000);
            long[] drawn = random.longs(distinct).toArray();
            drawn[0] = seed % 3 == 0 ? 0 : seed % 3 == 1 ? Long.MIN_VALUE : Long.MAX_VALUE;
            int count = random.nextInt(20_000);
            long[] keys = new long[count];
            numbers.begin(count, distinct);
            for (int at = 0; at < count; ) {
                int length = Math.min(count - at, 1 + random.nextInt(1000));
                long[] next = new long[length];
                for (int i = 0; i < length; i++) {
                    next[i] = drawn[random.nextInt(distinct)];
                }
                System.arraycopy(next, 0, keys, at, length);
                assertThat(numbers.add(next, length)).isTrue();
                at += length;
            }
            numbers.sort();
            TreeSet<Long> sorted = new TreeSet<>();
            Arrays.stream(keys).forEach(sorted::add);
            assertThat(numbers.count()).isEqualTo(count);
            assertThat(numbers.size()).isEqualTo(sorted.size());
            int place = 0;
            for (long key : sorted) {
                assertThat(numbers.key(place++)).isEqualTo(key);
            }
            for (int i = 0; i < count; i++) {
                assertThat(numbers.key(numbers.numbers()[i])).isEqualTo(keys[i]);
            }
        }
    }

    @ParameterizedTest(name = "{0} keys")
    @ValueSource(ints = {1, 100, 20_000, 100_000})
    void estimatesTheDistinctKeysOfAPopulation(int distinct) {
        Random random = new Random(distinct);
        long[] sample = random.ints(8000, 0, distinct).mapToLong(i -> i * 77L).toArray();
        numbers.begin(sample.length, sample.length);
        numbers.add(sample, sample.length);
        assertThat(numbers.distinctAtLeast()).isBetween(0.8 * distinct, 1.25 * distinct);
        numbers.begin(2, 2);
        numbers.add(new long[] {1, 2}, 2);
        assertThat(numbers.distinctAtLeast()).isEqualTo(3);
    }

    @Test
    void saysWhenThereAreTooMany() {
        numbers.begin(10, 3);
        assertThat(numbers.add(new long[] {1, 2, 1, 3}, 4)).isTrue();
        assertThat(numbers.add(new long[] {1, 4}, 2)).isFalse();
    }

    @Test
    void takesKeysWithoutAValue() {
        numbers.begin(2, 3);
        numbers.add(new long[] {5, 7}, 2);
        assertThat(numbers.has(6)).isFalse();
        assertThat(numbers.addKey(6)).isTrue();
        assertThat(numbers.addKey(7)).isTrue();
        assertThat(numbers.has(6)).isTrue();
        numbers.sort();
        assertThat(numbers.size()).isEqualTo(3);
        assertThat(Arrays.copyOf(numbers.numbers(), numbers.count())).containsExactly(0, 2);
        numbers.begin(2, 2);
        numbers.add(new long[] {5, 7}, 2);
        assertThat(numbers.addKey(6)).isFalse();
    }
}
