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
package org.hadoopmpsr.catalog.table;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.mapping.MappedField;
import org.apache.iceberg.mapping.MappedFields;
import org.apache.iceberg.mapping.NameMapping;
import org.apache.iceberg.types.Types;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ShownColumn;

/**
 * A dataset as a table of Iceberg: one schema, and a partition spec for each replica group. The id of a column is its place among the
 * stored columns of the dataset, of which none ever goes or moves. Immutable.
 *
 * <p>Columns that the default group has in its directories alone, such as {@code day}, are there for clients that fill them from the
 * partition of a file. Others would see no value in the files of the default group.
 */
public final class DatasetTable {
    /** The id of the first column that is not stored. Datasets have fewer columns. */
    private static final int FIRST_DERIVED = IcebergTypes.MOST_COLUMNS - 1_000;

    private static final int FIRST_PARTITION_FIELD = 1_000;
    private static final int SCHEMA_ID = 0;

    private final Dataset dataset;
    private final org.apache.iceberg.Schema schema;
    private final Map<Integer, Column> columns = new HashMap<>();
    private final Map<String, GroupSpec> specs = new HashMap<>();
    private final PartitionSpec undivided;
    private final NameMapping mapping;

    /**
     * Describes a dataset.
     *
     * @param fillsPartitions true for a client that takes the values of identity partition fields from the partition
     */
    public DatasetTable(Dataset dataset, boolean fillsPartitions) {
        this.dataset = dataset;
        List<Types.NestedField> fields = new ArrayList<>();
        List<MappedField> mapped = new ArrayList<>();
        List<Predicate> directories = dataset.groups().defaultGroup().predicates();
        for (ShownColumn shown : dataset.shown().columns()) {
            int place = dataset.schema().indexOf(shown.stored()).orElseThrow();
            Column column = dataset.schema().columns().get(place);
            if (fillsPartitions || directories.stream().noneMatch(p -> p.isColumn() && p.isOf(column))) {
                add(place + 1, shown.name(), column, fields, mapped);
            }
        }
        for (int place = 0; place < directories.size(); place++) {
            if (!directories.get(place).isColumn()) {
                Column column = directories.get(place).field(dataset.schema());
                if (fillsPartitions) {
                    add(FIRST_DERIVED + place, column.name(), column, fields, mapped);
                } else {
                    mapped.add(mapped(FIRST_DERIVED + place, column));
                }
            }
        }
        for (int place = 0; place < dataset.schema().columns().size(); place++) {
            if (!columns.containsKey(place + 1)) {
                mapped.add(mapped(place + 1, dataset.schema().columns().get(place)));
            }
        }
        this.schema = new org.apache.iceberg.Schema(SCHEMA_ID, fields);
        this.mapping = NameMapping.of(mapped);
        List<ReplicaGroup> groups = dataset.groups().groups();
        int fieldId = FIRST_PARTITION_FIELD;
        List<PartitionSpec> different = new ArrayList<>();
        for (ReplicaGroup group : groups) {
            GroupSpec spec = GroupSpec.of(different.size(), fieldId, group, dataset, schema);
            fieldId += group.predicates().size();
            specs.put(group.name(), spec.with(known(spec.spec(), different)));
        }
        undivided = known(
                PartitionSpec.builderFor(schema).withSpecId(different.size()).build(), different);
    }

    /** A spec, or the earlier one with the same fields: the metadata of a table has no two of these. */
    private static PartitionSpec known(PartitionSpec spec, List<PartitionSpec> different) {
        for (PartitionSpec earlier : different) {
            if (earlier.compatibleWith(spec)) {
                return earlier;
            }
        }
        different.add(spec);
        return spec;
    }

    private void add(int id, String name, Column column, List<Types.NestedField> fields, List<MappedField> mapped) {
        IcebergTypes.field(id, name, column).ifPresent(field -> {
            fields.add(field);
            mapped.add(mapped(field, column.name()));
            columns.put(id, column);
        });
    }

    /** A column of files that is none of the table's: PyIceberg reads no file with a column that the mapping lacks. */
    private static MappedField mapped(int id, Column column) {
        return IcebergTypes.field(id, column.name(), column)
                .map(field -> mapped(field, column.name()))
                .orElseGet(() -> MappedField.of(id, column.name()));
    }

    /** Files name columns as they are stored, and not by ids. */
    private static MappedField mapped(Types.NestedField field, String stored) {
        return MappedField.of(field.fieldId(), stored, within(field.type()));
    }

    private static MappedFields within(org.apache.iceberg.types.Type type) {
        if (type.isPrimitiveType()) {
            return MappedFields.of();
        }
        List<MappedField> fields = new ArrayList<>();
        for (Types.NestedField field : type.asNestedType().fields()) {
            fields.add(MappedField.of(field.fieldId(), field.name(), within(field.type())));
        }
        return MappedFields.of(fields);
    }

    /** The dataset. */
    public Dataset dataset() {
        return dataset;
    }

    /** The columns that readers see. */
    public org.apache.iceberg.Schema schema() {
        return schema;
    }

    /** By what names files have the columns, those that are none of the table's included. */
    public NameMapping mapping() {
        return mapping;
    }

    /** How a group is partitioned; empty if the dataset has no such group. */
    public Optional<GroupSpec> spec(String group) {
        return Optional.ofNullable(specs.get(group));
    }

    /** The spec of files whose directories do not tell their partition. */
    public PartitionSpec undivided() {
        return undivided;
    }

    /** All partition specs by their ids. */
    public Map<Integer, PartitionSpec> specsById() {
        Map<Integer, PartitionSpec> byId = new HashMap<>();
        specs.values().forEach(spec -> byId.put(spec.spec().specId(), spec.spec()));
        byId.put(undivided.specId(), undivided);
        return byId;
    }

    /** The column of a field of the schema, as the NameNode knows it; empty for fields within columns. */
    public Optional<Column> column(int fieldId) {
        return Optional.ofNullable(columns.get(fieldId));
    }

    /** The column that a field of the schema is, or lies in, as the NameNode knows it. */
    public Optional<Column> columnAround(int fieldId) {
        return column(IcebergTypes.columnOf(fieldId));
    }

    /** The id of a stored column, which the table has unless readers or the client do not see it. */
    public static int fieldId(int place) {
        return place + 1;
    }

    /** The columns that are in directories alone, such as {@code day}, by the ids that clients know them by; none for clients that do not see them. */
    public Map<Integer, Column> derived() {
        Map<Integer, Column> derived = new HashMap<>();
        columns.forEach((id, column) -> {
            if (id >= FIRST_DERIVED) {
                derived.put(id, column);
            }
        });
        return derived;
    }
}
