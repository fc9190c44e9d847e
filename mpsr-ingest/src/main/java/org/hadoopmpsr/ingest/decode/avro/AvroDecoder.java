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
package org.hadoopmpsr.ingest.decode.avro;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.ShownValue;
import org.hadoopmpsr.ingest.decode.ColumnMapping;
import org.hadoopmpsr.ingest.decode.ColumnSources;
import org.hadoopmpsr.ingest.decode.MessageValue;
import org.hadoopmpsr.ingest.decode.RecordDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Reads Avro records from their bytes. What a writer's schema lacks is null: schemas may gain and lose optional
 * fields.
 */
public final class AvroDecoder implements RecordDecoder {
    private static final int HEADER = 10;

    private final ColumnSources columns;
    private final Encoding encoding;
    private final Map<Long, AvroReader> byFingerprint = new HashMap<>();
    private final ContainedReaders contained = new ContainedReaders();
    private final AvroInput in = new AvroInput();
    private final @Nullable AvroReader first;

    /** How a record is written, and where the schema of the record is. */
    public enum Encoding {
        /** The record alone; all are written with the first schema that is configured. */
        BINARY,
        /** A header in front of it names one of the schemas that are configured. */
        SINGLE_OBJECT,
        /** In an object container file, which holds its schema. */
        CONTAINER
    }

    /**
     * Makes a decoder.
     *
     * @param writers the schemas that records are written with, at least one, but for containers
     * @throws IllegalArgumentException when the mapping does not fit the dataset's schema, or a field its column
     */
    public AvroDecoder(
            org.hadoopmpsr.core.schema.Schema schema, ColumnMapping mapping, List<Schema> writers, Encoding encoding) {
        columns = new ColumnSources(schema, mapping);
        this.encoding = encoding;
        for (Schema writer : writers) {
            byFingerprint.put(SchemaNormalization.parsingFingerprint64(writer), AvroReader.of(writer, columns));
        }
        first = writers.isEmpty() ? null : AvroReader.of(writers.get(0), columns);
    }

    @Override
    public void decode(@Nullable Object value, RecordAppender record) throws BadRecordException {
        byte[] bytes = MessageValue.bytes(value, "an Avro record");
        switch (encoding) {
            case BINARY -> Objects.requireNonNull(first).read(bytes, 0, bytes.length, in, record);
            case SINGLE_OBJECT -> reader(bytes).read(bytes, HEADER, bytes.length - HEADER, in, record);
            case CONTAINER -> {
                AvroContainer container = AvroContainer.read(bytes, in);
                byte[] contents = container.record();
                reader(container.schema()).read(contents, 0, contents.length, in, record);
            }
        }
        columns.putFallbacks(record);
    }

    private AvroReader reader(String schema) throws BadRecordException {
        AvroReader known = contained.get(schema);
        if (known != null) {
            return known;
        }
        Schema writer;
        try {
            writer = new Schema.Parser().parse(schema);
        } catch (RuntimeException e) { // the parser throws many kinds
            throw new BadRecordException(
                    "the schema in the record is not one of Avro: " + ShownValue.of(String.valueOf(e.getMessage())), e);
        }
        try {
            AvroReader reader = AvroReader.of(writer, columns);
            contained.put(schema, reader);
            return reader;
        } catch (IllegalArgumentException e) {
            throw new BadRecordException("the schema in the record does not fit the dataset: " + e.getMessage(), e);
        }
    }

    private AvroReader reader(byte[] bytes) throws BadRecordException {
        if (bytes.length < HEADER || bytes[0] != (byte) 0xc3 || bytes[1] != 1) {
            throw new BadRecordException("the value does not begin with the header of a single-object encoded Avro"
                    + " record (C3 01); check mpsr.avro.encoding");
        }
        long fingerprint = ByteBuffer.wrap(bytes, 2, Long.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .getLong();
        AvroReader reader = byFingerprint.get(fingerprint);
        if (reader == null) {
            throw new BadRecordException("the value is written with the Avro schema of fingerprint "
                    + Long.toHexString(fingerprint) + ", which none of the files in mpsr.avro.schemas has; add it");
        }
        return reader;
    }

    /** The readers of schemas that came in records, those used last. */
    private static final class ContainedReaders extends LinkedHashMap<String, AvroReader> {
        private static final long serialVersionUID = 1L;
        private static final int MOST = 100;

        ContainedReaders() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, AvroReader> eldest) {
            return size() > MOST;
        }
    }
}
