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
package org.hadoopmpsr.columnar.parquet;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.parquet.column.values.bloomfilter.BloomFilter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.api.Binary;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.RandomRecords;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.columnar.layout.KeyValues;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile.Written;
import org.hadoopmpsr.columnar.survey.PageIndexes;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.testing.ParquetRows;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the encoders write, as parquet-java reads it. */
class ColumnarParquetFileTest {
    private static final Schema SCHEMA = Schema.parse(
            "name string, count int, total bigint, ts timestamp_ns, value double, small float, good boolean, born"
                    + " date, tiny tinyint, low smallint, local timestamp_ntz, clock time_ns, price decimal(7, 2),"
                    + " mass decimal(18, 4), whole decimal(38, 6)");
    private static final ReplicaGroups GROUPS = new ReplicaGroups(
            List.of(new ReplicaGroup(
                    "all", List.of(Predicate.parse("day(ts)")), SortKey.of(List.of("ts")), 1, Codec.parse("none"))),
            "all");

    @TempDir
    private Path dir;

    private final RecordBuffer buffer = new RecordBuffer(SCHEMA);

    private List<FileColumn> columns(boolean bloom) {
        List<FileColumn> columns = new ArrayList<>();
        for (int i = 0; i < SCHEMA.columns().size(); i++) {
            ColumnVector vector = buffer.vector(i);
            int[] ranks = vector instanceof StringVector strings
                    ? strings.dictionary().ranks()
                    : new int[0];
            columns.add(new FileColumn(SCHEMA.columns().get(i), vector, () -> ranks, bloom));
        }
        return columns;
    }

    private static Written write(
            OutputFile out,
            List<FileColumn> columns,
            SortedRows rows,
            List<String> sortedBy,
            Codecs codec,
            Map<String, String> metadata,
            int mostRows)
            throws Exception {
        try (ColumnarParquetFile file =
                ColumnarParquetFile.begin(out, columns, SortKey.of(sortedBy), codec, metadata)) {
            file.writeAll(rows, mostRows);
            return file.finish();
        }
    }

    @ParameterizedTest(name = "seed {0}, codec {1}, {2} rows in groups of {3}")
    @CsvSource({
        "1, none, 50000, 1000000",
        "2, zstd:3, 45000, 21000",
        "3, snappy, 3000, 7",
        "4, zstd:9, 1, 1",
        "5, lz4_raw, 900, 300",
        "6, gzip, 3000, 2000",
        "7, gzip:9, 3000, 3000",
        "8, zstd:22, 900, 900"
    })
    void writesPagesAndRowGroupsThatReadBack(long seed, String codec, int rows, int groupRows) throws Exception {
        Random random = new Random(seed);
        List<Map<String, Object>> records = RandomRecords.fill(buffer, GROUPS, rows, random);
        int[] order = IntStream.range(0, rows).map(i -> rows - 1 - i).toArray();
        int from = rows / 10;
        Path file = dir.resolve("f.parquet");
        Written written = write(
                new LocalOutputFile(file),
                columns(false),
                new SortedRows(order, from, rows, null),
                List.of(),
                Codecs.parse(codec),
                Map.of("k", "v"),
                groupRows);
        assertThat(ParquetRows.sortedBy(file)).isNotEmpty().containsOnlyNulls();
        assertThat(written.bytes()).isEqualTo(file.toFile().length());
        List<Map<String, Object>> expected =
                IntStream.of(order).skip(from).mapToObj(records::get).toList();
        List<Map<String, Object>> found = ParquetRows.read(file);
        for (int i = 0; i < expected.size(); i++) {
            if (!found.get(i).equals(expected.get(i))) {
                throw new AssertionError("row " + i + " is " + found.get(i) + " instead of " + expected.get(i));
            }
        }
        assertThat(found).hasSameSizeAs(expected);
        checkStatistics(written, expected);
        try (ParquetFileReader reader = ParquetRows.open(file)) {
            checkBytes(written, reader.getRowGroups());
            Map<String, Double> shares = PageIndexes.shares(reader);
            for (int i = 0; i < SCHEMA.columns().size(); i++) {
                String name = SCHEMA.columns().get(i).name();
                assertThat(written.columns().get(i).pageShare()).as(name).isEqualTo(shares.getOrDefault(name, -1.0));
            }
            assertThat(reader.getRowGroups()).hasSize((rows - from + groupRows - 1) / groupRows);
            for (BlockMetaData block : reader.getRowGroups()) {
                for (ColumnChunkMetaData chunk : block.getColumns()) {
                    OffsetIndex pages = reader.readOffsetIndex(chunk);
                    assertThat(pages.getPageCount()).isEqualTo((int) ((block.getRowCount() + 19_999) / 20_000));
                }
            }
        }
    }

