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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.NestedType;
import org.hadoopmpsr.core.schema.Schema;

/**
 * A replica group as the administrator defined it.
 *
 * @param name letters, digits, hyphens and underscores
 * @param predicates the predicates by which the group's files are partitioned, in order; at least one
 * @param sort the columns, or {@link ColumnPath paths}, by which the records of a file are sorted; empty for the columns of the predicates
 * @param replication the copies of each block within the group, at least 1
 */
public record ReplicaGroup(String name, List<Predicate> predicates, List<String> sort, int replication, Codecs codec) {

    public ReplicaGroup {
        predicates = List.copyOf(predicates);
        sort = List.copyOf(sort);
    }

    /** A group with one codec for all columns. */
    public ReplicaGroup(String name, List<Predicate> predicates, List<String> sort, int replication, Codec codec) {
        this(name, predicates, sort, replication, Codecs.all(codec));
    }

    /** The columns of the partition tuple. */
    public List<Column> partitionFields(Schema schema) {
        return predicates.stream().map(p -> p.field(schema)).toList();
    }

    /** The name of the column by which the records of one file are sorted first. */
    public String leadColumn() {
        return sort.isEmpty() ? predicates.get(0).column() : sort.get(0);
    }

    /**
     * The columns by which the records of one file are sorted: the sort order, or the columns of the predicates if
     * there is none.
     *
     * @throws IllegalArgumentException if the schema lacks a column, or it is of a nested type
     */
    public List<Column> sortColumns(Schema schema) {
        Set<String> names = new LinkedHashSet<>(sort);
        if (names.isEmpty()) {
            predicates.forEach(p -> names.add(p.column()));
        }
        List<Column> columns = new ArrayList<>();
        for (String name : names) {
            Column column = schema.find(name)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "replica group '" + this.name + "' is sorted by " + ColumnPath.lacking(schema, name)));
            if (column.type() instanceof NestedType) {
                throw new IllegalArgumentException(
                        "replica group '" + this.name + "' is sorted by column '" + ColumnPath.shown(name)
                                + "' of type " + column.type().ddl() + "; sort by columns without values within");
            }
            columns.add(column);
        }
        return columns;
    }

    /** The sort columns that files hold: those that have one value in each directory are left out. */
    public List<Column> sortWithinFiles(Schema schema) {
        return sortColumns(schema).stream()
                .filter(column -> predicates.stream()
                        .noneMatch(predicate -> predicate.transform() instanceof PartitionTransform.Identity
                                && predicate.source(schema).equals(column)))
                .toList();
    }

    /**
     * The values within columns by which files are partitioned or sorted, each once; empty for a group that
     * needs whole columns only.
     */
    public List<Column> paths(Schema schema) {
        Set<Column> paths = new LinkedHashSet<>();
        predicates.forEach(predicate -> paths.add(predicate.source(schema)));
        paths.addAll(sortColumns(schema));
        paths.removeIf(column -> !ColumnPath.isPath(column.name()));
        return List.copyOf(paths);
    }

    /** True if files are partitioned or sorted by a value within a column. */
    public boolean hasPaths() {
        return sort.stream().anyMatch(ColumnPath::isPath)
                || predicates.stream().map(Predicate::column).anyMatch(ColumnPath::isPath);
    }
}
