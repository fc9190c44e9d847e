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

import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import org.apache.iceberg.Schema;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.ExpressionVisitors;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.expressions.NamedReference;
import org.apache.iceberg.expressions.UnboundPredicate;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;

/**
 * Reads what PyIceberg sends as text, and Iceberg's own classes do not read: times without a zone, which are of UTC, for a timestamp
 * with a zone; and decimals for floating point columns.
 */
final class TextLiterals extends SameExpression {
    private static final String UTC = "+00:00";

    private final Schema schema;
    private final boolean caseSensitive;

    private TextLiterals(Schema schema, boolean caseSensitive) {
        this.schema = schema;
        this.caseSensitive = caseSensitive;
    }

    /** @param expression of a client, not bound to the schema */
    static Expression of(Expression expression, Schema schema, boolean caseSensitive) {
        return ExpressionVisitors.visit(expression, new TextLiterals(schema, caseSensitive));
    }

    @Override
    public <T> Expression predicate(UnboundPredicate<T> predicate) {
        if (!(predicate.term() instanceof NamedReference<?> reference) || predicate.literals() == null) {
            return predicate;
        }
        String name = reference.name();
        Types.NestedField field = caseSensitive ? schema.findField(name) : schema.caseInsensitiveFindField(name);
        if (field == null) {
            return predicate;
        }
        List<Object> values = new ArrayList<>();
        for (Literal<T> literal : predicate.literals()) {
            Object value = literal.value();
            values.add(value instanceof CharSequence text ? read(field.type(), text.toString()) : value);
        }
        return values.size() == 1
                ? Expressions.predicate(predicate.op(), name, values.get(0))
                : Expressions.predicate(predicate.op(), name, values);
    }

    /** The text itself where Iceberg reads it, or where it is wrong, which its binding tells. */
    private static Object read(Type type, String text) {
        try {
            return switch (type.typeId()) {
                case FLOAT, DOUBLE -> Double.valueOf(new BigDecimal(text).doubleValue());
                case TIMESTAMP ->
                    ((Types.TimestampType) type).shouldAdjustToUTC() ? LocalDateTime.parse(text) + UTC : text;
                default -> text;
            };
        } catch (NumberFormatException | DateTimeParseException e) {
            return text;
        }
    }
}