    @Test
    void columnsMayHaveCodecsOfTheirOwn() throws Exception {
        List<Map<String, Object>> records = RandomRecords.fill(buffer, GROUPS, 5000, new Random(6));
        Path file = dir.resolve("f.parquet");
        Codecs codecs = Codecs.parse("snappy, VALUE=zstd:19, name=none, ts=gzip:1, price=lz4_raw");
        int[] order = IntStream.range(0, 5000).toArray();
        write(
                new LocalOutputFile(file),
                columns(false),
                new SortedRows(order, 0, 5000, null),
                List.of(),
                codecs,
                Map.of(),
                3000);
        assertThat(ParquetRows.read(file)).isEqualTo(records);
        try (ParquetFileReader reader = ParquetRows.open(file)) {
            for (BlockMetaData block : reader.getRowGroups()) {
                for (ColumnChunkMetaData chunk : block.getColumns()) {
                    String name = chunk.getPath().toDotString();
                    assertThat(chunk.getCodec().name().toLowerCase(Locale.ROOT))
                            .as(name)
                            .isEqualTo(Map.of("value", "zstd", "name", "uncompressed", "ts", "gzip", "price", "lz4_raw")
                                    .getOrDefault(name, "snappy"));
                }
            }
        }
    }

    @Test
    void endsARowGroupWithTheValuesOfTheLeadColumn() throws Exception {
        int count = 80_000;
        List<Map<String, Object>> records = RandomRecords.fill(buffer, GROUPS, count, new Random(123456789));
        ColumnVector lead = buffer.vector(6);
        int[] order = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparing(i -> String.valueOf(records.get(i).get("good"))))
                .mapToInt(i -> i)
                .toArray();
        Path file = dir.resolve("f.parquet");
        write(
                new LocalOutputFile(file),
                columns(false),
                new SortedRows(order, 0, count, KeyValues.of(lead)),
                List.of("GOOD", "total", "value", "ts"),
                Codecs.parse("zstd"),
                Map.of(),
                Integer.MAX_VALUE);
        assertThat(ParquetRows.read(file))
                .isEqualTo(IntStream.of(order).mapToObj(records::get).toList());
        assertThat(ParquetRows.sortedBy(file))
                .as("up to the first column of floating point numbers")
                .isNotEmpty()
                .allSatisfy(by -> assertThat(by).containsExactly("good", "total"));
        Set<Object> found = new HashSet<>();
        try (ParquetFileReader reader = ParquetRows.open(file)) {
            for (BlockMetaData block : reader.getRowGroups()) {
                var statistics = block.getColumns().get(6).getStatistics();
                if (statistics.getNumNulls() == 0) {
                    assertThat(statistics.genericGetMin()).isEqualTo(statistics.genericGetMax());
                }
                assertThat(found.add(statistics.genericGetMin())).isTrue();
            }
        }
        assertThat(found).contains(true, false);
    }

    private static void checkBytes(Written written, List<BlockMetaData> blocks) {
        for (int i = 0; i < SCHEMA.columns().size(); i++) {
            int column = i;
            assertThat(written.columns().get(i).bytes())
                    .isEqualTo(blocks.stream()
                            .mapToLong(b -> b.getColumns().get(column).getTotalSize())
                            .sum());
        }
    }

    private static void checkStatistics(Written written, List<Map<String, Object>> rows) {
        for (int i = 0; i < SCHEMA.columns().size(); i++) {
            Column column = SCHEMA.columns().get(i);
            List<Object> values = rows.stream()
                    .map(r -> r.get(column.name()))
                    .filter(v -> v != null)
                    .toList();
            var statistics = written.columns().get(i);
            assertThat(statistics.nullCount()).as(column.name()).isEqualTo(rows.size() - values.size());
            if (statistics.min() != null && statistics.max() != null) {
                assertThat(Values.compare(
                                statistics.min(),
                                values.stream().min(Values::compare).orElseThrow()))
                        .isLessThanOrEqualTo(0);
                assertThat(Values.compare(
                                statistics.max(),
                                values.stream().max(Values::compare).orElseThrow()))
                        .isGreaterThanOrEqualTo(0);
            }
            if (statistics.distinct() >= 0) {
                assertThat(statistics.distinct())
                        .as(column.name())
                        .isEqualTo(Set.copyOf(values).size());
            }
        }
    }

    @Test
    void countsTheValuesOfASortedColumn() throws Exception {
        Random random = new Random(11);
        List<Map<String, Object>> records = RandomRecords.fill(buffer, GROUPS, 5000, random);
        int[] order = IntStream.range(0, 5000)
                .boxed()
                .sorted((a, b) -> {
                    Object x = records.get(a).get("total");
                    Object y = records.get(b).get("total");
                    return x == null || y == null ? Boolean.compare(x != null, y != null) : Values.compare(x, y);
                })
                .mapToInt(i -> i)
                .toArray();
        Written written = write(
                new LocalOutputFile(dir.resolve("f.parquet")),
                columns(false),
                new SortedRows(order, 0, 5000, null),
                List.of(),
                Codecs.parse("none"),
                Map.of(),
                Integer.MAX_VALUE);
        Set<Object> distinct = new HashSet<>();
        records.forEach(r -> distinct.add(r.get("total")));
        distinct.remove(null);
        assertThat(written.columns().get(2).distinct()).isEqualTo(distinct.size());
        assertThat(written.columns().get(3).distinct()).as("ts is not sorted").isEqualTo(-1);
    }

    @Test
    void addsBloomFiltersWhereTheyAreWanted() throws Exception {
        List<Map<String, Object>> records = RandomRecords.fill(buffer, GROUPS, 2000, new Random(4));
        int[] order = IntStream.range(0, 2000).toArray();
        Path file = dir.resolve("f.parquet");
        write(
                new LocalOutputFile(file),
                columns(true),
                new SortedRows(order, 0, 2000, null),
                List.of(),
                Codecs.parse("none"),
                Map.of(),
                1500);
        try (ParquetFileReader reader = ParquetRows.open(file)) {
            int row = 0;
            for (BlockMetaData block : reader.getRowGroups()) {
                BloomFilter names = reader.readBloomFilter(block.getColumns().get(0));
                BloomFilter counts = reader.readBloomFilter(block.getColumns().get(1));
                BloomFilter totals = reader.readBloomFilter(block.getColumns().get(2));
                assertThat(reader.readBloomFilter(block.getColumns().get(4)))
                        .as("double")
                        .isNull();
                for (int end = row + (int) block.getRowCount(); row < end; row++) {
                    Map<String, Object> record = records.get(row);
                    if (record.get("name") instanceof String name) {
                        assertThat(names.findHash(names.hash(Binary.fromString(name))))
                                .isTrue();
                    }
                    if (record.get("count") instanceof Long count) {
                        assertThat(counts.findHash(counts.hash((int) (long) count)))
                                .isTrue();
                    }
                    if (record.get("total") instanceof Long total) {
                        assertThat(totals.findHash(totals.hash((long) total))).isTrue();
                    }
                }
                long wrong = IntStream.range(0, 1000)
                        .filter(i -> names.findHash(names.hash(Binary.fromString("absent " + i))))
                        .count();
                assertThat(wrong).isLessThan(100);
            }
        }
    }
}
