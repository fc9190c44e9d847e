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
package org.hadoopmpsr.columnar.buffer;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;

/** Which strings a predicate can turn into the name of a partition directory that reads back as the same value. */
record DirectoryNameRule(Predicate predicate, Column field, String group, boolean defaultGroup) {
    /** {@code dfs.namenode.fs-limits.max-component-length} as it comes with HDFS. */
    private static final int MAX_NAME_BYTES = 255;

    /** The rules for the strings of a column: one for each predicate that makes strings of them. */
    static List<DirectoryNameRule> of(Column column, Schema schema, ReplicaGroups groups) {
        List<DirectoryNameRule> rules = new ArrayList<>();
        for (ReplicaGroup group : groups.groups()) {
            for (Predicate predicate : group.predicates()) {
                if (column.type() == ColumnType.STRING
                        && predicate.column().equalsIgnoreCase(column.name())
                        && predicate.field(schema).type() == ColumnType.STRING) {
                    boolean isDefault = group.name().equals(groups.defaultName());
                    rules.add(new DirectoryNameRule(predicate, predicate.field(schema), group.name(), isDefault));
                }
            }
        }
        return rules;
    }

    void check(String text) throws BadRecordException {
        Object value = predicate.transform().apply(ColumnType.STRING, text);
        if (defaultGroup && (value.equals("") || value.equals(PartitionPath.NULL))) {
            throw new BadRecordException(
                    "column '" + ColumnPath.shown(predicate.column()) + "' is '" + ShownValue.of(text)
                            + "', and as a partition directory of the default group '" + group
                            + "' that cannot be told from a missing value; send a missing value or another one");
        }
        String name = PartitionPath.of(List.of(field), List.of(value));
        if (name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
            throw new BadRecordException("column '" + ColumnPath.shown(predicate.column()) + "' is '"
                    + ShownValue.of(text)
                    + "', too long for the name of a partition directory of group '" + group + "' (at most "
                    + MAX_NAME_BYTES + " bytes); partition by truncate(w, " + ColumnName.text(predicate.column())
                    + ") or bucket(n, " + ColumnName.text(predicate.column()) + ")");
        }
    }
}
