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

import java.math.BigInteger;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.values.ValuesReader;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.LongVector;

/** Decimals of at most 18 digits that a file holds as bytes. */
final class DigitsDecoder extends StreamDecoder {
    DigitsDecoder(ColumnDescriptor descriptor) {
        super(descriptor);
    }

    @Override
    void read(ColumnVector into, int at, int count) {
        long[] values = ((LongVector) into).values();
        ValuesReader reader = encoded();
        for (int i = at; i < at + count; i++) {
            values[i] = new BigInteger(reader.readBytes().getBytesUnsafe()).longValueExact();
        }
    }

    @Override
    void spread(ColumnVector vector, int at, int values, boolean[] present, int rows) {
        LongDecoder.spreadLongs((LongVector) vector, at, values, present, rows);
    }
}
