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
package org.hadoopmpsr.benchmarks.encode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.apache.parquet.conf.ParquetConfiguration;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.nested.ParquetTypes;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.core.schema.Column;
import org.jspecify.annotations.Nullable;

/** Writes records to a file with Parquet's own writer and the settings that Spark leaves to it. */
final class StockFile {
    private StockFile() {}

    /**
     * Writes rows of texts and numbers.
     *
     * @param level of zstd
     */
    static void write(Path path, RecordBuffer records, SortedRows rows, int level) throws IOException {
        PlainParquetConfiguration configuration =
                new PlainParquetConfiguration(Map.of("parquet.compression.codec.zstd.level", String.valueOf(level)));
        List<Column> columns = records.schema().columns();
        MessageType schema =
                new MessageType("record", columns.stream().map(ParquetTypes::of).toList());
        List<ColumnVector> vectors =
                IntStream.range(0, columns.size()).mapToObj(records::vector).toList();
        try (ParquetWriter<Integer> writer = new Builder(new LocalOutputFile(path), new Rows(schema, vectors))
                .withConf(configuration)
                .withCompressionCodec(CompressionCodecName.ZSTD)
                .build()) {
            for (int i = rows.from(); i < rows.to(); i++) {
                writer.write(rows.order()[i]);
            }
        }
    }

    private static final class Builder extends ParquetWriter.Builder<Integer, Builder> {
        private final Rows rows;

        Builder(OutputFile out, Rows rows) {
            super(out);
            this.rows = rows;
        }

        @Override
        protected Builder self() {
            return this;
        }

        @Override
        protected WriteSupport<Integer> getWriteSupport(org.apache.hadoop.conf.Configuration configuration) {
            return rows;
        }

        @Override
        protected WriteSupport<Integer> getWriteSupport(ParquetConfiguration configuration) {
            return rows;
        }
    }

    /** Gives the rows with these numbers. */
    private static final class Rows extends WriteSupport<Integer> {
        private final MessageType schema;
        private final List<ColumnVector> vectors;
        private @Nullable RecordConsumer consumer;

        Rows(MessageType schema, List<ColumnVector> vectors) {
            this.schema = schema;
            this.vectors = vectors;
        }

        @Override
        public WriteContext init(org.apache.hadoop.conf.Configuration configuration) {
            return new WriteContext(schema, Map.of());
        }

        @Override
        public WriteContext init(ParquetConfiguration configuration) {
            return new WriteContext(schema, Map.of());
        }

        @Override
        public void prepareForWrite(RecordConsumer recordConsumer) {
            consumer = recordConsumer;
        }

        @Override
        public void write(Integer row) {
            RecordConsumer to = Objects.requireNonNull(consumer, "prepareForWrite");
            to.startMessage();
            for (int i = 0; i < vectors.size(); i++) {
                ColumnVector vector = vectors.get(i);
                if (!vector.isNull(row)) {
                    String name = schema.getFieldName(i);
                    to.startField(name, i);
                    put(vector, row, to);
                    to.endField(name, i);
                }
            }
            to.endMessage();
        }

        private static void put(ColumnVector vector, int row, RecordConsumer to) {
            if (vector instanceof DoubleVector doubles) {
                to.addDouble(doubles.values()[row]);
            } else if (vector instanceof LongVector longs) {
                to.addLong(longs.values()[row]);
            } else if (vector instanceof StringVector strings) {
                int id = strings.ids()[row];
                to.addBinary(Binary.fromReusedByteArray(
                        strings.dictionary().bytes(),
                        strings.dictionary().start(id),
                        strings.dictionary().length(id)));
            } else {
                throw new IllegalArgumentException("no " + vector.getClass().getSimpleName() + " is written here");
            }
        }
    }
}
