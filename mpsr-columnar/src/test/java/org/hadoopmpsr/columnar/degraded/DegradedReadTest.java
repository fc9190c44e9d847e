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
package org.hadoopmpsr.columnar.degraded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.columnar.buffer.RandomRecords;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.file.GroupFileWriter;
import org.hadoopmpsr.columnar.layout.Batch;
import org.hadoopmpsr.columnar.layout.GroupLayout;
import org.hadoopmpsr.columnar.layout.GroupLayout.FileSlice;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.core.degraded.NoSubstituteException;
import org.hadoopmpsr.core.degraded.RowRange;
import org.hadoopmpsr.core.degraded.SourceGroup;
import org.hadoopmpsr.core.degraded.Substitutes;
import org.hadoopmpsr.core.degraded.Substitutes.Planned;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.ColumnTransforms;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.testing.ParquetRows;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever the records, the groups and the parts are: a degraded read gives what Parquet's reader gave, or says why not. */
class DegradedReadTest {
    private static final Schema SCHEMA = Schema.parse(
            "signal string not null, device string, system string not null,"
                    + " ts timestamp_ns not null, seen timestamp, value double, small float, count int, good boolean, born date,"
                    + " tiny tinyint, low smallint, local timestamp_ntz, clock time_ns, price decimal(7, 2), whole decimal(38, 6)");
    private static final String SEGMENT = "topic-0-1-2";

    @TempDir
    private Path dir;

    private final Map<String, List<DataFile>> files = new HashMap<>();
    private static int partsGiven;
    private int given;
    private int refused;

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void givesTheRecordsOfEachPartOfEachFile(long seed) throws Exception {
        Random random = new Random(seed);
        ReplicaGroups groups = groups(random);
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        RandomRecords.fill(buffer, groups, 200 + random.nextInt(2000), random);
        Batch batch = new Batch(buffer, groups);
        for (ReplicaGroup group : groups.groups()) {
            files.put(group.name(), write(groups, group, batch, random, true));
        }
        for (ReplicaGroup group : groups.groups()) {
            List<DataFile> all = files.get(group.name());
            for (int i = 0; i < Math.min(3, all.size()); i++) {
                DataFile file = all.get(random.nextInt(all.size()));
                check(groups, group, file, 0, file.length());
                long cut = 1 + random.nextLong(file.length() - 1);
                check(groups, group, file, 0, cut);
                check(groups, group, file, cut, file.length() - cut);
            }
        }
        assertThat(given).as("seed %d, refused %d", seed, refused).isGreaterThan(10);
    }

    @AfterAll
    static void partsOfFilesWereAmongThem() {
        assertThat(partsGiven).isGreaterThan(10);
    }

    /** Checks a part, in each way in which it may be read. */
    private void check(ReplicaGroups groups, ReplicaGroup group, DataFile file, long start, long length)
            throws Exception {
        Planned planned = new Planned(file.path(), file.length(), file.modificationTime());
        Substitutes substitutes = Substitutes.find(groups, group.name(), planned, (name, segment) -> {
            assertThat(segment).isEqualTo(SEGMENT);
            return files.get(name);
        });
        List<ReplicaGroup> exact = new ArrayList<>(groups.exact());
        exact.remove(group);
        assertThat(substitutes.sources()).extracting(SourceGroup::group).containsExactlyInAnyOrderElementsOf(exact);
        if (length < file.length() && file.statistics().rowGroups().isEmpty()) {
            assertThatThrownBy(() -> substitutes.lost().rows(start, length)).isInstanceOf(NoSubstituteException.class);
            refused++;
            return;
        }
        RowRange range = substitutes.lost().rows(start, length);
        assertThat(range.rows()).isEqualTo(parquetRows(Path.of(file.path()), start, length));
        List<Map<String, Object>> rows = ParquetRows.read(Path.of(file.path()));
        List<String> names = List.copyOf(rows.get(0).keySet());
        Map<String, ColumnType> types = new HashMap<>();
        groups.logicalColumns(SCHEMA).forEach(column -> types.put(column.name(), column.type()));
        Map<String, Integer> expected = new HashMap<>();
        rows.subList((int) range.from(), (int) range.to()).forEach(row -> add(expected, new ArrayList<>(row.values())));
        for (SourceGroup source : substitutes.sources()) {
            try (DegradedRead read = new DegradedRead(
                    groups,
                    SCHEMA,
                    substitutes.lost(),
                    source,
                    other -> new LocalInputFile(Path.of(other.path())),
                    names,
                    range)) {
                Map<String, Integer> found = new HashMap<>();
                while (read.next()) {
                    for (int i = 0; i < read.count(); i++) {
                        List<Object> row = new ArrayList<>();
                        for (String name : names) {
                            row.add(LeadValues.value(types.get(name), read.column(name), read.selected()[i]));
                        }
                        add(found, row);
                    }
                }
                assertThat(found)
                        .as("%s [%d, +%d) from %s", file.path(), start, length, source.group())
                        .isEqualTo(expected);
                given++;
                partsGiven += range.isAllOf(file) ? 0 : 1;
                if (!group.isLossy()) { // jobs of MapReduce are not given such a group
                    assertThat(written(groups, group, substitutes, source, range))
                            .isEqualTo(expected);
                }
            } catch (NoSubstituteException e) {
                refused++;
            }
        }
    }

