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
import org.apache.parquet.io.LocalInputFile;
import org.hadoopmpsr.benchmarks.generator.CalsStream;
import org.hadoopmpsr.benchmarks.proto.Measurement;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.read.ColumnFile;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.ingest.decode.ColumnMapping;
import org.hadoopmpsr.ingest.decode.protobuf.ProtobufDecoder;

/** Measurements with their signals, devices, systems and times, in memory. */
final class MeasuredRecords {
    private static final long TWO_YEARS_NS = 2 * 365L * 24 * 3600 * 1_000_000_000;

    private MeasuredRecords() {}

    /** Those of a Parquet file, or the first of them. */
    static RecordBuffer ofFile(Path file, int most) throws IOException, BadRecordException {
        Schema stored = Schema.parse("signal string, device string, system string, timestamp_ns bigint, value double");
        List<ColumnVector> vectors = stored.columns().stream()
                .map(column -> ColumnVector.of(column.type()))
                .toList();
        RecordBuffer records = new RecordBuffer(GeneratedDataset.SCHEMA);
        RecordAppender appender = new RecordAppender(records);
        try (ColumnFile opened =
                ColumnFile.open(file.toString(), new LocalInputFile(file), stored.columns(), vectors)) {
            int rows = (int) opened.nextRowGroup();
            while (rows > 0 && records.rows() < most) {
                for (int i = 0; i < vectors.size(); i++) {
                    vectors.get(i).reserve(rows);
                    opened.read(i, vectors.get(i), 0, rows);
                }
                for (int row = 0; row < rows && records.rows() < most; row++) {
                    append(appender, vectors, row);
                }
                rows = (int) opened.nextRowGroup();
            }
        }
        return records;
    }

    private static void append(RecordAppender appender, List<ColumnVector> vectors, int row) throws BadRecordException {
        appender.begin();
        for (int i = 0; i < vectors.size(); i++) {
            ColumnVector vector = vectors.get(i);
            if (vector.isNull(row)) {
                appender.putNull(i);
            } else if (vector instanceof StringVector strings) {
                int id = strings.ids()[row];
                appender.putUtf8(
                        i,
                        strings.dictionary().bytes(),
                        strings.dictionary().start(id),
                        strings.dictionary().length(id));
            } else if (vector instanceof LongVector longs) {
                appender.putLong(i, longs.values()[row]);
            } else {
                appender.putDouble(i, ((DoubleVector) vector).values()[row]);
            }
        }
        appender.end(0);
    }

    /** The generator's, over two years. */
    static RecordBuffer generated(int count, long seed) throws BadRecordException {
        CalsStream stream = GeneratedDataset.stream(Math.max(1, count / 1000), TWO_YEARS_NS / count, seed);
        ProtobufDecoder decoder =
                new ProtobufDecoder(Measurement.getDescriptor(), GeneratedDataset.SCHEMA, ColumnMapping.BY_NAME);
        RecordBuffer records = new RecordBuffer(GeneratedDataset.SCHEMA);
        RecordAppender appender = new RecordAppender(records);
        for (int i = 0; i < count; i++) {
            appender.begin();
            decoder.decode(stream.encode(stream.next()), appender);
            appender.end(0);
        }
        return records;
    }
}
