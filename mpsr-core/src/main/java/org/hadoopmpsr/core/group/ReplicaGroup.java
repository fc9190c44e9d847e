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
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.transform.TransformRegistry;

/**
 * A replica group as the administrator defined it.
 *
 * @param name letters, digits, hyphens and underscores
 * @param predicates the predicates by which the group's files are partitioned, in order; at least one
 * @param sort what the records of a file are sorted by, in order; empty for the columns of the predicates
 * @param replication the copies of each block within the group, at least 1
 * @param transforms the columns that the group's files hold in another form
 */
public record ReplicaGroup(
        String name,
        List<Predicate> predicates,
        List<SortKey> sort,
        int replication,
        Codecs codec,
        ColumnTransforms transforms) {

    public ReplicaGroup {
        predicates = List.copyOf(predicates);
        sort = List.copyOf(sort);
    }

    /** A group whose files hold all columns as they are. */
    public ReplicaGroup(String name, List<Predicate> predicates, List<SortKey> sort, int replication, Codecs codec) {
        this(name, predicates, sort, replication, codec, ColumnTransforms.NONE);
    }

    /** A group with one codec for all columns. */
    public ReplicaGroup(String name, List<Predicate> predicates, List<SortKey> sort, int replication, Codec codec) {
        this(name, predicates, sort, replication, Codecs.all(codec));
    }

    /** The same group with other transforms. */
    public ReplicaGroup with(ColumnTransforms others) {
        return new ReplicaGroup(name, predicates, sort, replication, codec, others);
    }

    /** Whether the group's records are not those of the dataset, as a column has rounded values. It is no copy of the records then. */
    public boolean isLossy() {
        return transforms.ofColumns().values().stream().anyMatch(TransformRegistry::isLossy);
    }

    /** The codecs and the transforms, as people read them. */
    public String storedAs() {
        return transforms.isEmpty() ? codec.text() : codec.text() + ", " + transforms.text();
    }

    /** The columns of the partition tuple. */
    public List<Column> partitionFields(Schema schema) {
        return predicates.stream().map(p -> p.field(schema)).toList();
    }

    /** What the records of one file are sorted by first. */
    public SortKey lead() {
        return sort.isEmpty() ? SortKey.of(predicates.get(0).column()) : sort.get(0);
    }

    /**
     * What the records of one file are sorted by, in the schema's spelling: the sort order, or the columns of the predicates if
     * there is none.
     *
     * @throws IllegalArgumentException if the schema lacks a column, or the type of one has no such order
     */
    public List<SortKey> sortKeys(Schema schema) {
        Set<SortKey> named = new LinkedHashSet<>(sort);
        if (named.isEmpty()) {
            predicates.forEach(p -> named.add(SortKey.of(p.column())));
        }
        List<SortKey> keys = new ArrayList<>();
        for (SortKey key : named) {
            try {
                keys.add(key.withColumn(key.source(schema).name()));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("replica group '" + name + "' " + e.getMessage(), e);
            }
            if (key.isIdleIn(predicates)) {
                throw new IllegalArgumentException("replica group '" + name + "' is sorted by " + key.text()
                        + ", which all records of a file have in common, because its predicates divide records by it;"
                        + " leave it out of the sort order");
            }
        }
        return keys;
    }

    /**
     * The columns whose values, or bits, the records of one file are sorted by.
     *
     * @throws IllegalArgumentException as {@link #sortKeys}
     */
    public List<Column> sortColumns(Schema schema) {
        return sortKeys(schema).stream().map(key -> key.source(schema)).toList();
    }

    /** The sort keys whose columns files hold: those of columns that have one value in each directory are left out. */
    public List<SortKey> sortWithinFiles(Schema schema) {
        return sortKeys(schema).stream()
                .filter(key -> predicates.stream()
                        .noneMatch(predicate -> predicate.transform() instanceof PartitionTransform.Identity
                                && predicate.source(schema).equals(key.source(schema))))
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
        return sort.stream().map(SortKey::column).anyMatch(ColumnPath::isPath)
                || predicates.stream().map(Predicate::column).anyMatch(ColumnPath::isPath);
    }
}
