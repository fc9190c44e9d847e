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
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.PageBounds;
import org.hadoopmpsr.core.stats.RunEnds;
import org.jspecify.annotations.Nullable;

/**
 * The files that a dataset would have in a group, as far as a sample tells: their sizes and statistics, from which the planner estimates
 * work. Sampled records are divided by partition and segment, sorted, and cut into files. As a sample has too few different values,
 * their number is estimated, and bounds of a file are a little wider than those of its sampled records.
 */
final class SampledFiles {
    /** Bounds of fewer sampled records are too narrow. */
    private static final int LEAST_ROWS_OF_PAGE = 10;
    /**
     * By how many mean distances of sampled numbers bounds are wider. What has a value behind the last sampled one would be taken for a file or page without
     * it; behind four distances there is one in 2 of 100 cases.
     */
    private static final int GAPS = 4;

    private final DataSample sample;
    private final ReplicaGroup group;
    private final double fileBytes;
    private final Map<String, ColumnSize> sizes;
    private final List<Column> columns;
    private final int[] sortPlaces;
    private final @Nullable Object[] least;
    private final @Nullable Object[] greatest;
    private final List<DataFile> files = new ArrayList<>();
    private final List<DataFile> pages = new ArrayList<>();
    private final Map<Integer, List<Object>> different = new HashMap<>();

    /**
     * @param fileBytes the size to which files grow when they are merged
     * @param measured what columns take
     */
    SampledFiles(DataSample sample, ReplicaGroup group, double fileBytes, GroupSizes measured) {
        this.sample = sample;
        this.group = group;
        this.fileBytes = fileBytes;
        this.sizes = measured.of(Layout.of(group));
        this.columns = sample.schema().columns();
        this.sortPlaces = group.sortKeys(sample.schema()).stream()
                .map(SortKey::column)
                .mapToInt(sample::place)
                .filter(place -> place >= 0)
                .toArray();
        this.least = new Object[columns.size()];
        this.greatest = new Object[columns.size()];
        for (DataSample.Row row : sample.rows()) {
            for (int c = 0; c < columns.size(); c++) {
                Object value = row.values().get(c);
                if (value != null) {
                    least[c] = least[c] == null || Orders.compare(value, least[c]) < 0 ? value : least[c];
                    greatest[c] = greatest[c] == null || Orders.compare(value, greatest[c]) > 0 ? value : greatest[c];
                }
            }
        }
        cut();
    }

    /** The number of partitions of a layout, as far as the sample tells, times the segments that have records in them. */
    static int parts(DataSample sample, List<Predicate> predicates) {
        int[] places = places(sample, predicates);
        return (int) sample.rows().stream()
                .map(row -> key(sample, predicates, places, row))
                .distinct()
                .count();
    }

    private record Part(List<@Nullable Object> partition, int segment) {}

    private static int[] places(DataSample sample, List<Predicate> predicates) {
        return predicates.stream().mapToInt(p -> sample.place(p.column())).toArray();
    }

    private static Part key(DataSample sample, List<Predicate> predicates, int[] places, DataSample.Row row) {
        List<@Nullable Object> tuple = new ArrayList<>(places.length);
        for (int i = 0; i < places.length; i++) {
            Object value = row.values().get(places[i]);
            tuple.add(
                    value == null
                            ? null
                            : predicates
                                    .get(i)
                                    .transform()
                                    .apply(
                                            sample.schema()
                                                    .columns()
                                                    .get(places[i])
                                                    .type(),
                                            value));
        }
        return new Part(tuple, row.segment());
    }

    /** The files in the group. */
    GroupFiles files() {
        return GroupFiles.of(group, files, null);
    }

    /**
     * The pages of the files, as files of their own. If the sample has too few records for pages of the usual size, they are larger.
     */
    GroupFiles pages() {
        return GroupFiles.of(group, pages, null);
    }

