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
package org.hadoopmpsr.columnar.merge;

import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;

/**
 * The columns of a group's files.
 *
 * @param files those of the files, in their order
 * @param sort the places among them of the columns that files are sorted by
 */
public record MergeColumns(List<Column> files, List<Integer> sort) {
    /** Those of a group. */
    public static MergeColumns of(ReplicaGroups groups, ReplicaGroup group, Schema schema) {
        List<Column> files = groups.physicalColumns(group.name(), schema);
        List<Integer> sort = new ArrayList<>();
        for (Column column : group.sortWithinFiles(schema)) {
            int place = place(files, column.name());
            if (place >= 0) {
                sort.add(place);
            }
        }
        return new MergeColumns(files, sort);
    }

    /** The place of a column, by its name without regard to case; -1 if the files lack it. */
    int place(String name) {
        return place(files, name);
    }

    private static int place(List<Column> columns, String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }
}
