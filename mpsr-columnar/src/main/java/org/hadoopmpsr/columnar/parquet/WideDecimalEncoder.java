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
package org.hadoopmpsr.columnar.parquet;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.values.ValuesWriter;
import org.apache.parquet.column.values.plain.FixedLenByteArrayPlainValuesWriter;
import org.apache.parquet.io.api.Binary;
import org.hadoopmpsr.columnar.buffer.ByteDictionary;
import org.hadoopmpsr.columnar.buffer.WideDecimalVector;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.jspecify.annotations.Nullable;

/** Decimals of more digits than 64 bits hold, as signed numbers of a fixed length, in a dictionary or plain. */
final class WideDecimalEncoder extends StringEncoder {
    private final ByteDictionary dictionary;
    private final int bytes;

    /** @param bytes the length of each number in the file */
    WideDecimalEncoder(WideDecimalVector vector, Supplier<int[]> ranks, int bytes) {
        super(vector, ranks, false);
        dictionary = vector.dictionary();
        this.bytes = bytes;
    }

    @Override
    ValuesWriter plainWriter() {
        return new FixedLenByteArrayPlainValuesWriter(bytes, SLAB_BYTES, PAGE_BYTES, new HeapByteBufferAllocator());
    }

    @Override
    Encoding plainEncoding() {
        return Encoding.PLAIN;
    }

    @Override
    int bytesInPage(int id) {
        return bytes;
    }

    @Override
    void put(int id, ByteBuffer page) {
        page.put(WideDecimalVector.signed(dictionary, id, bytes));
    }

    @Override
    Binary binary(int id) {
        return Binary.fromConstantByteArray(WideDecimalVector.signed(dictionary, id, bytes));
    }

    /** Bounds of more than 64 bits are not told. */
    @Override
    ColumnStatistics bounds(int least, int greatest, long nulls) {
        return ColumnStatistics.of(bound(least), bound(greatest), nulls);
    }

    private @Nullable Long bound(int id) {
        BigInteger digits = WideDecimalVector.digits(dictionary, id);
        return digits.bitLength() < Long.SIZE ? digits.longValue() : null;
    }
}
