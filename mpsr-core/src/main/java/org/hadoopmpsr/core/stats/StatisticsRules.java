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
package org.hadoopmpsr.core.stats;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * The rules that the statistics of a file must keep to be published: what no file can have is refused. Statistics that
 * keep the rules may still be false, but only about the records of their own file. Immutable.
 */
public final class StatisticsRules {
    /** The maximum number of records in a file. */
    public static final long MAX_RECORDS = 1L << 40;

    private static final int SHOWN = 80;

    private final Schema schema;
    private final Map<String, Column> columns = new LinkedHashMap<>();

    /** The rules for the files of a dataset. */
    public StatisticsRules(Schema schema, ReplicaGroups groups) {
        this.schema = schema;
        schema.columns().forEach(c -> columns.put(c.name().toLowerCase(Locale.ROOT), c));
        groups.logicalColumns(schema).forEach(c -> columns.putIfAbsent(c.name().toLowerCase(Locale.ROOT), c));
        groups.groups().stream()
                .flatMap(group -> group.paths(schema).stream())
                .forEach(c -> columns.putIfAbsent(c.name().toLowerCase(Locale.ROOT), c));
    }

    /**
     * Checks the statistics of a file.
     *
     * @return the first problem, with its value, and what would be right; empty if there is none
     */
    public Optional<String> problem(ReplicaGroup group, FileStatistics file) {
        if (file.rows() < 1 || file.rows() > MAX_RECORDS) {
            return Optional.of("a count of " + file.rows() + " records; a file has 1 to " + MAX_RECORDS
                    + " records, and a commit without records names no file");
        }
        Optional<String> problem = ofPartition(group, file);
        for (Map.Entry<String, ColumnStatistics> column : file.columns().entrySet()) {
            if (problem.isEmpty()) {
                problem = ofColumn(column.getKey(), column.getValue(), file.rows());
            }
        }
        return problem;
    }

    /**
     * Checks the bytes that the statistics give to the columns.
     *
     * @param length the length of the file
     */
    public static Optional<String> problemOfBytes(FileStatistics file, long length) {
        long rest = length;
        for (Map.Entry<String, ColumnStatistics> column : file.columns().entrySet()) {
            long bytes = Math.max(0, column.getValue().bytes());
            if (bytes > rest) {
                return Optional.of("columns of more bytes than the " + length + " of the file, up to column '"
                        + ColumnPath.shown(column.getKey()) + "' with " + bytes
                        + "; state the bytes that a column takes in the file, or none");
            }
            rest -= bytes;
        }
        return Optional.empty();
    }

    private Optional<String> ofPartition(ReplicaGroup group, FileStatistics file) {
        if (file.partition().size() != group.predicates().size()) {
            return Optional.of(file.partition().size() + " partition values, but group '" + group.name() + "' has "
                    + group.predicates().size() + " predicates");
        }
        for (int i = 0; i < file.partition().size(); i++) {
            Predicate predicate = group.predicates().get(i);
            Object value = file.partition().get(i);
            if (!predicate.mayGive(schema, value)) {
                return Optional.of("the partition value " + shown(value) + ", which " + predicate.text()
                        + " never gives; partition the records by the predicates of group '" + group.name() + "'");
            }
        }
        return Optional.empty();
    }

    private Optional<String> ofColumn(String name, ColumnStatistics statistics, long records) {
        Column column = columns.get(name);
        if (column == null) {
            return Optional.of("statistics of a column '" + cut(ColumnPath.shown(name))
                    + "', which the dataset lacks; leave them out");
        }
        String about = "column '" + ColumnPath.shown(name) + "' with ";
        if (!isValue(column.type(), statistics.min())) {
            return Optional.of(about + "the minimum " + shown(statistics.min()) + wanted(column));
        }
        if (!isValue(column.type(), statistics.max())) {
            return Optional.of(about + "the maximum " + shown(statistics.max()) + wanted(column));
        }
        if (statistics.nullCount() < -1 || statistics.nullCount() > records) {
            return Optional.of(about + statistics.nullCount() + " nulls in " + records + " records; state 0 to "
                    + records + " nulls, or -1 if the number is unknown");
        }
        if (statistics.nullCount() > 0 && !column.nullable()) {
            return Optional.of(about + statistics.nullCount() + " nulls, although it is 'not null'");
        }
        if (statistics.nullCount() == records && (statistics.min() != null || statistics.max() != null)) {
            return Optional.of(about + "bounds, although all of its " + records + " values are null");
        }
        if (statistics.distinct() < -1 || statistics.distinct() > records) {
            return Optional.of(about + statistics.distinct() + " different values in " + records
                    + " records; state 0 to " + records + " values, or -1 if the number is unknown");
        }
        if (statistics.pageShare() != -1 && !(statistics.pageShare() > 0 && statistics.pageShare() <= 1)) {
            return Optional.of(about + "the share " + statistics.pageShare()
                    + " of the pages; state a share above 0 and at most 1, or -1 if it is unknown");
        }
        if (statistics.values() != null && column.type() != ColumnType.STRING) {
            return Optional.of(about + "a filter of values; only columns of strings have one");
        }
        return Optional.empty();
    }

    private static boolean isValue(ColumnType type, @Nullable Object bound) {
        return bound == null || type.holds(bound);
    }

    private static String wanted(Column column) {
        return "; the bounds of a column of type " + column.type().ddl()
                + " are values of that type and no NaN, or unknown";
    }

    private static String shown(@Nullable Object value) {
        return value instanceof String text ? "'" + cut(text) + "'" : String.valueOf(value);
    }

    private static String cut(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }
}
