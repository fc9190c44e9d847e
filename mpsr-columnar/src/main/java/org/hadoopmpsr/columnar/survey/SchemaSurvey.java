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
package org.hadoopmpsr.columnar.survey;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.hadoopmpsr.columnar.read.PhysicalTypes;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnName;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.NestedType;
import org.hadoopmpsr.core.schema.Schema;

/**
 * Finds the schema that holds the most records of files with different schemas. The columns stand in the order of the schema with
 * the most records, and then of the others. A column has the spelling of most records, and the type in which most records can be
 * read without loss; at a tie the first in the order of their texts. For one thread.
 */
public final class SchemaSurvey {
    private final Map<MessageType, Long> records = new HashMap<>();

    /** What was found of one column, whatever its spelling. */
    private static final class Found {
        private final Map<String, Long> spellings = new LinkedHashMap<>();
        private final Map<Type, Long> types = new LinkedHashMap<>();

        /** The type in which most records fit; empty if no file has one that a column may have. */
        private Optional<ColumnType> type() {
            return types.keySet().stream()
                    .flatMap(type -> PhysicalTypes.columnType(type).stream())
                    .distinct()
                    .max(Comparator.comparingLong(this::fitting)
                            .thenComparing(ColumnType::ddl, Comparator.reverseOrder()));
        }

        private long fitting(ColumnType column) {
            return types.entrySet().stream()
                    .filter(type -> PhysicalTypes.holds(column, type.getKey()))
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }

        private String spelling() {
            return spellings.entrySet().stream()
                    .max(Map.Entry.<String, Long>comparingByValue()
                            .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                    .orElseThrow()
                    .getKey();
        }
    }

    /** Adds files of one schema. */
    public void add(MessageType schema, long count) {
        records.merge(schema, count, Long::sum);
    }

    /**
     * The schema for all files that were added. All columns may be null. What no column can have as name is left out, as is a
     * name that readers cannot tell from another one.
     *
     * @param directories the names of columns that are directories, which are left out
     * @return empty if no file has a column of a type that datasets have
     */
    public Optional<Schema> propose(List<String> directories) {
        List<Column> columns = new ArrayList<>();
        for (Map.Entry<String, Found> found : byName().entrySet()) {
            String name = found.getValue().spelling();
            if (ColumnName.isName(name)
                    && directories.stream().noneMatch(name::equalsIgnoreCase)
                    && columns.stream().noneMatch(column -> ColumnName.areTwins(column.name(), name))) {
                found.getValue().type().ifPresent(type -> columns.add(new Column(name, type, true)));
            }
        }
        return columns.isEmpty() ? Optional.empty() : Optional.of(new Schema(columns));
    }

    private Map<String, Found> byName() {
        Map<String, Found> all = new LinkedHashMap<>();
        records.entrySet().stream()
                .sorted(Map.Entry.<MessageType, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(entry -> entry.getKey().toString()))
                .forEach(entry -> {
                    for (Type type : entry.getKey().getFields()) {
                        Found found = all.computeIfAbsent(type.getName().toLowerCase(Locale.ROOT), name -> new Found());
                        found.spellings.merge(type.getName(), entry.getValue(), Long::sum);
                        found.types.merge(type, entry.getValue(), Long::sum);
                    }
                });
        return all;
    }

    /**
     * Why files of a schema do not fit a dataset, by their names and types.
     *
     * @param columns those that the files are to have
     * @return empty if they fit
     */
    public static Optional<String> problem(MessageType schema, List<Column> columns) {
        for (Column column : columns) {
            Optional<Type> type = schema.getFields().stream()
                    .filter(field -> field.getName().equals(column.name()))
                    .findFirst();
            if (type.isEmpty() && !column.nullable()) {
                return Optional.of("it lacks the column '" + column.name() + "', which is not null");
            }
            boolean isNested = column.type() instanceof NestedType; // whoever reads the file compares what lies within
            if (type.isPresent() && !isNested && !PhysicalTypes.holds(column.type(), type.get())) {
                return Optional.of("it holds the column '" + column.name() + "', which is of type "
                        + column.type().ddl() + ", as '" + type.get() + "', and that does not fit");
            }
        }
        return Optional.empty();
    }
}
