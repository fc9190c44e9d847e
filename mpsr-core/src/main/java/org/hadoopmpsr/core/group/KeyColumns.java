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

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;

/**
 * The rule for the key columns of a dataset, of whose records with equal keys only the last one is kept. Every group is
 * de-duplicated by itself, partition by partition, and all groups must keep the same records.
 */
public final class KeyColumns {

    private KeyColumns() {}

    /**
     * Checks that records with equal keys lie in one partition of every group and together in its files, in the order in
     * which they came. That is so if all columns that a group partitions or sorts by are key columns.
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
                return Optional.of("there is no column '" + key + "' to be a key; the columns are "
                        + schema.columns().stream().map(Column::name).collect(Collectors.joining(", ")));
            }
        }
        Set<String> known = keys.stream().map(k -> k.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
        Set<String> missing = new LinkedHashSet<>();
        for (ReplicaGroup group : groups.groups()) {
            group.predicates().forEach(p -> missing.add(p.source(schema).name()));
            group.sortColumns(schema).forEach(c -> missing.add(c.name()));
        }
        missing.removeIf(name -> known.contains(name.toLowerCase(Locale.ROOT)));
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("records with equal " + String.join(", ", keys)
                        + " need not lie in the same place in every replica group, because groups partition or sort by "
                        + String.join(", ", missing) + "; make these columns keys too");
    }
}
