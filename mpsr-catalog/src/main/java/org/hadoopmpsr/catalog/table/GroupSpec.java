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
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.MpsrBridge;
import org.apache.iceberg.PartitionData;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.StructLike;
import org.apache.iceberg.types.Types;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.core.group.PartitionTransform;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.jspecify.annotations.Nullable;

/**
 * How a replica group is partitioned, in Iceberg's terms. Predicates that Iceberg has no transform for are no fields of the spec: the
 * files of the group are then less divided for clients than they are. Immutable.
 *
 * @param directories the partition fields, which the names of directories tell
 * @param isDefault true for the group whose files lack what directories tell
 */
public record GroupSpec(
        ReplicaGroup group, PartitionSpec spec, List<Field> fields, List<Column> directories, boolean isDefault) {

    /**
     * A predicate that is a field of the spec.
     *
     * @param place of the predicate in the group
     */
    record Field(int place, PartitionTransform transform) {}

    /** @param firstFieldId the fields of all specs of a table have different ids */
    static GroupSpec of(int id, int firstFieldId, ReplicaGroup group, Dataset dataset, Schema schema) {
        boolean isDefault = group.name().equals(dataset.groups().defaultName());
        PartitionSpec.Builder builder = PartitionSpec.builderFor(schema).withSpecId(id);
        List<Field> fields = new ArrayList<>();
        for (int place = 0; place < group.predicates().size(); place++) {
            Predicate predicate = group.predicates().get(place);
            if (add(builder, predicate, dataset, schema, isDefault)) {
                fields.add(new Field(place, predicate.transform()));
            }
        }
        PartitionSpec spec = MpsrBridge.withFieldIds(builder.build(), firstFieldId);
        return new GroupSpec(group, spec, fields, group.partitionFields(dataset.schema()), isDefault);
    }

    /** This with a spec that has the same fields. */
    GroupSpec with(PartitionSpec same) {
        return new GroupSpec(group, same, fields, directories, isDefault);
    }

    private static boolean add(
            PartitionSpec.Builder builder, Predicate predicate, Dataset dataset, Schema schema, boolean isDefault) {
        ColumnType type = predicate.source(dataset.schema()).type();
        Optional<String> shown =
                dataset.columns().shownName(predicate.column()).filter(name -> schema.findField(name) != null);
        Optional<String> derived =
                Optional.of(predicate.fieldName()).filter(name -> isDefault && schema.findField(name) != null);
        if (predicate.isColumn()) {
            shown.ifPresent(builder::identity);
            return shown.isPresent();
        }
        if (derived.isPresent()) {
            builder.identity(derived.get());
            return true;
        }
        if (shown.isEmpty() || type == ColumnType.TIMESTAMP_NS) {
            return false; // a number without a unit has no day, and another bucket
        }
        if (predicate.transform() instanceof PartitionTransform.Bucket bucket) {
            builder.bucket(shown.get(), bucket.count(), name(schema, predicate));
            return true;
        }
        if (predicate.transform() instanceof PartitionTransform.Truncate truncate) {
            builder.truncate(shown.get(), truncate.width(), name(schema, predicate));
            return true;
        }
        if (predicate.transform() instanceof PartitionTransform.Time time) {
            add(builder, time.unit(), shown.get(), name(schema, predicate));
            return true;
        }
        return false;
    }

    private static void add(
            PartitionSpec.Builder builder, PartitionTransform.Time.Unit unit, String column, String name) {
        switch (unit) {
            case YEAR -> builder.year(column, name);
            case MONTH -> builder.month(column, name);
            case DAY -> builder.day(column, name);
            case HOUR -> builder.hour(column, name);
        }
    }

    /** A partition field may not have the name of a column of another kind. */
    private static String name(Schema schema, Predicate predicate) {
        String name = predicate.fieldName();
        while (schema.findField(name) != null) {
            name += "_partition";
        }
        return name;
    }

    /**
     * The partition of a file, for the spec. In the default group a directory that stands for null and for the empty string is null, as
     * readers of directories take it. Clients take the values of columns from here.
     *
     * @param path of the file, in directories of the group's partitions
     * @return empty if the directories name no partition, or if files tell what directories do not
     */
    public Optional<StructLike> partition(String path) {
        return (isDefault ? PartitionPath.valuesAsRead(directories, path) : PartitionPath.values(directories, path))
                .filter(this::isOfTransforms)
                .map(this::tuple);
    }

    /** False if an ordinary writer has named a directory as no value of the transform is named. */
    private boolean isOfTransforms(List<@Nullable Object> values) {
        return fields.stream().allMatch(field -> {
            Object value = values.get(field.place());
            return value == null || field.transform().mayGive(value);
        });
    }

    private StructLike tuple(List<@Nullable Object> values) {
        PartitionData data = new PartitionData(spec.partitionType());
        for (int i = 0; i < fields.size(); i++) {
            Types.NestedField field = spec.partitionType().fields().get(i);
            Object value = values.get(fields.get(i).place());
            boolean isTime = spec.fields().get(i).transform().dedupName().equals("time");
            data.set(
                    i,
                    isTime && value != null && fields.get(i).transform() instanceof PartitionTransform.Time time
                            ? (Object) TimeSteps.number(time.unit(), value)
                            : value(field.type(), value));
        }
        return data;
    }

    private static @Nullable Object value(org.apache.iceberg.types.Type type, @Nullable Object value) {
        if (value instanceof Long number) {
            return switch (type.typeId()) {
                case INTEGER, DATE -> (Object) Math.toIntExact(number);
                default -> number;
            };
        }
        return value;
    }
}
