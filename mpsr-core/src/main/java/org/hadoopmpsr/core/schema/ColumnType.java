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

import java.util.Locale;

/**
 * The type of a column. Values of a column are held as {@link Long} ({@code INT}, {@code LONG}, {@code DATE} as days,
 * {@code TIMESTAMP} as microseconds, {@code TIMESTAMP_NS} as nanoseconds since the epoch in UTC), {@link Double}
 * ({@code FLOAT}, {@code DOUBLE}), {@link Boolean} or {@link String}; a missing value is {@code null}.
 */
public enum ColumnType {
    STRING("string", String.class),
    INT("int", Long.class),
    LONG("bigint", Long.class),
    FLOAT("float", Double.class),
    DOUBLE("double", Double.class),
    BOOLEAN("boolean", Boolean.class),
    DATE("date", Long.class),
    TIMESTAMP("timestamp", Long.class),
    /** Nanoseconds since the epoch as a plain 64-bit integer, because Spark reads no Parquet TIMESTAMP(NANOS). */
    TIMESTAMP_NS("timestamp_ns", Long.class);

    private final String ddl;
    private final Class<?> valueClass;

    ColumnType(String ddl, Class<?> valueClass) {
        this.ddl = ddl;
        this.valueClass = valueClass;
    }

    /** The name of the type in a schema's text. */
    public String ddl() {
        return ddl;
    }

    /** The class of this type's values. */
    public Class<?> valueClass() {
        return valueClass;
    }

    /**
     * True if a column of this type can hold the value. NaN is not counted as a value: it has no place in the order of
     * numbers, and no bound may be NaN.
     */
    public boolean holds(Object value) {
        if (!valueClass.isInstance(value) || value instanceof Double number && number.isNaN()) {
            return false;
        }
        return this != INT && this != DATE || (Long) value == ((Long) value).intValue();
    }

    /** True for the types that the transforms year, month, day and hour accept. */
    public boolean isTime() {
        return this == DATE || this == TIMESTAMP || this == TIMESTAMP_NS;
    }

    /**
     * Reads a type.
     *
     * @throws IllegalArgumentException if the text names no type; the message lists the types
     */
    public static ColumnType parse(String text) {
        String name = text.trim().toLowerCase(Locale.ROOT);
        for (ColumnType type : values()) {
            if (type.ddl.equals(name)) {
                return type;
            }
        }
        StringBuilder known = new StringBuilder();
        for (ColumnType type : values()) {
            known.append(known.isEmpty() ? "" : ", ").append(type.ddl);
        }
        throw new IllegalArgumentException(
                "unknown column type '" + text.trim() + "'; use " + meant(name) + "one of " + known);
    }

    /** What other systems call what a type here is; empty where nothing is near. */
    private static String meant(String name) {
        String head = name.replaceFirst("[(<].*", "").trim();
        return switch (head) {
            case "long", "int64" -> "bigint, or ";
            case "integer", "int32", "smallint", "tinyint", "short", "byte" -> "int, or ";
            case "varchar", "char", "text", "utf8" -> "string, or ";
            case "real", "float32" -> "float, or ";
            case "float64" -> "double, or ";
            case "bool" -> "boolean, or ";
            case "datetime", "timestamp_ntz", "timestamp_ltz" -> "timestamp, or ";
            case "decimal", "numeric" ->
                "bigint with a fixed unit where every digit counts, double or string where not"
                        + " (decimals are not supported), or ";
            case "binary", "array", "map", "struct", "variant" ->
                "columns of simple types, since " + head + " is not supported, or ";
            default -> "";
        };
    }
}
