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

import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Decides from statistics whether a file can hold a record that passes a filter. Each part of a filter is evaluated to
 * the set of outcomes (true, false, null) that it may have for the file's records. A set may be too large and is never
 * too small. A file is therefore pruned only if none of its records can pass.
 *
 * <p>The literals of a filter are prepared when a filter object is seen first: evaluate many files with one object. For
 * one thread.
 */
public final class Pruner {
    private static final int TRUE = 1;
    private static final int FALSE = 2;
    private static final int NULL = 4;
    private static final int ANY = TRUE | FALSE | NULL;

    private final Schema schema;
    private final List<Predicate> predicates;
    private final Map<Filter, LiteralSet.ByBucket> prepared = new IdentityHashMap<>();

    /** @param predicates the predicates of the files' group, in the order of the files' partition tuples */
    public Pruner(Schema schema, List<Predicate> predicates) {
        this.schema = schema;
        this.predicates = List.copyOf(predicates);
    }

    /** False only if no record of the file passes the filter. */
    public boolean mayMatch(Filter filter, FileStatistics file) {
        return file.rows() > 0 && (outcomes(filter, file) & TRUE) != 0;
    }

    /** True only if every record of the file passes the filter. */
    public boolean allMatch(Filter filter, FileStatistics file) {
        return outcomes(filter, file) == TRUE;
    }

    private int outcomes(Filter filter, FileStatistics file) {
        if (filter instanceof Filter.And and) {
            int all = TRUE;
            for (Filter part : and.parts()) {
                all = and(all, outcomes(part, file));
            }
            return all;
        }
        if (filter instanceof Filter.Or or) {
            int none = TRUE;
            for (Filter part : or.parts()) {
                none = and(none, not(outcomes(part, file)));
            }
            return not(none);
        }
        if (filter instanceof Filter.Not negated) {
            return not(outcomes(negated.part(), file));
        }
        if (filter instanceof Filter.Compare compare) {
            return compare.literal() == null ? NULL : compare(compare, compare.literal(), file);
        }
        if (filter instanceof Filter.In in) {
            return equality(in, in.column(), in.literals(), file);
        }
        if (filter instanceof Filter.IsNull isNull) {
            return isNull(file.column(isNull.column()), file.rows());
        }
        if (filter instanceof Filter.StartsWith startsWith) {
            return startsWith(startsWith, file);
        }
        return ANY;
    }

    /** The outcomes of a conjunction of two parts with these outcomes. */
    private static int and(int a, int b) {
        int result = 0;
        if ((a & TRUE) != 0 && (b & TRUE) != 0) {
            result |= TRUE;
        }
        if (((a | b) & FALSE) != 0) {
            result |= FALSE;
        }
        if ((a & NULL) != 0 && (b & (TRUE | NULL)) != 0 || (b & NULL) != 0 && (a & (TRUE | NULL)) != 0) {
            result |= NULL;
        }
        return result;
    }

    private static int not(int a) {
        return (a & NULL) | ((a & TRUE) != 0 ? FALSE : 0) | ((a & FALSE) != 0 ? TRUE : 0);
    }

    private static int isNull(ColumnStatistics column, long rows) {
        if (column.nullCount() < 0) {
            return TRUE | FALSE;
        }
        return (column.nullCount() > 0 ? TRUE : 0) | (column.nullCount() < rows ? FALSE : 0);
    }

    /** NULL if the column may be null, and nothing else if all values are null. */
    private static int nulls(ColumnStatistics column) {
        return column.nullCount() == 0 ? 0 : NULL;
    }

    private int compare(Filter.Compare filter, Object literal, FileStatistics file) {
        if (filter.operator() == Filter.Operator.EQ) {
            return equality(filter, filter.column(), List.of(literal), file);
        }
        ColumnStatistics column = file.column(filter.column());
        return column.nullCount() == file.rows() ? NULL : nulls(column) | bounds(filter.operator(), literal, column);
    }

    private int equality(Filter filter, String name, Collection<?> literals, FileStatistics file) {
        ColumnStatistics column = file.column(name);
        if (column.nullCount() == file.rows()) {
            return NULL;
        }
        Object held = prepared.computeIfAbsent(filter, f -> LiteralSet.ByBucket.of(name, literals, schema, predicates))
                .inPartition(file)
                .heldBy(column);
        return nulls(column) | (held == null ? FALSE : bounds(Filter.Operator.EQ, held, column));
    }

    private static int startsWith(Filter.StartsWith filter, FileStatistics file) {
        ColumnStatistics column = file.column(filter.column());
        String prefix = filter.prefix();
        if (column.nullCount() == file.rows()) {
            return NULL;
        }
        boolean below = column.max() instanceof String max && Values.compare(max, prefix) < 0;
        boolean above =
                column.min() instanceof String min && Values.compare(min, prefix) > 0 && !min.startsWith(prefix);
        // what lies between two strings with the prefix has it too
        boolean all = column.min() instanceof String low
                && low.startsWith(prefix)
                && column.max() instanceof String high
                && high.startsWith(prefix);
        return nulls(column) | (all ? 0 : FALSE) | (below || above ? 0 : TRUE);
    }

    /** The outcomes for the values between the bounds, which are not null. */
    private static int bounds(Filter.Operator operator, Object literal, ColumnStatistics column) {
        Integer min = compareOrNull(column.min(), literal);
        Integer max = compareOrNull(column.max(), literal);
        boolean someBelow = min == null || min < 0;
        boolean someAbove = max == null || max > 0;
        boolean someEqual = (min == null || min <= 0) && (max == null || max >= 0);
        return switch (operator) {
            case EQ -> outcome(someEqual, someBelow || someAbove);
            case LT -> outcome(someBelow, someEqual || someAbove);
            case LE -> outcome(someBelow || someEqual, someAbove);
            case GT -> outcome(someAbove, someEqual || someBelow);
            case GE -> outcome(someAbove || someEqual, someBelow);
        };
    }

    private static @Nullable Integer compareOrNull(@Nullable Object bound, Object literal) {
        boolean nan = literal instanceof Double d && d.isNaN();
        return bound == null || nan || !Values.comparable(bound, literal) ? null : Values.compare(bound, literal);
    }

    private static int outcome(boolean mayBeTrue, boolean mayBeFalse) {
        return (mayBeTrue ? TRUE : 0) | (mayBeFalse ? FALSE : 0);
    }
}
