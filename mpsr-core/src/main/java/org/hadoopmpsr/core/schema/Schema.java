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
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** The columns of a dataset's records, in order; at least one column, and no name twice. Immutable. */
public record Schema(List<Column> columns) {
    public Schema {
        columns = List.copyOf(columns);
        if (columns.isEmpty()) {
            throw new IllegalArgumentException("a schema needs at least one column, such as 'signal string not null'");
        }
        columns.forEach(column -> ColumnName.check(column.name()));
        ColumnName.firstTwin(columns.stream().map(Column::name).toList()).ifPresent(name -> {
            throw new IllegalArgumentException("column '" + name + "' is named twice in the schema");
        });
    }

    /**
     * Reads {@code "signal string not null, value double, `wind speed` double"}.
     *
     * @throws IllegalArgumentException with the offending part
     */
    public static Schema parse(String ddl) {
        List<Column> columns = new ArrayList<>();
        for (String part : Brackets.split(ddl, c -> c == ',')) {
            columns.add(parseColumn(part.trim()));
        }
        return new Schema(columns);
    }

    private static Column parseColumn(String text) {
        String[] words = Brackets.split(text, Character::isWhitespace).stream()
                .filter(word -> !word.isEmpty())
                .toArray(String[]::new);
        boolean required = words.length == 4 && words[2].equalsIgnoreCase("not") && words[3].equalsIgnoreCase("null");
        if (words.length != 2 && !required) {
            throw new IllegalArgumentException(
                    "cannot read column '" + text + "'; write '<name> <type>' or '<name> <type> not null', and a name"
                            + " that is not plain in backticks, such as `signal name` string");
        }
        return new Column(ColumnName.parse(words[0]), ColumnType.parse(words[1]), !required);
    }

    /** The schema as text; {@link #parse} reads it to an equal schema. */
    public String ddl() {
        return columns.stream().map(Column::ddl).collect(Collectors.joining(", "));
    }

    /** The position of a column by its name without regard to case. */
    public OptionalInt indexOf(String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(name)) {
                return OptionalInt.of(i);
            }
        }
        return OptionalInt.empty();
    }

    /** The column of that name without regard to case; of a {@link ColumnPath}, what it leads to. */
    public Optional<Column> find(String name) {
        if (ColumnPath.isPath(name)) {
            return ColumnPath.find(this, name);
        }
        OptionalInt index = indexOf(name);
        return index.isPresent() ? Optional.of(columns.get(index.getAsInt())) : Optional.empty();
    }

    /** The whole column that has the value of a name or path. */
    public Optional<Column> root(String name) {
        return find(ColumnPath.root(name));
    }
}
