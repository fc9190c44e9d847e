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

/** A column as it is, with its values as multiples of a step beside it. */
record CompanionNumbers(QuantisedNumbers numbers) implements TransformedColumn {
    /** What multiples take of the bytes of both, about: a seventh of numbers with full mantissas, and more of others. */
    private static final double SHARE = 0.15;

    private static final int ITSELF = 0;
    private static final int MULTIPLES = 1;

    @Override
    public List<PhysicalColumn> columns() {
        return List.of(
                new PhysicalColumn("", ColumnType.DOUBLE),
                new PhysicalColumn("approx-" + numbers.error(), ColumnType.LONG));
    }

    @Override
    public void split(int column, long[] values, int count, long[] into) {
        if (column == ITSELF) {
            System.arraycopy(values, 0, into, 0, count);
        } else {
            numbers.code(values, count, into);
        }
    }

    @Override
    public List<ReadLevel> levels() {
        return List.of(
                new ReadLevel(List.of(MULTIPLES), ReadLevel.Kind.ABSOLUTE, numbers.error()),
                ReadLevel.exact(List.of(ITSELF)));
    }

    @Override
    public double share(ReadLevel level) {
        return level.kind() == ReadLevel.Kind.EXACT ? 1 - SHARE : SHARE;
    }

    @Override
    public void join(ReadLevel level, long[] @Nullable [] parts, int count, long[] into) {
        if (level.kind() == ReadLevel.Kind.EXACT) {
            System.arraycopy(Objects.requireNonNull(parts[ITSELF]), 0, into, 0, count);
        } else {
            numbers.decode(Objects.requireNonNull(parts[MULTIPLES]), count, into);
        }
    }

    /** None: the column itself has bounds. */
    @Override
    public List<PhysicalRange> ranges(@Nullable Object least, @Nullable Object greatest) {
        return List.of();
    }
}