    /** The records of a file that is written in place of a part. */
    private Map<String, Integer> written(
            ReplicaGroups groups, ReplicaGroup group, Substitutes found, SourceGroup source, RowRange range)
            throws Exception {
        Path path = dir.resolve("written" + given);
        List<Column> columns = groups.physicalColumns(group.name(), SCHEMA);
        List<String> names = columns.stream().map(Column::name).toList();
        try (DegradedRead read = new DegradedRead(
                groups,
                SCHEMA,
                found.lost(),
                source,
                other -> new LocalInputFile(Path.of(other.path())),
                names,
                range)) {
            RecordFile.write(read, columns, SEGMENT, new LocalOutputFile(path));
        }
        Path lost = Path.of(found.lost().file().path());
        try (ParquetFileReader file = ParquetRows.open(path);
                ParquetFileReader before = ParquetRows.open(lost)) {
            var metadata = file.getFileMetaData();
            assertThat(metadata.getSchema()).isEqualTo(before.getFileMetaData().getSchema());
            assertThat(metadata.getKeyValueMetaData())
                    .containsAllEntriesOf(before.getFileMetaData().getKeyValueMetaData());
        }
        Map<String, Integer> rows = new HashMap<>();
        ParquetRows.read(path).forEach(row -> add(rows, new ArrayList<>(row.values())));
        return rows;
    }

    private static void add(Map<String, Integer> counts, List<?> row) {
        counts.merge(String.valueOf(row), 1, Integer::sum);
    }

