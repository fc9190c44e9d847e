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
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.DecimalType;
import org.hadoopmpsr.core.schema.Schema;

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

    /** The schema with one more column, the last one. */
    public static Schema added(Schema now, ReplicaGroups groups, Column added) {
        now.find(added.name()).ifPresent(there -> {
            throw new IllegalArgumentException("the dataset has the column '" + there.ddl()
                    + "' already; name another one, or widen that with widen-column");
        });
        if (!added.nullable()) {
            throw new IllegalArgumentException(
                    "column '" + added.name()
                            + "' cannot be 'not null': the records that are there have no value for it; add it without 'not null'");
        }
        List<Column> columns = new ArrayList<>(now.columns());
        columns.add(added);
        Schema altered = new Schema(columns);
        List<String> problems = groups.problemsWith(altered);
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(
                    "column '" + added.name() + "' does not fit:\n  - " + String.join("\n  - ", problems));
        }
        return altered;
    }

    /**
     * The schema where a column has a type that holds more values. No predicate may name the column: the names of directories, and
     * buckets, come from its values.
     *
     * @param wider the name of the column, and its new type; whether it may be null stays
     */
    public static Schema widened(Schema now, ReplicaGroups groups, Column wider) {
        Column before = now.find(wider.name())
                .orElseThrow(() -> new IllegalArgumentException(
                        "the dataset has no column '" + wider.name() + "'; add it with add-column"));
        ColumnType from = before.type();
        if (!isWider(from, wider.type())) {
            throw new IllegalArgumentException("column '" + before.name() + "' is of type " + from.ddl()
                    + ", and not all of its values are exactly values of "
                    + wider.type().ddl()
                    + " in the form that files have; " + possible(from));
        }
        Optional<String> predicate = groups.groups().stream()
                .flatMap(group -> group.predicates().stream())
                .filter(p -> p.column().equalsIgnoreCase(before.name()))
                .map(Predicate::text)
                .findFirst();
        if (predicate.isPresent()) {
            throw new IllegalArgumentException(
                    "column '" + before.name() + "' is named in the predicate '" + predicate.get()
                            + "', and keeps its type; set other predicates for the group with set-group first");
        }
        return new Schema(now.columns().stream()
                .map(c -> c.equals(before) ? new Column(c.name(), wider.type(), c.nullable()) : c)
                .toList());
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
