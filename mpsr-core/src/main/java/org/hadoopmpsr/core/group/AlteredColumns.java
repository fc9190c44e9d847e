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
import java.util.Optional;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.DatasetColumns;
import org.hadoopmpsr.core.schema.DecimalType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.ShownColumn;
import org.hadoopmpsr.core.schema.ShownColumns;
import org.jspecify.annotations.Nullable;

/**
 * The rules for altering the columns of a dataset. Files that were written before stay as they are: a column that they lack is null
 * in their records, and a narrower number is read as the wider one. Neither changes the hash of a record. Each method throws {@link
 * IllegalArgumentException} with the problem, the cause and the remedy where the alteration makes no sense.
 */
public final class AlteredColumns {
    /** Each one holds all values of those before it. */
    private static final List<ColumnType> WHOLE =
            List.of(ColumnType.TINYINT, ColumnType.SMALLINT, ColumnType.INT, ColumnType.LONG);

    private AlteredColumns() {}

    /**
     * The columns with one more, the last one. The name of a column that was dropped is not stored a second time: the new column is
     * stored under another one.
     */
    public static DatasetColumns added(DatasetColumns now, ReplicaGroups groups, Column added) {
        now.shown().find(added.name()).ifPresent(there -> {
            throw new IllegalArgumentException("the dataset has the column '" + ddl(now, there)
                    + "' already; name another one, or widen that with widen-column");
        });
        if (!added.nullable()) {
            throw new IllegalArgumentException(
                    "column '" + added.name()
                            + "' cannot be 'not null': the records that are there have no value for it; add it without 'not null'");
        }
        checkNoField(now, groups, added.name());
        checkNotStored(now, added.name());
        Column stored = new Column(freeName(now.stored(), added.name()), added.type(), true);
        List<Column> columns = new ArrayList<>(now.stored().columns());
        columns.add(stored);
        Schema altered = new Schema(columns);
        List<String> problems = groups.problemsWith(altered);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "column '" + added.name() + "' does not fit:\n  - " + String.join("\n  - ", problems));
        }
        List<ShownColumn> shown = new ArrayList<>(now.shown().columns());
        shown.add(new ShownColumn(added.name(), stored.name()));
        return new DatasetColumns(altered, new ShownColumns(shown));
    }

    private static String freeName(Schema stored, String name) {
        String free = name;
        for (int i = 2; stored.find(free).isPresent(); i++) {
            free = name + "_" + i;
        }
        return free;
    }

    /**
     * The columns where one has a type that holds more values. No predicate may name the column: the names of directories, and
     * buckets, come from its values.
     *
     * @param wider the shown name of the column, and its new type; whether it may be null stays
     */
    public static DatasetColumns widened(DatasetColumns now, ReplicaGroups groups, Column wider) {
        Column before = stored(now, wider.name());
        ColumnType from = before.type();
        if (!isWider(from, wider.type())) {
            throw new IllegalArgumentException("column '" + wider.name() + "' is of type " + from.ddl()
                    + ", and not all of its values are exactly values of "
                    + wider.type().ddl()
                    + " in the form that files have; " + possible(from));
        }
        predicate(groups, before).ifPresent(predicate -> {
            throw new IllegalArgumentException("column '" + wider.name() + "' is named in the predicate '" + predicate
                    + "', and keeps its type; set other predicates for the group with set-group first");
        });
        for (ReplicaGroup group : groups.groups()) {
            if (group.transforms().transformed(before).isPresent()) {
                throw new IllegalArgumentException("group '" + group.name() + "' holds column '" + wider.name()
                        + "' as "
                        + group.transforms().find(before.name()).orElseThrow().text()
                        + ", which fits its type, and it keeps that; set the group without this transform with set-group"
                        + " first");
            }
        }
        return new DatasetColumns(
                replaced(now.stored(), before, new Column(before.name(), wider.type(), before.nullable())),
                now.shown());
    }

    /**
     * The columns where one is shown under another name. Writers go on with the stored name; no other column can be shown under that.
     */
    public static DatasetColumns renamed(DatasetColumns now, ReplicaGroups groups, String name, String to) {
        ShownColumn column = shown(now, name);
        Column stored = stored(now, name);
        ColumnName.check(to);
        Optional<ShownColumn> there = now.shown().find(to);
        if (there.isPresent() && !there.get().equals(column)) {
            throw new IllegalArgumentException("the dataset has the column '" + ddl(now, there.get())
                    + "' already; rename or drop that first, or choose another name");
        }
        checkNoField(now, groups, to);
        if (!to.equalsIgnoreCase(stored.name())) {
            checkNotStored(now, to);
        }
        List<ShownColumn> columns = now.shown().columns().stream()
                .map(c -> c.equals(column) ? new ShownColumn(to, c.stored()) : c)
                .toList();
        return new DatasetColumns(now.stored(), new ShownColumns(columns));
    }

    /**
     * The columns without one: nobody is shown the column, and writers leave it out. Files keep what they have of it.
     *
     * @param keys the key columns of the dataset
     */
    public static DatasetColumns dropped(DatasetColumns now, ReplicaGroups groups, List<String> keys, String name) {
        ShownColumn column = shown(now, name);
        Column stored = stored(now, name);
        predicate(groups, stored).ifPresent(predicate -> {
            throw new IllegalArgumentException("column '" + name + "' is named in the predicate '" + predicate
                    + "', and cannot be dropped; set other predicates for the group with set-group first");
        });
        for (ReplicaGroup group : groups.groups()) {
            if (isAmong(
                    group.sort().stream()
                            .map(SortKey::column)
                            .map(ColumnPath::root)
                            .toList(),
                    stored)) {
                throw new IllegalArgumentException("column '" + name + "' sorts the records of group '" + group.name()
                        + "', and cannot be dropped; set another sort order with set-group first");
            }
        }
        if (isAmong(keys, stored)) {
            throw new IllegalArgumentException("column '" + name
                    + "' is a key column, by which merges find copies of a record; it cannot be dropped");
        }
        if (now.shown().columns().size() == 1) {
            throw new IllegalArgumentException("column '" + name + "' is the only one; a dataset has at least one");
        }
        return new DatasetColumns(
                replaced(now.stored(), stored, new Column(stored.name(), stored.type(), true)),
                new ShownColumns(now.shown().columns().stream()
                        .filter(c -> !c.equals(column))
                        .toList()));
    }

    /**
     * The columns where one is shown at another place.
     *
     * @param after the shown name of the one before it; null for the first place
     */
    public static DatasetColumns moved(DatasetColumns now, String name, @Nullable String after) {
        ShownColumn column = shown(now, name);
        List<ShownColumn> columns = new ArrayList<>(now.shown().columns());
        columns.remove(column);
        int place = 0;
        if (after != null) {
            place = 1 + columns.indexOf(shown(now, after));
            if (place == 0) {
                throw new IllegalArgumentException("column '" + name + "' cannot come after itself; name another one");
            }
        }
        columns.add(place, column);
        return new DatasetColumns(now.stored(), new ShownColumns(columns));
    }

    private static ShownColumn shown(DatasetColumns now, String name) {
        return now.shown()
                .find(name)
                .orElseThrow(() ->
                        new IllegalArgumentException("the dataset has no column '" + name + "'; it has " + now.text()));
    }

    private static Column stored(DatasetColumns now, String name) {
        return now.stored().find(shown(now, name).stored()).orElseThrow();
    }

    private static String ddl(DatasetColumns now, ShownColumn column) {
        Column stored = now.stored().find(column.stored()).orElseThrow();
        return new Column(column.name(), stored.type(), stored.nullable()).ddl();
    }

    private static boolean isAmong(List<String> names, Column column) {
        return names.stream().anyMatch(name -> name.equalsIgnoreCase(column.name()));
    }

    private static Optional<String> predicate(ReplicaGroups groups, Column column) {
        return groups.groups().stream()
                .flatMap(group -> group.predicates().stream())
                .filter(p -> p.isOf(column))
                .map(Predicate::text)
                .findFirst();
    }

    /** A producer that sends a column under the stored name must not fill another one. */
    private static void checkNotStored(DatasetColumns now, String name) {
        now.shown().findStored(name).ifPresent(other -> {
            throw new IllegalArgumentException("files, and those who write them, have the name '" + name
                    + "' for the column '" + other.name() + "'; choose another name");
        });
    }

    /** Directories have names of their own, which readers of the default group see as columns. */
    private static void checkNoField(DatasetColumns now, ReplicaGroups groups, String name) {
        for (ReplicaGroup group : groups.groups()) {
            for (Predicate predicate : group.predicates()) {
                if (predicate.fieldName().equalsIgnoreCase(name)
                        && now.stored().find(predicate.fieldName()).isEmpty()) {
                    throw new IllegalArgumentException(
                            "'" + name + "' has the name of a column that the directories of group '" + group.name()
                                    + "' have, for " + predicate.text() + "; choose another name");
                }
            }
        }
    }

    private static Schema replaced(Schema schema, Column before, Column after) {
        return new Schema(
                schema.columns().stream().map(c -> c.equals(before) ? after : c).toList());
    }

    private static boolean isWider(ColumnType from, ColumnType to) {
        if (from instanceof DecimalType before && to instanceof DecimalType after) {
            return before.scale() == after.scale()
                    && before.precision() < after.precision()
                    && before.isWideDecimal() == after.isWideDecimal();
        }
        return from.equals(ColumnType.FLOAT) && to.equals(ColumnType.DOUBLE)
                || WHOLE.contains(from) && WHOLE.indexOf(from) < WHOLE.indexOf(to);
    }

    private static String possible(ColumnType from) {
        if (from instanceof DecimalType decimal) {
            int most = decimal.isWideDecimal() ? DecimalType.MAX_DIGITS : DecimalType.LONG_DIGITS;
            return decimal.precision() < most
                    ? "it can have up to " + most + " digits, " + decimal.scale() + " of them after the point"
                    : "it can have no other type";
        }
        List<String> wider = new ArrayList<>();
        if (WHOLE.contains(from)) {
            WHOLE.subList(WHOLE.indexOf(from) + 1, WHOLE.size()).forEach(type -> wider.add(type.ddl()));
        } else if (from.equals(ColumnType.FLOAT)) {
            wider.add(ColumnType.DOUBLE.ddl());
        }
        return wider.isEmpty() ? "it can have no other type" : "it can become " + String.join(" or ", wider);
    }
}
