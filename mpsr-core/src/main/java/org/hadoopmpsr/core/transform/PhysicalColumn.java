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

import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;

/**
 * A column of files that holds a part of the values of a column.
 *
 * @param suffix what follows the column's name and a dollar sign in the physical one's name; empty for the column itself
 * @param type {@code int} or {@code bigint}; of the column itself, its own
 */
public record PhysicalColumn(String suffix, ColumnType type) {
    private static final char SEPARATOR = '$';

    public PhysicalColumn {
        if (!suffix.isEmpty() && type != ColumnType.INT && type != ColumnType.LONG) {
            throw new IllegalArgumentException(
                    "the physical column '" + suffix + "' is of type " + type.ddl() + "; take int or bigint");
        }
    }

    /** Whether it is the column itself, with its own name. */
    public boolean isColumn() {
        return suffix.isEmpty();
    }

    /** Its name in files. */
    public String name(String column) {
        return isColumn() ? column : column + SEPARATOR + suffix;
    }

    /** It as a column of files. */
    public Column of(Column column) {
        return new Column(name(column.name()), type, column.nullable());
    }
}
