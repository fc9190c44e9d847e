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
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.hadoopmpsr.columnar.buffer.ByteDictionary;
import org.hadoopmpsr.columnar.buffer.WideDecimalVector;

/** Decimals of more than 18 digits, which a file may hold as bytes, and as whole numbers where it has fewer digits. */
final class WideDecimalDecoder extends StringDecoder {
    private final ByteDictionary numbers;
    private final PrimitiveTypeName physical;
    private final byte[] ordered = new byte[WideDecimalVector.BYTES];

    WideDecimalDecoder(ColumnDescriptor descriptor, ByteDictionary numbers) {
        super(descriptor, numbers);
        this.numbers = numbers;
        physical = descriptor.getPrimitiveType().getPrimitiveTypeName();
    }

    @Override
    int number(Dictionary ofChunk, int id) {
        return number(
                switch (physical) {
                    case INT32 -> BigInteger.valueOf(ofChunk.decodeToInt(id)).toByteArray();
                    case INT64 -> BigInteger.valueOf(ofChunk.decodeToLong(id)).toByteArray();
                    default -> ofChunk.decodeToBinary(id).getBytesUnsafe();
                });
    }

    @Override
    int number(ValuesReader reader) {
        return number(
                switch (physical) {
                    case INT32 -> BigInteger.valueOf(reader.readInteger()).toByteArray();
                    case INT64 -> BigInteger.valueOf(reader.readLong()).toByteArray();
                    default -> reader.readBytes().getBytesUnsafe();
                });
    }

    private int number(byte[] digits) {
        return WideDecimalVector.intern(numbers, digits, 0, digits.length, ordered);
    }
}