    private void add(Part part, List<DataSample.Row> rows) {
        int most = (int) Math.max(LEAST_ROWS_OF_PAGE, Math.round(FileStatistics.PAGE_ROWS / sample.weight()));
        List<List<DataSample.Row>> own = new ArrayList<>();
        int from = 0;
        for (int end : RunEnds.of(0, rows.size(), row -> runEnd(rows, row), most, most)) {
            own.add(rows.subList(from, end));
            from = end;
        }
        files.add(file(files.size(), part, rows, own));
        own.forEach(page -> pages.add(file(pages.size(), part, page, List.of())));
    }

    /** The end of the rows with an equal value of the first column by which they are sorted. */
    private int runEnd(List<DataSample.Row> rows, int row) {
        int end = row + 1;
        while (sortPlaces.length > 0
                && end < rows.size()
                && Orders.compare(
                                rows.get(row).values().get(sortPlaces[0]),
                                rows.get(end).values().get(sortPlaces[0]))
                        == 0) {
            end++;
        }
        return end;
    }

    /** Divides the sampled records into files. */
    private void cut() {
        Map<Part, List<DataSample.Row>> parts = new LinkedHashMap<>();
        int[] places = places(sample, group.predicates());
        for (DataSample.Row row : sample.rows()) {
            parts.computeIfAbsent(key(sample, group.predicates(), places, row), k -> new ArrayList<>())
                    .add(row);
        }
        double bytesOfRow = bytesOfRecord() * sample.weight();
        int most = (int) Math.max(1, Math.floor(fileBytes / Math.max(1, bytesOfRow)));
        parts.forEach((part, rows) -> {
            // sampled records may have equal values in an order that the dataset's do not have
            Collections.shuffle(rows, new Random(parts.size()));
            rows.sort(this::compare);
            for (int from = 0; from < rows.size(); from += most) {
                add(part, rows.subList(from, Math.min(rows.size(), from + most)));
            }
        });
    }

