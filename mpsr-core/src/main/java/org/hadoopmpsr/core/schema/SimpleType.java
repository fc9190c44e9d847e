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
package org.hadoopmpsr.core.schema;

/** A type without parameters. */
public enum SimpleType implements ColumnType {
    STRING(Kind.STRING, "string", String.class),
    /** Bytes of any length. They are ordered as unsigned numbers, as Parquet and Spark order them. */
    BINARY(Kind.BINARY, "binary", byte[].class),
    TINYINT(Kind.TINYINT, "tinyint", Long.class),
    SMALLINT(Kind.SMALLINT, "smallint", Long.class),
    INT(Kind.INT, "int", Long.class),
    LONG(Kind.LONG, "bigint", Long.class),
    FLOAT(Kind.FLOAT, "float", Double.class),
    DOUBLE(Kind.DOUBLE, "double", Double.class),
    BOOLEAN(Kind.BOOLEAN, "boolean", Boolean.class),
    DATE(Kind.DATE, "date", Long.class),
    TIMESTAMP(Kind.TIMESTAMP, "timestamp", Long.class),
    /** A time of some day, without a zone: the microseconds from 1970-01-01 00:00 to it by a calendar without zones. */
    TIMESTAMP_NTZ(Kind.TIMESTAMP_NTZ, "timestamp_ntz", Long.class),
    /** Nanoseconds since the epoch as a plain 64-bit integer, because Spark reads no Parquet TIMESTAMP(NANOS). */
    TIMESTAMP_NS(Kind.TIMESTAMP_NS, "timestamp_ns", Long.class),
    /** A time of day: nanoseconds since midnight as a plain 64-bit integer, because Spark reads no Parquet TIME. */
    TIME_NS(Kind.TIME_NS, "time_ns", Long.class);

    /** The nanoseconds of a day. */
    public static final long DAY_NANOS = 86_400_000_000_000L;

    private final Kind kind;
    private final String ddl;
    private final Class<?> valueClass;

    SimpleType(Kind kind, String ddl, Class<?> valueClass) {
        this.kind = kind;
        this.ddl = ddl;
        this.valueClass = valueClass;
    }

    @Override
    public Kind kind() {
        return kind;
    }

    @Override
    public String ddl() {
        return ddl;
    }

    @Override
    public Class<?> valueClass() {
        return valueClass;
    }

    @Override
    public boolean holds(Object value) {
        if (this == BINARY || !valueClass.isInstance(value) || value instanceof Double number && number.isNaN()) {
            return false;
        }
        return switch (this) {
            case TINYINT -> (Long) value == ((Long) value).byteValue();
            case SMALLINT -> (Long) value == ((Long) value).shortValue();
            case INT, DATE -> (Long) value == ((Long) value).intValue();
            case TIME_NS -> (Long) value >= 0 && (Long) value < DAY_NANOS;
            default -> true;
        };
    }

    @Override
    public boolean isTime() {
        return switch (this) {
            case DATE, TIMESTAMP, TIMESTAMP_NTZ, TIMESTAMP_NS -> true;
            default -> false;
        };
    }

    @Override
    public boolean hasUnit() {
        return isTime() || this == TIME_NS;
    }

    @Override
    public boolean isFloating() {
        return this == FLOAT || this == DOUBLE;
    }

    @Override
    public boolean isInt32() {
        return switch (this) {
            case TINYINT, SMALLINT, INT, DATE -> true;
            default -> false;
        };
    }

    @Override
    public boolean isWideDecimal() {
        return false;
    }
}
