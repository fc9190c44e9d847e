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
import org.hadoopmpsr.columnar.buffer.DoubleVector;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.columnar.read.ColumnFile;
import org.hadoopmpsr.core.schema.Column;

/** What a file has of values that were written to it. */
final class StoredValues {
    private StoredValues() {}

    /** Whether a file has the values in their order, bit for bit, in a row group for each of {@code groups}, and nothing else. */
    static boolean areThose(Column column, MeasuredValues data, List<SortedRows> groups, Path path) throws IOException {
        DoubleVector found = new DoubleVector();
        try (ColumnFile read =
                ColumnFile.open(path.toString(), new LocalInputFile(path), List.of(column), List.of(found))) {
            for (SortedRows rows : groups) {
                int count = rows.to() - rows.from();
                if (read.nextRowGroup() != count) {
                    return false;
                }
                found.reserve(count);
                read.read(0, found, 0, count);
                for (int i = 0; i < count; i++) {
                    double value = data.values().values()[rows.order()[rows.from() + i]];
                    if (found.isNull(i)
                            || Double.doubleToRawLongBits(found.values()[i]) != Double.doubleToRawLongBits(value)) {
                        return false;
                    }
                }
            }
            return read.nextRowGroup() == 0;
        }
    }
}
