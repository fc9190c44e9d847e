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
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The conditions of a filter on single columns, for estimates: the comparisons that every record must pass. Immutable.
 */
public final class Conditions {
    private final Map<String, Condition> byColumn = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** The conditions that every record passing the filter passes. */
    public Conditions(Filter filter) {
        collect(filter);
    }

    /** The columns that conditions name. */
    Set<String> columns() {
        return byColumn.keySet();
    }

    /** True if only records with a few given values of the column pass the filter. */
    boolean bindsToValues(String column) {
        Condition condition = byColumn.get(column);
        return condition != null && condition.values != null;
    }

    /** How many values of the column pass; empty if the filter does not bind the column to values. */
    public OptionalInt values(String column) {
        Condition condition = byColumn.get(column);
        return condition == null || condition.values == null
                ? OptionalInt.empty()
                : OptionalInt.of(condition.values.size());
    }

    /** About which share of the column's values in a file pass, from 0 to 1. */
    public double share(String column, ColumnStatistics statistics) {
        Condition condition = byColumn.get(column);
        return condition == null ? 1 : condition.share(statistics);
    }

    /** About how many of the {@code different} values of the column in a file pass. */
    double passing(String column, ColumnStatistics statistics, double different) {
        Condition condition = byColumn.get(column);
        return condition == null ? different : condition.passing(statistics, different);
    }

    private void collect(Filter filter) {
        if (filter instanceof Filter.And and) {
            and.parts().forEach(this::collect);
        } else if (filter instanceof Filter.In in) {
            condition(in.column()).values = new LiteralSet(in.literals());
        } else if (filter instanceof Filter.Compare compare && compare.literal() != null) {
            condition(compare.column()).add(compare.operator(), compare.literal());
        } else if (filter instanceof Filter.StartsWith start && !start.prefix().isEmpty()) {
            condition(start.column()).add(Filter.Operator.GE, start.prefix());
            condition(start.column()).add(Filter.Operator.LT, next(start.prefix()));
        }
    }

    /** The least string above all strings with this prefix. */
    private static String next(String prefix) {
        int last = prefix.length() - 1;
        return prefix.substring(0, last) + (char) Math.min(Character.MAX_VALUE, prefix.charAt(last) + 1);
    }

    private Condition condition(String column) {
        return byColumn.computeIfAbsent(column, c -> new Condition());
    }

    /** The conditions of the filter on one column. */
    private static final class Condition {
        private @Nullable LiteralSet values;
        private @Nullable Object low;
        private @Nullable Object high;

        void add(Filter.Operator operator, Object literal) {
            switch (operator) {
                case EQ -> values = new LiteralSet(List.of(literal));
                case GT, GE -> low = tighter(low, literal, 1);
                case LT, LE -> high = tighter(high, literal, -1);
            }
            if (low != null && high != null && Values.comparable(low, high) && Values.compare(low, high) == 0) {
                // BETWEEN of a value and the same
                values = new LiteralSet(List.of(low));
            }
        }

        /** The higher (1) or the lower (-1) of two bounds; the other bound if the first is null. */
        private static Object tighter(@Nullable Object bound, Object other, int direction) {
            return bound != null && Values.comparable(bound, other) && Values.compare(bound, other) * direction > 0
                    ? bound
                    : other;
        }

        double share(ColumnStatistics column) {
            Object min = column.min();
            Object max = column.max();
            if (min == null || max == null) {
                return 1;
            }
            return values != null
                    ? Math.min(
                            1, values.countWithin(min, max) / column.different().orElse(1))
                    : ofRange(min, max, column.different());
        }

        double passing(ColumnStatistics column, double different) {
            Object min = column.min();
            Object max = column.max();
            if (values == null) {
                return different * share(column);
            }
            return min == null || max == null ? values.size() : values.countWithin(min, max);
        }

        /** The share of a range among values at even distances, including both ends. */
        private double ofRange(Object min, Object max, OptionalDouble different) {
            if (Values.compare(min, max) == 0) {
                return 1;
            }
            double from = low == null ? 0 : Math.max(0, Spread.position(low, min, max));
            double to = high == null ? 1 : Math.min(1, Spread.position(high, min, max));
            if (Double.isNaN(from) || Double.isNaN(to)) {
                return 1;
            }
            if (to < from) {
                return 0;
            }
            double share = to - from;
            double count = Math.max(2, different.orElse(Double.POSITIVE_INFINITY));
            return share + (1 - share) / count;
        }
    }
}
