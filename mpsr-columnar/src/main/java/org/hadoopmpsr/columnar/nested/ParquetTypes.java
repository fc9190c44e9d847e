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
package org.hadoopmpsr.columnar.nested;

import java.util.List;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.DecimalType;
import org.hadoopmpsr.core.schema.ListType;
import org.hadoopmpsr.core.schema.MapType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.StructType;

/** Columns as the files describe them, so that Spark and Hive see the dataset's types. Lists and maps have three levels. */
public final class ParquetTypes {
    /** What repeats in a list. */
    public static final String LIST = "list";
    /** An element of a list. */
    public static final String ELEMENT = "element";
    /** What repeats in a map. */
    public static final String ENTRY = "key_value";
    /** The key of an entry. */
    public static final String KEY = "key";
    /** The value of an entry. */
    public static final String VALUE = "value";

    private ParquetTypes() {}

    /** A column as the files describe it. */
    public static Type of(Column column) {
        return of(column.type(), column.nullable() ? Repetition.OPTIONAL : Repetition.REQUIRED, column.name());
    }

    private static Type of(ColumnType type, Repetition repetition, String name) {
        return switch (type.kind()) {
            case LIST -> {
                Type element = of(((ListType) type).element(), Repetition.OPTIONAL, ELEMENT);
                GroupType repeated = new GroupType(Repetition.REPEATED, LIST, element);
                yield Types.buildGroup(repetition)
                        .addField(repeated)
                        .as(LogicalTypeAnnotation.listType())
                        .named(name);
            }
            case MAP -> {
                MapType map = (MapType) type;
                GroupType repeated = new GroupType(
                        Repetition.REPEATED,
                        ENTRY,
                        of(map.key(), Repetition.REQUIRED, KEY),
                        of(map.value(), Repetition.OPTIONAL, VALUE));
                yield Types.buildGroup(repetition)
                        .addField(repeated)
                        .as(LogicalTypeAnnotation.mapType())
                        .named(name);
            }
            case STRUCT ->
                new GroupType(
                        repetition,
                        name,
                        ((StructType) type)
                                .fields().stream()
                                        .map(field -> of(field.type(), Repetition.OPTIONAL, field.name()))
                                        .toList());
            default -> primitive(type, repetition, name);
        };
    }

    private static PrimitiveType primitive(ColumnType columnType, Repetition repetition, String name) {
        var type = Types.primitive(physical(columnType), repetition);
        if (columnType.isWideDecimal()) {
            type = type.length(((DecimalType) columnType).bytes());
        }
        return (switch (columnType.kind()) {
                    case STRING -> type.as(LogicalTypeAnnotation.stringType());
                    case DATE -> type.as(LogicalTypeAnnotation.dateType());
                    case TIMESTAMP -> type.as(LogicalTypeAnnotation.timestampType(true, TimeUnit.MICROS));
                    case TIMESTAMP_NTZ -> type.as(LogicalTypeAnnotation.timestampType(false, TimeUnit.MICROS));
                    case TINYINT -> type.as(LogicalTypeAnnotation.intType(Byte.SIZE, true));
                    case SMALLINT -> type.as(LogicalTypeAnnotation.intType(Short.SIZE, true));
                    case DECIMAL -> {
                        DecimalType decimal = (DecimalType) columnType;
                        yield type.as(LogicalTypeAnnotation.decimalType(decimal.scale(), decimal.precision()));
                    }
                    case BINARY, INT, LONG, FLOAT, DOUBLE, BOOLEAN, TIMESTAMP_NS, TIME_NS, LIST, STRUCT, MAP -> type;
                })
                .named(name);
    }

    private static PrimitiveTypeName physical(ColumnType type) {
        return switch (type.kind()) {
            case STRING, BINARY -> PrimitiveTypeName.BINARY;
            case TINYINT, SMALLINT, INT, DATE -> PrimitiveTypeName.INT32;
            case LONG, TIMESTAMP, TIMESTAMP_NTZ, TIMESTAMP_NS, TIME_NS -> PrimitiveTypeName.INT64;
            case FLOAT -> PrimitiveTypeName.FLOAT;
            case DOUBLE -> PrimitiveTypeName.DOUBLE;
            case BOOLEAN -> PrimitiveTypeName.BOOLEAN;
            case DECIMAL -> {
                if (type.isWideDecimal()) {
                    yield PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
                }
                yield type.isInt32() ? PrimitiveTypeName.INT32 : PrimitiveTypeName.INT64;
            }
            case LIST, STRUCT, MAP -> throw new IllegalArgumentException(type.ddl() + " is no single value of Parquet");
        };
    }

    /** How many columns of Parquet hold a column. */
    public static int leaves(ColumnType type) {
        return switch (type.kind()) {
            case LIST -> leaves(((ListType) type).element());
            case MAP -> leaves(((MapType) type).key()) + leaves(((MapType) type).value());
            case STRUCT ->
                ((StructType) type)
                        .fields().stream()
                                .mapToInt(field -> leaves(field.type()))
                                .sum();
            default -> 1;
        };
    }

    /** How many columns of Parquet come before the value at a path, of those that hold the path's column; 0 for the name of a column. */
    public static int leavesBefore(Schema schema, String path) {
        int before = 0;
        ColumnType type = schema.root(path).orElseThrow().type();
        for (int place : ColumnPath.places(schema, path)) {
            List<StructType.Field> fields = ((StructType) type).fields();
            before += fields.subList(0, place).stream()
                    .mapToInt(field -> leaves(field.type()))
                    .sum();
            type = fields.get(place).type();
        }
        return before;
    }
}
