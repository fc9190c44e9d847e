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

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Which bounds are values that queries answer with. */
class ColumnStatisticsTest {
    private static final String LONG = "x".repeat(65);

    @Test
    void boundsAreValuesOnlyWhereTheWriterSaysSo() {
        ColumnStatistics exact = ColumnStatistics.of(3L, 7L, 1);
        assertThat(exact.least()).contains(3L);
        assertThat(exact.greatest()).contains(7L);
        assertThat(exact.withDistinct(2).least()).contains(3L);
        assertThat(new ColumnStatistics(3L, 7L, 1).least()).isEmpty();
        assertThat(new ColumnStatistics(3L, 7L, 1).greatest()).isEmpty();
        assertThat(ColumnStatistics.UNKNOWN.greatest()).isEmpty();
    }

    @Test
    void stringsThatAreCutAreNoValues() {
        assertThat(ColumnStatistics.of(LONG, LONG, 0).least()).isEmpty();
        assertThat(ColumnStatistics.of("a", LONG, 0).least()).contains("a");
        assertThat(ColumnStatistics.of("a", LONG, 0).greatest()).isEmpty();
        assertThat(ColumnStatistics.of("a", "x".repeat(64), 0).greatest()).contains("x".repeat(64));
    }

    @Test
    void whichZeroAQueryMeetsFirstIsNotKnown() {
        assertThat(ColumnStatistics.of(-0.0, 1.0, 0).least()).isEmpty();
        assertThat(ColumnStatistics.of(-1.0, 0.0, 0).greatest()).isEmpty();
        // no other zero can be there
        assertThat(ColumnStatistics.of(0.0, 1.0, 0).least()).contains(0.0);
        assertThat(ColumnStatistics.of(-1.0, -0.0, 0).greatest()).contains(-0.0);
    }

    @Test
    void twoFilesTogether() {
        ColumnStatistics low = ColumnStatistics.of(1L, 5L, 0);
        ColumnStatistics high = ColumnStatistics.of(4L, 9L, 2);
        assertThat(low.union(3, high, 4)).isEqualTo(new ColumnStatistics(1L, 9L, 2, -1, true));
        // the bound that need not be a value might be the farther one
        assertThat(low.union(3, new ColumnStatistics(4L, 9L, 2), 4).least()).isEmpty();
        assertThat(low.union(3, ColumnStatistics.UNKNOWN, 4).least()).isEmpty();
        ColumnStatistics nulls = ColumnStatistics.of(null, null, 4);
        assertThat(low.union(3, nulls, 4)).isEqualTo(new ColumnStatistics(1L, 5L, 4, -1, true));
        assertThat(nulls.union(4, low, 3)).isEqualTo(new ColumnStatistics(1L, 5L, 4, -1, true));
        ColumnStatistics cut = ColumnStatistics.of("a", LONG, 0);
        assertThat(cut.union(1, ColumnStatistics.of("b", "c", 0), 1).greatest()).isEmpty();
    }

    @Test
    void zerosOfTwoFilesTogether() {
        ColumnStatistics positive = ColumnStatistics.of(0.0, 1.0, 0);
        ColumnStatistics negative = ColumnStatistics.of(-0.0, 1.0, 0);
        assertThat(positive.union(1, negative, 1).least()).isEmpty();
        assertThat(negative.union(1, positive, 1).least()).isEmpty();
        assertThat(positive.union(1, positive, 1).least()).contains(0.0);
    }
}
