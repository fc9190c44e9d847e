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

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;

/**
 * A sample of a dataset's records. Immutable.
 *
 * @param records the number of records of the dataset
 * @param bytes of one copy of the dataset
 * @param columnBytes about how many bytes of one copy each column takes, by its name in lower case; a column that is missing is as
 *     large as the others on average
 * @param rows the sampled records, each of which stands for as many records
 * @param real values that are there for sure, of columns of which sampled records may have made-up ones, by their names in lower case; none
 *     of the lists is empty
 * @param fields the columns of the schema that are partition fields, such as {@code day}, by their names in lower case: queries name them, and
 *     no group is divided by them, but by what they are made from
 */
public record DataSample(
        Schema schema,
        double records,
        double bytes,
        Map<String, Double> columnBytes,
        List<Row> rows,
        Map<String, List<Object>> real,
        Map<String, Predicate> fields) {

    public DataSample {
        fields = fields.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(e -> e.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue));
        columnBytes = columnBytes.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(e -> e.getKey().toLowerCase(Locale.ROOT), Map.Entry::getValue));
        rows = List.copyOf(rows);
        real = Map.copyOf(real);
    }

    /** A sample whose columns are all stored. */
    public DataSample(Schema schema, double records, double bytes, Map<String, Double> columnBytes, List<Row> rows) {
        this(schema, records, bytes, columnBytes, rows, Map.of(), Map.of());
    }

    /**
     * This sample with the partition fields of predicates as further columns, which take no bytes. Predicates of columns are left out, as
     * are those of what the schema lacks and those whose field has the name of a column.
     */
    public DataSample with(List<Predicate> predicates) {
        DataSample all = this;
        for (Predicate predicate : predicates) {
            int from = all.place(predicate.column());
            if (from >= 0 && !predicate.isColumn() && all.place(predicate.fieldName()) < 0) {
                all = all.with(predicate, from);
            }
        }
        return all;
    }

    private DataSample with(Predicate predicate, int from) {
        ColumnType type = schema.columns().get(from).type();
        List<Column> columns = new ArrayList<>(schema.columns());
        columns.add(predicate.field(schema));
        List<Row> wider = new ArrayList<>(rows.size());
        for (Row row : rows) {
            List<@Nullable Object> values = new ArrayList<>(row.values());
            Object value = values.get(from);
            values.add(value == null ? null : predicate.transform().apply(type, value));
            wider.add(new Row(row.segment(), values));
        }
        Map<String, Double> sizes = new HashMap<>(columnBytes);
        sizes.put(predicate.fieldName(), 0.0);
        Map<String, Predicate> more = new HashMap<>(fields);
        more.put(predicate.fieldName(), predicate);
        return new DataSample(new Schema(columns), records, bytes, sizes, wider, real, more);
    }

    /**
     * A record.
     *
     * @param segment the segment that it belongs to: records of different segments never share a file
     * @param values by the schema's columns, of the classes of their types; null for null and unknown values
     */
    public record Row(int segment, List<@Nullable Object> values) {
        public Row {
            values = Collections.unmodifiableList(new ArrayList<>(values));
        }
    }

    /** A sample of about so many of these records, at even distances. */
    DataSample thinned(int most) {
        if (rows.size() <= most) {
            return this;
        }
        List<Row> some = new ArrayList<>(most);
        for (int i = 0; i < most; i++) {
            some.add(rows.get((int) ((long) i * rows.size() / most)));
        }
        return new DataSample(schema, records, bytes, columnBytes, some, real, fields);
    }

    /** How many records a sampled one stands for. */
    double weight() {
        return rows.isEmpty() ? 0 : records / rows.size();
    }

    /** The place of a column among the values of a row; negative if the schema lacks it. */
    int place(String column) {
        List<Column> columns = schema.columns();
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(column)) {
                return i;
            }
        }
        return -1;
    }

    /** The values of a column, from the least to the greatest, without nulls. */
    List<Object> sorted(int place) {
        return rows.stream()
                .map(row -> row.values().get(place))
                .filter(Objects::nonNull)
                .map(Objects::requireNonNull)
                .sorted(Orders::compare)
                .toList();
    }

    /** The bytes of a record in a column. */
    double bytesOfRecord(String column) {
        double known =
                columnBytes.values().stream().mapToDouble(Double::doubleValue).sum();
        int unknown = schema.columns().size() - columnBytes.size();
        double rest = unknown == 0 ? 0 : Math.max(0, bytes - known) / unknown;
        return records <= 0 ? 0 : columnBytes.getOrDefault(column.toLowerCase(Locale.ROOT), rest) / records;
    }
}
