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
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
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
    private final ColumnVector vector;
    private final TransformedColumn transform;
    private final ValueBits bits;
    private final ColumnarParquetFile.Chunks statistics;

    /** The values of the physical column that is written, in the order of the chunk. */
    private final LongVector part = new LongVector();

    private final List<ColumnChunkWriter> writers = new ArrayList<>();

    /** Those of the column, in the order of the chunk; of null rows anything. */
    private long[] values = {};

    private long[] joined = {};
    private int[] inOrder = {};

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
        SortedRows fetched = fetch(rows);
        int[] ends = Arrays.stream(pageEnds).map(end -> end - rows.from()).toArray();
        for (int column = 0; column < writers.size(); column++) {
            if (transform.columns().get(column).isColumn()) {
                if (transform.isLossy()) {
                    checkRounded(fetched.to());
                }
                writers.get(column).write(rows, pageEnds);
            } else {
                fill(column, fetched.to());
                writers.get(column).write(fetched, ends);
            }
        }
    }

    /** Fetches the chunk's values, and nulls, from all over memory once: its physical columns are made of them. */
    private SortedRows fetch(SortedRows rows) {
        int count = rows.to() - rows.from();
        if (inOrder.length < count) {
            inOrder = IntStream.range(0, count).toArray();
            values = new long[count];
        }
        bits.get(vector, rows.order(), rows.from(), count, values);
        part.reserve(count);
        part.setPresent(0, count);
        if (vector.mayHaveNulls()) {
            for (int i = 0; i < count; i++) {
                if (vector.isNull(rows.order()[rows.from() + i])) {
                    part.setNull(i, 1);
                }
            }
        }
        return new SortedRows(inOrder, 0, count, null);
    }

    private void fill(int column, int count) {
        transform.split(column, values, count, part.values());
        if (transform.isLossy()) {
            transform.join(transform.exact(), new long[][] {part.values()}, count, joined(count));
            for (int i = 0; i < count; i++) {
                check(joined[i] == values[i] || part.isNull(i));
            }
        }
    }

    private long[] joined(int count) {
        if (joined.length < count) {
            joined = new long[count];
        }
        return joined;
    }

    private static void check(boolean isRounded) {
        if (!isRounded) {
            throw new IllegalStateException("a value of a column that the group has rounded values of is not rounded");
        }
    }

    /** What is hashed and what is stated is of rounded values: all who write to such a group round them first. */
    private void checkRounded(int count) {
        transform.split(0, values, count, joined(count));
        for (int i = 0; i < count; i++) {
            check(joined[i] == values[i] || part.isNull(i));
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
