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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** Numbers of 32 or 64 bits: as they are, or in an encoding that Parquet's own decoder reads. */
abstract class NumberDecoder extends ValueDecoder {
    private final boolean narrow;
    private @Nullable Dictionary dictionary;
    private @Nullable ValuesReader encoded;
    private ByteBuffer plain = ByteBuffer.allocate(0);

    /** @param narrowType the type of 32 bits */
    NumberDecoder(ColumnDescriptor descriptor, PrimitiveTypeName narrowType) {
        super(descriptor);
        narrow = descriptor.getPrimitiveType().getPrimitiveTypeName() == narrowType;
    }

    @Override
    final void startChunk(@Nullable Dictionary ofChunk) {
        dictionary = ofChunk;
    }

    @Override
    final void startPage(Encoding encoding, ByteBufferInputStream bytes, int values) throws IOException {
        if (encoding == Encoding.PLAIN) {
            encoded = null;
            plain = bytes.slice(bytes.available()).order(ByteOrder.LITTLE_ENDIAN);
        } else {
            encoded = reader(encoding, dictionary, bytes, values);
        }
    }

    /** True for numbers of 32 bits. */
    final boolean isNarrow() {
        return narrow;
    }

    /** What decodes the page; null if its numbers stand in {@link #plain}. */
    final @Nullable ValuesReader encoded() {
        return encoded;
    }

    /** The numbers of the page, lowest byte first. */
    final ByteBuffer plain() {
        return plain;
    }
}
