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

import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.NestedType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.text.Backticks;
import org.hadoopmpsr.core.text.CommaList;
import org.jspecify.annotations.Nullable;

/**
 * What the records of a file are sorted by: the values of a column, or the leading bits of numbers. Null comes before all values. Immutable.
 *
 * @param column the name of a column, or a {@link ColumnPath} to a value within structs
 * @param bits null for the values themselves
 */
public record SortKey(String column, @Nullable LeadingBits bits) {
    private static final String FUNCTION = "bits";

    private static final Pattern RECORDED = Pattern.compile(FUNCTION + "\\(([0-9]{1,2})\\)");

    /** The record separator of ASCII, which no name of a column has: readers that know no bits find no such column. */
    private static final char SEPARATOR = '\u001e';

    /** The key of a column's values. */
    public static SortKey of(String column) {
        return new SortKey(column, null);
    }

    /** The keys of the values of columns. */
    public static List<SortKey> of(Collection<String> columns) {
        return columns.stream().map(SortKey::of).toList();
    }

    /** The key of the same values, or bits, of another column. */
    public SortKey withColumn(String other) {
        return new SortKey(other, bits);
    }

    /** True if records are sorted by the values themselves: then equal values lie together. */
    public boolean isColumn() {
        return bits == null;
    }

    /** The key as it stands in a setting or an option, which {@link #parse} reads. */
    public String text() {
        String name = ColumnName.text(column);
        return bits == null ? name : bits.text(name);
    }

    /** The key as people read it: a name as it is, a path or bits as {@link #text}. */
    public String shown() {
        return bits == null ? ColumnPath.shown(column) : text();
    }

    /** Keys as they stand in a setting or an option, with commas between them. */
    public static String list(Collection<SortKey> keys) {
        return keys.stream().map(SortKey::text).collect(Collectors.joining(", "));
    }

    /** The key in a record of a group: the name of the column; of bits {@code bits(n)} and the name, with U+001E between them. */
    public String recorded() {
        return bits == null ? column : FUNCTION + "(" + bits.count() + ")" + SEPARATOR + column;
    }

    /**
     * Reads a key of a record of a group.
     *
     * @throws IllegalArgumentException if this version knows no such key
     */
    public static SortKey ofRecorded(String recorded) {
        int end = recorded.indexOf(SEPARATOR);
        if (end < 0) {
            return of(recorded);
        }
        String function = recorded.substring(0, end);
        String column = recorded.substring(end + 1);
        Matcher known = RECORDED.matcher(function);
        if (!known.matches()) {
            throw new IllegalArgumentException("the sort key '" + function + "' of column '" + ColumnPath.shown(column)
                    + "' is not known; a newer MPSR wrote it: use that version, or a later one");
        }
        return new SortKey(column, new LeadingBits(Integer.parseInt(known.group(1))));
    }

    /**
     * Reads a key: a name, a path, or {@code bits(n, column)}.
     *
     * @throws IllegalArgumentException if the text is none of these; the message says how to write it
     */
    public static SortKey parse(String text) {
        String t = text.strip();
        int open = t.indexOf('(');
        if (open < 0 || Backticks.pathEnd(t, 0) == t.length()) {
            return of(ColumnPath.parse(t));
        }
        if (!t.substring(0, open).strip().equalsIgnoreCase(FUNCTION)) {
            throw new IllegalArgumentException("'" + t + "' is no sort key: files are sorted by columns, and by "
                    + FUNCTION + "(n, column); a name of a column that is not plain stands in backticks, such as "
                    + Backticks.around("signal name"));
        }
        Predicate key = Predicate.parse(t);
        return new SortKey(key.column(), (LeadingBits) key.transform());
    }

    /** Reads keys with commas between them, as {@link #parse}. */
    public static List<SortKey> parseList(String text) {
        return CommaList.of(text).stream().map(SortKey::parse).toList();
    }

    /**
     * True for bits that are the same in all records of a partition, which is by the same number, or by as many of its bits: nothing is
     * sorted by them.
     */
    public boolean isIdleIn(Collection<Predicate> partition) {
        return bits != null
                && partition.stream()
                        .filter(predicate -> predicate.column().equalsIgnoreCase(column))
                        .map(Predicate::transform)
                        .anyMatch(transform -> transform instanceof PartitionTransform.Identity
                                || transform instanceof LeadingBits known && known.count() >= bits.count());
    }

    /**
     * The column that the key is of; of a path, the value that the path leads to.
     *
     * @throws IllegalArgumentException if the schema lacks the column, or its type has no such order; the message follows a subject
     */
    public Column source(Schema schema) {
        String named = "is sorted by " + (bits == null ? "" : text() + ", of ");
        Column source = schema.find(column)
                .orElseThrow(() -> new IllegalArgumentException(named + ColumnPath.lacking(schema, column)));
        boolean isNested = source.type() instanceof NestedType;
        if (isNested || bits != null && !bits.accepts(source.type())) {
            throw new IllegalArgumentException(named + "column '" + ColumnPath.shown(column) + "' of type "
                    + source.type().ddl() + "; "
                    + (isNested || bits == null
                            ? "sort by columns without values within"
                            : bits.misfit(source.type())));
        }
        return source;
    }
}
