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

/**
 * The type of a column. Statistics, filters and partitions hold values of a column as {@link Long} (whole numbers;
 * {@code DATE} as days, {@code TIMESTAMP} and {@code TIMESTAMP_NTZ} as microseconds, {@code TIMESTAMP_NS} as nanoseconds
 * since 1970-01-01; {@code TIME_NS} as nanoseconds since midnight; decimals as their digits without the point, where these
 * fit), {@link Double} ({@code FLOAT}, {@code DOUBLE}), {@link Boolean}, {@link String} or {@code byte[]}
 * ({@code BINARY}, and the forms of {@link NestedType nested} values); a missing value is {@code null}. Two types are equal if every value means the same in both.
 *
 * <p>The interface has no default methods: with one, whatever uses {@link SimpleType} first would find the constants here
 * {@code null}.
 */
public sealed interface ColumnType permits SimpleType, DecimalType, NestedType {
    SimpleType STRING = SimpleType.STRING;
    SimpleType BINARY = SimpleType.BINARY;
    SimpleType TINYINT = SimpleType.TINYINT;
    SimpleType SMALLINT = SimpleType.SMALLINT;
    SimpleType INT = SimpleType.INT;
    SimpleType LONG = SimpleType.LONG;
    SimpleType FLOAT = SimpleType.FLOAT;
    SimpleType DOUBLE = SimpleType.DOUBLE;
    SimpleType BOOLEAN = SimpleType.BOOLEAN;
    SimpleType DATE = SimpleType.DATE;
    SimpleType TIMESTAMP = SimpleType.TIMESTAMP;
    SimpleType TIMESTAMP_NTZ = SimpleType.TIMESTAMP_NTZ;
    SimpleType TIMESTAMP_NS = SimpleType.TIMESTAMP_NS;
    SimpleType TIME_NS = SimpleType.TIME_NS;

    /** What kinds of types there are; a switch over the kind names all of them. */
    enum Kind {
        STRING,
        BINARY,
        TINYINT,
        SMALLINT,
        INT,
        LONG,
        FLOAT,
        DOUBLE,
        BOOLEAN,
        DATE,
        TIMESTAMP,
        TIMESTAMP_NTZ,
        TIMESTAMP_NS,
        TIME_NS,
        DECIMAL,
        LIST,
        STRUCT,
        MAP
    }

    /** The kind of the type. */
    Kind kind();

    /** The type in a schema's text, which {@link #parse} reads. */
    String ddl();

    /** The class of this type's values. */
    Class<?> valueClass();

    /**
     * True if the value can be a bound of a column of this type. NaN is none: it has no place in the order of numbers.
     * Binary columns have no bounds.
     */
    boolean holds(Object value);

    /** True for the types that the transforms year, month, day and hour accept. */
    boolean isTime();

    /** True if a number that comes for a column may count in another unit of time than the column. */
    boolean hasUnit();

    /** True for floating point numbers. */
    boolean isFloating();

    /** True for values that Parquet holds in whole numbers of 32 bits. */
    boolean isInt32();

    /** True for decimals of more digits than 64 bits hold. */
    boolean isWideDecimal();

    /**
     * Reads a type.
     *
     * @throws IllegalArgumentException if the text names no type; the message lists the types
     */
    static ColumnType parse(String text) {
        return TypeText.parse(text);
    }
}
