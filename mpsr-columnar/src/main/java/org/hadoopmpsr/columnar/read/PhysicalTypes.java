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
package org.hadoopmpsr.columnar.read;

import java.util.Optional;
import java.util.Set;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimeUnit;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.DecimalType;
import org.jspecify.annotations.Nullable;

/** In which types of Parquet a file may hold a column: its own, a narrower one that the column had before, or another one for the same values. */
public final class PhysicalTypes {
    /** Bytes that Spark reads as text. */
    private static final Set<LogicalTypeAnnotation> TEXTS = Set.of(
            LogicalTypeAnnotation.stringType(), LogicalTypeAnnotation.enumType(), LogicalTypeAnnotation.jsonType());

    private PhysicalTypes() {}

    /**
     * The type of a column whose values a file holds in a type of Parquet.
     *
     * @return empty if no column has such values
     */
    public static Optional<ColumnType> columnType(Type type) {
        if (!type.isPrimitive() || type.isRepetition(Type.Repetition.REPEATED)) {
            return Optional.empty();
        }
        return Optional.ofNullable(candidate(type.asPrimitiveType())).filter(found -> fits(found, type));
    }

    private static @Nullable ColumnType candidate(PrimitiveType type) {
        LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
        if (logical instanceof LogicalTypeAnnotation.DecimalLogicalTypeAnnotation decimal) {
            return decimal.getScale() >= 0 && decimal.getPrecision() <= DecimalType.MAX_DIGITS
                    ? new DecimalType(decimal.getPrecision(), decimal.getScale())
                    : null;
        }
        return switch (type.getPrimitiveTypeName()) {
            case INT32 -> {
                if (logical instanceof LogicalTypeAnnotation.DateLogicalTypeAnnotation) {
                    yield ColumnType.DATE;
                }
                yield logical instanceof LogicalTypeAnnotation.IntLogicalTypeAnnotation whole
                        ? whole(whole.getBitWidth(), whole.isSigned())
                        : ColumnType.INT;
            }
            case INT64 -> {
                if (!(logical instanceof TimestampLogicalTypeAnnotation time)) {
                    yield ColumnType.LONG;
                }
                yield time.getUnit() == TimeUnit.NANOS
                        ? ColumnType.TIMESTAMP_NS
                        : time.isAdjustedToUTC() ? ColumnType.TIMESTAMP : ColumnType.TIMESTAMP_NTZ;
            }
            case INT96 -> ColumnType.TIMESTAMP;
            case FLOAT -> ColumnType.FLOAT;
            case DOUBLE -> ColumnType.DOUBLE;
            case BOOLEAN -> ColumnType.BOOLEAN;
            case BINARY -> logical != null && TEXTS.contains(logical) ? ColumnType.STRING : ColumnType.BINARY;
            case FIXED_LEN_BYTE_ARRAY -> null;
        };
    }

    private static ColumnType whole(int bits, boolean signed) {
        return switch (signed ? bits : 2 * bits) {
            case Byte.SIZE -> ColumnType.TINYINT;
            case Short.SIZE -> ColumnType.SMALLINT;
            case Integer.SIZE -> ColumnType.INT;
            default -> ColumnType.LONG;
        };
    }

    /** True if a file may hold a column of this type in that type of Parquet. */
    public static boolean holds(ColumnType column, Type type) {
        return type.isPrimitive() && !type.isRepetition(Type.Repetition.REPEATED) && fits(column, type);
    }

    /** @throws UnsupportedTypeException if the file holds the column in a type that does not fit */
    static void check(String file, Column column, Type type) throws UnsupportedTypeException {
        if (!holds(column.type(), type)) {
            throw misfit(file, column, type);
        }
    }

    /** Says that the file holds the column in a type that does not fit. */
    static UnsupportedTypeException misfit(String file, Column column, Type type) {
        return new UnsupportedTypeException(file + " holds the column '" + column.name() + "', which is of type "
                + column.type().ddl() + ", as '" + type + "', and that does not fit; write the file anew with "
                + column.type().ddl());
    }

