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
package org.hadoopmpsr.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.junit.jupiter.api.Test;

class RowEstimateTest {
    private static final Schema SCHEMA = Schema.parse("signal string not null, n bigint not null, value double");
    private static final double PAGE = 0.02;

    /** A million rows, ten signals, n from 0 to 1000, sorted by signal and n. */
    private static double share(Filter filter) {
        FileStatistics file = new FileStatistics(
                "c",
                new ContentHash(1_000_000, 0, 0),
                List.of(),
                Map.of(
                        "signal", new ColumnStatistics("s0", "s9", 0, 10),
                        "n", new ColumnStatistics(0L, 1000L, 0),
                        "value", new ColumnStatistics(0.0, 1.0, 0)));
        return new RowEstimate(SCHEMA.columns().subList(0, 2), new Conditions(filter)).share(file);
    }

    private static Filter and(Filter... parts) {
        return new Filter.And(List.of(parts));
    }

    private static final Filter ONE = new Filter.Compare(Operator.EQ, "SIGNAL", "s3");
    private static final Filter HALF_OF_N =
            and(new Filter.Compare(Operator.GE, "n", 500L), new Filter.Compare(Operator.LT, "n", 2000L));

    @Test
    void conditionsOnTheFirstSortColumnsNarrow() {
        assertThat(share(Filter.ALL)).isEqualTo(1);
        assertThat(share(ONE)).isCloseTo(0.1 + PAGE, within(1e-9));
        assertThat(share(new Filter.In("signal", List.of("s1", "s3", "zz")))).isCloseTo(0.2 + PAGE, within(1e-9));
        assertThat(share(and(ONE, HALF_OF_N))).isCloseTo(0.05 + PAGE, within(1e-9));
    }

    @Test
    void conditionsBehindAFreeSortColumnDoNot() {
        assertThat(share(HALF_OF_N)).isEqualTo(1);
        assertThat(share(new Filter.Compare(Operator.EQ, "value", 0.5))).isEqualTo(1);
        assertThat(share(new Filter.Or(List.of(ONE, HALF_OF_N)))).isEqualTo(1);
        assertThat(share(new Filter.Compare(Operator.GT, "signal", "s3"))).isEqualTo(1);
    }

    @Test
    void anEmptyRangeCostsAPage() {
        assertThat(share(and(ONE, new Filter.Compare(Operator.GT, "n", 5000L)))).isCloseTo(PAGE, within(1e-9));
    }
}
