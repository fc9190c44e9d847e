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
package org.hadoopmpsr.core.group;

import java.util.List;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Values;

/** The number of bounds that are not above the value. The bounds are ascending. */
public record ValueRange(List<Object> bounds) implements PartitionTransform {
    public ValueRange {
        if (bounds.isEmpty()) {
            throw new IllegalArgumentException("range needs at least one bound, such as range(value, 0, 100)");
        }
        bounds = ofOneKind(bounds);
        for (int i = 1; i < bounds.size(); i++) {
            if (Values.compare(bounds.get(i - 1), bounds.get(i)) >= 0) {
                throw new IllegalArgumentException("range needs ascending bounds, not " + bounds);
            }
        }
    }

    @Override
    public ColumnType resultType(ColumnType source) {
        return ColumnType.INT;
    }

    /** Whole numbers beside numbers with a fraction are taken for such numbers too. */
    private static List<Object> ofOneKind(List<Object> bounds) {
        boolean texts = bounds.stream().allMatch(String.class::isInstance);
        if (!texts && bounds.stream().anyMatch(String.class::isInstance)) {
            throw new IllegalArgumentException("range needs numbers or texts as bounds, not both: " + bounds);
        }
        return texts || bounds.stream().noneMatch(Double.class::isInstance)
                ? List.copyOf(bounds)
                : bounds.stream()
                        .map(bound -> (Object) ((Number) bound).doubleValue())
                        .toList();
    }

    @Override
    public boolean accepts(ColumnType source) {
        return bounds.get(0).getClass() == source.valueClass() && source.kind() != ColumnType.Kind.DECIMAL
                || bounds.get(0) instanceof Long && source.valueClass() == Double.class;
    }

    @Override
    public String misfit(ColumnType source) {
        return switch (source.kind()) {
            case STRING -> "the bounds must be texts, such as range(name, g, n)";
            case BOOLEAN -> "use the column itself as predicate";
            case BINARY, DECIMAL -> "use bucket(n, column)";
            case LIST, STRUCT, MAP -> PartitionTransform.NO_NESTED;
            case TINYINT, SMALLINT, INT, LONG -> "the bounds must be whole numbers";
            case FLOAT, DOUBLE -> "the bounds must be numbers";
            case DATE -> "the bounds must be whole numbers, the days since 1970-01-01";
            case TIME_NS -> "the bounds must be whole numbers, the nanoseconds since midnight";
            case TIMESTAMP, TIMESTAMP_NTZ -> "the bounds must be whole numbers, the microseconds since 1970-01-01";
            case TIMESTAMP_NS -> "the bounds must be whole numbers, the nanoseconds since 1970-01-01";
        };
    }

    @Override
    public Object apply(ColumnType source, Object value) {
        long n = 0;
        while (n < bounds.size() && compare(bounds.get((int) n), value) <= 0) {
            n++;
        }
        return n;
    }

    private static int compare(Object bound, Object value) {
        return Values.compare(bound instanceof Long whole && value instanceof Double ? (double) whole : bound, value);
    }

    @Override
    public boolean mayGive(Object result) {
        return (Long) result >= 0 && (Long) result <= bounds.size();
    }

    @Override
    public String text(String column) {
        return "range(" + column + ", " + bounds.stream().map(String::valueOf).collect(Collectors.joining(", ")) + ")";
    }

    @Override
    public String fieldName(String column) {
        return column + "_range";
    }
}
