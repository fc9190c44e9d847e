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
import java.util.BitSet;
import java.util.Objects;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.io.api.Binary;
import org.hadoopmpsr.columnar.buffer.ByteDictionary;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.jspecify.annotations.Nullable;

/** Strings, or binary values, as numbers in a dictionary that several files share. A chunk's own dictionary is looked up there once. */
sealed class StringDecoder extends ValueDecoder permits WideDecimalDecoder {
    private final ByteDictionary strings;
    private @Nullable Dictionary dictionary;

    /** By number in the chunk's dictionary: that in the shared one. */
    private int[] numbers = {};

    private boolean byNumber;
    private @Nullable ValuesReader encoded;
    private byte[] copy = {};

    StringDecoder(ColumnDescriptor descriptor, ByteDictionary strings) {
        super(descriptor);
        this.strings = strings;
    }

    @Override
    void startChunk(@Nullable Dictionary ofChunk) {
        dictionary = ofChunk;
        numbers = new int[ofChunk == null ? 0 : ofChunk.getMaxId() + 1];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = number(Objects.requireNonNull(ofChunk), i);
        }
    }

    @Override
    void startPage(Encoding encoding, ByteBufferInputStream bytes, int values) throws IOException {
        byNumber = encoding.usesDictionary();
        encoded = reader(encoding, dictionary, bytes, values);
    }

    @Override
    void read(ColumnVector into, int at, int count) {
        int[] ids = ((StringVector) into).ids();
        ValuesReader reader = Objects.requireNonNull(encoded);
        if (byNumber) {
            for (int i = at; i < at + count; i++) {
                ids[i] = numbers[reader.readValueDictionaryId()];
            }
        } else {
            for (int i = at; i < at + count; i++) {
                ids[i] = number(reader);
            }
        }
    }

    /** The number of a value of the chunk's dictionary in the shared one. */
    int number(Dictionary ofChunk, int id) {
        return number(ofChunk.decodeToBinary(id));
    }

    /** The number of the next value of a page in the shared dictionary. */
    int number(ValuesReader reader) {
        return number(reader.readBytes());
    }

    private int number(Binary text) {
        ByteBuffer bytes = text.toByteBuffer();
        int length = bytes.remaining();
        if (bytes.hasArray()) {
            return strings.intern(bytes.array(), bytes.arrayOffset() + bytes.position(), length);
        }
        if (copy.length < length) {
            copy = new byte[length];
        }
        bytes.get(copy, 0, length);
        return strings.intern(copy, 0, length);
    }

    /** The strings of the shared dictionary that the chunk may still need. */
    void markUsed(BitSet used) {
        for (int number : numbers) {
            used.set(number);
        }
    }

    /** The strings of the shared dictionary have other numbers now. */
    void renumber(int[] byOldNumber) {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = byOldNumber[numbers[i]];
        }
    }

    @Override
    void spread(ColumnVector vector, int at, int values, boolean[] present, int rows) {
        int[] all = ((StringVector) vector).ids();
        int from = at + values;
        for (int row = rows - 1; row >= 0; row--) {
            if (present[row]) {
                all[at + row] = all[--from];
            }
        }
    }
}
