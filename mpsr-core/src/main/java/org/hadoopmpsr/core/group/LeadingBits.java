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

import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.NestedType;

/**
 * The leading bits of a number as a double: sign, exponent, and then bits of the mantissa, as a signed number in the order of the
 * values. With 12 bits each power of two has a result of its own, and with each bit more it has twice as many. Both zeros have
 * the result 0, and NaN has the greatest one.
 */
public record LeadingBits(int count) implements PartitionTransform {
    private static final int LEAST = 2;

    public LeadingBits {
        if (count < LEAST || count > Integer.SIZE) {
            throw new IllegalArgumentException(
                    "bits needs a count from " + LEAST + " to " + Integer.SIZE + ", not " + count);
        }
    }

    @Override
    public ColumnType resultType(ColumnType source) {
        return ColumnType.INT;
    }

    @Override
    public boolean accepts(ColumnType source) {
        return switch (source.kind()) {
            case TINYINT, SMALLINT, INT, LONG, FLOAT, DOUBLE -> true;
            default -> false;
        };
    }

    @Override
    public String misfit(ColumnType source) {
        return source instanceof NestedType ? PartitionTransform.NO_NESTED : "use a column of numbers";
    }

    @Override
    public Object apply(ColumnType source, Object value) {
        return of(((Number) value).doubleValue());
    }

    /** The result for a number. */
    public long of(double value) {
        long bits = Double.doubleToLongBits(value + 0.0); // makes -0.0 to 0.0
        long ordered = bits ^ bits >> Long.SIZE - 1 & Long.MAX_VALUE;
        return ordered >> Long.SIZE - count;
    }

    @Override
    public boolean mayGive(Object result) {
        return (Long) result >> count - 1 == (Long) result >> Long.SIZE - 1;
    }

    @Override
    public String text(String column) {
        return "bits(" + count + ", " + column + ")";
    }

    @Override
    public String fieldName(String column) {
        return column + "_bits";
    }
}
