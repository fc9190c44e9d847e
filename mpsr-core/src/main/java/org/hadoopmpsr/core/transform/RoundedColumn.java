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
package org.hadoopmpsr.core.transform;

import java.util.List;
import java.util.Objects;
import org.hadoopmpsr.core.schema.ColumnType;
import org.jspecify.annotations.Nullable;

/** A column under its own name and type, with rounded values. */
record RoundedColumn(Rounding rounding, ColumnType type) implements TransformedColumn {
    @Override
    public List<PhysicalColumn> columns() {
        return List.of(new PhysicalColumn("", type));
    }

    @Override
    public boolean isLossy() {
        return true;
    }

    @Override
    public void round(long[] values, int count) {
        for (int i = 0; i < count; i++) {
            values[i] = rounding.round(values[i]);
        }
    }

    @Override
    public void split(int column, long[] values, int count, long[] into) {
        System.arraycopy(values, 0, into, 0, count);
        round(into, count);
    }

    @Override
    public List<ReadLevel> levels() {
        return List.of(new ReadLevel(List.of(0), rounding.kind(), rounding.error()));
    }

    @Override
    public void join(ReadLevel level, long[] @Nullable [] parts, int count, long[] into) {
        System.arraycopy(Objects.requireNonNull(parts[0]), 0, into, 0, count);
    }

    /** None: the column itself has bounds. */
    @Override
    public List<PhysicalRange> ranges(@Nullable Object least, @Nullable Object greatest) {
        return List.of();
    }
}
