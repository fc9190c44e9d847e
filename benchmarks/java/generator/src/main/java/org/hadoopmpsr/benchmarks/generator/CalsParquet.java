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
package org.hadoopmpsr.benchmarks.generator;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.hadoopmpsr.benchmarks.generator.CalsStream.Reading;
import org.jspecify.annotations.Nullable;

/** Writes readings to a Parquet file that {@link ParquetToKafka} and the quickstart take. */
public final class CalsParquet {
    private static final MessageType SCHEMA = MessageTypeParser.parseMessageType("""
            message reading {
              required binary signal (STRING);
              required binary device (STRING);
              required binary system (STRING);
              required int64 timestamp_ns;
              optional double value;
              required int64 fill;
              required binary mode (STRING);
            }""");

    private CalsParquet() {}

    /** A new file; one that is there is replaced. */
    public static ParquetWriter<Reading> open(Path file, CalsCatalog catalog) throws IOException {
        return new Builder(new LocalOutputFile(file), catalog)
                .withCompressionCodec(CompressionCodecName.ZSTD)
                .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
                .build();
    }

    private static final class Builder extends ParquetWriter.Builder<Reading, Builder> {
        private final CalsCatalog catalog;

        Builder(OutputFile file, CalsCatalog catalog) {
            super(file);
            this.catalog = catalog;
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        protected WriteSupport<Reading> getWriteSupport(Configuration conf) {
            return new ReadingWriter(catalog);
        }
    }

    private static final class ReadingWriter extends WriteSupport<Reading> {
        private final CalsCatalog catalog;
        private @Nullable RecordConsumer consumer;

        ReadingWriter(CalsCatalog catalog) {
            this.catalog = catalog;
        }

        @Override
        public WriteContext init(Configuration conf) {
            return new WriteContext(SCHEMA, Map.of());
        }

        @Override
        public void prepareForWrite(RecordConsumer recordConsumer) {
            consumer = recordConsumer;
        }

        @Override
        public void write(Reading reading) {
            RecordConsumer out = Objects.requireNonNull(consumer, "prepareForWrite comes first");
            out.startMessage();
            text(out, 0, catalog.signal(reading.signal()));
            text(out, 1, catalog.device(reading.signal()));
            text(out, 2, catalog.system(reading.signal()));
            number(out, 3, reading.timestampNs());
            if (reading.hasValue()) {
                out.startField("value", 4);
                out.addDouble(reading.value());
                out.endField("value", 4);
            }
            number(out, 5, reading.fill());
            text(out, 6, CalsStream.mode(reading.mode()));
            out.endMessage();
        }

        private static void text(RecordConsumer out, int field, byte[] utf8) {
            out.startField(SCHEMA.getFieldName(field), field);
            out.addBinary(Binary.fromConstantByteArray(utf8));
            out.endField(SCHEMA.getFieldName(field), field);
        }

        private static void number(RecordConsumer out, int field, long value) {
            out.startField(SCHEMA.getFieldName(field), field);
            out.addLong(value);
            out.endField(SCHEMA.getFieldName(field), field);
        }
    }
}
