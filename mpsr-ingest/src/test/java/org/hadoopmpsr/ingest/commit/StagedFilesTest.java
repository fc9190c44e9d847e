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
package org.hadoopmpsr.ingest.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.assertj.core.api.Assertions.within;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.PrimitiveType;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.RecordHasher;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.ValueFilter;
import org.hadoopmpsr.ingest.buffer.RandomRecords;
import org.hadoopmpsr.ingest.buffer.RecordBuffer;
import org.hadoopmpsr.ingest.parquet.ParquetRows;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lies in the files of a commit is what was buffered, in every group, whatever the records are. */
class StagedFilesTest {
    private static final Schema SCHEMA = Schema.parse("signal string not null, device string, system string not null,"
            + " ts timestamp_ns not null, seen timestamp, value double, small float, count int, total bigint,"
            + " good boolean, born date");

    @TempDir
    private Path dir;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
    void holdTheBufferedRecordsInEveryGroup(long seed) throws Exception {
        Random random = new Random(seed);
        ReplicaGroups groups = groups(random);
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        int rows = seed == 1 ? 15_000 : 1 + random.nextInt(3000);
        List<Map<String, Object>> records = RandomRecords.fill(buffer, groups, rows, random);
        LocalTarget target = new LocalTarget(dir, SCHEMA, groups);
        List<StagedFile> files;
        try (CommitStager stager = new CommitStager(target, groups, 2)) {
            files = stager.stage(buffer, "c1", target.begin("c1"));
        }
        for (ReplicaGroup group : groups.groups()) {
            List<Map<String, Object>> found = new ArrayList<>();
            ContentHash content = ContentHash.EMPTY;
            for (StagedFile file : files) {
                if (file.group().equals(group.name())) {
                    List<Map<String, Object>> logical = check(group, groups, file);
                    content = content.plus(file.statistics().content());
                    found.addAll(logical);
                }
            }
            assertThat(content).isEqualTo(hash(records));
            assertThat(differences(found, records)).as("group %s", group.name()).isEmpty();
        }
    }

    /** Checks one file and returns its records as they were buffered. */
    private List<Map<String, Object>> check(ReplicaGroup group, ReplicaGroups groups, StagedFile file)
            throws Exception {
        Path path = dir.resolve("staging/c1").resolve(group.name()).resolve(file.relativePath());
        assertThat(path.getFileName().toString()).startsWith("c1-").endsWith(".parquet");
        List<Map<String, Object>> rows = ParquetRows.read(path);
        List<String> physical = groups.physicalColumns(group.name(), SCHEMA).stream()
                .map(Column::name)
                .toList();
        assertThat(List.copyOf(rows.get(0).keySet())).isEqualTo(physical);
        if (group.name().equals(groups.defaultName())) {
            List<Column> fields = group.partitionFields(SCHEMA);
            for (int i = 0; i < fields.size(); i++) {
                for (Map<String, Object> row : rows) {
                    row.put(fields.get(i).name(), file.statistics().partition().get(i));
                }
            }
        }
        checkPartition(group, file, rows);
        checkSorted(group, rows);
        checkStatistics(groups, file, rows);
        checkIndexes(path);
        List<Map<String, Object>> records = new ArrayList<>();
        for (Map<String, Object> row : rows) {
            for (Predicate predicate : groups.defaultGroup().predicates()) {
                Object value = value(predicate, row);
                if (!Objects.equals(row.get(predicate.fieldName()), value)) {
                    fail("%s should be %s in %s".formatted(predicate.fieldName(), value, row));
                }
            }
            Map<String, Object> record = new HashMap<>();
            SCHEMA.columns().forEach(c -> record.put(c.name(), row.get(c.name())));
            records.add(record);
        }
        assertThat(file.statistics().content()).isEqualTo(hash(records));
        return records;
    }

    private static void checkPartition(ReplicaGroup group, StagedFile file, List<Map<String, Object>> rows) {
        for (int i = 0; i < group.predicates().size(); i++) {
            Object expected = file.statistics().partition().get(i);
            for (Map<String, Object> row : rows) {
                Object value = value(group.predicates().get(i), row);
                if (!Objects.equals(value, expected)) {
                    fail("partition %s of %s holds %s: %s"
                            .formatted(group.predicates().get(i), expected, value, row));
                }
            }
        }
    }

    private static void checkSorted(ReplicaGroup group, List<Map<String, Object>> rows) {
        List<String> sort = group.sortColumns(SCHEMA).stream().map(Column::name).toList();
        Comparator<Map<String, Object>> order = (a, b) -> {
            for (String column : sort) {
                Object x = a.get(column);
                Object y = b.get(column);
                int c = x == null || y == null ? Boolean.compare(x != null, y != null) : Values.compare(x, y);
                if (c != 0) {
                    return c;
                }
            }
            return 0;
        };
        for (int i = 1; i < rows.size(); i++) {
            if (order.compare(rows.get(i - 1), rows.get(i)) > 0) {
                fail("group %s is not sorted by %s: row %d of %d is %s, and the next one %s"
                        .formatted(group.name(), sort, i - 1, rows.size(), rows.get(i - 1), rows.get(i)));
            }
        }
    }

