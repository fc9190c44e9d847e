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
package org.hadoopmpsr.mapreduce.job;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.LogicalInverseRewriter;
import org.apache.parquet.filter2.predicate.Operators;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.io.api.Binary;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.schema.Values;
import org.jspecify.annotations.Nullable;

/**
 * A Parquet filter in the terms of planning: every record that passes the Parquet filter passes this filter. Parquet's filters
 * have two outcomes: null is equal to null, different from all values, and neither below nor above any value.
 *
 * @param columns the paths of all columns that the Parquet filter looks at
 */
record ParquetFilter(Filter filter, Set<ColumnPath> columns) {
    /** Protobuf's parsers refuse messages nested deeper than 100. */
    private static final int MAX_DEPTH = 40;

    /** A longer list is sent as a range, because it would match in most files anyway. */
    private static final int MAX_LIST = 1000;

    private static final Filter UNKNOWN = new Filter.Unknown();

    ParquetFilter {
        columns = Set.copyOf(columns);
    }

    /** Empty where a part of the filter is of an unknown kind. */
    static Optional<ParquetFilter> of(FilterPredicate predicate) {
        Translation translation = new Translation();
        Filter filter = translation.translate(LogicalInverseRewriter.rewrite(predicate), 0);
        return translation.allKnown ? Optional.of(new ParquetFilter(filter, translation.columns)) : Optional.empty();
    }

    /** Whether planning can leave out nothing by this filter. */
    boolean isUnknown() {
        return isUnknown(filter);
    }

    /**
     * The filter without conditions on values within columns that planning knows nothing of.
     *
     * @param paths the others
     */
    ParquetFilter within(Set<String> paths) {
        return new ParquetFilter(within(filter, paths), columns);
    }

    private static Filter within(Filter filter, Set<String> paths) {
        if (filter instanceof Filter.And and) {
            return new Filter.And(
                    and.parts().stream().map(part -> within(part, paths)).toList());
        }
        if (filter instanceof Filter.Or or) {
            List<Filter> parts =
                    or.parts().stream().map(part -> within(part, paths)).toList();
            return parts.contains(UNKNOWN) ? UNKNOWN : new Filter.Or(parts);
        }
        if (filter instanceof Filter.Not not) {
            Filter part = within(not.part(), paths);
            return part.equals(UNKNOWN) ? UNKNOWN : new Filter.Not(part);
        }
        String name = column(filter);
        boolean isKnown =
                !org.hadoopmpsr.core.schema.ColumnPath.isPath(name) || paths.contains(name.toLowerCase(Locale.ROOT));
        return isKnown ? filter : UNKNOWN;
    }

    private static String column(Filter filter) {
        if (filter instanceof Filter.Compare compare) {
            return compare.column();
        }
        if (filter instanceof Filter.In in) {
            return in.column();
        }
        return filter instanceof Filter.IsNull isNull ? isNull.column() : "";
    }

    private static boolean isUnknown(Filter filter) {
        return filter instanceof Filter.Unknown
                || (filter instanceof Filter.And and && and.parts().stream().allMatch(ParquetFilter::isUnknown))
                || (filter instanceof Filter.Or or && or.parts().stream().anyMatch(ParquetFilter::isUnknown));
    }

    private static final class Translation {
        private final Set<ColumnPath> columns = new HashSet<>();
        private boolean allKnown = true;

        Filter translate(FilterPredicate p, int depth) {
            if (p instanceof Operators.And || p instanceof Operators.Or) {
                List<Filter> parts = new ArrayList<>();
                for (FilterPredicate part : flat(p)) {
                    parts.add(translate(part, depth + 1));
                }
                Filter whole = p instanceof Operators.And ? new Filter.And(parts) : new Filter.Or(parts);
                return depth < MAX_DEPTH ? whole : UNKNOWN;
            }
            if (p instanceof Operators.Eq<?> eq) {
                return equal(name(eq.getColumn()), eq.getValue());
            }
            if (p instanceof Operators.NotEq<?> notEq) {
                return notEqual(name(notEq.getColumn()), notEq.getValue());
            }
            if (p instanceof Operators.Lt<?> lt) {
                return compare(Operator.LT, name(lt.getColumn()), lt.getValue());
            }
            if (p instanceof Operators.LtEq<?> ltEq) {
                return compare(Operator.LE, name(ltEq.getColumn()), ltEq.getValue());
            }
            if (p instanceof Operators.Gt<?> gt) {
                return compare(Operator.GT, name(gt.getColumn()), gt.getValue());
            }
            if (p instanceof Operators.GtEq<?> gtEq) {
                return compare(Operator.GE, name(gtEq.getColumn()), gtEq.getValue());
            }
            return other(p);
        }

