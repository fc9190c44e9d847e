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
package org.hadoopmpsr.columnar.degraded;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.hadoopmpsr.columnar.buffer.BooleanVector;
import org.hadoopmpsr.columnar.buffer.ByteDictionary;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.buffer.WideDecimalVector;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Values;
import org.jspecify.annotations.Nullable;

/**
 * The values of a column by which records are sorted: which one a record at a place in that order has. It takes 8 bytes for
 * each record, or the different texts. For one thread.
 */
final class LeadValues {
    private final ColumnType type;
    private final long[] numbers;
    private final TreeMap<Object, Long> texts = new TreeMap<>(Values::compare);
    private int count;
    private long nulls;
    private boolean isSorted;

    /** @param rows the most records that come */
    LeadValues(ColumnType type, int rows) {
        this.type = type;
        numbers = new long[isText(type) ? 0 : rows];
    }

    private static boolean isText(ColumnType type) {
        return type == ColumnType.STRING || type == ColumnType.BINARY || type.isWideDecimal();
    }

    /**
     * The value of a row: a Long, Double, Boolean, String or byte[], or null; of decimals of more than 18 digits the
     * digits without the point as a BigInteger.
     */
    static @Nullable Object value(ColumnType type, ColumnVector vector, int row) {
        if (vector.isNull(row)) {
            return null;
        }
        if (vector instanceof LongVector longs) {
            return longs.values()[row];
        }
        if (vector instanceof DoubleVector doubles) {
            return doubles.values()[row];
        }
        if (vector instanceof StringVector strings) {
            ByteDictionary all = strings.dictionary();
            int id = strings.ids()[row];
            return switch (type.kind()) {
                case DECIMAL -> WideDecimalVector.digits(all, id);
                case BINARY -> Arrays.copyOfRange(all.bytes(), all.start(id), all.end(id));
                default -> all.text(id);
            };
        }
        return ((BooleanVector) vector).values()[row];
    }

    /** Adds the value of one more record; none after the first call of {@link #at}. */
    void add(@Nullable Object value) {
        if (value == null) {
            nulls++;
        } else if (isText(type)) {
            texts.merge(value, 1L, Long::sum);
        } else {
            numbers[count++] = number(value);
        }
    }

    private static long number(Object value) {
        if (value instanceof Double number) {
            // equal ones get the same bits; negative ones are in reverse order
            long bits = Double.doubleToLongBits(number == 0 ? 0.0 : number);
            return bits < 0 ? bits ^ Long.MAX_VALUE : bits;
        }
        return value instanceof Boolean flag ? (flag ? 1 : 0) : (Long) value;
    }

    private Object value(long number) {
        if (type.isFloating()) {
            return Double.longBitsToDouble(number < 0 ? number ^ Long.MAX_VALUE : number);
        }
        return type == ColumnType.BOOLEAN ? (Object) (number == 1) : (Object) number;
    }

    /** The value of the record at a place, from 0, if the records are sorted by their values, nulls first. */
    @Nullable
    Object at(long place) {
        if (place < nulls) {
            return null;
        }
        if (isText(type)) {
            long left = place - nulls;
            for (Map.Entry<Object, Long> text : texts.entrySet()) {
                if (left < text.getValue()) {
                    return text.getKey();
                }
                left -= text.getValue();
            }
            throw new IndexOutOfBoundsException("place " + place);
        }
        if (!isSorted) {
            Arrays.sort(numbers, 0, count);
            isSorted = true;
        }
        return value(numbers[(int) (place - nulls)]);
    }

    /** The number of values, null among them. */
    long size() {
        return nulls
                + count
                + texts.values().stream().mapToLong(Long::longValue).sum();
    }
}