    private static void checkStatistics(ReplicaGroups groups, StagedFile file, List<Map<String, Object>> rows) {
        for (Column column : groups.logicalColumns(SCHEMA)) {
            ColumnStatistics known = file.statistics().column(column.name());
            List<Object> values = rows.stream()
                    .map(r -> r.get(column.name()))
                    .filter(v -> v != null)
                    .toList();
            assertThat(known.nullCount()).isEqualTo(rows.size() - values.size());
            boolean nan = values.stream().anyMatch(v -> v instanceof Double d && d.isNaN());
            Object min = nan ? null : values.stream().min(Values::compare).orElse(null);
            Object max = nan ? null : values.stream().max(Values::compare).orElse(null);
            assertThat(known.bytes()).as(column.name()).isNotNegative();
            ColumnStatistics expected = ColumnStatistics.of(min, max, known.nullCount())
                    .withDistinct(known.distinct())
                    .withBytes(known.bytes())
                    .withValues(column.type() == ColumnType.STRING ? filter(values) : null);
            if (known.distinct() >= 0) {
                assertThat(known.distinct()).isEqualTo(Set.copyOf(values).size());
            }
            if (min instanceof Double low) {
                assertThat((Double) known.min()).isEqualTo(low, within(0.0));
                assertThat((Double) known.max()).isEqualTo((Double) max, within(0.0));
            } else {
                assertThat(known).as(column.name()).isEqualTo(expected);
            }
        }
    }

    private static ValueFilter filter(List<Object> texts) {
        return ValueFilter.of(texts.stream()
                        .distinct()
                        .map(text -> ((String) text).getBytes(StandardCharsets.UTF_8))
                        .toList())
                .orElse(null);
    }

    private static void checkIndexes(Path path) throws Exception {
        try (ParquetFileReader reader = ParquetRows.open(path)) {
            assertThat(reader.getFileMetaData().getKeyValueMetaData()).containsEntry("mpsr.commit", "c1");
            for (BlockMetaData block : reader.getRowGroups()) {
                for (ColumnChunkMetaData chunk : block.getColumns()) {
                    assertThat(reader.readOffsetIndex(chunk)).isNotNull();
                    boolean floating = chunk.getPrimitiveType().getPrimitiveTypeName()
                                    == PrimitiveType.PrimitiveTypeName.DOUBLE
                            || chunk.getPrimitiveType().getPrimitiveTypeName() == PrimitiveType.PrimitiveTypeName.FLOAT;
                    if (!floating) { // NaN takes the index away
                        assertThat(reader.readColumnIndex(chunk))
                                .as(chunk.getPath().toString())
                                .isNotNull();
                    }
                }
            }
        }
    }

    private static Object value(Predicate predicate, Map<String, Object> row) {
        Column source = predicate.source(SCHEMA);
        Object value = row.get(source.name());
        return value == null ? null : predicate.transform().apply(source.type(), value);
    }

    /** Empty when both hold the same records as often; else how many there are, and the first that differ. */
    private static String differences(List<Map<String, Object>> found, List<Map<String, Object>> expected) {
        Map<Map<String, Object>, Integer> counts = new HashMap<>();
        expected.forEach(r -> counts.merge(r, 1, Integer::sum));
        found.forEach(r -> counts.merge(r, -1, Integer::sum));
        counts.values().removeIf(count -> count == 0);
        if (counts.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder(
                "%d records, not %d; %d differ:".formatted(found.size(), expected.size(), counts.size()));
        counts.entrySet().stream()
                .limit(5)
                .forEach(e -> text.append("\n  ")
                        .append(e.getValue() > 0 ? "missing " : "too many ")
                        .append(Math.abs(e.getValue()))
                        .append(" x ")
                        .append(e.getKey()));
        return text.toString();
    }

    private static ContentHash hash(List<Map<String, Object>> records) {
        RecordHasher hasher = new RecordHasher();
        for (Map<String, Object> record : records) {
            for (int i = 0; i < SCHEMA.columns().size(); i++) {
                hasher.put(i, record.get(SCHEMA.columns().get(i).name()));
            }
            hasher.endRecord();
        }
        return hasher.take();
    }

    private static ReplicaGroups groups(Random random) {
        String[] codecs = {"zstd:3", "snappy", "lz4_raw", "gzip", "none", "zstd:9"};
        String[][] defaults = {
            {"day(ts)"},
            {"month(seen)", "system"},
            {"device", "hour(ts)"},
            {"good", "year(born)"},
            {"truncate(2, device)"}
        };
        List<ReplicaGroup> groups = new ArrayList<>();
        groups.add(group("time", defaults[random.nextInt(defaults.length)], List.of("ts", "signal"), codecs, random));
        groups.add(group("signal", new String[] {"bucket(4, signal)"}, List.of("signal", "ts"), codecs, random));
        groups.add(group("device", new String[] {"system", "device"}, List.of(), codecs, random));
        groups.add(group(
                "odd",
                new String[] {"range(total, -100, 100)", "truncate(1000, count)"},
                List.of("value", "small", "good", "device", "count"),
                codecs,
                random));
        return new ReplicaGroups(groups, "time");
    }

    private static ReplicaGroup group(
            String name, String[] predicates, List<String> sort, String[] codecs, Random random) {
        List<Predicate> parsed = new ArrayList<>();
        for (String predicate : predicates) {
            parsed.add(Predicate.parse(predicate));
        }
        return new ReplicaGroup(name, parsed, sort, 1, Codec.parse(codecs[random.nextInt(codecs.length)]));
    }
}
