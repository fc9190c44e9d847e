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
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.PageReadStore;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.transform.ValueBits;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.transform.ReadLevel;
import org.hadoopmpsr.core.transform.TransformedColumn;

/** A column that the file holds in a transform, with its exact values. For one thread. */
final class TransformedStream implements ColumnFile.Stream {
    private static final int BLOCK = 1 << 12;

    private final TransformedColumn transform;
    private final ReadLevel level;
    private final ValueBits bits;
    private final List<ColumnStream> streams = new ArrayList<>();
    private final List<LongVector> vectors = new ArrayList<>();
    private final long[][] parts;
    private final long[] values = new long[BLOCK];

    /** @param descriptors of the physical columns, in their order */
    TransformedStream(Column column, TransformedColumn transform, List<ColumnDescriptor> descriptors) {
        this.transform = transform;
        level = transform.exact();
        bits = new ValueBits(column);
        parts = new long[descriptors.size()][];
        for (int i = 0; i < parts.length; i++) {
            LongVector vector = new LongVector();
            vector.reserve(BLOCK);
            vectors.add(vector);
            streams.add(new ColumnStream(descriptors.get(i), vector, !column.nullable()));
            parts[i] = vector.values();
        }
    }

    @Override
    public void startRowGroup(PageReadStore pages) throws IOException {
        for (int place : level.columns()) {
            streams.get(place).startRowGroup(pages);
        }
    }

    @Override
    public void read(ColumnVector into, int at, int rows) throws IOException {
        for (int done = 0; done < rows; done += BLOCK) {
            readBlock(into, at + done, Math.min(BLOCK, rows - done));
        }
    }

    private void readBlock(ColumnVector into, int at, int rows) throws IOException {
        LongVector first = vectors.get(level.columns().get(0));
        for (int place : level.columns()) {
            streams.get(place).read(vectors.get(place), 0, rows);
        }
        transform.join(level, parts, rows, values);
        bits.put(values, rows, into, at);
        into.setPresent(at, rows);
        if (vectors.stream().noneMatch(ColumnVector::mayHaveNulls)) {
            return;
        }
        for (int row = 0; row < rows; row++) {
            boolean isNull = first.isNull(row);
            for (int place : level.columns()) {
                if (vectors.get(place).isNull(row) != isNull) {
                    throw new IOException("the columns that hold one column do not have their nulls in the same rows;"
                            + " the file is damaged");
                }
            }
            if (isNull) {
                into.setNull(at + row, 1);
            }
        }
    }
}
