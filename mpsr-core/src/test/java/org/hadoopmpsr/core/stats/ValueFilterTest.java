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
package org.hadoopmpsr.core.stats;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.Seeds;
import org.junit.jupiter.api.Test;

class ValueFilterTest {
    @Test
    void holdsEveryValueThatThereIsAndFewOthers() {
        int[] asked = {0};
        int[] wrong = {0};
        Seeds.forAll(1000, random -> {
            List<String> values = values(random, 2 + random.nextInt(ValueFilter.MAX_VALUES - 1));
            ValueFilter filter = filter(values);
            assertThat(values).as("%s", values).allMatch(filter::mayHold);
            for (String other : values(random, 100)) {
                asked[0]++;
                wrong[0] += filter.mayHold(other) && !values.contains(other) ? 1 : 0;
            }
            assertThat(ValueFilter.fromBytes(filter.toBytes()))
                    .isEqualTo(filter)
                    .hasSameHashCodeAs(filter);
        });
        assertThat((double) wrong[0] / asked[0]).isLessThan(0.04);
    }

    @Test
    void oneValueAndManyHaveNone() {
        assertThat(ValueFilter.of(List.of())).isEmpty();
        assertThat(ValueFilter.of(List.of(new byte[1]))).isEmpty();
        List<byte[]> many = IntStream.rangeClosed(0, ValueFilter.MAX_VALUES)
                .mapToObj(i -> new byte[i])
                .toList();
        assertThat(ValueFilter.of(many)).isEmpty();
        assertThat(ValueFilter.of(many.subList(1, many.size()))).isPresent();
    }

    @Test
    void bytesThatAreNoFilterAreRefused() {
        for (int length : new int[] {0, 1, ValueFilter.MAX_VALUES + 1}) {
            assertThatThrownBy(() -> ValueFilter.fromBytes(new byte[length]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a filter of " + length + " values");
        }
    }

    /** Filters are kept with the files: the same values have the same bits in all versions. */
    @Test
    void theBitsStayWhatTheyAre() {
        assertThat(filter(List.of("STABLE", "RAMP", "é")).toBytes()).isEqualTo(new byte[] {86, -8, -126});
    }

    private static ValueFilter filter(List<String> values) {
        return ValueFilter.of(values.stream().map(v -> v.getBytes(UTF_8)).toList())
                .orElseThrow();
    }

    private static List<String> values(Random random, int count) {
        return random.ints(count).distinct().mapToObj(i -> "LHC.BLM:" + i).toList();
    }
}
