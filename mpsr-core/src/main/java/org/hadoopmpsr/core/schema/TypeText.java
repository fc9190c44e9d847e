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

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Types as text. */
final class TypeText {
    private static final Pattern DECIMAL =
            Pattern.compile("decimal(?:\\s*\\(\\s*([0-9]{1,4})\\s*(?:,\\s*([0-9]{1,4})\\s*)?\\))?");
    private static final int DEFAULT_DIGITS = 10;
    private static final Pattern NESTED =
            Pattern.compile("(array|map|struct)\\s*<(.*)>", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
    /** Readers and writers of files go down one level after the other. */
    private static final int MOST_LEVELS = 16;

    private TypeText() {}

    static ColumnType parse(String text) {
        return parse(text, 0);
    }

    private static ColumnType parse(String text, int level) {
        Matcher nested = NESTED.matcher(text.trim());
        return nested.matches() ? nested(nested.group(1), nested.group(2), level + 1) : scalar(text);
    }

    private static ColumnType nested(String kind, String within, int level) {
        if (level > MOST_LEVELS) {
            throw new IllegalArgumentException("a type has more than " + MOST_LEVELS + " levels; use fewer");
        }
        List<String> parts = Brackets.split(within, c -> c == ',');
        return switch (kind.toLowerCase(Locale.ROOT)) {
            case "array" -> new ListType(parse(within, level));
            case "map" -> {
                if (parts.size() != 2) {
                    throw new IllegalArgumentException("map<" + within.trim()
                            + "> is no type; a map has a type of keys and one of values, such as map<string,double>");
                }
                yield new MapType(parse(parts.get(0), level), parse(parts.get(1), level));
            }
            default ->
                new StructType(
                        parts.stream().map(part -> field(part.trim(), level)).toList());
        };
    }

    private static StructType.Field field(String text, int level) {
        String name = Brackets.split(text, c -> c == ':').get(0);
        if (name.isEmpty() || name.length() == text.length()) {
            throw new IllegalArgumentException(
                    "cannot read the field '" + text + "' of a struct; write '<name>:<type>', such as x:double");
        }
        return new StructType.Field(ColumnName.parse(name), parse(text.substring(name.length() + 1), level));
    }

    private static ColumnType scalar(String text) {
        String name = text.trim().toLowerCase(Locale.ROOT);
        for (SimpleType type : SimpleType.values()) {
            if (type.ddl().equals(name)) {
                return type;
            }
        }
        Matcher decimal = DECIMAL.matcher(name);
        if (decimal.matches()) {
            String precision = decimal.group(1);
            String scale = decimal.group(2);
            return new DecimalType(
                    precision == null ? DEFAULT_DIGITS : Integer.parseInt(precision),
                    scale == null ? 0 : Integer.parseInt(scale));
        }
        String known = Arrays.stream(SimpleType.values()).map(SimpleType::ddl).collect(Collectors.joining(", "));
        throw new IllegalArgumentException("unknown column type '" + text.trim() + "'; use " + meant(name) + "one of "
                + known + ", decimal(p, s), array<type>, struct<name:type,...>, map<type,type>");
    }

    /** What other systems call what a type here is; empty where nothing is near. */
    private static String meant(String name) {
        String head = name.replaceFirst("[(<].*", "").trim();
        return switch (head) {
            case "long", "int64" -> "bigint, or ";
            case "integer", "int32" -> "int, or ";
            case "short", "int16" -> "smallint, or ";
            case "byte", "int8" -> "tinyint, or ";
            case "varchar", "char", "text", "utf8" -> "string, or ";
            case "real", "float32" -> "float, or ";
            case "float64" -> "double, or ";
            case "bool" -> "boolean, or ";
            case "datetime", "timestamp_ltz" -> "timestamp, or ";
            case "time" -> "time_ns, the nanoseconds since midnight, or ";
            case "decimal", "dec", "numeric", "number" -> "decimal(p, s), such as decimal(10, 2), or ";
            case "bytes", "blob", "varbinary", "bytea" -> "binary, or ";
            case "array", "list" -> "array<type>, such as array<double>, or ";
            case "map" -> "map<type,type>, such as map<string,double>, or ";
            case "struct", "row" -> "struct<name:type,...>, such as struct<x:double,y:double>, or ";
            case "variant" -> "string or a struct, since variant is not supported, or ";
            default -> "";
        };
    }
}
