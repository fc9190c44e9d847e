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

/**
 * Which field of a message fills each column: by default the field of the same name.
 *
 * @param fieldByColumn field names by lower-case column name
 */
public record ColumnMapping(Map<String, String> fieldByColumn) {

    public ColumnMapping {
        fieldByColumn = Map.copyOf(fieldByColumn);
    }

    /**
     * Reads {@code column=field} pairs.
     *
     * @throws IllegalArgumentException naming the pair that is wrong
     */
    public static ColumnMapping parse(List<String> pairs) {
        Map<String, String> map = new TreeMap<>();
        for (String pair : pairs) {
            String[] parts = pair.split("=", -1);
            if (parts.length != 2 || parts[0].isBlank() || parts[1].isBlank()) {
                throw new IllegalArgumentException("'" + pair + "' is not of the form column=field");
            }
            if (map.put(parts[0].trim().toLowerCase(Locale.ROOT), parts[1].trim()) != null) {
                throw new IllegalArgumentException("column '" + parts[0].trim() + "' is named twice");
            }
        }
        return new ColumnMapping(map);
    }

    /** The name of the field that fills a column. */
    public String field(Column column) {
        return Optional.ofNullable(fieldByColumn.get(column.name().toLowerCase(Locale.ROOT)))
                .orElse(column.name());
    }

    /**
     * The field names in the order of the schema's columns.
     *
     * @throws IllegalArgumentException when the mapping names a column that the schema lacks, or a field twice
     */
    public List<String> fields(Schema schema) {
        for (String column : fieldByColumn.keySet()) {
            if (schema.find(column).isEmpty()) {
                throw new IllegalArgumentException(
                        "there is no column '" + column + "' in the dataset's schema (" + schema.ddl() + ")");
            }
        }
        List<String> fields = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Column column : schema.columns()) {
            String field = field(column);
            if (!seen.add(field)) {
                throw new IllegalArgumentException("field '" + field + "' is to fill two columns");
            }
            fields.add(field);
        }
        return fields;
    }
}
