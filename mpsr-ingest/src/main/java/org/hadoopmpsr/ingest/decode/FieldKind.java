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
package org.hadoopmpsr.ingest.decode;

import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.NestedType;

/** What a field of a message holds, as far as it decides which columns it can fill. */
public enum FieldKind {
    WHOLE,
    FLOAT,
    DOUBLE,
    DECIMAL,
    BOOLEAN,
    TEXT,
    /** A point in time, or a date. */
    TIME,
    TIME_OF_DAY,
    BYTES,
    LIST,
    STRUCT,
    /** Keys with values; they may be the names and values of fields too. */
    MAP,
    OTHER;

    /**
     * False when no value of such a field fits a column of the type; single values may still be out of range.
     *
     * @param hasUnit the mapping says what a number counts
     */
    boolean fits(ColumnType type, boolean hasUnit) {
        if (type instanceof NestedType) {
            return switch (type.kind()) {
                case LIST -> this == LIST;
                case STRUCT -> this == STRUCT || this == MAP;
                default -> this == MAP;
            };
        }
        return switch (this) {
            case WHOLE ->
                switch (type.kind()) {
                    case STRING, BOOLEAN, BINARY, LIST, STRUCT, MAP -> false;
                    case DATE, TIMESTAMP, TIMESTAMP_NTZ -> hasUnit;
                    case TINYINT, SMALLINT, INT, LONG, FLOAT, DOUBLE, DECIMAL, TIMESTAMP_NS, TIME_NS -> true;
                };
            case FLOAT -> type.isFloating();
            case DOUBLE -> type == ColumnType.DOUBLE;
            case DECIMAL -> type != ColumnType.BOOLEAN && type != ColumnType.BINARY && (hasUnit || !type.hasUnit());
            case BOOLEAN -> type == ColumnType.BOOLEAN;
            case TEXT -> true;
            case TIME -> type.isTime();
            case TIME_OF_DAY -> type == ColumnType.TIME_NS;
            case BYTES -> type == ColumnType.BINARY;
            case LIST, STRUCT, MAP, OTHER -> false;
        };
    }
}
