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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.text.Backticks;

/** Which field of a message fills each column: by default the field of the same name. Immutable. */
public final class ColumnMapping {
    /** Every column from the field of its name. */
    public static final ColumnMapping BY_NAME = new ColumnMapping(Map.of());

    private final Map<String, FieldSource> byColumn;

    private ColumnMapping(Map<String, FieldSource> byColumn) {
        this.byColumn = Map.copyOf(byColumn);
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
        return new ColumnMapping(map);
    }

    /**
     * What fills the schema's columns, in their order.
     *
     * @throws IllegalArgumentException when the mapping names a column that the schema lacks, or gives a unit of time
     *     to a column that holds none
     */
    List<FieldSource> sources(Schema schema) {
        for (String column : byColumn.keySet()) {
            if (schema.columns().stream()
                    .noneMatch(c -> c.name().toLowerCase(Locale.ROOT).equals(column))) {
                throw new IllegalArgumentException(
                        "there is no column '" + column + "' in the dataset's schema (" + schema.ddl() + ")");
            }
        }
        List<FieldSource> sources = new ArrayList<>();
        for (Column column : schema.columns()) {
            FieldSource source = byColumn.getOrDefault(
                    column.name().toLowerCase(Locale.ROOT), new FieldSource(FieldPath.of(column.name()), null, null));
            if (source.unit() != null && !column.type().hasUnit()) {
                throw new IllegalArgumentException("column '" + column.name() + "' is of type "
                        + column.type().ddl() + ", and only a date, a timestamp or a time of day has a unit of time");
            }
            sources.add(source);
        }
        return sources;
    }
}
