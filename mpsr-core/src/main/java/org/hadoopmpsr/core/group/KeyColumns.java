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
package org.hadoopmpsr.core.group;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.NestedType;
import org.hadoopmpsr.core.schema.Schema;

/**
 * The rule for the key columns of a dataset: of records with equal keys, a merge keeps one. Every group is de-duplicated by
 * itself, partition by partition, and all groups must keep the same records.
 */
public final class KeyColumns {
    private KeyColumns() {}

    /**
     * Checks that records with equal keys lie in one partition of every group and together in its files. That is so if all
     * columns that a group partitions or sorts by are key columns. Floating-point columns cannot be keys: 0.0 and -0.0 are
     * equal and have different bits, and a number that is computed twice may differ in its last bit.
     *
     * @param keys names of columns, without regard to case; none if all records are kept
     * @return the problem; empty if the columns can be keys
     */
    public static Optional<String> problem(ReplicaGroups groups, Schema schema, List<String> keys) {
        if (keys.isEmpty()) {
            return Optional.empty();
        }
        for (String key : keys) {
            if (schema.indexOf(key).isEmpty()) {
                return Optional.of(
                        "there is no column '" + key + "' to be a key; the columns are " + names(schema.columns()));
            }
        }
        List<Column> inexact = schema.columns().stream()
                .filter(column -> keys.stream().anyMatch(column.name()::equalsIgnoreCase))
                .filter(column -> column.type().isFloating())
                .toList();
        if (!inexact.isEmpty()) {
            return Optional.of(
                    "floating-point numbers cannot be keys, because equal ones can have different bits, and these"
                            + " columns hold such numbers: " + names(inexact)
                            + "; leave them out, or declare them as another type");
        }
        List<Column> nested = schema.columns().stream()
                .filter(column -> keys.stream().anyMatch(column.name()::equalsIgnoreCase))
                .filter(column -> column.type() instanceof NestedType)
                .toList();
        if (!nested.isEmpty()) {
            return Optional.of("arrays, structs and maps cannot be keys, and these columns are such: " + names(nested)
                    + "; leave them out");
        }
        Set<String> lossy = groups.lossyNames();
        if (!lossy.isEmpty()) {
            return Optional.of("of records with equal keys a merge keeps the same one in every replica group, and "
                    + lossy + " has rounded values, by which it might keep another one; keep all records, or take the"
                    + " transform 'lossy' away");
        }
        Set<Column> missing = new LinkedHashSet<>();
        for (ReplicaGroup group : groups.groups()) {
            group.predicates().forEach(p -> missing.add(p.source(schema)));
            missing.addAll(group.sortColumns(schema));
        }
        missing.removeIf(column -> keys.stream().anyMatch(column.name()::equalsIgnoreCase));
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        List<Column> within = missing.stream()
                .filter(column -> ColumnPath.isPath(column.name()))
                .toList();
        String cause =
                "records with equal " + ColumnName.list(keys) + " need not lie in the same place in every replica"
                        + " group, because groups partition or sort by " + names(missing);
        if (!within.isEmpty()) {
            return Optional.of(cause + "; values within structs, such as " + names(within)
                    + ", cannot be keys: choose groups without them, or keep all records");
        }
        return Optional.of(
                missing.stream().anyMatch(column -> column.type().isFloating())
                        ? cause + ", and floating-point numbers cannot be keys; choose groups without them, or keep all"
                                + " records"
                        : cause + "; make these columns keys too: one that the others determine changes no key");
    }

    private static String names(Collection<Column> columns) {
        return ColumnName.list(columns.stream().map(Column::name).toList());
    }
}
