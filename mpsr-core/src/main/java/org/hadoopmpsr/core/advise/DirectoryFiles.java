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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.hadoopmpsr.core.adopt.AdoptionRules;
import org.hadoopmpsr.core.advise.FileSampler.FileFacts;
import org.hadoopmpsr.core.group.PartitionTransform;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.jspecify.annotations.Nullable;

/**
 * The files of a directory, of which some were read. Files are drawn at even distances in the order of their paths, from a random start
 * (systematic sampling; Cochran, "Sampling Techniques", 3rd edition, 1977, chapter 8): directories and their dates are all represented. A file that was not read counts like
 * the nearest one that was, in proportion to its length, with the values that its own directories name.
 */
public final class DirectoryFiles {
    private final DirectoryLayout layout;
    private final List<Column> fields;
    private final List<FoundFile> files;
    private final TreeMap<Integer, ReadFooter> read;

    /**
     * A file of the directory.
     *
     * @param length in bytes
     */
    public record FoundFile(String path, long length) {}

    /**
     * What the end of a file tells.
     *
     * @param parts its row groups, each with its number of records and its bytes; the segments count for nothing
     * @param footerBytes the length of the footer
     */
    public record ReadFooter(List<FileFacts> parts, long footerBytes) {
        public ReadFooter {
            parts = List.copyOf(parts);
        }
    }

    /**
     * Files of a directory.
     *
     * @param files all of them, in the order of their paths
     * @param read what the ends of some tell, by their places among the files; at least one
     * @throws IllegalArgumentException if none was read
     */
    public DirectoryFiles(DirectoryLayout layout, List<FoundFile> files, Map<Integer, ReadFooter> read) {
        if (read.isEmpty()) {
            throw new IllegalArgumentException("no file of the directory could be read");
        }
        this.layout = layout;
        this.fields = layout.predicates().stream()
                .map(predicate -> predicate.field(layout.schema()))
                .toList();
        this.files = List.copyOf(files);
        this.read = new TreeMap<>(read);
    }

    /**
     * Which files are read, by their places.
     *
     * @param all the number of files
     * @param wanted how many are read at most, at least one
     * @param seed equal seeds draw the same files
     */
    public static List<Integer> draw(int all, int wanted, long seed) {
        List<Integer> drawn = new ArrayList<>();
        double distance = Math.max(1, (double) all / wanted);
        double start = distance == 1 ? 0 : new Random(seed).nextDouble() * distance;
        for (double next = start; next < all && drawn.size() < wanted; next += distance) {
            drawn.add((int) next);
        }
        return drawn;
    }

    /**
     * Which of some files are read as a whole, by their places among them: at even distances, about so many bytes. At least one, unless a
     * file has more than four times as many bytes on average.
     *
     * @param lengths in bytes
     * @param wanted bytes
     * @param seed equal seeds draw the same files
     */
    public static List<Integer> drawWhole(List<Long> lengths, long wanted, long seed) {
        double mean = Math.max(
                1, lengths.stream().mapToLong(Long::longValue).average().orElse(1));
        if (wanted <= 0 || mean > 4.0 * wanted) {
            return List.of();
        }
        return draw(lengths.size(), (int) Math.max(1, Math.min(lengths.size(), wanted / mean)), seed);
    }

    /**
     * By how much a record takes more in all files than in some, by columns' names in lower case, as far as the ends tell.
     *
     * @param places of files whose ends were read
     */
    public Map<String, Double> weights(Set<Integer> places) {
        Map<String, Double> all = bytesOfRecord(Set.copyOf(read.keySet()));
        Map<String, Double> some = bytesOfRecord(places);
        Map<String, Double> weights = new HashMap<>();
        all.forEach((name, bytes) -> {
            double its = some.getOrDefault(name, 0.0);
            if (its > 0) {
                weights.put(name, bytes / its);
            }
        });
        return weights;
    }

    private Map<String, Double> bytesOfRecord(Set<Integer> places) {
        Map<String, Double> bytes = new HashMap<>();
        double records = 0;
        for (int place : places) {
            for (FileFacts part : parts(place, false)) {
                records += part.rows();
                part.columns()
                        .forEach(
                                (name, column) -> bytes.merge(name, (double) Math.max(0, column.bytes()), Double::sum));
            }
        }
        double all = Math.max(1, records);
        bytes.replaceAll((name, sum) -> sum / all);
        return bytes;
    }

    /**
     * A sample of the records.
     *
     * @param rules by which files become segments
     * @param known some records as they are, by the columns of the layout's schema; null for null and unknown values
     * @param most about how many records are sampled
     * @param seed equal seeds give equal samples
     */
    public DataSample sample(
            AdoptionRules rules, List<? extends List<? extends @Nullable Object>> known, int most, long seed) {
        List<FileFacts> facts = new ArrayList<>();
        long bytes = 0;
        int count = 0;
        int segment = 0;
        for (int i = 0; i < files.size(); i++) {
            long length = files.get(i).length();
            if (count > 0 && (count == rules.mostFiles() || bytes + length > rules.mostBytes())) {
                segment++;
                bytes = 0;
                count = 0;
            }
            bytes += length;
            count++;
            for (FileFacts part : parts(i, true)) {
                facts.add(new FileFacts("s" + segment, part.rows(), part.bytes(), part.columns(), part.values()));
            }
        }
        return FileSampler.sample(layout.schema(), List.of(facts), known, most, seed)
                .with(layout.predicates());
    }