    /** True if a file may hold values of a type without values within in that type of Parquet, which is primitive. */
    static boolean fits(ColumnType column, Type type) {
        LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
        return primitives(column).contains(type.asPrimitiveType().getPrimitiveTypeName())
                && switch (column.kind()) {
                    case STRING -> logical == null || TEXTS.contains(logical);
                    case DATE -> logical instanceof LogicalTypeAnnotation.DateLogicalTypeAnnotation;
                    case TIMESTAMP ->
                        isInt96(type)
                                || isTime(logical, true, TimeUnit.MICROS)
                                || isTime(logical, true, TimeUnit.MILLIS);
                    case TIMESTAMP_NTZ ->
                        isTime(logical, false, TimeUnit.MICROS) || isTime(logical, false, TimeUnit.MILLIS);
                    case TIMESTAMP_NS ->
                        logical == null || isSigned(logical, Long.SIZE) || isTime(logical, true, TimeUnit.NANOS);
                    case TINYINT -> isSigned(logical, Byte.SIZE);
                    case SMALLINT -> isSigned(logical, Short.SIZE) || isUnsigned(logical, Byte.SIZE);
                    case INT -> logical == null || isSigned(logical, Integer.SIZE) || isUnsigned(logical, Short.SIZE);
                    case LONG -> logical == null || isSigned(logical, Long.SIZE) || isUnsigned(logical, Integer.SIZE);
                    case DECIMAL -> isNarrower(logical, (DecimalType) column);
                    case BINARY -> logical == null || logical.equals(LogicalTypeAnnotation.bsonType());
                    case TIME_NS -> logical == null || isSigned(logical, Long.SIZE);
                    case FLOAT, DOUBLE, BOOLEAN -> logical == null;
                    case LIST, STRUCT, MAP -> false;
                };
    }

    private static Set<PrimitiveTypeName> primitives(ColumnType column) {
        return switch (column.kind()) {
            case STRING, BINARY -> Set.of(PrimitiveTypeName.BINARY);
            case TINYINT, SMALLINT, INT, DATE -> Set.of(PrimitiveTypeName.INT32);
            case LONG -> Set.of(PrimitiveTypeName.INT64, PrimitiveTypeName.INT32);
            case TIMESTAMP -> Set.of(PrimitiveTypeName.INT64, PrimitiveTypeName.INT96);
            case TIMESTAMP_NTZ, TIMESTAMP_NS, TIME_NS -> Set.of(PrimitiveTypeName.INT64);
            case FLOAT -> Set.of(PrimitiveTypeName.FLOAT);
            case DOUBLE -> Set.of(PrimitiveTypeName.DOUBLE, PrimitiveTypeName.FLOAT);
            case BOOLEAN -> Set.of(PrimitiveTypeName.BOOLEAN);
            case DECIMAL ->
                Set.of(
                        PrimitiveTypeName.INT32,
                        PrimitiveTypeName.INT64,
                        PrimitiveTypeName.BINARY,
                        PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY);
            case LIST, STRUCT, MAP -> Set.of();
        };
    }

    private static boolean isInt96(Type type) {
        return type.asPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT96;
    }

    private static boolean isTime(@Nullable LogicalTypeAnnotation logical, boolean isUtc, TimeUnit unit) {
        return logical instanceof TimestampLogicalTypeAnnotation time
                && time.isAdjustedToUTC() == isUtc
                && time.getUnit() == unit;
    }

    private static boolean isSigned(@Nullable LogicalTypeAnnotation logical, int bits) {
        return logical instanceof LogicalTypeAnnotation.IntLogicalTypeAnnotation whole
                && whole.isSigned()
                && whole.getBitWidth() <= bits;
    }

    /** Whether a type of as many bits holds the numbers, with more bits for its own. */
    private static boolean isUnsigned(@Nullable LogicalTypeAnnotation logical, int bits) {
        return logical instanceof LogicalTypeAnnotation.IntLogicalTypeAnnotation whole
                && !whole.isSigned()
                && whole.getBitWidth() <= bits;
    }

    /** The digits of another scale would mean other numbers. */
    private static boolean isNarrower(@Nullable LogicalTypeAnnotation logical, DecimalType column) {
        return logical instanceof LogicalTypeAnnotation.DecimalLogicalTypeAnnotation decimal
                && decimal.getScale() == column.scale()
                && decimal.getPrecision() <= column.precision();
    }
}
