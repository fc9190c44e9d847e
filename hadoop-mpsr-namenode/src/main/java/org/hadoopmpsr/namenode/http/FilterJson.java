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
package org.hadoopmpsr.namenode.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.jspecify.annotations.Nullable;

/**
 * Filters in JSON: {@code {"op": "and", "parts": [...]}}, {@code {"op": ">=", "column": "c", "value": 1}} and their like, as
 * docs/http.md has them. Depth and number of values are the business of {@link JsonBody} and of the protocol's limits.
 */
final class FilterJson {

    private FilterJson() {}

    /** @throws IllegalArgumentException if it is no filter; the message is for the user */
    static Filter read(Object json) {
        if (!(json instanceof Map<?, ?> map)) {
            throw wrong("a part of the filter is no JSON object");
        }
        String op = String.valueOf(map.get("op"));
        return switch (op) {
            case "and" -> new Filter.And(parts(map, op));
            case "or" -> new Filter.Or(parts(map, op));
            case "not" -> new Filter.Not(read(value(map, "part", op)));
            case "=" -> compare(Operator.EQ, map, op);
            case "<" -> compare(Operator.LT, map, op);
            case "<=" -> compare(Operator.LE, map, op);
            case ">" -> compare(Operator.GT, map, op);
            case ">=" -> compare(Operator.GE, map, op);
            case "in" -> new Filter.In(column(map, op), values(map, op));
            case "is-null" -> new Filter.IsNull(column(map, op));
            case "starts-with" -> new Filter.StartsWith(column(map, op), text(value(map, "value", op), op));
            case "unknown" -> new Filter.Unknown();
            default ->
                throw wrong("'" + op + "' is no 'op' of a filter; there are and, or, not, =, <, <=, >, >=, in, is-null,"
                        + " starts-with and unknown");
        };
    }

    private static Filter compare(Operator operator, Map<?, ?> map, String op) {
        if (!map.containsKey("value")) {
            throw wrong("a condition with '" + op + "' has no 'value'");
        }
        Object literal = map.get("value");
        checkLiteral(literal, op);
        return new Filter.Compare(operator, column(map, op), literal);
    }

    private static List<Filter> parts(Map<?, ?> map, String op) {
        return list(map, "parts", op).stream().map(FilterJson::read).toList();
    }

    private static List<Object> values(Map<?, ?> map, String op) {
        List<Object> found = new ArrayList<>();
        for (Object value : list(map, "values", op)) {
            checkLiteral(value, op);
            found.add(value);
        }
        return found;
    }

    private static List<Object> list(Map<?, ?> map, String name, String op) {
        if (!(map.get(name) instanceof List<?> list)) {
            throw wrong("a condition with '" + op + "' has no list '" + name + "'");
        }
        List<Object> found = new ArrayList<>();
        list.forEach(each -> {
            if (each == null) {
                throw wrong("the list '" + name + "' of '" + op + "' has null");
            }
            found.add(each);
        });
        return found;
    }

    private static Object value(Map<?, ?> map, String name, String op) {
        Object value = map.get(name);
        if (value == null) {
            throw wrong("a condition with '" + op + "' has no '" + name + "'");
        }
        return value;
    }

    private static void checkLiteral(@Nullable Object value, String op) {
        if (value instanceof Map || value instanceof List) {
            throw wrong("the value of '" + op + "' is no text, number or truth value");
        }
    }

    private static String column(Map<?, ?> map, String op) {
        String column = text(value(map, "column", op), op);
        if (column.isEmpty()) {
            throw wrong("the 'column' of '" + op + "' is empty");
        }
        return column;
    }

    private static String text(Object value, String op) {
        if (value instanceof String text) {
            return text;
        }
        throw wrong("'" + value + "' in a condition with '" + op + "' is no text");
    }

    private static IllegalArgumentException wrong(String problem) {
        return new IllegalArgumentException(problem + "; see docs/http.md for the form of filters");
    }
}
