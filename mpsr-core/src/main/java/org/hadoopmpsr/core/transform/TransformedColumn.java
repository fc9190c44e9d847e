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
import org.jspecify.annotations.Nullable;

/**
 * A transform with its parameters, for columns of one type. Values are passed as 64 bits: of a {@code double} its bits, of a {@code float}
 * its bits in the lower half and zeros above them, of other numbers and times the number that files hold. Null is not passed: where a
 * column is null, all of its physical columns are, and nowhere else. Immutable.
 */
public interface TransformedColumn {
    /**
     * The columns that files hold in place of the column, in the order of the file. At least one; always the same for the same
     * parameters.
     */
    List<PhysicalColumn> columns();

    /**
     * Computes the values of one physical column, as files get them.
     *
     * @param column its place among {@link #columns}
     * @param values the first {@code count} are the column's
     * @param into gets as many, each within the type of the physical column
     */
    void split(int column, long[] values, int count, long[] into);

    /**
     * What readers can read, from the least exact level to the most exact one. The last one gives all values bit for bit, whatever they
     * are, unless the transform is {@link #isLossy lossy}: then it gives {@link #round rounded} values bit for bit.
     */
    List<ReadLevel> levels();

    /**
     * Computes values of the column.
     *
     * @param level one of {@link #levels}
     * @param parts the values of each physical column, by its place; those of columns that the level does not need may be missing
     * @param count how many values each of them has
     * @param into gets as many
     */
    void join(ReadLevel level, long[] @Nullable [] parts, int count, long[] into);

    /**
     * Where physical columns have what lies between two values in the order of queries: NaN is the greatest value, equal to any other NaN, and
     * both zeros are equal.
     *
     * @param least a {@link Long} or a {@link Double}, as the column's type has it; null if there is no least value
     * @param greatest likewise; null if there is no greatest value
     * @return ranges of which one has each such value, and maybe others; empty if nothing is known. All are of one physical column
     */
    List<PhysicalRange> ranges(@Nullable Object least, @Nullable Object greatest);

    /** Whether nothing in files gives the values back. Only the transform {@code lossy} of MPSR is. */
    default boolean isLossy() {
        return false;
    }

    /**
     * Replaces values by those that a group's records have under this transform. Rounded values stay themselves. No effect unless it is {@link
     * #isLossy lossy}.
     *
     * @param values the first {@code count} are the column's
     */
    default void round(long[] values, int count) {}

    /** Whether files hold the column itself under its own name, so that any reader of Parquet reads it. */
    default boolean isPlain() {
        return columns().stream().anyMatch(PhysicalColumn::isColumn);
    }

    /** The level with the least columns whose values are exact; of a {@link #isLossy lossy} transform its only level. */
    default ReadLevel exact() {
        return levels().get(levels().size() - 1);
    }

    /**
     * The first level whose values are within the limits of a reader; the exact one, if no other is.
     *
     * @param magnitude as {@link Accuracy#isMetBy} has it
     */
    default ReadLevel level(Accuracy accuracy, double magnitude) {
        return levels().stream()
                .filter(level -> accuracy.isMetBy(level, magnitude))
                .findFirst()
                .orElseGet(this::exact);
    }

    /**
     * About which part of the bytes of all physical columns those of a level take, from 0 to 1. Only estimates use it.
     *
     * @param level one of {@link #levels}
     */
    default double share(ReadLevel level) {
        return (double) level.columns().size() / columns().size();
    }
}
