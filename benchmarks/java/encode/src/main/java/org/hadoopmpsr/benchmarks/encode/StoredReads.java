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
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.io.LocalInputFile;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.read.ColumnFile;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.transform.ReadLevel;
import org.hadoopmpsr.core.transform.TransformedColumn;

/** The CPU time of reading a column of a file with MPSR's own reader, from opening the file to the last value. */
final class StoredReads {
    private StoredReads() {}

    /** Of reading all values, exactly, in nanoseconds. */
    static long exactNs(Column column, Path path) throws IOException {
        long start = CpuTime.ofThread();
        ColumnVector into = ColumnVector.of(column.type());
        try (ColumnFile file =
                ColumnFile.open(path.toString(), new LocalInputFile(path), List.of(column), List.of(into))) {
            for (int rows = (int) file.nextRowGroup(); rows > 0; rows = (int) file.nextRowGroup()) {
                into.reserve(rows);
                file.read(0, into, 0, rows);
            }
        }
        return CpuTime.ofThread() - start;
    }

    /** Of reading the physical columns of a level that are not the column itself, and of joining them, in nanoseconds. */
    static long levelNs(Column column, TransformedColumn transform, ReadLevel level, Path path) throws IOException {
        long start = CpuTime.ofThread();
        List<Column> columns = new ArrayList<>();
        List<ColumnVector> vectors = new ArrayList<>();
        for (int place : level.columns()) {
            columns.add(transform.columns().get(place).of(column));
            vectors.add(new LongVector());
        }
        long[][] parts = new long[transform.columns().size()][];
        long[] joined = new long[0];
        try (ColumnFile file = ColumnFile.open(path.toString(), new LocalInputFile(path), columns, vectors)) {
            for (int rows = (int) file.nextRowGroup(); rows > 0; rows = (int) file.nextRowGroup()) {
                for (int i = 0; i < vectors.size(); i++) {
                    vectors.get(i).reserve(rows);
                    file.read(i, vectors.get(i), 0, rows);
                    parts[level.columns().get(i)] = ((LongVector) vectors.get(i)).values();
                }
                joined = joined.length < rows ? new long[rows] : joined;
                transform.join(level, parts, rows, joined);
            }
        }
        return CpuTime.ofThread() - start;
    }
}
