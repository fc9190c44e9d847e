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

import java.util.Optional;

/**
 * The columns of a dataset. Immutable.
 *
 * @param stored those that files have; none of them ever goes, moves, or gets another name
 * @param shown those that readers with MPSR see
 */
public record DatasetColumns(Schema stored, ShownColumns shown) {

    /** Columns that are shown as they are stored. */
    public static DatasetColumns of(Schema schema) {
        return new DatasetColumns(schema, ShownColumns.of(schema));
    }

    /**
     * The name under which readers see a logical column.
     *
     * @param logical the stored name or path, or that of a column that only directories have, which stays
     * @return empty if the column was dropped
     */
    public Optional<String> shownName(String logical) {
        return stored.find(logical).isEmpty()
                ? Optional.of(logical)
                : shown.findStored(ColumnPath.root(logical)).map(root -> ColumnPath.withRoot(logical, root.name()));
    }

    /** The columns for people. */
    public String text() {
        return shown.text(stored);
    }
}
