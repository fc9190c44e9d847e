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
package org.hadoopmpsr.columnar.read;

import java.nio.ByteBuffer;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.LongVector;

/** Whole numbers, dates and timestamps. */
final class LongDecoder extends NumberDecoder {
    private final boolean isMillis;
    private final boolean isUnsigned;

    LongDecoder(ColumnDescriptor descriptor) {
        super(descriptor, PrimitiveTypeName.INT32);
        isUnsigned = descriptor.getPrimitiveType().getLogicalTypeAnnotation() instanceof IntLogicalTypeAnnotation whole
                && !whole.isSigned();
        isMillis =
                descriptor.getPrimitiveType().getLogicalTypeAnnotation() instanceof TimestampLogicalTypeAnnotation time
                        && time.getUnit() == TimeUnit.MILLIS;
    }

    @Override
    void read(ColumnVector into, int at, int count) {
        long[] values = ((LongVector) into).values();
        ValuesReader encoded = encoded();
        ByteBuffer plain = plain();
        for (int i = at; i < at + count; i++) {
            if (encoded == null) {
                values[i] = isNarrow() ? plain.getInt() : plain.getLong();
            } else {
                values[i] = isNarrow() ? encoded.readInteger() : encoded.readLong();
            }
        }
        if (isUnsigned && isNarrow()) {
            for (int i = at; i < at + count; i++) {
                values[i] &= 0xFFFF_FFFFL;
            }
        }
        if (isMillis) {
            for (int i = at; i < at + count; i++) {
                values[i] = Math.multiplyExact(values[i], 1000L); // fails where Spark does
            }
        }
    }

    static void spreadLongs(LongVector vector, int at, int values, boolean[] present, int rows) {
        long[] all = vector.values();
        int from = at + values;
        for (int row = rows - 1; row >= 0; row--) {
            if (present[row]) {
                all[at + row] = all[--from];
            }
        }
    }

    @Override
    void spread(ColumnVector vector, int at, int values, boolean[] present, int rows) {
        spreadLongs((LongVector) vector, at, values, present, rows);
    }
}
