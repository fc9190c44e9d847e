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

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.Schema;

/** All replica groups in their configured order, and the name of the default group. Immutable. */
public record ReplicaGroups(List<ReplicaGroup> groups, String defaultName) {

    public ReplicaGroups {
        groups = List.copyOf(groups);
    }

    /** The group of that name. */
    public Optional<ReplicaGroup> find(String name) {
        return groups.stream().filter(g -> g.name().equals(name)).findFirst();
    }

    /**
     * The group that somebody means by a name: the one of that name, else the only one on the DataNodes of the replica group
     * of that name.
     */
    public Optional<ReplicaGroup> meant(String name) {
        Optional<ReplicaGroup> exact = find(name);
        if (exact.isPresent()) {
            return exact;
        }
        List<ReplicaGroup> there = groups.stream()
                .filter(g -> RepresentationName.group(g.name()).equals(name))
                .toList();
        return there.size() == 1 ? Optional.of(there.get(0)) : Optional.empty();
    }

    /** The group whose representation stock readers see. */
    public ReplicaGroup defaultGroup() {
        return find(defaultName).orElseThrow();
    }

    /** The names in their configured order. */
    public List<String> names() {
        return groups.stream().map(ReplicaGroup::name).toList();
    }

    /** The groups that hold the records themselves, in their configured order: each is a copy of the dataset. */
    public List<ReplicaGroup> exact() {
        return groups.stream().filter(group -> !group.isLossy()).toList();
    }

    /** The names of the groups that are no copies of the records, as a column has rounded values. */
    public Set<String> lossyNames() {
        return groups.stream()
                .filter(ReplicaGroup::isLossy)
                .map(ReplicaGroup::name)
                .collect(Collectors.toSet());
    }

    /**
     * The logical columns, as a reader of the default representation sees them: the columns of the schema, then the
     * default group's partition fields that are not columns already. The column of an identity predicate moves to the
     * end.
     */
    public List<Column> logicalColumns(Schema schema) {
        List<Column> fields = defaultGroup().partitionFields(schema);
        List<Column> columns = new ArrayList<>();
        for (Column column : schema.columns()) {
            if (fields.stream().noneMatch(f -> f.name().equalsIgnoreCase(column.name()))) {
                columns.add(column);
            }
        }
        columns.addAll(fields);
        return columns;
    }

    /**
     * The columns in the files of a group: all logical columns, but in the default group's files without its partition
     * fields.
     */
    public List<Column> physicalColumns(String group, Schema schema) {
        List<Column> columns = logicalColumns(schema);
        if (!group.equals(defaultName)) {
            return columns;
        }
        return columns.subList(0, columns.size() - defaultGroup().predicates().size());
    }

    /** Whether the field of another predicate of a group has a name that readers cannot tell from that of this one. */
    private static boolean isAmbiguous(ReplicaGroup group, Predicate predicate) {
        return group.predicates().stream()
                .anyMatch(other ->
                        !other.equals(predicate) && ColumnName.areTwins(other.fieldName(), predicate.fieldName()));
    }

    /** The groups of a dataset of this schema, without transforms that make no difference to it. */
    public ReplicaGroups of(Schema schema) {
        return new ReplicaGroups(
                groups.stream()
                        .map(group -> group.with(group.transforms().of(schema)))
                        .toList(),
                defaultName);
    }

    /**
     * Checks whether every group can hold a dataset of this schema.
     *
     * @return the problems; empty if there are none
     */
    public List<String> problemsWith(Schema schema) {
        List<String> problems = new ArrayList<>();
        for (ReplicaGroup group : groups) {
            for (Predicate predicate : group.predicates()) {
                try {
                    Column field = predicate.field(schema);
                    if (field.name().startsWith(".")) {
                        problems.add("replica group '" + group.name() + "': the directories of the partition field '"
                                + field.name() + "' of " + predicate.text() + " would have names that begin with a dot,"
                                + " and readers leave such directories out; use a predicate of another column");
                    }
                    boolean derived = !predicate.isColumn();
                    if (derived
                            && schema.columns().stream()
                                    .anyMatch(column -> ColumnName.areTwins(column.name(), field.name()))) {
                        problems.add("replica group '" + group.name() + "': the partition field '" + field.name()
                                + "' of " + predicate.text() + " has the name of a column; rename the column");
                    }
                    if (ColumnPath.isPath(predicate.column()) && isAmbiguous(group, predicate)) {
                        problems.add("replica group '" + group.name() + "': the partition field '" + field.name()
                                + "' of " + predicate.text() + " has the name of the field of another predicate; use"
                                + " another transform in one of them");
                    }
                } catch (IllegalArgumentException e) {
                    problems.add("replica group '" + group.name() + "': " + e.getMessage());
                }
            }
            try {
                group.sortColumns(schema);
            } catch (IllegalArgumentException e) {
                problems.add(e.getMessage());
            }
            problems.addAll(group.transforms().problems(group, group.name().equals(defaultName), schema));
        }
        LossyGroups.problem(this, schema).ifPresent(problems::add);
        return problems;
    }
}
