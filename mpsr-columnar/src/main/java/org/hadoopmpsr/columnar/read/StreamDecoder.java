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
import java.util.Objects;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.values.ValuesReader;
import org.jspecify.annotations.Nullable;

/** Values that Parquet's reader of a page gives one after the other, whatever their encoding. */
abstract class StreamDecoder extends ValueDecoder {
    private @Nullable Dictionary dictionary;
    private @Nullable ValuesReader encoded;

    StreamDecoder(ColumnDescriptor descriptor) {
        super(descriptor);
    }

    @Override
    final void startChunk(@Nullable Dictionary ofChunk) {
        dictionary = ofChunk;
    }

    @Override
    final void startPage(Encoding encoding, ByteBufferInputStream bytes, int values) throws IOException {
        encoded = reader(encoding, dictionary, bytes, values);
    }

    /** The reader of the page that was started last. */
    final ValuesReader encoded() {
        return Objects.requireNonNull(encoded);
    }
}
