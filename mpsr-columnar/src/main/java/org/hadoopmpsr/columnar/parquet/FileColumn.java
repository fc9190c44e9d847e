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

import java.util.List;
import java.util.function.Supplier;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.transform.TransformedColumn;
import org.jspecify.annotations.Nullable;

/**
 * A column of a file and where its values come from.
 *
 * @param column of the file, or a value within one, which is in the file with that one, and of which there are statistics only
 * @param ranks gives the places of a string column's values in their order, by number in the dictionary as it is now; else
 *     unused
 * @param bloom whether readers that ask for single values get a Bloom filter for each row group
 * @param transform makes other columns of it, which the file has in its place; null if there is none
 */
public record FileColumn(
        Column column,
        ColumnVector vector,
        Supplier<int[]> ranks,
        boolean bloom,
        @Nullable TransformedColumn transform) {

    /** A column that the file holds as it is. */
    public FileColumn(Column column, ColumnVector vector, Supplier<int[]> ranks, boolean bloom) {
        this(column, vector, ranks, bloom, null);
    }

    /** The columns that the file has for it; none for a value within a column. */
    List<Column> physical() {
        if (ColumnPath.isPath(column.name())) {
            return List.of();
        }
        return transform == null
                ? List.of(column)
                : transform.columns().stream().map(part -> part.of(column)).toList();
    }
}
