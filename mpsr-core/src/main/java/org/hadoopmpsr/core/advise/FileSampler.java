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
 */
public final class FileSampler {
    /** The most values of a column that are kept because they are there for sure. */
    private static final int MOST_REAL = 50_000;

    private final Schema schema;
    private final Random random;
    private final Map<String, List<Object>> texts = new HashMap<>();

    private FileSampler(Schema schema, long seed) {
        this.schema = schema;
        this.random = new Random(seed);
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

    /**
     * A sample of a dataset.
     *
     * @param groups the files of each group; the groups hold the same records
     * @param most about how many records are sampled
     * @param seed equal seeds give equal samples
     */
    public static DataSample sample(Schema schema, List<List<FileFacts>> groups, int most, long seed) {
        List<FileFacts> finest = List.of();
        for (List<FileFacts> group : groups) {
            finest = group.size() > finest.size() ? group : finest;
        }
        FileSampler sampler = new FileSampler(schema, seed);
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
        List<@Nullable Object> values = new ArrayList<>(columns.size());
        for (Column column : columns) {
            String name = column.name().toLowerCase(Locale.ROOT);
            ColumnStatistics its = file.columns().get(name);
            List<Object> known = file.all(name);
            if (its == null || isNull(its, file.rows())) {
                values.add(null);
            } else if (known != null) {
                values.add(known.get(random.nextInt(known.size())));
            } else {
                values.add(value(column.name(), its));
            }
        }
        return new DataSample.Row(segment, values);
    }

    private boolean isNull(ColumnStatistics column, long rows) {
        return column.nullCount() > 0 && random.nextDouble() * rows < column.nullCount();
    }

    private @Nullable Object value(String column, ColumnStatistics its) {
        Object min = its.min();
        Object max = its.max();
        if (min == null || max == null || Orders.compare(min, max) == 0) {
            return min;
        }
        double place = place(its);
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
        int from = first(all, min);
        int to = first(all, max);
        return to <= from ? min : all.get(from + (int) Math.round(place * (to - from)));
    }

    /** The place of the first value that is not less. */
    private static int first(List<Object> sorted, Object value) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (Orders.compare(sorted.get(middle), value) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return Math.min(low, sorted.size() - 1);
    }
}
