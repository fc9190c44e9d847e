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
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.DecimalType;
import org.hadoopmpsr.core.schema.ListType;
import org.hadoopmpsr.core.schema.MapType;
import org.hadoopmpsr.core.schema.StructType;

/**
 * Iceberg's types for those of columns, as readers of the Parquet files see them. Ids of fields within a column follow from the id of
 * the column and from the order of the fields.
 */
final class IcebergTypes {
    /** A column has fewer fields within it. */
    private static final int FIELDS_WITHIN = 10_000;

    /** No column has an id so large, as a field within one has. */
    static final int MOST_COLUMNS = FIELDS_WITHIN;

    private int nextId;

    private IcebergTypes(int firstId) {
        this.nextId = firstId;
    }

    /**
     * The field of a column.
     *
     * @param id of the column, at least 1
     * @param name under which readers see it
     * @return empty if Iceberg has no such type
     */
    static Optional<Types.NestedField> field(int id, String name, Column column) {
        return new IcebergTypes(id * FIELDS_WITHIN)
                .of(column.type())
                .map(type -> column.nullable()
                        ? Types.NestedField.optional(id, name, type)
                        : Types.NestedField.required(id, name, type));
    }

    /** The id of the column that a field is, or lies in. */
    static int columnOf(int fieldId) {
        return fieldId < FIELDS_WITHIN ? fieldId : fieldId / FIELDS_WITHIN;
    }

    private Optional<Type> of(ColumnType type) {
        return switch (type.kind()) {
            case STRING -> Optional.of(Types.StringType.get());
            case BINARY -> Optional.of(Types.BinaryType.get());
            case TINYINT, SMALLINT, INT -> Optional.of(Types.IntegerType.get());
            // the files hold nanoseconds as whole numbers without a unit
            case LONG, TIMESTAMP_NS -> Optional.of(Types.LongType.get());
            case FLOAT -> Optional.of(Types.FloatType.get());
            case DOUBLE -> Optional.of(Types.DoubleType.get());
            case BOOLEAN -> Optional.of(Types.BooleanType.get());
            case DATE -> Optional.of(Types.DateType.get());
            case TIMESTAMP -> Optional.of(Types.TimestampType.withZone());
            case TIMESTAMP_NTZ -> Optional.of(Types.TimestampType.withoutZone());
            // Iceberg's time counts microseconds
            case TIME_NS -> Optional.empty();
            case DECIMAL -> {
                DecimalType decimal = (DecimalType) type;
                yield Optional.of(Types.DecimalType.of(decimal.precision(), decimal.scale()));
            }
            case LIST -> {
                int id = nextId++;
                yield of(((ListType) type).element()).map(element -> Types.ListType.ofOptional(id, element));
            }
            case MAP -> {
                int key = nextId++;
                int value = nextId++;
                MapType map = (MapType) type;
                Optional<Type> ofKey = of(map.key());
                yield of(map.value()).flatMap(v -> ofKey.map(k -> Types.MapType.ofOptional(key, value, k, v)));
            }
            case STRUCT -> struct((StructType) type);
        };
    }

    private Optional<Type> struct(StructType struct) {
        List<Types.NestedField> fields = new ArrayList<>();
        for (StructType.Field field : struct.fields()) {
            int id = nextId++;
            Optional<Type> type = of(field.type());
            if (type.isEmpty()) {
                return Optional.empty();
            }
            fields.add(Types.NestedField.optional(id, field.name(), type.get()));
        }
        return Optional.of(Types.StructType.of(fields));
    }
}
