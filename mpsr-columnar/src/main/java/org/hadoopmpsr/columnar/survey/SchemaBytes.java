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
package org.hadoopmpsr.columnar.survey;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.apache.parquet.format.Util;
import org.apache.parquet.format.converter.ParquetMetadataConverter;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.hadoop.metadata.ParquetMetadata;
import org.apache.parquet.schema.MessageType;

/** Schemas of files as bytes, as a footer has them. Parquet's text of a schema cannot have all names: a blank ends a name there. */
public final class SchemaBytes {
    private SchemaBytes() {}

    /** The bytes; those of equal schemas are equal. */
    public static byte[] of(MessageType schema) {
        FileMetaData file = new FileMetaData(schema, Map.of(), "mpsr");
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            Util.writeFileMetaData(
                    new ParquetMetadataConverter().toParquetMetadata(1, new ParquetMetadata(file, List.of())), bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    /** The schema of which {@link #of} has made the bytes. */
    public static MessageType parse(byte[] bytes) {
        try {
            // Parquet 1.17 reads no footer whose length it is not told, except this way
            return new ParquetMetadataConverter()
                    .fromParquetMetadata(Util.readFileMetaData(new ByteArrayInputStream(bytes)))
                    .getFileMetaData()
                    .getSchema();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
