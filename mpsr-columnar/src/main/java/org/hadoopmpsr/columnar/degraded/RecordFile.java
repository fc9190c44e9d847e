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
package org.hadoopmpsr.columnar.degraded;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.api.WriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.io.api.RecordConsumer;
import org.apache.parquet.schema.MessageType;
import org.hadoopmpsr.columnar.buffer.BooleanVector;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.NestedVector;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.buffer.WideDecimalVector;
import org.hadoopmpsr.columnar.nested.NestedConsumer;
import org.hadoopmpsr.columnar.nested.ParquetTypes;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.DecimalType;

/**
 * A Parquet file of the records of a degraded read, for readers that read files only. It has the columns and the metadata of
 * the file that is lost, is not compressed, and its records are not sorted.
 */
public final class RecordFile {
    /** The writer keeps about so much in memory. */
    private static final long ROW_GROUP_BYTES = 16L << 20;

    private RecordFile() {}

    /**
     * Writes all records of a read, in place of what the file has.
     *
     * @param columns those of the lost file, in its order, all of which are read
     * @param segment the segment of the lost file
     * @throws IOException if the records cannot be read or written; what was written is no use then
     */
    public static void write(DegradedRead read, List<Column> columns, String segment, OutputFile out)
            throws IOException {
        Rows rows = new Rows(read, columns, segment);
        try (ParquetWriter<Integer> writer = new Builder(out, rows)
                .withWriteMode(ParquetFileWriter.Mode.OVERWRITE)
                .withRowGroupSize(ROW_GROUP_BYTES)
                .withCompressionCodec(CompressionCodecName.UNCOMPRESSED)
                .build()) {
            while (read.next()) {
                rows.begin();
                for (int i = 0; i < read.count(); i++) {
                    writer.write(read.selected()[i]);
                }
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
        protected WriteSupport<Integer> getWriteSupport(Configuration conf) {
            return rows;
        }
    }

    /** Writes rows of what was read last, by their places. */
    private static final class Rows extends WriteSupport<Integer> {
        private final DegradedRead read;
        private final List<Column> columns;
        private final String segment;
        private final ColumnVector[] vectors;
        private RecordConsumer consumer;
        private NestedConsumer nested;

        @SuppressWarnings("NullAway.Init") // the consumer comes before the first row
        Rows(DegradedRead read, List<Column> columns, String segment) {
            this.read = read;
            this.columns = columns;
            this.segment = segment;
            vectors = new ColumnVector[columns.size()];
        }

        @Override
        public WriteContext init(Configuration conf) {
            MessageType type = new MessageType(
                    "record", columns.stream().map(ParquetTypes::of).toList());
            return new WriteContext(type, Map.of("mpsr.commit", segment));
        }

        @Override
        public void prepareForWrite(RecordConsumer its) {
            consumer = its;
            nested = new NestedConsumer(its);
        }

        void begin() {
            for (int i = 0; i < vectors.length; i++) {
                vectors[i] = read.column(columns.get(i).name());
            }
        }

        @Override
        public void write(Integer row) {
            consumer.startMessage();
            for (int i = 0; i < vectors.length; i++) {
                if (!vectors[i].isNull(row)) {
                    String name = columns.get(i).name();
                    consumer.startField(name, i);
                    put(vectors[i], columns.get(i).type(), row);
                    consumer.endField(name, i);
                }
            }
            consumer.endMessage();
        }

        private void put(ColumnVector vector, ColumnType type, int row) {
            if (vector instanceof WideDecimalVector decimals) {
                int bytes = ((DecimalType) type).bytes();
                consumer.addBinary(Binary.fromConstantByteArray(
                        WideDecimalVector.signed(decimals.dictionary(), decimals.ids()[row], bytes)));
            } else if (vector instanceof NestedVector forms) {
                nested.put(type, forms.dictionary(), forms.ids()[row]);
            } else if (vector instanceof StringVector strings) {
                var all = strings.dictionary();
                int id = strings.ids()[row];
                consumer.addBinary(Binary.fromReusedByteArray(all.bytes(), all.start(id), all.length(id)));
            } else if (vector instanceof LongVector longs) {
                long value = longs.values()[row];
                if (type.isInt32()) {
                    consumer.addInteger((int) value);
                } else {
                    consumer.addLong(value);
                }
            } else if (vector instanceof DoubleVector doubles) {
                if (type == ColumnType.FLOAT) {
                    consumer.addFloat((float) doubles.values()[row]);
                } else {
                    consumer.addDouble(doubles.values()[row]);
                }
            } else {
                consumer.addBoolean(((BooleanVector) vector).values()[row]);
            }
        }
    }
}
