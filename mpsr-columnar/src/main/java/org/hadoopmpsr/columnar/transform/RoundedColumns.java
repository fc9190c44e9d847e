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
package org.hadoopmpsr.columnar.transform;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.transform.TransformedColumn;

/** The columns that a group has rounded values of. What makes files of records, or compares them with files, rounds the values first. Immutable. */
public final class RoundedColumns {
    /**
     * One of them.
     *
     * @param position its place in the schema
     * @param bits of its values
     */
    public record Rounded(int position, Column column, TransformedColumn transform, ValueBits bits) {
        /** A copy of a vector with rounded values. */
        public ColumnVector of(ColumnVector vector, int rows) {
            return bits.rounded(vector, rows, transform);
        }
    }

    private final List<Rounded> columns;

    /** @throws IllegalArgumentException if this process does not know a transform of the group */
    public RoundedColumns(ReplicaGroup group, Schema schema) {
        ColumnTransforms lossy = group.transforms().lossy();
        List<Rounded> found = new ArrayList<>();
        for (int i = 0; i < schema.columns().size(); i++) {
            Column column = schema.columns().get(i);
            int position = i;
            lossy.transformed(column)
                    .ifPresent(transform -> found.add(new Rounded(position, column, transform, new ValueBits(column))));
        }
        columns = List.copyOf(found);
    }

    /** Whether the group holds all values as they are. */
    public boolean isEmpty() {
        return columns.isEmpty();
    }

    /** The one of a name without regard to case. */
    public Optional<Rounded> find(String name) {
        return columns.stream()
                .filter(held -> held.column().name().equalsIgnoreCase(name))
                .findFirst();
    }

    /** Each of them. */
    public List<Rounded> columns() {
        return columns;
    }
}
