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
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.jspecify.annotations.Nullable;

/**
 * Makes up records from the statistics of files, so that nothing has to be read. A record keeps what a file of the group with the most files
 * tells about all columns together: which values come with each other is known as closely as these files are divided.
 * Values are spread evenly between the bounds of their file. Texts between two bounds are those that any file is known to have, or
 * made up.
 *
 * <p>Where some records are known as they are, each made-up record is like one of them: it has a value of that record if its file may have it, and
 * else the value of the file at the place that the record's value has among those of the known records. How columns go together is thus
 * taken from the known records, and how the values of each column are spread from the files (an empirical copula: Nelsen, "An Introduction to
 * Copulas", 2nd edition, 2006, section 5.6).
 */
public final class FileSampler {
    /** The most values of a column that are kept because they are there for sure. */
    private static final int MOST_REAL = 50_000;

    private final Schema schema;
    private final Random random;
    private final Map<String, List<Object>> texts = new HashMap<>();
    private final List<? extends List<? extends @Nullable Object>> known;
    /** For each column the known values without nulls, in their order. */
    private final List<List<Object>> ordered = new ArrayList<>();
    /** Lists of values of files in their order. */
    private final Map<List<Object>, List<Object>> inOrder = new IdentityHashMap<>();

    private FileSampler(Schema schema, List<? extends List<? extends @Nullable Object>> known, long seed) {
        this.schema = schema;
        this.random = new Random(seed);
        this.known = known;
        for (int c = 0; c < schema.columns().size(); c++) {
            List<Object> values = new ArrayList<>();
            for (List<? extends @Nullable Object> row : known) {
                Object value = row.get(c);
                if (value != null) {
                    values.add(value);
                }
            }
            values.sort(Orders::compare);
            ordered.add(values);
        }
    }

    /**
     * A file of a group.
     *
     * @param segment the name of the segment that it belongs to
     * @param columns the known statistics, by the names of columns in lower case
     * @param values of columns of which values are known, by their names in lower case: all different ones, unless the statistics tell of more;
     *     none of the lists is empty
     */
    public record FileFacts(
            String segment,
            long rows,
            long bytes,
            Map<String, ColumnStatistics> columns,
            Map<String, List<Object>> values) {
        /** A file of which bounds are known. */
        public FileFacts(String segment, long rows, long bytes, Map<String, ColumnStatistics> columns) {
            this(segment, rows, bytes, columns, Map.of());
        }

        /** All different values of a column; null if not all are known. */
        @Nullable
        List<Object> all(String column) {
            List<Object> known = values.get(column);
            ColumnStatistics its = columns.get(column);
            boolean isPart = its != null && known != null && its.distinct() > known.size();
            return isPart ? null : known;
        }
    }

    /** A sample of a dataset of which no record is known. */
    public static DataSample sample(Schema schema, List<List<FileFacts>> groups, int most, long seed) {
        return sample(schema, groups, List.of(), most, seed);
    }

    /**
     * A sample of a dataset.
     *
     * @param groups the files of each group; the groups hold the same records
     * @param known some records as they are, by the schema's columns; null for null and unknown values
     * @param most about how many records are sampled
     * @param seed equal seeds give equal samples
     */
    public static DataSample sample(
            Schema schema,
            List<List<FileFacts>> groups,
            List<? extends List<? extends @Nullable Object>> known,
            int most,
            long seed) {
        List<FileFacts> finest = List.of();
        for (List<FileFacts> group : groups) {
            finest = group.size() > finest.size() ? group : finest;
        }
        FileSampler sampler = new FileSampler(schema, known, seed);
        for (Column column : schema.columns()) {
            sampler.texts.put(column.name(), sampler.texts(column.name().toLowerCase(Locale.ROOT), groups));
        }
        double records = finest.stream().mapToDouble(FileFacts::rows).sum();
        double bytes = finest.stream().mapToDouble(FileFacts::bytes).sum();
        List<DataSample.Row> rows = new ArrayList<>();
        Map<String, Integer> segments = new HashMap<>();
        double due = 0;
        for (FileFacts file : finest) {
            int segment = segments.computeIfAbsent(file.segment(), s -> segments.size());
            for (due += records == 0 ? 0 : file.rows() * most / records; due >= 1; due--) {
                rows.add(sampler.row(file, segment));
            }
        }
        return new DataSample(schema, records, bytes, columnBytes(finest), rows, real(finest), Map.of());
    }

    /** Values that are there, of columns of which some files have others that nobody knows: those that are known, or else the bounds. */
    private static Map<String, List<Object>> real(List<FileFacts> files) {
        Map<String, Set<Object>> known = new HashMap<>();
        Map<String, Set<Object>> bounds = new HashMap<>();
        for (FileFacts file : files) {
            file.columns().forEach((name, column) -> {
                if (file.all(name) == null && column.min() != null && column.max() != null) {
                    add(
                            known.computeIfAbsent(name, n -> new LinkedHashSet<>()),
                            file.values().getOrDefault(name, List.of()));
                    add(bounds.computeIfAbsent(name, n -> new LinkedHashSet<>()), List.of(column.min(), column.max()));
                }
            });
        }
        Map<String, List<Object>> real = new HashMap<>();
        bounds.forEach((name, some) -> {
            Set<Object> values = known.getOrDefault(name, Set.of());
            real.put(name, List.copyOf(values.isEmpty() ? some : values));
        });
        return real;
    }

