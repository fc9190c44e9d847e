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
package org.hadoopmpsr.ingest.decode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.ShownColumn;
import org.hadoopmpsr.core.schema.ShownColumns;
import org.hadoopmpsr.core.text.Backticks;
import org.jspecify.annotations.Nullable;

/**
 * Which field of a message fills each column: by default the field of the same name. A column that was renamed is filled by fields of
 * its former name too, because producers go on as before. Immutable.
 */
public final class ColumnMapping {
    /** Every column from the field of its name. */
    public static final ColumnMapping BY_NAME = new ColumnMapping(Map.of(), null);

    private final Map<String, FieldSource> byColumn;
    private final @Nullable ShownColumns shown;

    /** @param shown null if columns are shown as they are stored */
    private ColumnMapping(Map<String, FieldSource> byColumn, @Nullable ShownColumns shown) {
        this.byColumn = Map.copyOf(byColumn);
        this.shown = shown;
    }

    /** This mapping for a dataset that shows columns under other names than they are stored; it names the shown ones. */
    public ColumnMapping of(ShownColumns columns) {
        return new ColumnMapping(byColumn, columns);
    }

    /** The name of a column; an empty text if it was dropped. */
    String shownName(Column stored) {
        return shown == null
                ? stored.name()
                : shown.findStored(stored.name()).map(ShownColumn::name).orElse("");
    }

    /** The name that a renamed column has in files, if no other column is shown under it. */
    Optional<String> formerName(Column stored) {
        return shown != null
                        && shown.findStored(stored.name()).isPresent()
                        && shown.find(stored.name()).isEmpty()
                ? Optional.of(stored.name())
                : Optional.empty();
    }

    /**
     * Reads {@code column=path [as unit] [default value]} for each column that is not just a field of its name.
     *
     * @throws IllegalArgumentException naming the entry that is wrong
     */
    public static ColumnMapping parse(List<String> entries) {
        Map<String, FieldSource> map = new TreeMap<>();
        for (String text : entries) {
            String entry = text.strip();
            int named = Backticks.end(entry, 0);
            int equals = entry.indexOf('=', Math.max(0, named));
            if (equals < 1 || entry.substring(0, equals).isBlank()) {
                throw new IllegalArgumentException(
                        "'" + text + "' is not of the form column=path [as unit] [default value]");
            }
            String written = entry.substring(0, equals).trim();
            String column = named == written.length() ? Backticks.within(written) : written;
            if (map.put(column.toLowerCase(Locale.ROOT), FieldSource.parse(entry.substring(equals + 1))) != null) {
                throw new IllegalArgumentException("column '" + column + "' is named twice");
            }
        }
        return new ColumnMapping(map, null);
    }

    /**
     * What fills the schema's columns, in their order.
     *
     * @throws IllegalArgumentException when the mapping names a column that the schema lacks, or gives a unit of time
     *     to a column that holds none
     */
    List<FieldSource> sources(Schema schema) {
        Set<String> names = new HashSet<>();
        List<FieldSource> sources = new ArrayList<>();
        for (Column column : schema.columns()) {
            String name = shownName(column);
            names.add(name.toLowerCase(Locale.ROOT));
            sources.add(name.isEmpty() ? new FieldSource(FieldPath.NONE, null, null) : source(column, name));
        }
        for (String column : byColumn.keySet()) {
            if (!names.contains(column)) {
                String known = shown == null ? schema.ddl() : shown.text(schema);
                throw new IllegalArgumentException(
                        "there is no column '" + column + "' in the dataset's schema (" + known + ")");
            }
        }
        return sources;
    }

    private FieldSource source(Column column, String name) {
        FieldSource source =
                byColumn.getOrDefault(name.toLowerCase(Locale.ROOT), new FieldSource(FieldPath.of(name), null, null));
        if (source.unit() != null && !column.type().hasUnit()) {
            throw new IllegalArgumentException("column '" + name + "' is of type "
                    + column.type().ddl() + ", and only a date, a timestamp or a time of day has a unit of time");
        }
        return source;
    }
}
