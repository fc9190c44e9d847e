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
package org.hadoopmpsr.columnar.layout;

import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.core.group.SortKey;

/** Records in memory, by their logical columns: the schema's, and the default group's partition fields. */
public interface LogicalVectors {
    /** The values of a logical column. */
    ColumnVector vector(String column);

    /** The values of a sort key. */
    default KeyValues values(SortKey key) {
        return new KeyValues(vector(key.column()), key.bits());
    }

    /** The places of a string column's values in their order, by their number in the dictionary; else unused. */
    int[] ranks(String column);
}
