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
package org.hadoopmpsr.core.group;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.text.Backticks;
import org.jspecify.annotations.Nullable;

/**
 * A column, or a partition transform of a column. A group's files are partitioned by predicates.
 *
 * @param column the name of a column, or a {@link ColumnPath} to a value within structs
 */
public record Predicate(PartitionTransform transform, String column) {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+(\\.[0-9]*)?([eE][-+]?[0-9]+)?");

    /** The predicate as text, which {@link #parse} reads. */
    public String text() {
        return transform.text(ColumnName.text(column));
    }

    /**
     * The name of the partition field: the column for identity, {@code day}, {@code signal_bucket}. A path has underscores in the place of
     * dots: {@code pos_x}.
     */
    public String fieldName() {
        return transform.fieldName(ColumnPath.directoryName(column));
    }

    /** True if the partition field is a column of the schema, and false if the field's values come from one. */
    public boolean isColumn() {
        return transform instanceof PartitionTransform.Identity && !ColumnPath.isPath(column);
    }

    /** True if the predicate is of a column, or of a value within it. */
    public boolean isOf(Column whole) {
        return ColumnPath.root(column).equalsIgnoreCase(whole.name());
    }

    /** The partition field as a column of the group's partition tuple. It is nullable if its source is. */
    public Column field(Schema schema) {
        Column source = source(schema);
        return new Column(fieldName(), transform.resultType(source.type()), source.nullable());
    }

    /**
     * The column that the predicate is of; of a path, the value that the path leads to.
     *
     * @throws IllegalArgumentException if the schema lacks the column, or the transform does not fit its type
     */
    public Column source(Schema schema) {
        Column source = schema.find(column)
                .orElseThrow(() -> new IllegalArgumentException(
                        "predicate " + text() + " names " + ColumnPath.lacking(schema, column)));
        if (!transform.accepts(source.type())) {
            String hint = transform.misfit(source.type());
            throw new IllegalArgumentException("predicate " + text() + " does not fit column '"
                    + ColumnPath.shown(column) + "' of type "
                    + source.type().ddl() + (hint.isEmpty() ? "" : "; " + hint));
        }
        return source;
    }

    /**
     * True if the predicate gives this result for some value of the column; null only if the column may be null.
     *
     * @param result any value, also one of another class
     * @throws IllegalArgumentException as {@link #source}
     */
    public boolean mayGive(Schema schema, @Nullable Object result) {
        Column source = source(schema);
        if (result == null) {
            return source.nullable();
        }
        ColumnType type = transform.resultType(source.type());
        // a whole number may be rounded down to below the least int
        boolean fits = type == ColumnType.INT ? result instanceof Long : type.holds(result);
        return fits && transform.mayGive(result);
    }

    /**
     * Reads one predicate.
     *
     * @throws IllegalArgumentException if the text is no predicate; the message gives the reason and the valid forms
     */
    public static Predicate parse(String text) {
        String t = text.trim();
        int open = t.indexOf('(');
        if (open < 0 || Backticks.pathEnd(t, 0) == t.length()) {
            return new Predicate(new PartitionTransform.Identity(), ColumnPath.parse(t));
        }
        if (!t.endsWith(")")) {
            throw new IllegalArgumentException("predicate '" + t + "' lacks its closing parenthesis");
        }
        String name = t.substring(0, open).trim().toLowerCase(Locale.ROOT);
        List<String> args = arguments(t.substring(open + 1, t.length() - 1), name.equals("range"));
        return switch (name) {
            case "identity" -> new Predicate(new PartitionTransform.Identity(), ColumnPath.parse(only(t, args)));
            case "year", "month", "day", "hour" ->
                new Predicate(
                        new PartitionTransform.Time(
                                PartitionTransform.Time.Unit.valueOf(name.toUpperCase(Locale.ROOT))),
                        ColumnPath.parse(only(t, args)));
            case "bucket" ->
                new Predicate(new PartitionTransform.Bucket(number(t, args)), ColumnPath.parse(args.get(1)));
            case "truncate" ->
                new Predicate(new PartitionTransform.Truncate(number(t, args)), ColumnPath.parse(args.get(1)));
            case "bits" -> new Predicate(new LeadingBits(number(t, args)), ColumnPath.parse(args.get(1)));
            case "range" ->
                new Predicate(
                        new ValueRange(
                                args.stream().skip(1).map(Predicate::bound).toList()),
                        ColumnPath.parse(args.get(0)));
            default ->
                throw new IllegalArgumentException("unknown predicate '" + t
                        + "'; use a column, year|month|day|hour(column), bucket(n, column), truncate(w, column),"
                        + " bits(n, column) or range(column, bound, ...)");
        };
    }

    /** What stands between commas; of a range only the first argument may be in backticks, because the others are values. */
    private static List<String> arguments(String text, boolean range) {
        List<String> args = new ArrayList<>();
        int from = 0;
        while (from <= text.length()) {
            int start = from;
            while (start < text.length() && Character.isWhitespace(text.charAt(start))) {
                start++;
            }
            int named = range && !args.isEmpty() ? -1 : Backticks.pathEnd(text, start);
            int comma = text.indexOf(',', Math.max(from, named));
            int end = comma < 0 ? text.length() : comma;
            args.add(text.substring(from, end).trim());
            from = end + 1;
        }
        return args;
    }

    private static String only(String text, List<String> args) {
        if (args.size() != 1) {
            throw new IllegalArgumentException("predicate '" + text + "' takes one column");
        }
        return args.get(0);
    }

    private static int number(String text, List<String> args) {
        if (args.size() != 2) {
            throw new IllegalArgumentException("predicate '" + text + "' takes a number and a column");
        }
        try {
            return Integer.parseInt(args.get(0));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "predicate '" + text + "' needs a whole number first, not '" + args.get(0) + "'", e);
        }
    }

    private static Object bound(String text) {
        if (!NUMBER.matcher(text).matches()) {
            return text;
        }
        boolean whole = text.chars().allMatch(c -> c == '-' || c >= '0' && c <= '9');
        try {
            return whole ? (Object) Long.parseLong(text) : (Object) Double.parseDouble(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("the bound " + text + " of a range has more than 64 bits", e);
        }
    }
}
