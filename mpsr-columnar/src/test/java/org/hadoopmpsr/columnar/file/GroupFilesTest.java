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
package org.hadoopmpsr.columnar.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.columnar.buffer.RandomRecords;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.layout.Batch;
import org.hadoopmpsr.columnar.layout.GroupLayout;
import org.hadoopmpsr.columnar.layout.GroupLayout.FileSlice;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.hash.RecordHasher;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.testing.ParquetRows;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What lies in the files of the groups is what was buffered, in every group, whatever the records are. */
class GroupFilesTest {
    private static final Schema SCHEMA = Schema.parse("signal string not null, device string, system string not null,"
            + " ts timestamp_ns not null, seen timestamp, value double, small float, count int, total bigint,"
            + " good boolean, born date, tiny tinyint, low smallint, local timestamp_ntz, clock time_ns,"
            + " price decimal(7, 2), mass decimal(18, 4), whole decimal(38, 6)");

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
        Batch batch = new Batch(buffer, groups);
        for (ReplicaGroup group : groups.groups()) {
            List<Map<String, Object>> found = new ArrayList<>();
            ContentHash content = ContentHash.EMPTY;
            GroupLayout layout = batch.layout(group);
            GroupFileWriter writer = new GroupFileWriter(groups, group, SCHEMA);
            List<FileColumn> columns = writer.columns(batch);
            for (FileSlice slice : layout.files()) {
                Path path = dir.resolve(writer.relativePath(slice.partition(), "c1", slice.from()));
                assertThat(path.getFileName().toString()).startsWith("c1-").endsWith(".parquet");
                Files.createDirectories(path.getParent());
                GroupFileWriter.WrittenFile file = writer.write(
                        new LocalOutputFile(path),
                        columns,
                        writer.rows(batch, layout.order(), slice.from(), slice.to()),
                        slice.partition(),
                        slice.content(),
                        "c1");
                assertThat(file.bytes()).isEqualTo(Files.size(path));
                content = content.plus(file.statistics().content());
                found.addAll(check(group, groups, path, file.statistics()));
            }
            assertThat(content).isEqualTo(hash(records));
            assertThat(differences(found, records)).as("group %s", group.name()).isEmpty();
        }
    }

    /** Checks one file and returns its records as they were buffered. */
    private List<Map<String, Object>> check(ReplicaGroup group, ReplicaGroups groups, Path path, FileStatistics file)
            throws Exception {
        List<Map<String, Object>> rows = ParquetRows.read(path);
        List<String> physical = groups.physicalColumns(group.name(), SCHEMA).stream()
                .map(Column::name)
                .toList();
        assertThat(List.copyOf(rows.get(0).keySet())).isEqualTo(physical);
        if (group.name().equals(groups.defaultName())) {
            List<Column> fields = group.partitionFields(SCHEMA);
            for (int i = 0; i < fields.size(); i++) {
                for (Map<String, Object> row : rows) {
                    row.put(fields.get(i).name(), file.partition().get(i));
                }
            }
        }
        GroupFileChecks checks = new GroupFileChecks(SCHEMA, groups);
        checks.partition(group, file, rows);
        checks.order(group, rows);
        checks.statedOrder(group, path);
        checks.statistics(file, rows);
        GroupFileChecks.indexes(path);
        List<Map<String, Object>> records = new ArrayList<>();
        for (Map<String, Object> row : rows) {
            for (Predicate predicate : groups.defaultGroup().predicates()) {
                Object value = checks.value(predicate, row);
                if (!Objects.equals(row.get(predicate.fieldName()), value)) {
                    fail("%s should be %s in %s".formatted(predicate.fieldName(), value, row));
                }
            }
            Map<String, Object> record = new HashMap<>();
            SCHEMA.columns().forEach(c -> record.put(c.name(), row.get(c.name())));
            records.add(record);
        }
        assertThat(file.content()).isEqualTo(hash(records));
        return records;
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
        RecordHasher hasher = new RecordHasher(HashKind.CURRENT);
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
                List.of(random.nextBoolean() ? "value" : "bits(14, value)", "small", "good", "device", "count"),
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
        return new ReplicaGroup(
                name,
                parsed,
                sort.stream().map(SortKey::parse).toList(),
                1,
                Codec.parse(codecs[random.nextInt(codecs.length)]));
    }
}
