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
package org.hadoopmpsr.core.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.Compare;
import org.hadoopmpsr.core.plan.Filter.In;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.junit.jupiter.api.Test;

class ShapeReaderTest {
    private static final List<String> COLUMNS = List.of("Signal", "device", "time", "value");
    private static final Map<String, ColumnStatistics> BOUNDS =
            Map.of("time", new ColumnStatistics(0L, 1_000_000L, -1), "Signal", new ColumnStatistics("A", "Z", -1));

    private static AskedShape read(Set<String> columns, Filter... parts) {
        return ShapeReader.read(
                new Filter.And(List.of(parts)),
                columns,
                COLUMNS,
                c -> BOUNDS.getOrDefault(c, ColumnStatistics.UNKNOWN));
    }

    private static String text(Filter... parts) {
        return read(null, parts).shape().conditions();
    }

    private static Filter notNull(String column) {
        return new Filter.Not(new Filter.IsNull(column));
    }

    @Test
    void conditionsAreToldWithoutValues() {
        assertThat(text()).isEqualTo("everything");
        assertThat(text(notNull("signal"), new Compare(Operator.EQ, "signal", "secret")))
                .isEqualTo("Signal = 1 value");
        assertThat(text(new In("device", List.of(1L, 2L, 3L)))).isEqualTo("device in up to 10 values");
        assertThat(text(new Compare(Operator.GE, "time", 1L), new Compare(Operator.LT, "time", 5_001L)))
                .isEqualTo("time in up to 1/100 of its range");
        assertThat(text(new Compare(Operator.GE, "time", 100_000L))).isEqualTo("time in over 1/10 of its range");
        assertThat(text(new Compare(Operator.GE, "value", 1.5))).isEqualTo("value in a range");
        assertThat(text(notNull("value"))).isEqualTo("value is not null");
        assertThat(text(new Filter.IsNull("value"))).isEqualTo("value is null");
        assertThat(text(new Filter.StartsWith("device", "PT"))).isEqualTo("device starting with a text, a range");
        assertThat(text(new Filter.Or(
                        List.of(new Compare(Operator.EQ, "device", "a"), new Compare(Operator.EQ, "signal", "b")))))
                .isEqualTo("another condition on Signal, device");
        assertThat(text(new Filter.Unknown())).isEqualTo("another condition on something");
    }

    @Test
    void measuresTellTheNumbers() {
        AskedShape asked = read(
                Set.of("device", "unheard of"),
                new In("device", List.of("a", "b")),
                new Compare(Operator.GT, "time", 0L),
                new Compare(Operator.LT, "time", 250_000L));
        assertThat(asked.shape().columns()).containsExactly("device");
        assertThat(asked.measures().get(0)).isEqualTo(2);
        assertThat(asked.measures().get(1)).isBetween(0.249, 0.251);
    }

    @Test
    void queriesThatDifferInValuesAloneAreOfOneClass() {
        assertThat(read(null, new Compare(Operator.EQ, "signal", "a")).shape())
                .isEqualTo(read(Set.of("signal", "DEVICE", "time", "value"), new In("SIGNAL", List.of("b")))
                        .shape())
                .isNotEqualTo(
                        read(Set.of("signal"), new In("SIGNAL", List.of("b"))).shape())
                .isNotEqualTo(read(null, new In("signal", List.of("b", "c"))).shape());
    }

    @Test
    void shapesAreBounded() {
        List<Filter> parts = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            parts.add(new Compare(Operator.EQ, "c" + i, (long) i));
            parts.add(new Filter.Or(List.of(
                    new Compare(Operator.EQ, "d" + i, (long) i),
                    new Compare(Operator.EQ, "e" + i, (long) i),
                    new Compare(Operator.EQ, "f" + i, (long) i),
                    new Compare(Operator.EQ, "g" + i, (long) i),
                    new Compare(Operator.EQ, "h" + i, (long) i))));
        }
        AskedShape asked = read(null, parts.toArray(Filter[]::new));
        assertThat(asked.shape().terms())
                .hasSize(QueryShape.MOST_TERMS)
                .allMatch(t -> t.columns().size() <= 4);
        assertThat(asked.measures()).hasSize(QueryShape.MOST_TERMS);
    }
}
