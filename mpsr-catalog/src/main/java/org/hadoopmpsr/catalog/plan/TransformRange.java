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

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;

/**
 * Says a comparison of a transform's result as one of the column itself, for transforms that keep the order of values. Each record
 * that passes the comparison passes the filter.
 */
final class TransformRange {
    private static final long HOUR_SECONDS = 3_600;
    private static final long DAY_SECONDS = 86_400;
    private static final long MICROS = 1_000_000;

    private TransformRange() {}

    /**
     * The filter for a comparison.
     *
     * @param transform its name in Iceberg, such as {@code day} or {@code truncate[10]}
     * @param result a value of the transform's result
     */
    static Filter compare(Operator operator, String transform, Column column, Object result) {
        Optional<Integer> width = width(transform);
        if (width.isPresent() && column.type() == ColumnType.STRING) {
            return prefix(operator, column.name(), width.get(), result.toString());
        }
        if (!(result instanceof Number number)) {
            return new Filter.Unknown();
        }
        try {
            return width.isPresent()
                    ? truncated(operator, column, width.get(), number.longValue())
                    : time(operator, transform, column, number.longValue());
        } catch (ArithmeticException | DateTimeException e) {
            return new Filter.Unknown(); // beyond all values
        }
    }

    private static Optional<Integer> width(String transform) {
        return transform.startsWith("truncate[")
                ? Optional.of(Integer.parseInt(transform.substring("truncate[".length(), transform.length() - 1)))
                : Optional.empty();
    }

    private static Filter time(Operator operator, String transform, Column column, long result) {
        OptionalLong first = first(transform, column.type(), result);
        if (first.isEmpty()) {
            return new Filter.Unknown();
        }
        long next = first(transform, column.type(), Math.addExact(result, 1)).getAsLong();
        return between(operator, column.name(), first.getAsLong(), next);
    }

    /** The values with a result are those from one value on, below another one. */
    private static Filter between(Operator operator, String column, long first, long next) {
        Filter fromFirst = new Filter.Compare(Operator.GE, column, first);
        Filter belowNext = new Filter.Compare(Operator.LT, column, next);
        return switch (operator) {
            case EQ -> new Filter.And(List.of(fromFirst, belowNext));
            case GE -> fromFirst;
            case GT -> new Filter.Compare(Operator.GE, column, next);
            case LE -> belowNext;
            case LT -> new Filter.Compare(Operator.LT, column, first);
        };
    }

    /** The first value of a time with a result, as the planner has it; empty for a transform that is not known. */
    private static OptionalLong first(String transform, ColumnType type, long result) {
        long seconds;
        switch (transform) {
            case "year" -> seconds = days(LocalDate.of(Math.toIntExact(Math.addExact(1970, result)), 1, 1));
            case "month" ->
                seconds = days(YearMonth.of(1970, 1).plusMonths(result).atDay(1));
            case "day" -> seconds = Math.multiplyExact(result, DAY_SECONDS);
            case "hour" -> seconds = Math.multiplyExact(result, HOUR_SECONDS);
            default -> {
                return OptionalLong.empty();
            }
        }
        return switch (type.kind()) {
            case DATE -> OptionalLong.of(Math.floorDiv(seconds, DAY_SECONDS));
            case TIMESTAMP, TIMESTAMP_NTZ -> OptionalLong.of(Math.multiplyExact(seconds, MICROS));
            default -> OptionalLong.empty();
        };
    }

    private static long days(LocalDate date) {
        return Math.multiplyExact(date.toEpochDay(), DAY_SECONDS);
    }

    /** A result is at most the value, which is less than a width above it. */
    private static Filter truncated(Operator operator, Column column, int width, long result) {
        return switch (column.type().kind()) {
            case TINYINT, SMALLINT, INT, LONG -> {
                Filter from = new Filter.Compare(Operator.GE, column.name(), result);
                Filter below = new Filter.Compare(Operator.LT, column.name(), Math.addExact(result, width));
                yield switch (operator) {
                    case EQ -> new Filter.And(List.of(from, below));
                    case GE, GT -> from;
                    case LE, LT -> below;
                };
            }
            default -> new Filter.Unknown();
        };
    }

    private static Filter prefix(Operator operator, String column, int width, String result) {
        String start = result.codePointCount(0, result.length()) <= width
                ? result
                : result.substring(0, result.offsetByCodePoints(0, width));
        return switch (operator) {
            case EQ -> new Filter.StartsWith(column, start);
            case GE, GT -> new Filter.Compare(Operator.GE, column, result);
            case LE, LT ->
                new Filter.Or(
                        List.of(new Filter.Compare(Operator.LE, column, result), new Filter.StartsWith(column, start)));
        };
    }
}
