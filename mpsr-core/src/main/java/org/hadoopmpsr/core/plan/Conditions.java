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

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.jspecify.annotations.Nullable;

/** What a filter demands of single columns, for estimates: its comparisons that every record has to pass. Immutable. */
final class Conditions {
    private final Map<String, Condition> byColumn = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    Conditions(Filter filter) {
        collect(filter);
    }

    /** Whether the filter lets through only a few given values of the column. */
    boolean bindsToValues(String column) {
        Condition condition = byColumn.get(column);
        return condition != null && condition.values != null;
    }

    /** About which share of a file's values of the column pass, between 0 and 1. */
    double share(String column, ColumnStatistics statistics) {
        Condition condition = byColumn.get(column);
        return condition == null ? 1 : condition.share(statistics);
    }

    private void collect(Filter filter) {
        if (filter instanceof Filter.And and) {
            and.parts().forEach(this::collect);
        } else if (filter instanceof Filter.In in) {
            condition(in.column()).values = in.literals();
        } else if (filter instanceof Filter.Compare compare && compare.literal() != null) {
            condition(compare.column()).add(compare.operator(), compare.literal());
        }
    }

    private Condition condition(String column) {
        return byColumn.computeIfAbsent(column, c -> new Condition());
    }

    /** What the filter demands of one column. */
    private static final class Condition {
        private @Nullable List<Object> values;
        private @Nullable Object low;
        private @Nullable Object high;

        void add(Filter.Operator operator, Object literal) {
            switch (operator) {
                case EQ -> values = List.of(literal);
                case GT, GE -> low = literal;
                case LT, LE -> high = literal;
            }
        }

        double share(ColumnStatistics column) {
            Object min = column.min();
            Object max = column.max();
            if (min == null || max == null) {
                return 1;
            }
            return values != null ? ofValues(values, min, max, column.distinct()) : ofRange(min, max);
        }

        private static double ofValues(List<Object> values, Object min, Object max, long distinct) {
            long within = values.stream()
                    .filter(v -> Values.comparable(v, min))
                    .filter(v -> Values.compare(v, min) >= 0 && Values.compare(v, max) <= 0)
                    .count();
            double different =
                    distinct > 0 ? distinct : min instanceof Long a && max instanceof Long b ? b - a + 1.0 : 1;
            return Math.min(1, within / different);
        }

        private double ofRange(Object min, Object max) {
            if (!(min instanceof Number first) || !(max instanceof Number last) || Values.compare(min, max) == 0) {
                return 1;
            }
            double from =
                    low instanceof Number n ? Math.max(n.doubleValue(), first.doubleValue()) : first.doubleValue();
            double to = high instanceof Number n ? Math.min(n.doubleValue(), last.doubleValue()) : last.doubleValue();
            return Math.max(0, (to - from) / (last.doubleValue() - first.doubleValue()));
        }
    }
}
