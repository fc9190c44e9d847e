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
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.values.ValuesReader;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.LongVector;

/**
 * Timestamps of twelve bytes, as Hive, Impala and Spark write them: nanoseconds of the day and the Julian day number, lowest
 * byte first. They become microseconds since 1970, as Spark reads them where no calendar is rebased. Nanoseconds beside the microseconds are refused, because they would be lost.
 */
final class Int96Decoder extends StreamDecoder {
    private static final int JULIAN_DAY_OF_EPOCH = 2_440_588;
    private static final long MICROS_PER_DAY = TimeUnit.DAYS.toMicros(1);

    Int96Decoder(ColumnDescriptor descriptor) {
        super(descriptor);
    }

    @Override
    void read(ColumnVector into, int at, int count) {
        long[] values = ((LongVector) into).values();
        ValuesReader reader = encoded();
        for (int i = at; i < at + count; i++) {
            ByteBuffer time = reader.readBytes().toByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
            long nanos = time.getLong();
            if (nanos % 1000 != 0) {
                throw new ArithmeticException("a timestamp of column '"
                        + String.join(".", descriptor().getPath()) + "' has " + Math.floorMod(nanos, 1000)
                        + " nanoseconds, and the column has microseconds; write it without nanoseconds");
            }
            values[i] = (time.getInt() - JULIAN_DAY_OF_EPOCH) * MICROS_PER_DAY + nanos / 1000;
        }
    }

    @Override
    void spread(ColumnVector vector, int at, int values, boolean[] present, int rows) {
        LongDecoder.spreadLongs((LongVector) vector, at, values, present, rows);
    }
}
