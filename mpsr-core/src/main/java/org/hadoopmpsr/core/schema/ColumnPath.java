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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.text.Backticks;
import org.hadoopmpsr.core.text.CommaList;

/**
 * Paths to values within columns of structs, such as {@code pos.x}: the name of a column, then names of fields. In memory and in
 * records a path is one name, its parts joined by a character that no name of a column can have. In texts its parts have dots between
 * them, and each part stands as {@link ColumnName#text} writes it. A column whose own name has a dot stands in backticks there, and
 * therefore nothing means both.
 */
public final class ColumnPath {
    /** The unit separator of ASCII. */
    private static final char SEPARATOR = '\u001f';

    private static final Pattern PART = Pattern.compile("[^.`]++|`(?:[^`]|``)*+`");

    private ColumnPath() {}

    /** Whether a name is a path of two parts or more. */
    public static boolean isPath(String name) {
        return name.indexOf(SEPARATOR) >= 0;
    }

    /** The name of a path; with one part, that of the column. */
    public static String of(List<String> parts) {
        return String.join(String.valueOf(SEPARATOR), parts);
    }

    /** The parts of a path; of the name of a column, the name alone. */
    public static List<String> parts(String name) {
        return List.of(name.split(String.valueOf(SEPARATOR), -1));
    }

    /** The name of the column that a path begins with; the name itself if it is no path. */
    public static String root(String name) {
        int end = name.indexOf(SEPARATOR);
        return end < 0 ? name : name.substring(0, end);
    }

    /** The path within another column. */
    public static String withRoot(String name, String root) {
        return root + name.substring(root(name).length());
    }

    /** The path as the name of a column that directories have: its parts with underscores between them. */
    public static String directoryName(String name) {
        return name.replace(SEPARATOR, '_');
    }

    /** The path as people write it; any other name as it is. */
    public static String shown(String name) {
        return isPath(name) ? text(name) : name;
    }

    /** The path as it stands in a predicate, an option or a setting. */
    static String text(String name) {
        return parts(name).stream().map(ColumnName::text).collect(Collectors.joining("."));
    }

    /**
     * Reads the name of a column or a path, as {@link ColumnName#text} writes it.
     *
     * @throws IllegalArgumentException if the text is neither; the message says how to write it
     */
    public static String parse(String text) {
        String t = text.strip();
        List<String> parts = new ArrayList<>();
        Matcher part = PART.matcher(t);
        int at = 0;
        while (part.find(at) && part.start() == at) {
            parts.add(part.group());
            at = part.end();
            if (at == t.length() || t.charAt(at) != '.') {
                break;
            }
            at++;
        }
        boolean isRead = at == t.length() && parts.size() > 1 && !t.endsWith(".");
        return isRead ? of(parts.stream().map(ColumnName::parse).toList()) : ColumnName.parse(t);
    }

    /** Reads names of columns and paths with commas between them, as {@link #parse}. */
    public static List<String> parseList(String text) {
        return CommaList.of(text).stream().map(ColumnPath::parse).toList();
    }

    /** The column of a schema that a path leads to, in the schema's spelling; it may always be null. */
    static Optional<Column> find(Schema schema, String name) {
        List<String> parts = parts(name);
        Optional<Column> root = schema.find(parts.get(0));
        if (root.isEmpty()) {
            return Optional.empty();
        }
        List<String> found = new ArrayList<>(List.of(root.get().name()));
        ColumnType type = root.get().type();
        for (String part : parts.subList(1, parts.size())) {
            OptionalInt field = type instanceof StructType struct ? struct.indexOf(part) : OptionalInt.empty();
            if (field.isEmpty()) {
                return Optional.empty();
            }
            StructType.Field next = ((StructType) type).fields().get(field.getAsInt());
            found.add(next.name());
            type = next.type();
        }
        return Optional.of(new Column(of(found), type, true));
    }

    /**
     * The places of a path's fields, each among the fields of its struct.
     *
     * @throws IllegalArgumentException if the schema lacks the path
     */
    public static int[] places(Schema schema, String name) {
        List<String> parts = parts(name);
        ColumnType type = schema.find(parts.get(0))
                .orElseThrow(() -> new IllegalArgumentException("names " + lacking(schema, name)))
                .type();
        int[] places = new int[parts.size() - 1];
        for (int i = 0; i < places.length; i++) {
            OptionalInt place =
                    type instanceof StructType struct ? struct.indexOf(parts.get(i + 1)) : OptionalInt.empty();
            places[i] = place.orElseThrow(() -> new IllegalArgumentException("names " + lacking(schema, name)));
            type = ((StructType) type).fields().get(places[i]).type();
        }
        return places;
    }

    /** What is missing of a name or path that a schema lacks, to follow a verb: {@code column 'a' that the schema lacks}. */
    public static String lacking(Schema schema, String name) {
        List<String> parts = parts(name);
        for (int length = 1; length < parts.size(); length++) {
            String part = of(parts.subList(0, length));
            Optional<Column> column = schema.find(part);
            if (column.isEmpty()) {
                break;
            }
            if (!(column.get().type() instanceof StructType)) {
                return "'" + shown(name) + "', but '" + shown(part) + "' is of type "
                        + column.get().type().ddl() + " and has no fields; name a field of a struct, or a column";
            }
            if (schema.find(of(parts.subList(0, length + 1))).isEmpty()) {
                return "'" + shown(name) + "', but '" + shown(part) + "' of type "
                        + column.get().type().ddl() + " has no field '" + parts.get(length)
                        + "'; name one of its fields";
            }
        }
        String dotted = String.join(".", parts);
        return parts.size() > 1 && schema.find(dotted).isPresent()
                ? "'" + shown(name)
                        + "', a field of a column that the schema lacks; the column with a dot in its name is written "
                        + Backticks.around(dotted)
                : "column '" + shown(parts.size() > 1 ? parts.get(0) : name) + "' that the schema lacks";
    }

    /** @throws IllegalArgumentException if a part is no name */
    static void check(String name) {
        Arrays.asList(name.split(String.valueOf(SEPARATOR), -1)).forEach(ColumnName::check);
    }
}
