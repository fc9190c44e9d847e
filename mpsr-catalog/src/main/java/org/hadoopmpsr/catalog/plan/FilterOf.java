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
package org.hadoopmpsr.catalog.plan;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.expressions.Bound;
import org.apache.iceberg.expressions.BoundTransform;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ExpressionVisitors;
import org.apache.iceberg.expressions.Literal;
import org.hadoopmpsr.catalog.table.DatasetTable;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * Says an expression of Iceberg, bound to a table, as a filter of the planner. Each record that passes the expression passes the
 * filter, by the rules of any client: what a client may take in another way than SQL is {@link Filter.Unknown}, or passes nulls.
 */
public final class FilterOf extends ExpressionVisitors.BoundVisitor<Filter> {
    private final DatasetTable table;

    private FilterOf(DatasetTable table) {
        this.table = table;
    }

    /** @param bound an expression that is bound to the schema of the table */
    public static Filter of(Expression bound, DatasetTable table) {
        return ExpressionVisitors.visit(bound, new FilterOf(table));
    }

    @Override
    public Filter alwaysTrue() {
        return Filter.ALL;
    }

    @Override
    public Filter alwaysFalse() {
        return new Filter.Or(List.of());
    }

    /** Clients do not agree what the negation of a comparison with null is. */
    @Override
    public Filter not(Filter result) {
        return new Filter.Unknown();
    }

    @Override
    public Filter and(Filter left, Filter right) {
        return FlatParts.and(left, right);
    }

    @Override
    public Filter or(Filter left, Filter right) {
        return FlatParts.or(left, right);
    }

    @Override
    public <T> Filter isNull(Bound<T> term) {
        return column(term)
                .<Filter>map(column -> new Filter.IsNull(column.name()))
                .orElseGet(Filter.Unknown::new);
    }

    @Override
    public <T> Filter notNull(Bound<T> term) {
        return column(term)
                .<Filter>map(column -> new Filter.Not(new Filter.IsNull(column.name())))
                .orElseGet(Filter.Unknown::new);
    }

    @Override
    public <T> Filter isNaN(Bound<T> term) {
        return new Filter.Unknown();
    }

    @Override
    public <T> Filter notNaN(Bound<T> term) {
        return new Filter.Unknown();
    }

    @Override
    public <T> Filter lt(Bound<T> term, Literal<T> literal) {
        return compare(Operator.LT, term, literal);
    }

    @Override
    public <T> Filter ltEq(Bound<T> term, Literal<T> literal) {
        return compare(Operator.LE, term, literal);
    }

    @Override
    public <T> Filter gt(Bound<T> term, Literal<T> literal) {
        return compare(Operator.GT, term, literal);
    }

    @Override
    public <T> Filter gtEq(Bound<T> term, Literal<T> literal) {
        return compare(Operator.GE, term, literal);
    }

    @Override
    public <T> Filter eq(Bound<T> term, Literal<T> literal) {
        return compare(Operator.EQ, term, literal);
    }

    @Override
    public <T> Filter notEq(Bound<T> term, Literal<T> literal) {
        return transform(term).isPresent()
                ? new Filter.Unknown() // more values than those with the result pass the filter that stands for it
                : orNull(term, compare(Operator.EQ, term, literal));
    }

    @Override
    public <T> Filter in(Bound<T> term, Set<T> literals) {
        Optional<Column> column = column(term);
        Optional<String> transform = transform(term);
        if (transform.isPresent()) {
            return column.<Filter>map(c -> new Filter.Or(literals.stream()
                            .map(literal -> TransformRange.compare(Operator.EQ, transform.get(), c, literal))
                            .toList()))
                    .orElseGet(Filter.Unknown::new);
        }
        List<Object> values = literals.stream()
                .map(literal -> column.map(c -> value(c.type(), literal)).orElse(null))
                .filter(value -> value != null)
                .toList();
        return column.isPresent() && values.size() == literals.size()
                ? new Filter.In(column.get().name(), values)
                : new Filter.Unknown();
    }

    @Override
    public <T> Filter notIn(Bound<T> term, Set<T> literals) {
        return transform(term).isPresent() ? new Filter.Unknown() : orNull(term, in(term, literals));
    }

    @Override
    public <T> Filter startsWith(Bound<T> term, Literal<T> literal) {
        return column(term) // the beginning of a text that is cut off begins the text, too
                .filter(column -> column.type() == ColumnType.STRING)
                .<Filter>map(column ->
                        new Filter.StartsWith(column.name(), literal.value().toString()))
                .orElseGet(Filter.Unknown::new);
    }

    @Override
    public <T> Filter notStartsWith(Bound<T> term, Literal<T> literal) {
        return new Filter.Unknown();
    }

    /** The negation of a comparison, which some clients take for true where the value is null. */
    private <T> Filter orNull(Bound<T> term, Filter compared) {
        return compared instanceof Filter.Unknown
                ? compared
                : new Filter.Or(List.of(isNull(term), new Filter.Not(compared)));
    }

    private <T> Filter compare(Operator operator, Bound<T> term, Literal<T> literal) {
        Optional<Column> column = column(term);
        Optional<String> transform = transform(term);
        if (transform.isPresent()) {
            return column.map(c -> TransformRange.compare(operator, transform.get(), c, literal.value()))
                    .orElseGet(Filter.Unknown::new);
        }
        Object value = column.map(c -> value(c.type(), literal.value())).orElse(null);
        return value == null
                ? new Filter.Unknown()
                : new Filter.Compare(operator, column.get().name(), value);
    }

    /** The transform of a term that is no column, as Iceberg names it. */
    private static Optional<String> transform(Bound<?> term) {
        return term instanceof BoundTransform<?, ?> bound
                ? Optional.of(bound.transform().toString())
                : Optional.empty();
    }

    /** The column of the NameNode's; empty for values within columns. */
    private Optional<Column> column(Bound<?> term) {
        return table.column(term.ref().fieldId());
    }

    /** The value as the planner has it; null if it has none. */
    private static @Nullable Object value(ColumnType type, Object value) {
        return switch (type.kind()) {
            case STRING -> value.toString();
            case TINYINT, SMALLINT, INT, LONG, DATE, TIMESTAMP, TIMESTAMP_NTZ, TIMESTAMP_NS ->
                value instanceof Number number ? (Object) number.longValue() : null;
            case BOOLEAN -> value;
            case FLOAT, DOUBLE ->
                value instanceof Number number && number.doubleValue() != 0 ? (Object) number.doubleValue() : null;
            case BINARY, TIME_NS, DECIMAL, LIST, STRUCT, MAP -> null;
        };
    }
}
