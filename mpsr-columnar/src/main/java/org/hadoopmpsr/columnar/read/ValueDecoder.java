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
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.values.ValuesReader;
import org.hadoopmpsr.columnar.buffer.BooleanVector;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.buffer.WideDecimalVector;
import org.jspecify.annotations.Nullable;

/** Decodes the values of pages, without their levels, into vectors of one class. For one thread. */
abstract class ValueDecoder {
    /** A decoder for a column whose values go to vectors like this one. */
    static ValueDecoder of(ColumnDescriptor descriptor, ColumnVector vector) {
        if (vector instanceof WideDecimalVector) {
            return new WideDecimalDecoder(descriptor, ((WideDecimalVector) vector).dictionary());
        }
        if (vector instanceof LongVector) {
            return switch (descriptor.getPrimitiveType().getPrimitiveTypeName()) {
                case BINARY, FIXED_LEN_BYTE_ARRAY -> new DigitsDecoder(descriptor);
                case INT96 -> new Int96Decoder(descriptor);
                default -> new LongDecoder(descriptor);
            };
        }
        if (vector instanceof DoubleVector) {
            return new DoubleDecoder(descriptor);
        }
        if (vector instanceof BooleanVector) {
            return new BooleanDecoder(descriptor);
        }
        return new StringDecoder(descriptor, ((StringVector) vector).dictionary());
    }

    private final ColumnDescriptor descriptor;

    ValueDecoder(ColumnDescriptor descriptor) {
        this.descriptor = descriptor;
    }

    /** Starts a column chunk. */
    abstract void startChunk(@Nullable Dictionary dictionary);

    /**
     * Starts a page of the chunk.
     *
     * @param values how many values it has, without nulls
     */
    abstract void startPage(Encoding encoding, ByteBufferInputStream bytes, int values) throws IOException;

    /** Decodes the next values to consecutive rows, which must be reserved. */
    abstract void read(ColumnVector into, int at, int count);

    /** Moves values, which lie at the first rows, to those of the rows that have one. */
    abstract void spread(ColumnVector vector, int at, int values, boolean[] present, int rows);

    /** Parquet's own decoder of a page. */
    final ValuesReader reader(
            Encoding encoding, @Nullable Dictionary dictionary, ByteBufferInputStream bytes, int values)
            throws IOException {
        ValuesReader reader;
        if (!encoding.usesDictionary()) {
            reader = encoding.getValuesReader(descriptor, ValuesType.VALUES);
        } else if (dictionary == null) {
            throw new IOException("a page of column '" + String.join(".", descriptor.getPath())
                    + "' refers to a dictionary, and the column chunk has none; the file is damaged");
        } else {
            reader = encoding.getDictionaryBasedValuesReader(descriptor, ValuesType.VALUES, dictionary);
        }
        reader.initFromPage(values, bytes);
        return reader;
    }

    final ColumnDescriptor descriptor() {
        return descriptor;
    }
}