    private static long parquetRows(Path path, long start, long length) throws Exception {
        ParquetReadOptions options =
                ParquetReadOptions.builder().withRange(start, start + length).build();
        try (ParquetFileReader reader = ParquetFileReader.open(new LocalInputFile(path), options)) {
            return reader.getRecordCount();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {21, 22})
    void refusesASourceThatLacksARecord(long seed) throws Exception {
        Random random = new Random(seed);
        ReplicaGroups groups = groups(random);
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        RandomRecords.fill(buffer, groups, 300, random);
        Batch batch = new Batch(buffer, groups);
        ReplicaGroup group = groups.groups().get(1);
        ReplicaGroup other = groups.groups().get(2);
        files.put(group.name(), write(groups, group, batch, random, false));
        List<DataFile> all = write(groups, other, batch, random, false);
        DataFile lost = files.get(group.name()).get(0);
        List<DataFile> some = all.subList(1, all.size());
        assertThatThrownBy(() -> {
                    for (DataFile file : files.get(group.name())) {
                        Substitutes found = Substitutes.find(
                                groups,
                                group.name(),
                                new Planned(file.path(), file.length(), file.modificationTime()),
                                (name, segment) -> files.getOrDefault(name, all));
                        SourceGroup lacking = new SourceGroup(other, some);
                        try (DegradedRead read = new DegradedRead(
                                groups,
                                SCHEMA,
                                found.lost(),
                                lacking,
                                its -> new LocalInputFile(Path.of(its.path())),
                                List.of("value"),
                                new RowRange(0, file.statistics().rows()))) {
                            while (read.next()) {
                                // the count decides at the end
                            }
                        }
                    }
                })
                .isInstanceOf(java.io.IOException.class)
                .hasMessageContaining("the groups do not hold the same records");
        assertThatThrownBy(() -> Substitutes.find(
                        groups,
                        group.name(),
                        new Planned(lost.path(), lost.length(), lost.modificationTime()),
                        (name, segment) -> files.getOrDefault(name, some)))
                .isInstanceOf(NoSubstituteException.class)
                .hasMessage("no other group has all records of segment " + SEGMENT);
        assertThatThrownBy(() -> Substitutes.find(
                        groups,
                        group.name(),
                        new Planned(lost.path(), lost.length() + 1, lost.modificationTime()),
                        (name, segment) -> files.getOrDefault(name, some)))
                .isInstanceOf(NoSubstituteException.class)
                .hasMessageStartingWith("the dataset has no such file any more");
    }

    /** Writes the files of a group: several row groups in each, and if asked for now and then two files of one partition. */
    private List<DataFile> write(ReplicaGroups groups, ReplicaGroup group, Batch batch, Random random, boolean inPieces)
            throws Exception {
        List<DataFile> written = new ArrayList<>();
        GroupLayout layout = batch.layout(group);
        Batch held = layout.records();
        GroupFileWriter writer = new GroupFileWriter(groups, group, SCHEMA);
        List<FileColumn> columns = writer.columns(held);
        for (FileSlice slice : layout.files()) {
            SortedRows all = writer.rows(held, layout.order(), slice.from(), slice.to());
            int middle = slice.from() + random.nextInt(slice.rows() + 1);
            if (!inPieces || random.nextBoolean() || middle == slice.from() || middle == slice.to()) {
                written.add(write(writer, columns, all, slice, held, 0, random));
            } else {
                written.add(write(writer, columns, all.slice(slice.from(), middle), slice, held, 0, random));
                written.add(write(writer, columns, all.slice(middle, slice.to()), slice, held, 1, random));
            }
        }
        return written;
    }

    private DataFile write(
            GroupFileWriter writer,
            List<FileColumn> columns,
            SortedRows rows,
            FileSlice slice,
            Batch batch,
            int number,
            Random random)
            throws Exception {
        int[] fileOf = new int[batch.buffer().rows()];
        for (int i = rows.from(); i < rows.to(); i++) {
            fileOf[rows.order()[i]] = 1;
        }
        ContentHash content = batch.buffer().content(fileOf, 2).get(1);
        Path path = dir.resolve(writer.group().name()).resolve(writer.relativePath(slice.partition(), SEGMENT, number));
        Files.createDirectories(path.getParent());
        try (ColumnarParquetFile file = writer.begin(new LocalOutputFile(path), columns, SEGMENT)) {
            file.writeAll(rows, 1 + random.nextInt(200));
            var statistics = writer.finish(file, columns, slice.partition(), content, SEGMENT)
                    .statistics();
            file.close();
            return new DataFile(path.toString(), 0, Files.size(path), 1, statistics);
        }
    }

    private static ReplicaGroups groups(Random random) {
        String[][] defaults = {{"day(ts)"}, {"month(seen)", "system"}, {"good", "year(born)"}};
        String[][] sorts = {{"value", "small"}, {"device"}, {"good", "count"}, {"count"}, {"bits(13, value)", "ts"}};
        return new ReplicaGroups(
                List.of(
                        group("time", defaults[random.nextInt(defaults.length)], "ts", "signal"),
                        group("signal", new String[] {"bucket(4, signal)"}, "signal", "ts"),
                        group("device", new String[] {"system", "device"}),
                        group("odd", new String[] {"truncate(1000, count)"}, sorts[random.nextInt(sorts.length)]),
                        group("rough", new String[] {"bucket(3, device)"}, "count")
                                .with(ColumnTransforms.parse(List.of("value=lossy:abs=0.5", "small=lossy:bits=5")))),
                "time");
    }

    private static ReplicaGroup group(String name, String[] predicates, String... sort) {
        return new ReplicaGroup(
                name,
                java.util.Arrays.stream(predicates).map(Predicate::parse).toList(),
                java.util.Arrays.stream(sort).map(SortKey::parse).toList(),
                1,
                Codec.parse("zstd:1"));
    }
}
