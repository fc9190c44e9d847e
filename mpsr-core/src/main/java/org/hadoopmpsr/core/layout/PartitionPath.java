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
package org.hadoopmpsr.core.layout;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.jspecify.annotations.Nullable;

/** The directory of a partition, named as Hive names it: {@code day=2017-05-01/system=CRYO}. */
public final class PartitionPath {
    /** Hive's name for null. */
    public static final String NULL = "__HIVE_DEFAULT_PARTITION__";

    private static final String ESCAPED = "\"#%'*/:=?\\{[]^\u007f";

    private PartitionPath() {}

    /**
     * The relative directory of a partition tuple.
     *
     * @param fields the group's partition fields
     * @param values a value for each field; null is allowed
     * @throws IllegalArgumentException if a date is not in the calendar
     */
    public static String of(List<Column> fields, List<? extends @Nullable Object> values) {
        StringBuilder path = new StringBuilder();
        for (int i = 0; i < fields.size(); i++) {
            path.append(i == 0 ? "" : "/")
                    .append(start(fields.get(i)))
                    .append(text(fields.get(i).type(), values.get(i)));
        }
        return path.toString();
    }

    /** With what the name of a directory of a partition field starts: {@code day=}, {@code a%2Fb=}. */
    public static String start(Column field) {
        return escape(field.name()) + "=";
    }

    /**
     * The partition tuple of a file whose directories have names of {@link #of}.
     *
     * @param fields the group's partition fields
     * @param file the path of the file; its last directories are the partition's
     * @return empty if {@link #of} does not write the directories this way, or if a value is ambiguous, such as null
     *     and the empty string
     */
    public static Optional<List<@Nullable Object>> values(List<Column> fields, String file) {
        return valuesAsRead(fields, file).filter(values -> {
            for (int i = 0; i < values.size(); i++) {
                if (values.get(i) == null && fields.get(i).type() == ColumnType.STRING) {
                    return false;
                }
            }
            return true;
        });
    }

    /**
     * The partition tuple that readers take from the directories of a file: null where the name is {@value #NULL}, also where
     * the records had the empty string.
     *
     * @param fields the group's partition fields
     * @param file the path of the file; its last directories are the partition's
     * @return empty if {@link #of} does not write the directories this way
     */
    public static Optional<List<@Nullable Object>> valuesAsRead(List<Column> fields, String file) {
        String[] names = file.split("/", -1);
        int first = names.length - 1 - fields.size();
        if (first < 0) {
            return Optional.empty();
        }
        List<@Nullable Object> values = new ArrayList<>();
        for (int i = 0; i < fields.size(); i++) {
            Column field = fields.get(i);
            String prefix = start(field);
            String name = names[first + i];
            if (!name.startsWith(prefix)) {
                return Optional.empty();
            }
            values.add(value(field.type(), name.substring(prefix.length())));
        }
        String written = of(fields, values);
        String found = String.join("/", Arrays.asList(names).subList(first, names.length - 1));
        return written.equals(found) ? Optional.of(values) : Optional.empty();
    }

    /**
     * The names and values of a file's last directories as texts, in order; null for {@value #NULL}.
     *
     * @param count how many directories name values
     * @return empty if one of them is no name and value
     */
    public static Optional<Map<String, @Nullable String>> texts(int count, String file) {
        String[] names = file.split("/", -1);
        int first = names.length - 1 - count;
        Map<String, @Nullable String> texts = new LinkedHashMap<>();
        for (int i = Math.max(0, first); i < names.length - 1; i++) {
            int equal = names[i].indexOf('=');
            if (equal < 1) {
                return Optional.empty();
            }
            String value = names[i].substring(equal + 1);
            try {
                texts.put(unescape(names[i].substring(0, equal)), value.equals(NULL) ? null : unescape(value));
            } catch (NumberFormatException e) {
                return Optional.empty(); // no escape of ours
            }
        }
        return first >= 0 && texts.size() == count ? Optional.of(texts) : Optional.empty();
    }

    private static @Nullable Object value(ColumnType type, String escaped) {
        if (escaped.equals(NULL)) {
            return null;
        }
        try {
            return switch (type.kind()) {
                case STRING -> unescape(escaped);
                case DATE -> LocalDate.parse(escaped).toEpochDay();
                case BOOLEAN -> Boolean.valueOf(escaped);
                case FLOAT, DOUBLE, BINARY, DECIMAL, LIST, STRUCT, MAP -> null;
                case TINYINT, SMALLINT, INT, LONG, TIMESTAMP, TIMESTAMP_NTZ, TIMESTAMP_NS, TIME_NS ->
                    Long.valueOf(escaped);
            };
        } catch (DateTimeParseException | NumberFormatException e) {
            return null; // writes another name
        }
    }

    private static String unescape(String escaped) {
        StringBuilder text = new StringBuilder(escaped.length());
        int i = 0;
        while (i < escaped.length()) {
            char c = escaped.charAt(i);
            if (c == '%' && i + 2 < escaped.length()) {
                text.append((char) Integer.parseInt(escaped, i + 1, i + 3, 16));
                i += 3;
            } else {
                text.append(c);
                i++;
            }
        }
        return text.toString();
    }

    private static String text(ColumnType type, @Nullable Object value) {
        if (value == null || value.equals("")) {
            return NULL;
        }
        return escape(type == ColumnType.DATE ? date((Long) value) : value.toString());
    }

    private static String date(long day) {
        try {
            return LocalDate.ofEpochDay(day).toString();
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("the day " + day + " since 1970-01-01 is not in the calendar", e);
        }
    }

    private static String escape(String text) {
        StringBuilder escaped = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < ' ' || ESCAPED.indexOf(c) >= 0) {
                escaped.append(String.format("%%%02X", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