        /** A method of its own, because older versions of Parquet do not have all of these classes. */
        private Filter other(FilterPredicate p) {
            if (p instanceof Operators.UserDefined<?, ?> userDefined) {
                name(userDefined.getColumn());
                return UNKNOWN;
            }
            if (p instanceof Operators.LogicalNotUserDefined<?, ?> not) {
                name(not.getUserDefined().getColumn());
                return UNKNOWN;
            }
            if (p instanceof Operators.In<?> in) {
                return in(name(in.getColumn()), in.getValues());
            }
            if (p instanceof Operators.NotIn<?> notIn) {
                String column = name(notIn.getColumn());
                // Parquet's readers let a record pass that differs from any of the values, so with two all pass
                return notIn.getValues().size() > 1 ? UNKNOWN : nullOrNot(column, listed(column, notIn.getValues()));
            }
            allKnown = false;
            return UNKNOWN;
        }

        /** The name of a column, or the path of a value within one, which is no name of a column. */
        private String name(Operators.Column<?> column) {
            columns.add(column.getColumnPath());
            return org.hadoopmpsr.core.schema.ColumnPath.of(
                    List.of(column.getColumnPath().toArray()));
        }

        /** The parts of a conjunction of conjunctions, or of a disjunction of disjunctions; filters may be long. */
        private static List<FilterPredicate> flat(FilterPredicate whole) {
            List<FilterPredicate> parts = new ArrayList<>();
            Deque<FilterPredicate> todo = new ArrayDeque<>();
            todo.push(whole);
            while (!todo.isEmpty()) {
                FilterPredicate p = todo.pop();
                if (whole instanceof Operators.And && p instanceof Operators.And and) {
                    todo.push(and.getRight());
                    todo.push(and.getLeft());
                } else if (whole instanceof Operators.Or && p instanceof Operators.Or or) {
                    todo.push(or.getRight());
                    todo.push(or.getLeft());
                } else {
                    parts.add(p);
                }
            }
            return parts;
        }
    }

    private static Filter equal(String column, @Nullable Object value) {
        return value == null ? new Filter.IsNull(column) : compare(Operator.EQ, column, value);
    }

    private static Filter notEqual(String column, @Nullable Object value) {
        return value == null
                ? new Filter.Not(new Filter.IsNull(column))
                : nullOrNot(column, compare(Operator.EQ, column, value));
    }

    private static Filter compare(Operator operator, String column, @Nullable Object value) {
        Object literal = literal(value);
        return literal == null ? UNKNOWN : new Filter.Compare(operator, column, literal);
    }

    /** @param equal a filter that is true for the values that must not be; unknown stays unknown */
    private static Filter nullOrNot(String column, Filter equal) {
        return equal instanceof Filter.Unknown
                ? UNKNOWN
                : new Filter.Or(List.of(new Filter.IsNull(column), new Filter.Not(equal)));
    }

    private static Filter in(String column, Set<?> values) {
        Filter listed = listed(column, values);
        return values.stream().anyMatch(v -> v == null)
                ? new Filter.Or(List.of(listed, new Filter.IsNull(column)))
                : listed;
    }

    private static Filter listed(String column, Set<?> values) {
        List<Object> literals = new ArrayList<>();
        for (Object value : values) {
            Object literal = literal(value);
            if (literal != null) {
                literals.add(literal);
            } else if (value != null) {
                return UNKNOWN;
            }
        }
        if (literals.size() <= MAX_LIST) {
            return new Filter.In(column, literals);
        }
        literals.sort(Values::compare);
        return new Filter.And(List.of(
                new Filter.Compare(Operator.GE, column, literals.get(0)),
                new Filter.Compare(Operator.LE, column, literals.get(literals.size() - 1))));
    }

    /** The value in the form of planning; null where there is none, or where values are ordered otherwise. */
    private static @Nullable Object literal(@Nullable Object value) {
        if (value instanceof Integer || value instanceof Long) {
            return ((Number) value).longValue();
        }
        if (value instanceof Float || value instanceof Double) {
            double number = ((Number) value).doubleValue();
            // to Parquet -0.0 is less than 0.0
            return number == 0 || Double.isNaN(number) ? null : (Object) number;
        }
        if (value instanceof Binary binary) {
            String text = binary.toStringUsingUTF8();
            return Binary.fromString(text).equals(binary) ? text : null;
        }
        return value instanceof Boolean ? value : null;
    }
}
