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
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Which columns of a dataset readers with MPSR see, in which order, and under which names. Files have the columns of the schema under
 * their stored names, also those that are not shown any more. Names are compared without regard to case. Immutable.
 */
public record ShownColumns(List<ShownColumn> columns) {

    /** @throws IllegalArgumentException if no column is shown, or two have one name, or one is shown twice */
    public ShownColumns {
        columns = List.copyOf(columns);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("a dataset must show at least one column");
        }
        Set<String> names = new HashSet<>();
        Set<String> stored = new HashSet<>();
        for (ShownColumn column : columns) {
            if (!names.add(lower(column.name())) || !stored.add(lower(column.stored()))) {
                throw new IllegalArgumentException("column '" + column.name() + "' is shown twice");
            }
        }
    }

    /** Those of a schema, as they are stored. */
    public static ShownColumns of(Schema schema) {
        return new ShownColumns(schema.columns().stream()
                .map(column -> new ShownColumn(column.name(), column.name()))
                .toList());
    }

    /** True if all columns are shown as they are stored. */
    public boolean areAsStored(Schema schema) {
        return equals(of(schema));
    }

    /** The column that is shown under a name. */
    public Optional<ShownColumn> find(String name) {
        return columns.stream().filter(c -> c.name().equalsIgnoreCase(name)).findFirst();
    }

    /** The column that is stored under a name, if it is shown. */
    public Optional<ShownColumn> findStored(String stored) {
        return columns.stream().filter(c -> c.stored().equalsIgnoreCase(stored)).findFirst();
    }

    /**
     * The stored name of the column that somebody means by a name: the one that is shown under it, else the one that is stored so. A path is
     * one within that column.
     */
    public String stored(String name) {
        return find(ColumnPath.root(name))
                .map(column -> ColumnPath.withRoot(name, column.stored()))
                .orElse(name);
    }

    /**
     * A column that somebody has found in files, or has stated.
     *
     * @param found the name there
     * @param column what is meant
     */
    public record Found(String found, ShownColumn column) {}

    /**
     * What is meant by columns that Spark has found in files and directories, or that somebody has stated.
     *
     * @param schema what is stored
     * @param inFiles the names of the stored columns that files have, without those of directories
     * @param found the names, each once
     * @param isLike whether what is found under a name has the type of a column. A name of a dropped column that is shown for a new one
     *     now may mean either; what has the type of the new one means that
     * @return the columns that remain, in the order in which they are found; but those of files in the order in which they are shown, before
     *     all others. A name that the dataset does not know stays
     */
    public List<Found> among(
            Schema schema, List<String> inFiles, List<String> found, BiPredicate<String, Column> isLike) {
        boolean ofFile = areOfFile(inFiles, found);
        Set<String> names = lower(found);
        List<Found> meant = new ArrayList<>();
        Set<String> taken = new HashSet<>();
        for (String name : found) {
            boolean isStored = schema.find(name).isPresent();
            Optional<ShownColumn> column = findStored(name)
                    .or(() -> find(name)
                            .filter(c -> !isStored || !names.contains(lower(c.stored())))
                            .filter(c -> !isStored
                                    || isLike.test(name, schema.find(c.stored()).orElseThrow())));
            boolean hidden = column.isEmpty() && isStored;
            ShownColumn shown = column.orElse(new ShownColumn(name, name));
            if (!hidden && taken.add(lower(shown.name()))) {
                meant.add(new Found(name, shown));
            }
        }
        if (ofFile) {
            Set<String> files = lower(inFiles);
            meant.sort(Comparator.comparingInt(
                    one -> files.contains(lower(one.found())) ? columns.indexOf(one.column()) : columns.size()));
        }
        return meant;
    }

    /** What is meant by columns that somebody has stated and that keep their names and places: those of tables, and of streams. */
    public List<Found> stated(List<String> names) {
        return names.stream()
                .map(name -> new Found(name, new ShownColumn(name, stored(name))))
                .toList();
    }

    /** True if the names are those of a file: those of its columns are in the order of files, from the first one on. */
    private static boolean areOfFile(List<String> inFiles, List<String> found) {
        Set<String> files = lower(inFiles);
        List<String> those =
                found.stream().map(ShownColumns::lower).filter(files::contains).toList();
        return those.equals(files.stream().limit(those.size()).toList());
    }

    private static Set<String> lower(List<String> names) {
        Set<String> lower = new LinkedHashSet<>();
        names.forEach(name -> lower.add(lower(name)));
        return lower;
    }

    /** The columns for people: a name that differs from the stored one has that behind it. */
    public String text(Schema schema) {
        List<String> all = new ArrayList<>();
        for (ShownColumn column : columns) {
            schema.find(column.stored()).ifPresent(stored -> {
                String ddl = new Column(column.name(), stored.type(), stored.nullable()).ddl();
                all.add(
                        column.name().equalsIgnoreCase(column.stored())
                                ? ddl
                                : ddl + " (in files: " + ColumnName.text(stored.name()) + ")");
            });
        }
        return String.join(", ", all);
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
