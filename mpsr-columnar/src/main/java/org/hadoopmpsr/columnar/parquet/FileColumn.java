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
package org.hadoopmpsr.columnar.parquet;

import java.util.function.Supplier;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type.Repetition;
import org.apache.parquet.schema.Types;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.DecimalType;

/**
 * A column of a file and where its values come from.
 *
 * @param ranks gives the places of a string column's values in their order, by number in the dictionary as it is now; else
 *     unused
 * @param bloom whether readers that ask for single values get a Bloom filter for each row group
 */
public record FileColumn(Column column, ColumnVector vector, Supplier<int[]> ranks, boolean bloom) {

    /** The column as Parquet describes it, so that Spark and Hive see the dataset's types. */
    PrimitiveType parquetType() {
        return parquetType(column);
    }

    /** A column as the files describe it. */
    public static PrimitiveType parquetType(Column column) {
        Repetition repetition = column.nullable() ? Repetition.OPTIONAL : Repetition.REQUIRED;
        var type = Types.primitive(physical(column.type()), repetition);
        if (column.type().isWideDecimal()) {
            type = type.length(((DecimalType) column.type()).bytes());
        }
        return (switch (column.type().kind()) {
                    case STRING -> type.as(LogicalTypeAnnotation.stringType());
                    case DATE -> type.as(LogicalTypeAnnotation.dateType());
                    case TIMESTAMP -> type.as(LogicalTypeAnnotation.timestampType(true, TimeUnit.MICROS));
                    case TIMESTAMP_NTZ -> type.as(LogicalTypeAnnotation.timestampType(false, TimeUnit.MICROS));
                    case TINYINT -> type.as(LogicalTypeAnnotation.intType(Byte.SIZE, true));
                    case SMALLINT -> type.as(LogicalTypeAnnotation.intType(Short.SIZE, true));
                    case DECIMAL -> {
                        DecimalType decimal = (DecimalType) column.type();
                        yield type.as(LogicalTypeAnnotation.decimalType(decimal.scale(), decimal.precision()));
                    }
                    case BINARY, INT, LONG, FLOAT, DOUBLE, BOOLEAN, TIMESTAMP_NS, TIME_NS -> type;
                })
                .named(column.name());
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
        };
    }
}
