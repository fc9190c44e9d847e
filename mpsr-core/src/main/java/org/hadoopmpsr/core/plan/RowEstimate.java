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
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Estimates which share of a file a reader with page indexes reads. The records of a file are sorted, so those that
 * pass conditions on the first sort columns lie together, and only the pages that hold them are read. Values are taken
 * to be spread evenly. Immutable.
 */
final class RowEstimate {
    /** Rows of a page at most, as ingest writes them. */
    private static final int PAGE_ROWS = 20_000;

    private final List<Column> sort;
    private final Map<String, Condition> conditions = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** @param sort the columns that the records of the files are sorted by */
    RowEstimate(List<Column> sort, Filter filter) {
        this.sort = sort;
        collect(filter);
    }

    /** The share of the file's bytes that are read, above 0 and at most 1. */
    double share(FileStatistics file) {
        long rows = Math.max(1, file.rows());
        return Math.min(1, (matching(file) * rows + PAGE_ROWS) / rows);
    }

    /** The share of records that pass the conditions on the first sort columns. */
    private double matching(FileStatistics file) {
        double share = 1;
        for (Column column : sort) {
            Condition condition = conditions.get(column.name());
            if (condition == null) {
                return share;
            }
            share *= condition.share(file.column(column.name()));
            if (condition.values == null) {
                return share;
            }
        }
        return share;
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
        return conditions.computeIfAbsent(column, c -> new Condition());
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
