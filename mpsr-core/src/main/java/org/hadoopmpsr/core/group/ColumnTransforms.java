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
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.text.Backticks;
import org.hadoopmpsr.core.transform.PhysicalColumn;
import org.hadoopmpsr.core.transform.TransformName;
import org.hadoopmpsr.core.transform.TransformRegistry;
import org.hadoopmpsr.core.transform.TransformedColumn;

/**
 * In which transforms the files of a group hold some columns. This process need not know the transforms, as long as it does not write or read the
 * columns.
 *
 * @param ofColumns by the names of columns, in any case; in alphabetical order
 */
public record ColumnTransforms(Map<String, TransformName> ofColumns) {
    /** None: files hold all columns as they are. */
    public static final ColumnTransforms NONE = new ColumnTransforms(Map.of());

    /** The record separator of ASCII, which stands in no name, codec or setting. */
    private static final char SEPARATOR = '\u001e';

    public ColumnTransforms {
        Map<String, TransformName> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sorted.putAll(ofColumns);
        ofColumns = Collections.unmodifiableMap(sorted);
    }

    /** True if files hold all columns as they are. */
    public boolean isEmpty() {
        return ofColumns.isEmpty();
    }

    /**
     * Reads transforms from options, each of the form {@code column=transform}.
     *
     * @throws IllegalArgumentException if one has another form, or a column has two; the message says what to write
     */
    public static ColumnTransforms parse(Collection<String> texts) {
        Map<String, TransformName> found = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String text : texts) {
            int equals = text.indexOf('=', Math.max(Backticks.end(text, 0), 0));
            if (equals < 0) {
                throw new IllegalArgumentException("'" + text.strip()
                        + "' is no transform of a column: write column=transform, such as value=planes:16,16,32");
            }
            String column = ColumnName.parse(text.substring(0, equals));
            if (found.put(column, TransformName.parse(text.substring(equals + 1))) != null) {
                throw new IllegalArgumentException("column '" + column + "' has two transforms; name it once");
            }
        }
        return new ColumnTransforms(found);
    }

    /** Each as {@link #parse} reads it. */
    public List<String> texts() {
        return ofColumns.entrySet().stream()
                .map(entry ->
                        ColumnName.text(entry.getKey()) + "=" + entry.getValue().text())
                .toList();
    }

    /** As people read them. */
    public String text() {
        return String.join(", ", texts());
    }

    /**
     * The codecs and these transforms in the record of a group: the text of the codecs, and for each transform U+001E, the column and the transform with its
     * version. Who knows no transforms finds no such codec, and refuses the group.
     */
    public String recordedAfter(Codecs codecs) {
        return ofColumns.entrySet().stream()
                .map(entry -> SEPARATOR + ColumnName.text(entry.getKey()) + "="
                        + entry.getValue().recorded())
                .collect(Collectors.joining("", codecs.text(), ""));
    }

    /** The codecs in the record of a group. */
    public static Codecs recordedCodecs(String recorded) {
        int end = recorded.indexOf(SEPARATOR);
        return Codecs.parse(end < 0 ? recorded : recorded.substring(0, end));
    }

    /** The transforms in the record of a group. */
    public static ColumnTransforms ofRecorded(String recorded) {
        int end = recorded.indexOf(SEPARATOR);
        return end < 0 ? NONE : parse(List.of(recorded.substring(end + 1).split(String.valueOf(SEPARATOR))));
    }

    /** The same transforms with other names for the columns. */
    public ColumnTransforms withColumns(UnaryOperator<String> names) {
        Map<String, TransformName> renamed = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        ofColumns.forEach((column, transform) -> renamed.put(names.apply(column), transform));
        return new ColumnTransforms(renamed);
    }

    /**
     * Those that make a difference to files of a schema, each with the version that this process writes where none is stated. What does not
     * fit stays as it is.
     */
    public ColumnTransforms of(Schema schema) {
        Map<String, TransformName> some = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        ofColumns.forEach((name, transform) -> schema.find(name).ifPresent(column -> {
            try {
                if (!isAsBefore(TransformRegistry.of(transform, column.type()))) {
                    some.put(column.name(), TransformRegistry.written(transform, column.type()));
                }
            } catch (IllegalArgumentException e) {
                some.put(column.name(), transform);
            }
        }));
        return new ColumnTransforms(some);
    }

    /** @throws IllegalArgumentException if the schema lacks a column */
    void checkColumns(String group, Schema schema) {
        for (String column : ofColumns.keySet()) {
            if (schema.find(column).isEmpty()) {
                throw new IllegalArgumentException("replica group '" + group + "' is to have a transform for "
                        + ColumnPath.lacking(schema, column));
            }
        }
    }

    /** Those that are not {@code identity}. */
    public ColumnTransforms withoutIdentity() {
        Map<String, TransformName> some = new TreeMap<>(ofColumns);
        some.values().removeIf(transform -> transform.name().equals(TransformRegistry.IDENTITY));
        return new ColumnTransforms(some);
    }

    /** Those that files hold nothing of that gives the values back. */
    public ColumnTransforms lossy() {
        Map<String, TransformName> some = new TreeMap<>(ofColumns);
        some.values().removeIf(transform -> !TransformRegistry.isLossy(transform));
        return new ColumnTransforms(some);
    }

    /** The transform of a column, if it has one. */
    public Optional<TransformName> find(String column) {
        return Optional.ofNullable(ofColumns.get(column));
    }

    /**
     * The transform of a column with its parameters, if files hold other columns for it.
     *
     * @throws IllegalArgumentException if this process does not know it
     */
    public Optional<TransformedColumn> transformed(Column column) {
        return find(column.name())
                .map(transform -> TransformRegistry.of(transform, column.type()))
                .filter(found -> !isAsBefore(found));
    }

    private static boolean isAsBefore(TransformedColumn found) {
        return found.columns().size() == 1 && found.isPlain() && !found.isLossy();
    }

    /** Whether files do not hold the values themselves under the column's name. */
    private static boolean isApart(TransformedColumn found) {
        return !found.isPlain() || found.isLossy();
    }

    /**
     * Why a reader cannot read files with these transforms, if it cannot.
     *
     * @param known what it {@link TransformRegistry#known knows}
     */
    public Optional<String> unreadable(Collection<String> known) {
        return withoutIdentity().ofColumns().entrySet().stream()
                .filter(entry -> !TransformRegistry.isKnown(known, entry.getValue())
                        && !TransformRegistry.keepsColumn(entry.getValue()))
                .map(entry -> "holds column '" + entry.getKey() + "' as "
                        + entry.getValue().text() + ", which this reader does not know")
                .findFirst();
    }

    /**
     * What is wrong with these transforms for a group of a dataset.
     *
     * @param isDefault whether it is the default group
     */
    List<String> problems(ReplicaGroup group, boolean isDefault, Schema schema) {
        List<String> problems = new ArrayList<>();
        ofColumns.forEach((name, transform) -> {
            String subject = "replica group '" + group.name() + "' cannot hold column '" + name + "' as "
                    + transform.text() + ": ";
            Optional<Column> column = schema.find(name);
            if (column.isEmpty()) {
                problems.add(subject + "it is to have " + ColumnPath.lacking(schema, name));
                return;
            }
            try {
                TransformedColumn found =
                        TransformRegistry.of(transform, column.get().type());
                if (isAsBefore(found)) {
                    return;
                }
                if (isDefault) {
                    problems.add(subject + "it is the default group, whose files every reader reads;"
                            + " take another group, or another default group");
                }
                if (isApart(found) && group.predicates().stream().anyMatch(p -> p.isOf(column.get()))) {
                    problems.add(subject + "its predicates divide records by the column; take another column");
                }
                if (isApart(found)
                        && group.sort().stream()
                                .anyMatch(key -> ColumnPath.root(key.column()).equalsIgnoreCase(name))) {
                    problems.add(subject + "its files are sorted by the column; leave it out of the sort order, or take"
                            + " another column");
                }
                for (PhysicalColumn physical : found.columns()) {
                    String its = physical.name(column.get().name());
                    if (!physical.isColumn()
                            && schema.columns().stream().anyMatch(c -> ColumnName.areTwins(c.name(), its))) {
                        problems.add(subject + "files would hold '" + its.toLowerCase(Locale.ROOT)
                                + "', which is the name of a column; rename that column");
                    }
                }
            } catch (IllegalArgumentException e) {
                problems.add(subject + e.getMessage());
            }
        });
        return problems;
    }
}
