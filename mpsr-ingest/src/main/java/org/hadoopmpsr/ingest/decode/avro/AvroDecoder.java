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

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.hadoopmpsr.ingest.buffer.BadRecordException;
import org.hadoopmpsr.ingest.buffer.RecordAppender;
import org.hadoopmpsr.ingest.decode.ColumnMapping;
import org.hadoopmpsr.ingest.decode.ColumnSources;
import org.hadoopmpsr.ingest.decode.RecordDecoder;
import org.jspecify.annotations.Nullable;

/**
 * Reads Avro records from their bytes. What a writer's schema lacks is null, so schemas may gain and lose optional fields.
 */
public final class AvroDecoder implements RecordDecoder {
    private static final int HEADER = 10;

    private final ColumnSources columns;
    private final Encoding encoding;
    private final Map<Long, AvroReader> byFingerprint = new HashMap<>();
    private final Map<Schema, AvroReader> bySchema = new HashMap<>();
    private final @Nullable AvroReader first;
    private @Nullable BinaryDecoder decoder;

    /** How a record and its schema come. */
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

    /**
     * Reads schemas, each from a file of its own.
     *
     * @throws IllegalArgumentException naming the file that cannot be read
     */
    public static List<Schema> load(List<String> files) {
        return files.stream().map(AvroDecoder::load).toList();
    }

    private static Schema load(String file) {
        try {
            return new Schema.Parser().parse(Files.readString(Path.of(file)));
        } catch (IOException | RuntimeException e) { // the parser throws many kinds
            throw new IllegalArgumentException("cannot read the Avro schema '" + file + "': " + e, e);
        }
    }

    @Override
    public void decode(@Nullable Object value, RecordAppender record) throws BadRecordException {
        if (!(value instanceof byte[] bytes)) {
            throw new BadRecordException("the value is "
                    + (value == null ? "missing" : "a " + value.getClass().getName())
                    + ", not the bytes of an Avro record; value.converter must be"
                    + " org.apache.kafka.connect.converters.ByteArrayConverter");
        }
        switch (encoding) {
            case BINARY -> read(Objects.requireNonNull(first), bytes, 0, bytes.length, record);
            case SINGLE_OBJECT -> read(reader(bytes), bytes, HEADER, bytes.length - HEADER, record);
            case CONTAINER -> readContainer(bytes, record);
        }
        columns.putFallbacks(record);
    }

    private void read(AvroReader reader, byte[] bytes, int offset, int length, RecordAppender record)
            throws BadRecordException {
        BinaryDecoder in = DecoderFactory.get().binaryDecoder(bytes, offset, length, decoder);
        decoder = in;
        try {
            reader.read(in, record);
            if (!in.isEnd()) {
                throw new BadRecordException("the value goes on after its Avro record; it may be written with"
                        + " another schema than " + reader.name());
            }
        } catch (IOException | AvroRuntimeException | IndexOutOfBoundsException e) {
            throw new BadRecordException("the value is not an Avro record " + reader.name() + ": " + e, e);
        }
    }

    private void readContainer(byte[] bytes, RecordAppender record) throws BadRecordException {
        try (DataFileStream<Object> in =
                new DataFileStream<>(new ByteArrayInputStream(bytes), new GenericDatumReader<>())) {
            ByteBuffer block = in.hasNext() ? in.nextBlock() : ByteBuffer.allocate(0);
            if (in.getBlockCount() != 1 || in.hasNext()) {
                throw new BadRecordException("the Avro container holds not one record, but "
                        + (in.getBlockCount() == 0 ? "none" : "more") + "; a message must be one record");
            }
            AvroReader reader = bySchema.computeIfAbsent(in.getSchema(), s -> AvroReader.of(s, columns));
            read(reader, block.array(), block.arrayOffset() + block.position(), block.remaining(), record);
        } catch (IOException | AvroRuntimeException e) {
            throw new BadRecordException("the value is not an Avro object container file: " + e, e);
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
}