    private static void add(Set<Object> all, List<Object> more) {
        for (Object value : more) {
            if (all.size() < MOST_REAL) {
                all.add(value);
            }
        }
    }

    private static Map<String, Double> columnBytes(List<FileFacts> files) {
        Map<String, Double> bytes = new HashMap<>();
        for (FileFacts file : files) {
            file.columns().forEach((name, column) -> {
                if (column.bytes() >= 0) {
                    bytes.merge(name.toLowerCase(Locale.ROOT), (double) column.bytes(), Double::sum);
                }
            });
        }
        return bytes;
    }

    /** The texts that are bounds or known values, and as many made-up ones as the file with the most different ones has more. */
    private List<Object> texts(String column, List<List<FileFacts>> groups) {
        TreeSet<Object> known = new TreeSet<>(Orders::compare);
        double most = 0;
        for (List<FileFacts> group : groups) {
            for (FileFacts file : group) {
                ColumnStatistics its = file.columns().get(column);
                if (its != null && its.min() instanceof String min && its.max() instanceof String max) {
                    known.add(min);
                    known.add(max);
                    if (known.size() < MOST_REAL) {
                        known.addAll(file.values().getOrDefault(column, List.of()));
                    }
                    most = Math.max(most, its.different().orElse(0));
                }
            }
        }
        List<Object> all = new ArrayList<>(known);
        for (int i = 0; i < Math.min(most, 100_000) - known.size() && known.size() > 1; i++) {
            all.add(all.get(i % (known.size() - 1)) + "\u0001" + i); // between two known ones
        }
        all.sort(Orders::compare);
        return all;
    }

    private DataSample.Row row(FileFacts file, int segment) {
        List<Column> columns = schema.columns();
        List<? extends @Nullable Object> like = known.isEmpty() ? null : known.get(random.nextInt(known.size()));
        List<@Nullable Object> values = new ArrayList<>(columns.size());
        for (int c = 0; c < columns.size(); c++) {
            String name = columns.get(c).name().toLowerCase(Locale.ROOT);
            ColumnStatistics its = file.columns().get(name);
            List<Object> all = file.all(name);
            Object own = like == null ? null : like.get(c);
            if (its == null || (like == null ? isNull(its, file.rows()) : own == null && its.nullCount() != 0)) {
                values.add(null);
            } else if (own != null && (all == null ? isWithin(its, own) : all.contains(own))) {
                values.add(own);
            } else if (all != null) {
                values.add(
                        own == null
                                ? all.get(random.nextInt(all.size()))
                                : inOrder(all).get((int) (rank(c, own) * all.size())));
            } else {
                values.add(value(columns.get(c).name(), its, own == null ? place(its) : rank(c, own)));
            }
        }
        return new DataSample.Row(segment, values);
    }

    private List<Object> inOrder(List<Object> values) {
        return inOrder.computeIfAbsent(
                values, some -> some.stream().sorted(Orders::compare).toList());
    }

    private static boolean isWithin(ColumnStatistics its, Object value) {
        Object min = its.min();
        Object max = its.max();
        return min != null && max != null && Orders.compare(min, value) <= 0 && Orders.compare(value, max) <= 0;
    }

    /** Where a known value is among those of its column, from 0 to less than 1: equal values are in the middle of the places that they take. */
    private double rank(int c, Object value) {
        List<Object> all = ordered.get(c);
        int below = first(all, value, true);
        int notAbove = first(all, value, false);
        return (below + notAbove) / (2.0 * all.size());
    }

    private boolean isNull(ColumnStatistics column, long rows) {
        return column.nullCount() > 0 && random.nextDouble() * rows < column.nullCount();
    }

    private @Nullable Object value(String column, ColumnStatistics its, double place) {
        Object min = its.min();
        Object max = its.max();
        if (min == null || max == null || Orders.compare(min, max) == 0) {
            return min;
        }
        if (min instanceof Long a && max instanceof Long b) {
            return (long) Math.max(a, Math.min(b, Math.floor(a + place * ((double) b - a))));
        }
        if (min instanceof Double a && max instanceof Double b) {
            return a + place * (b - a);
        }
        if (min instanceof String && max instanceof String) {
            return text(column, min, max, place);
        }
        return random.nextBoolean() ? min : max;
    }

    /** From 0 to 1, one of as many places as the file has different values. */
    private double place(ColumnStatistics its) {
        double different = its.different().orElse(0);
        return different < 2 || different > Integer.MAX_VALUE
                ? random.nextDouble()
                : random.nextInt((int) different) / (different - 1);
    }

    private Object text(String column, Object min, Object max, double place) {
        List<Object> all = texts.getOrDefault(column, List.of());
        int from = Math.min(first(all, min, true), all.size() - 1);
        int to = Math.min(first(all, max, true), all.size() - 1);
        return to <= from ? min : all.get(from + (int) Math.round(place * (to - from)));
    }

    /** The place of the first value that is not less, or of the first that is greater; the number of values if there is none. */
    private static int first(List<Object> sorted, Object value, boolean equal) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            int order = Orders.compare(sorted.get(middle), value);
            if (order < 0 || order == 0 && !equal) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
