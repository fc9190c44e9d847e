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
package org.hadoopmpsr.columnar.parquet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.schema.MessageType;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.pack.KeyNumbers;
import org.hadoopmpsr.columnar.transform.ValueBits;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.transform.TransformedColumn;

/**
 * Writes the columns that a transform makes of a column, one after the other. What is stated of the column is of its own values, and its bytes are those of all
 * of them.
 */
final class TransformedChunkWriter implements ColumnarParquetFile.Chunks {
    private static final int BLOCK = 1 << 12;

    private final ColumnVector vector;
    private final TransformedColumn transform;
    private final ValueBits bits;
    private final ColumnarParquetFile.Chunks statistics;

    /** The values of the physical column that is written. */
    private final LongVector part = new LongVector();

    private final List<ColumnChunkWriter> writers = new ArrayList<>();
    private final long[] values = new long[BLOCK];
    private final long[] parts = new long[BLOCK];
    private final long[] joined = new long[BLOCK];

    /**
     * @param compressors by the names of physical columns
     * @param statistics sees all rows, and writes nothing
     */
    TransformedChunkWriter(
            ParquetFileWriter file,
            MessageType schema,
            FileColumn column,
            TransformedColumn transform,
            Function<String, BytesInputCompressor> compressors,
            KeyNumbers keys,
            ColumnarParquetFile.Chunks statistics) {
        vector = column.vector();
        this.transform = transform;
        this.statistics = statistics;
        bits = new ValueBits(column.column());
        for (Column physical : column.physical()) {
            BytesInputCompressor compressor = compressors.apply(physical.name());
            Trials trials = new Trials(compressor, keys);
            ColumnDescriptor descriptor = schema.getColumnDescription(new String[] {physical.name()});
            if (physical.name().equals(column.column().name())) {
                writers.add(new ColumnChunkWriter(file, descriptor, column, trials));
                continue;
            }
            ColumnEncoder encoder = physical.type().equals(ColumnType.INT)
                    ? new DeltaEncoder.OfInt(part, trials, true)
                    : new DeltaEncoder.OfLong(part, trials, true);
            writers.add(new ColumnChunkWriter(file, descriptor, part, encoder, compressor, false));
        }
    }

    @Override
    public void write(SortedRows rows, int[] pageEnds) throws IOException {
        statistics.write(rows, pageEnds);
        for (int column = 0; column < writers.size(); column++) {
            if (!transform.columns().get(column).isColumn()) {
                fill(column, rows);
            } else if (transform.isLossy()) {
                checkRounded(rows);
            }
            writers.get(column).write(rows, pageEnds);
        }
    }

    private void fill(int column, SortedRows rows) {
        int[] order = rows.order();
        if (vector.mayHaveNulls()) {
            part.noteNull();
        }
        for (int from = rows.from(); from < rows.to(); from += BLOCK) {
            int count = Math.min(BLOCK, rows.to() - from);
            bits.get(vector, order, from, count, values);
            transform.split(column, values, count, parts);
            if (transform.isLossy()) {
                checkJoined(order, from, count);
            }
            for (int i = 0; i < count; i++) {
                int row = order[from + i];
                part.reserve(row + 1);
                if (vector.isNull(row)) {
                    part.setNull(row, 1);
                } else {
                    part.set(row, parts[i]);
                }
            }
        }
    }

    private void checkJoined(int[] order, int from, int count) {
        transform.join(transform.exact(), new long[][] {parts}, count, joined);
        for (int i = 0; i < count; i++) {
            check(joined[i] == values[i] || vector.isNull(order[from + i]));
        }
    }

    private static void check(boolean isRounded) {
        if (!isRounded) {
            throw new IllegalStateException("a value of a column that the group has rounded values of is not rounded");
        }
    }

    /** What is hashed and what is stated is of rounded values: all who write to such a group round them first. */
    private void checkRounded(SortedRows rows) {
        int[] order = rows.order();
        for (int from = rows.from(); from < rows.to(); from += BLOCK) {
            int count = Math.min(BLOCK, rows.to() - from);
            bits.get(vector, order, from, count, values);
            transform.split(0, values, count, parts);
            for (int i = 0; i < count; i++) {
                check(parts[i] == values[i] || vector.isNull(order[from + i]));
            }
        }
    }

    @Override
    public ColumnStatistics statistics() {
        return statistics
                .statistics()
                .withBytes(writers.stream().mapToLong(ColumnChunkWriter::bytes).sum());
    }

    @Override
    public void close() {
        statistics.close();
        writers.forEach(ColumnChunkWriter::close);
    }
}