    private int compare(DataSample.Row a, DataSample.Row b) {
        for (int place : sortPlaces) {
            int order = Orders.compare(a.values().get(place), b.values().get(place));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }

    /** About what a record takes in all columns. */
    private double bytesOfRecord() {
        double all = sample.records() <= 0 ? 0 : sample.bytes() / sample.records();
        for (Column column : columns) {
            ColumnSize size = size(column);
            if (size != null) {
                all += size.recordBytes() - sample.bytesOfRecord(column.name());
            }
        }
        return Math.max(0, all);
    }

    private @Nullable ColumnSize size(Column column) {
        return sizes.get(column.name().toLowerCase(Locale.ROOT));
    }

    private double bytes(Column column, double records) {
        ColumnSize size = size(column);
        return size == null ? sample.bytesOfRecord(column.name()) * records : size.of(records);
    }

    /** @param pages of the file; none for a page, which is without what a file takes however many records it has */
    private DataFile file(int number, Part part, List<DataSample.Row> rows, List<List<DataSample.Row>> pages) {
        double records = Math.max(1, rows.size() * sample.weight());
        double bytes = records * bytesOfRecord();
        Map<String, ColumnStatistics> statistics = new HashMap<>();
        for (int c = 0; c < columns.size(); c++) {
            statistics.put(columns.get(c).name(), column(c, rows, records).withPageShare(pageShare(c, pages)));
            ColumnSize size = size(columns.get(c));
            bytes += size == null || pages.isEmpty() ? 0 : size.fileBytes();
        }
        FileStatistics all = new FileStatistics(
                "s" + part.segment(), new ContentHash(Math.round(records), 0, 0), part.partition(), statistics);
        return new DataFile("/" + number, number, Math.max(1, Math.round(bytes)), 0, all);
    }

    /** By the sampled values as they are: wider bounds would overlap with those of the next page. */
    private double pageShare(int c, List<List<DataSample.Row>> pages) {
        PageBounds<Object> bounds = new PageBounds<>(Orders::compare);
        for (List<DataSample.Row> page : pages) {
            Object min = null;
            Object max = null;
            for (DataSample.Row row : page) {
                Object value = row.values().get(c);
                if (value != null) {
                    min = min == null || Orders.compare(value, min) < 0 ? value : min;
                    max = max == null || Orders.compare(value, max) > 0 ? value : max;
                }
            }
            if (min == null || max == null) {
                bounds.addNulls();
            } else {
                bounds.add(min, max);
            }
        }
        return bounds.share();
    }

    private ColumnStatistics column(int c, List<DataSample.Row> rows, double records) {
        List<Object> values = new ArrayList<>(rows.size());
        for (DataSample.Row row : rows) {
            Object value = row.values().get(c);
            if (value != null) {
                values.add(value);
            }
        }
        long bytes = Math.round(bytes(columns.get(c), records));
        long nulls = Math.round(records * (rows.size() - values.size()) / rows.size());
        if (values.isEmpty()) {
            return new ColumnStatistics(null, null, nulls, -1, false, bytes);
        }
        values.sort(Comparator.nullsFirst(Orders::compare));
        Object min = values.get(0);
        Object max = values.get(values.size() - 1);
        long distinct = Math.round(Distinct.estimate(values, records));
        if (distinct > 1 && !isPartitionedBy(c)) {
            int gap = min instanceof String ? gap(c, values, distinct) : 0;
            double more = GAPS / (values.size() - 1.0);
            min = gap > 0 ? neighbour(c, min, -gap) : wider(min, max, more, c, -1);
            max = gap > 0 ? neighbour(c, max, gap) : wider(values.get(0), max, more, c, 1);
        }
        return new ColumnStatistics(min, max, nulls, distinct, false, bytes);
    }

    private boolean isPartitionedBy(int c) {
        return group.predicates().stream()
                .anyMatch(p -> p.column().equalsIgnoreCase(columns.get(c).name()));
    }

    /** How many sampled texts of all files lie between two of a file, on average; 0 if all texts of the file are sampled. */
    private int gap(int c, List<Object> sorted, long distinct) {
        List<Object> all = different(c);
        int between = Collections.binarySearch(all, sorted.get(sorted.size() - 1), Orders::compare)
                - Collections.binarySearch(all, sorted.get(0), Orders::compare);
        return distinct > sorted.stream().distinct().count() ? (int) Math.ceil(between / (distinct - 1.0)) : 0;
    }

    private Object neighbour(int c, Object text, int distance) {
        List<Object> all = different(c);
        int place = Collections.binarySearch(all, text, Orders::compare) + distance;
        return all.get(Math.max(0, Math.min(all.size() - 1, place)));
    }

    /** The different sampled values of a column, in their order. */
    private List<Object> different(int c) {
        return different.computeIfAbsent(
                c,
                column -> sample.rows().stream()
                        .map(row -> row.values().get(column))
                        .filter(Objects::nonNull)
                        .sorted(Orders::compare)
                        .distinct()
                        .toList());
    }

    /**
     * The lower (-1) or upper (1) bound of a file of whose values some are sampled.
     *
     * @param more of the range between the least and the greatest sampled one; infinite if there is one
     */
    private Object wider(Object min, Object max, double more, int c, int direction) {
        Object limit = direction < 0 ? least[c] : greatest[c];
        Object own = direction < 0 ? min : max;
        if (limit == null || Double.isInfinite(more)) {
            return limit == null ? own : limit;
        }
        if (min instanceof Long a && max instanceof Long b && limit instanceof Long end) {
            double gap = more * ((double) b - a);
            return direction < 0
                    ? (Object) (long) Math.max(end, Math.ceil(a - gap))
                    : (Object) (long) Math.min(end, Math.floor(b + gap));
        }
        if (min instanceof Double a && max instanceof Double b && limit instanceof Double end) {
            double gap = more * (b - a);
            return direction < 0 ? (Object) Math.max(end, a - gap) : (Object) Math.min(end, b + gap);
        }
        return own;
    }
}