    /**
     * The files as readers without MPSR find them.
     *
     * @param sort what the records of each file are known to be sorted by; none if they are not
     */
    public StockFiles stock(List<SortKey> sort) {
        List<DataFile> all = new ArrayList<>(files.size());
        for (int i = 0; i < files.size(); i++) {
            FoundFile file = files.get(i);
            all.add(new DataFile(file.path(), i, file.length(), 0, statistics(i)));
        }
        double footers = read.values().stream()
                .mapToLong(ReadFooter::footerBytes)
                .average()
                .orElse(0);
        return new StockFiles(all, sort, footers);
    }

    private FileStatistics statistics(int place) {
        List<@Nullable Object> partition = partition(place);
        Map<String, Set<Object>> values = new HashMap<>();
        Map<String, Long> bytes = new HashMap<>();
        FileStatistics whole = null;
        List<FileFacts> parts = parts(place, false);
        for (FileFacts part : parts) {
            FileStatistics its = new FileStatistics("", new ContentHash(part.rows(), 0, 0), partition, part.columns());
            whole = whole == null ? its : whole.union(its);
            part.values()
                    .forEach((name, some) ->
                            values.computeIfAbsent(name, n -> new HashSet<>()).addAll(some));
            part.columns().forEach((name, column) -> bytes.merge(name, Math.max(0, column.bytes()), Long::sum));
        }
        Map<String, ColumnStatistics> columns = new HashMap<>();
        if (whole != null) {
            whole.columns().forEach((name, column) -> {
                boolean isKnown = parts.stream().allMatch(part -> part.all(name) != null);
                ColumnStatistics sized = column.withBytes(bytes.getOrDefault(name, 0L));
                columns.put(
                        name,
                        isKnown
                                ? sized.withDistinct(
                                        values.getOrDefault(name, Set.of()).size())
                                : sized);
            });
        }
        for (int f = 0; f < fields.size(); f++) {
            Object value = partition.get(f);
            columns.put(
                    fields.get(f).name().toLowerCase(Locale.ROOT),
                    ColumnStatistics.of(value, value, 0).withDistinct(1).withBytes(0));
        }
        long rows = whole == null ? 0 : whole.rows();
        return new FileStatistics("", new ContentHash(rows, 0, 0), partition, columns);
    }

    private List<@Nullable Object> partition(int place) {
        return PartitionPath.valuesAsRead(fields, files.get(place).path())
                .orElseThrow(() -> new IllegalArgumentException("the file '"
                        + files.get(place).path() + "' lies in a directory whose name is no value of "
                        + fields.stream().map(Column::ddl).toList()
                        + " as writers spell it; say with --schema which type the column has"));
    }

    /**
     * The row groups of a file, or what they are likely to be.
     *
     * @param made whether a column without bounds has values that its directory allows for
     */
    private List<FileFacts> parts(int place, boolean made) {
        ReadFooter own = read.get(place);
        int nearest = own != null ? place : nearest(place);
        double scale = own != null
                ? 1
                : (double) files.get(place).length()
                        / Math.max(1, files.get(nearest).length());
        List<@Nullable Object> partition = partition(place);
        List<FileFacts> parts = new ArrayList<>();
        for (FileFacts part : Objects.requireNonNull(read.get(nearest)).parts()) {
            Map<String, ColumnStatistics> columns = new HashMap<>();
            Map<String, List<Object>> values = new HashMap<>(part.values());
            part.columns().forEach((name, column) -> columns.put(name, scaled(column, scale)));
            for (int f = 0; f < fields.size(); f++) {
                place(layout.predicates().get(f), partition.get(f), own != null, made, columns, values);
            }
            parts.add(new FileFacts(
                    "", Math.round(part.rows() * scale), Math.round(part.bytes() * scale), columns, values));
        }
        return parts;
    }

    private static ColumnStatistics scaled(ColumnStatistics column, double scale) {
        return scale == 1
                ? column
                : new ColumnStatistics(
                        column.min(),
                        column.max(),
                        column.nullCount() < 0 ? -1 : Math.round(column.nullCount() * scale),
                        column.distinct(),
                        false,
                        column.bytes() < 0 ? -1 : Math.round(column.bytes() * scale));
    }

    /** Gives the column of a predicate the values that a directory names. */
    private void place(
            Predicate predicate,
            @Nullable Object value,
            boolean isRead,
            boolean made,
            Map<String, ColumnStatistics> columns,
            Map<String, List<Object>> values) {
        String name = predicate.column().toLowerCase(Locale.ROOT);
        ColumnStatistics now = columns.getOrDefault(name, ColumnStatistics.UNKNOWN);
        if (predicate.isColumn()) {
            values.remove(name);
            columns.put(
                    name, ColumnStatistics.of(value, value, 0).withDistinct(1).withBytes(0));
        } else if ((now.min() == null ? made : !isRead)
                && value != null
                && predicate.transform() instanceof PartitionTransform.Time time) {
            ColumnType type = predicate.source(layout.schema()).type();
            long[] span = CalendarSpan.of(time.unit(), value, type);
            values.remove(name);
            columns.put(name, new ColumnStatistics(span[0], span[1], now.nullCount(), -1, false, now.bytes()));
        }
    }

    private int nearest(int place) {
        Integer below = read.floorKey(place);
        Integer above = read.ceilingKey(place);
        if (below == null || above == null) {
            return below == null ? above : below;
        }
        return place - below <= above - place ? below : above;
    }
}
