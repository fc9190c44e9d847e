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
package org.hadoopmpsr.columnar.layout;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.columnar.buffer.BooleanVector;
import org.hadoopmpsr.columnar.buffer.ByteDictionary;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.buffer.WideDecimalVector;
import org.hadoopmpsr.core.group.PartitionTransform;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * The partition value of each row by one predicate. The transform is applied once to each distinct string, and to each
 * distinct hour or day where it is one of time.
 */
final class PartitionField {
    private final PartitionTransform transform;
    private final ColumnType source;
    private final int[] ordinals;
    private final List<@Nullable Object> values = new ArrayList<>();
    private final Map<Object, Integer> known = new HashMap<>();
    private int nullOrdinal = -1;

    private PartitionField(PartitionTransform transform, ColumnType source, int rows) {
        this.transform = transform;
        this.source = source;
        ordinals = new int[rows];
    }

    /** @param vector the values of the column that the predicate is of */
    static PartitionField of(Predicate predicate, Column column, ColumnVector vector, int rows) {
        PartitionField field = new PartitionField(predicate.transform(), column.type(), rows);
        if (vector instanceof StringVector strings) {
            field.fill(strings);
        } else if (vector instanceof LongVector longs) {
            field.fill(longs);
        } else if (vector instanceof BooleanVector booleans) {
            field.fill(booleans);
        } else if (vector instanceof DoubleVector doubles) {
            field.fill(doubles);
        }
        return field;
    }

    /** For each row the number of its value in {@link #values}. */
    int[] ordinals() {
        return ordinals;
    }

    /** The distinct values, null among them when a row has it. */
    List<@Nullable Object> values() {
        return values;
    }

    private void fill(StringVector vector) {
        int[] byId = new int[vector.dictionary().size()];
        for (int row = 0; row < ordinals.length; row++) {
            if (vector.isNull(row)) {
                ordinals[row] = nullOrdinal();
                continue;
            }
            int id = vector.ids()[row];
            if (byId[id] == 0) {
                byId[id] = ordinal(value(vector.dictionary(), id)) + 1;
            }
            ordinals[row] = byId[id] - 1;
        }
    }

    private Object value(ByteDictionary dictionary, int id) {
        return switch (source.kind()) {
            case DECIMAL -> WideDecimalVector.digits(dictionary, id);
            case BINARY -> Arrays.copyOfRange(dictionary.bytes(), dictionary.start(id), dictionary.end(id));
            default -> dictionary.text(id);
        };
    }

    private void fill(LongVector vector) {
        long unit = unit();
        LongIds ids = new LongIds();
        int[] byId = new int[64];
        long first = 1; // of the values that surely have the result of the one before; none yet
        long last = 0;
        int ordinal = 0;
        for (int row = 0; row < ordinals.length; row++) {
            if (vector.isNull(row)) {
                ordinals[row] = nullOrdinal();
                continue;
            }
            long value = vector.values()[row];
            if (first <= value && value <= last) {
                ordinals[row] = ordinal;
                continue;
            }
            first = value - Math.floorMod(value, unit);
            last = first + unit - 1; // beyond the range of a long: less than first
            int id = ids.id(unit == 1 ? value : Math.floorDiv(value, unit));
            if (id == byId.length) {
                byId = Arrays.copyOf(byId, id * 2);
            }
            if (byId[id] == 0) {
                byId[id] = ordinal(value) + 1;
            }
            ordinal = byId[id] - 1;
            ordinals[row] = ordinal;
        }
    }

    private void fill(BooleanVector vector) {
        for (int row = 0; row < ordinals.length; row++) {
            ordinals[row] = vector.isNull(row) ? nullOrdinal() : ordinal(vector.values()[row]);
        }
    }

    private void fill(DoubleVector vector) {
        for (int row = 0; row < ordinals.length; row++) {
            ordinals[row] = vector.isNull(row) ? nullOrdinal() : ordinal(vector.values()[row]);
        }
    }

    /** The span of source values that surely have the same result, so that it is computed once. */
    private long unit() {
        if (!(transform instanceof PartitionTransform.Time) || source == ColumnType.DATE) {
            return 1;
        }
        return source == ColumnType.TIMESTAMP || source == ColumnType.TIMESTAMP_NTZ
                ? 3_600_000_000L
                : 3_600_000_000_000L;
    }

    private int ordinal(Object sourceValue) {
        return known.computeIfAbsent(transform.apply(source, sourceValue), value -> {
            values.add(value);
            return values.size() - 1;
        });
    }

    private int nullOrdinal() {
        if (nullOrdinal < 0) {
            nullOrdinal = values.size();
            values.add(null);
        }
        return nullOrdinal;
    }
}
