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

/** Values as multiples of a step alone: whole numbers, which take the fewest bytes. Readers need this transform to get values from them. */
record PackedColumn(QuantisedNumbers numbers) implements TransformedColumn {
    @Override
    public List<PhysicalColumn> columns() {
        return List.of(new PhysicalColumn("packed-" + numbers.error(), ColumnType.LONG));
    }

    @Override
    public boolean isLossy() {
        return true;
    }

    /** A multiple is coded as itself: the product and the quotient are off by less than half a step. */
    @Override
    public void round(long[] values, int count) {
        numbers.code(values, count, values);
        numbers.decode(values, count, values);
    }

    @Override
    public void split(int column, long[] values, int count, long[] into) {
        numbers.code(values, count, into);
    }

    @Override
    public List<ReadLevel> levels() {
        return List.of(new ReadLevel(List.of(0), ReadLevel.Kind.ABSOLUTE, numbers.error()));
    }

    @Override
    public void join(ReadLevel level, long[] @Nullable [] parts, int count, long[] into) {
        numbers.decode(Objects.requireNonNull(parts[0]), count, into);
    }

    /** None: conditions on such a column are not given to readers of files. */
    @Override
    public List<PhysicalRange> ranges(@Nullable Object least, @Nullable Object greatest) {
        return List.of();
    }
}
