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
import java.util.Locale;
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
 * <p>Columns that only the default group's directories have, such as {@code day}, are there for clients that fill them from the
 * partition of a file. Others would see no value in the files of the default group.
 */
public final class DatasetTable {
    /** The id of the first column that is not stored. */
    private static final int FIRST_DERIVED = 200_000;

    private static final int FIRST_PARTITION_FIELD = 1_000;
    private static final int SCHEMA_ID = 0;

    private final Dataset dataset;
    private final org.apache.iceberg.Schema schema;
    private final Map<String, GroupSpec> specs = new HashMap<>();
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
        List<Column> stored = dataset.schema().columns();
        for (ShownColumn shown : dataset.shown().columns()) {
            for (int place = 0; place < stored.size(); place++) {
                Column column = stored.get(place);
                if (column.name().equalsIgnoreCase(shown.stored())) {
                    IcebergTypes.field(place + 1, shown.name(), column).ifPresent(field -> {
                        fields.add(field);
                        mapped.add(mapped(field, column.name()));
                    });
                }
            }
        }
        if (fillsPartitions) {
            addDerived(fields, mapped);
        }
        this.schema = new org.apache.iceberg.Schema(SCHEMA_ID, fields);
        this.mapping = NameMapping.of(mapped);
        List<ReplicaGroup> groups = dataset.groups().groups();
        int fieldId = FIRST_PARTITION_FIELD;
        for (int id = 0; id < groups.size(); id++) {
            GroupSpec spec = GroupSpec.of(id, fieldId, groups.get(id), dataset, schema);
            fieldId += groups.get(id).predicates().size();
            specs.put(groups.get(id).name(), spec);
        }
    }

    private void addDerived(List<Types.NestedField> fields, List<MappedField> mapped) {
        List<Predicate> predicates = dataset.groups().defaultGroup().predicates();
        for (int place = 0; place < predicates.size(); place++) {
            if (!predicates.get(place).isColumn()) {
                Column column = predicates.get(place).field(dataset.schema());
                int id = FIRST_DERIVED + place;
                IcebergTypes.field(id, column.name(), column).ifPresent(field -> {
                    fields.add(field);
                    mapped.add(MappedField.of(id, column.name()));
                });
            }
        }
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

    /** By what names files have the columns. */
    public NameMapping mapping() {
        return mapping;
    }

    /** How a group is partitioned; empty if the dataset has no such group. */
    public Optional<GroupSpec> spec(String group) {
        return Optional.ofNullable(specs.get(group));
    }

    /** All partition specs by their ids. */
    public Map<Integer, PartitionSpec> specsById() {
        Map<Integer, PartitionSpec> byId = new HashMap<>();
        specs.values().forEach(spec -> byId.put(spec.spec().specId(), spec.spec()));
        return byId;
    }

    /** The stored name of a column that readers see under a name, as the NameNode knows it; empty if there is none. */
    public Optional<String> stored(int fieldId) {
        List<Column> columns = dataset.schema().columns();
        if (fieldId >= 1 && fieldId <= columns.size()) {
            return Optional.of(columns.get(fieldId - 1).name());
        }
        return Optional.ofNullable(schema.findField(fieldId))
                .filter(field -> field.fieldId() >= FIRST_DERIVED)
                .map(Types.NestedField::name);
    }

    /** The column of a name that the NameNode knows; empty if there is none. */
    public Optional<Column> column(String stored) {
        return dataset.groups().logicalColumns(dataset.schema()).stream()
                .filter(column -> column.name().toLowerCase(Locale.ROOT).equals(stored.toLowerCase(Locale.ROOT)))
                .findFirst();
    }
}
