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
package org.hadoopmpsr.core.advise;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.hadoopmpsr.core.group.PartitionTransform;
import org.hadoopmpsr.core.group.PartitionTransform.Time.Unit;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.jspecify.annotations.Nullable;

/**
 * How a directory with files is partitioned, as the names of its directories tell: {@code day=2017-05-01} is a span of a column of times, and
 * {@code device=D7} a column that the files lack. Immutable.
 *
 * @param schema the columns of the files, and those that are names of directories
 * @param predicates in the order of the directories; none if all files lie in the directory itself
 * @param added the columns that only directories have
 */
public record DirectoryLayout(Schema schema, List<Predicate> predicates, List<Column> added) {
    public DirectoryLayout {
        predicates = List.copyOf(predicates);
        added = List.copyOf(added);
    }

    /**
     * A file whose end was read.
     *
     * @param path of the file
     * @param columns the known statistics, by the names of columns in lower case
     */
    public record ReadFile(String path, Map<String, ColumnStatistics> columns) {}

    /**
     * Finds the layout.
     *
     * @param root the directory
     * @param paths of all its files, at least one
     * @param stored the columns of the files
     * @param read some of the files
     * @param wanted columns whose types the user says, also those that only directories have
     * @param expected how the default group of a dataset would be partitioned, which is preferred if it fits; null if that is unknown
     * @throws IllegalArgumentException if the directory has no such layout, with the problem, the cause and the fix
     */
    public static DirectoryLayout find(
            String root,
            List<String> paths,
            Schema stored,
            Collection<ReadFile> read,
            List<Column> wanted,
            @Nullable ReplicaGroup expected) {
        Set<String> names = new LinkedHashSet<>();
        List<List<@Nullable String>> values = new ArrayList<>();
        for (String path : paths) {
            Map<String, @Nullable String> texts = texts(root, path);
            if (values.isEmpty()) {
                names.addAll(texts.keySet());
            } else if (!List.copyOf(texts.keySet()).equals(List.copyOf(names))) {
                throw new IllegalArgumentException("the directory " + root + " is not partitioned alike everywhere: '"
                        + paths.get(0) + "' lies in directories of " + names + ", and '" + path
                        + "' of " + texts.keySet() + "; name a directory below, or move the files");
            }
            values.add(new ArrayList<>(texts.values()));
        }
        if (names.isEmpty()) {
            throw new IllegalArgumentException("the files of " + root + " lie in the directory itself, and those of a"
                    + " dataset lie in directories of partitions, such as day=2017-05-01; write them into such directories"
                    + " first (in Spark with partitionBy), and ask again");
        }
        if (expected != null && fits(expected, paths, stored, List.copyOf(names))) {
            return new DirectoryLayout(stored, expected.predicates(), List.of());
        }
        List<Column> columns = new ArrayList<>(stored.columns());
        List<Column> added = new ArrayList<>();
        List<Predicate> predicates = new ArrayList<>();
        int level = 0;
        for (String name : names) {
            Optional<Predicate> span = span(name, stored, root, read);
            if (span.isPresent()) {
                predicates.add(span.get());
            } else {
                int place = level;
                Column column = wanted.stream()
                        .filter(other -> ColumnName.areTwins(other.name(), name))
                        .findFirst()
                        .orElseGet(() -> new Column(
                                name,
                                type(values.stream().map(v -> v.get(place)).toList()),
                                true));
                columns.removeIf(other -> ColumnName.areTwins(other.name(), name));
                columns.add(column);
                added.add(column);
                predicates.add(new Predicate(new PartitionTransform.Identity(), name));
            }
            level++;
        }
        return new DirectoryLayout(new Schema(columns), predicates, added);
    }

    private static Map<String, @Nullable String> texts(String root, String path) {
        String relative = path.substring(root.endsWith("/") ? root.length() : root.length() + 1);
        int count = (int) relative.chars().filter(c -> c == '/').count();
        return PartitionPath.texts(count, path)
                .orElseThrow(() -> new IllegalArgumentException("the file '" + path
                        + "' lies in a directory whose name is no column and value such as day=2017-05-01; name a directory"
                        + " whose files lie in such directories, or move the file"));
    }

    private static boolean fits(ReplicaGroup expected, List<String> paths, Schema stored, List<String> names) {
        try {
            List<Column> fields = expected.partitionFields(stored);
            return fields.stream().map(Column::name).toList().equals(names)
                    && paths.stream()
                            .allMatch(path ->
                                    PartitionPath.valuesAsRead(fields, path).isPresent());
        } catch (IllegalArgumentException e) {
            return false; // the files lack a column
        }
    }

    /** The first column of times whose bounds lie in the span that a directory is named after, in each file that was read. */
    private static Optional<Predicate> span(String name, Schema stored, String root, Collection<ReadFile> read) {
        for (Unit unit : Unit.values()) {
            if (unit.word().equals(name)) {
                PartitionTransform.Time transform = new PartitionTransform.Time(unit);
                return stored.columns().stream()
                        .filter(column -> transform.accepts(column.type()))
                        .map(column -> new Predicate(transform, column.name()))
                        .filter(predicate -> read.stream()
                                .allMatch(file -> isWithin(predicate, stored, texts(root, file.path()), file)))
                        .findFirst();
            }
        }
        return Optional.empty();
    }

    private static boolean isWithin(
            Predicate predicate, Schema stored, Map<String, @Nullable String> texts, ReadFile file) {
        Column source = predicate.source(stored);
        Column field = predicate.field(stored);
        ColumnStatistics its = file.columns().get(source.name().toLowerCase(Locale.ROOT));
        if (its == null || its.min() == null || its.max() == null) {
            return true; // nothing is known
        }
        List<Column> fields = List.of(field);
        String found = PartitionPath.start(field) + Objects.toString(texts.get(field.name()), PartitionPath.NULL);
        return List.of(its.min(), its.max()).stream()
                .map(bound -> predicate.transform().apply(source.type(), bound))
                .allMatch(value -> PartitionPath.of(fields, List.of(value)).equals(found));
    }

    /** The type that all values have, as readers take it from names of directories. */
    private static ColumnType type(List<@Nullable String> values) {
        List<String> known = values.stream()
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .distinct()
                .toList();
        if (!known.isEmpty() && known.stream().allMatch(DirectoryLayout::isNumber)) {
            return ColumnType.LONG;
        }
        return !known.isEmpty() && known.stream().allMatch(DirectoryLayout::isDate)
                ? ColumnType.DATE
                : ColumnType.STRING;
    }

    private static boolean isNumber(String text) {
        try {
            return Long.toString(Long.parseLong(text)).equals(text);
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private static boolean isDate(String text) {
        try {
            return LocalDate.parse(text).toString().equals(text);
        } catch (DateTimeException e) {
            return false;
        }
    }
}
