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
package org.hadoopmpsr.core.schema;

/**
 * A column of a dataset, or a value within one of structs. Its name is one of {@link ColumnName}, or a {@link ColumnPath}; names are
 * compared without regard to case.
 */
public record Column(String name, ColumnType type, boolean nullable) {
    /** @throws IllegalArgumentException if no column can have the name */
    public Column {
        ColumnPath.check(name);
    }

    /** The column as part of a schema's text. */
    public String ddl() {
        return ColumnName.text(name) + " " + type.ddl() + (nullable ? "" : " not null");
    }
}
