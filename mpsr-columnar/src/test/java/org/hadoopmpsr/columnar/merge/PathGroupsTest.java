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
package org.hadoopmpsr.columnar.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.columnar.buffer.BadRecordException;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.RandomRecords;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.degraded.DegradedRead;
import org.hadoopmpsr.columnar.file.GroupFileWriter;
import org.hadoopmpsr.columnar.layout.Batch;
import org.hadoopmpsr.columnar.merge.MergeResult.MergedFile;
import org.hadoopmpsr.columnar.merge.Segments.SegmentFile;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.hadoopmpsr.columnar.parquet.FileColumn;
import org.hadoopmpsr.columnar.parquet.SortedRows;
import org.hadoopmpsr.columnar.read.ColumnFile;
import org.hadoopmpsr.core.degraded.NoSubstituteException;
import org.hadoopmpsr.core.degraded.RowRange;
import org.hadoopmpsr.core.degraded.Substitutes;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnPath;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.text.CommaList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups by values within structs are those by columns of these values: each record has its values twice. */
class PathGroupsTest {
    private static final List<String> OUTER = List.of("text", "seen", "good", "born");
    private static final List<String> INNER = List.of("n", "d", "w", "p");
    private static final Schema PLAIN =
            Schema.parse("id bigint not null, text string, seen timestamp, good boolean, born date,"
                    + " n int, d double, w decimal(38,6), p decimal(7,2)");
    private static final Schema SCHEMA = Schema.parse(
            PLAIN.ddl() + ", pos struct<"
                    + "`a b`:struct<n:int,d:double,w:decimal(38,6),p:decimal(7,2)>,text:string,seen:timestamp,good:boolean,born:date>");
    private static final String[][] GROUPS = {
        {"day(seen)", "n, w, id"},
        {"bucket(3, text)", "text, seen, id"},
        {"good, year(born)", "d, text, id"},
        {"truncate(2, text), range(n, -10, 100)", "w, id"},
        {"text", "good, p, id"},
    };

    @TempDir
    private Path dir;

    private int parts;

    private final Column id = SCHEMA.columns().get(0);

    private static String onPaths(String text) {
        for (String name : OUTER) {
            text = text.replaceAll("\\b" + name + "\\b", "pos." + name);
        }
        for (String name : INNER) {
            text = text.replaceAll("\\b" + name + "\\b", "pos.`a b`." + name);
        }
        return text;
    }

    private static ReplicaGroup group(String name, String predicates, String sort) {
        return new ReplicaGroup(
                name,
                CommaList.of(predicates).stream().map(Predicate::parse).toList(),
                SortKey.parseList(sort),
                1,
                Codec.parse("zstd:1"));
    }

    /** A group by columns, and one by paths to the same values. */
    private static ReplicaGroups groups(int pair, boolean isPathDefault) {
        ReplicaGroups groups = new ReplicaGroups(
                List.of(
                        group("columns", GROUPS[pair][0], GROUPS[pair][1]),
                        group("paths", onPaths(GROUPS[pair][0]), onPaths(GROUPS[pair][1])),
                        group("ids", "bucket(2, id)", "id")),
                isPathDefault ? "paths" : "ids");
        assertThat(groups.problemsWith(SCHEMA)).isEmpty();
        return groups;
    }

    private static List<Map<String, Object>> records(Random random, int rows) throws Exception {
        List<Map<String, Object>> records = RandomRecords.fill(
                new RecordBuffer(PLAIN), new ReplicaGroups(List.of(group("a", "text", "")), "a"), rows, random);
        for (int row = 0; row < rows; row++) {
            Map<String, Object> record = records.get(row);
            record.put("id", (long) row);
            Map<String, Object> inner = struct(record, INNER, random, Map.of());
            Map<String, Object> pos = struct(record, OUTER, random, inner == null ? Map.of() : Map.of("a b", inner));
            if (pos == null) {
                INNER.forEach(name -> record.put(name, null));
            }
            record.put("pos", pos);
        }
        return records;
    }

    /** Where the struct is null, all of its values are. */
    private static Map<String, Object> struct(
            Map<String, Object> record, List<String> names, Random random, Map<String, Object> more) {
        if (random.nextInt(8) == 0) {
            names.forEach(name -> record.put(name, null));
            return null;
        }
        Map<String, Object> struct = new LinkedHashMap<>(more);
        for (String name : names) {
            Object value = record.get(name);
            if (value != null) {
                struct.put(name, name.equals("p") ? BigInteger.valueOf((Long) value) : value);
            }
        }
        return struct;
    }

    private List<Long> ids(Path path) throws Exception {
        LongVector vector = new LongVector();
        List<Long> ids = new ArrayList<>();
        try (ColumnFile file =
                ColumnFile.open(path.toString(), new LocalInputFile(path), List.of(id), List.of(vector))) {
            for (long rows = file.nextRowGroup(); rows > 0; rows = file.nextRowGroup()) {
                vector.reserve((int) rows);
                file.read(0, vector, 0, (int) rows);
                for (int row = 0; row < rows; row++) {
                    ids.add(vector.values()[row]);
                }
            }
        }
        return ids;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void filesAreThoseByColumns(long seed) throws Exception {
        Random random = new Random(seed);
        ReplicaGroups groups = groups((int) seed % GROUPS.length, random.nextBoolean());
        List<Map<String, Object>> records = records(random, seed == 1 ? 45_000 : 1 + random.nextInt(4000));
        Segments segments = new Segments(dir, groups);
        Map<List<Object>, SegmentFile> byColumn =
                segments.write(SCHEMA, groups.groups().get(0), "s", records);
        Map<List<Object>, SegmentFile> byPath =
                segments.write(SCHEMA, groups.groups().get(1), "s", records);
        assertThat(List.copyOf(byPath.keySet())).isEqualTo(List.copyOf(byColumn.keySet()));
        for (Map.Entry<List<Object>, SegmentFile> file : byPath.entrySet()) {
            SegmentFile other = byColumn.get(file.getKey());
            assertThat(ids(file.getValue().path())).isEqualTo(ids(other.path()));
            assertThat(file.getValue().statistics().content())
                    .isEqualTo(other.statistics().content());
            assertThat(file.getValue().statistics().rowGroups().size())
                    .isEqualTo(other.statistics().rowGroups().size());
            for (Column path : groups.groups().get(1).paths(SCHEMA)) {
                List<String> names = ColumnPath.parts(path.name());
                String name = names.get(names.size() - 1);
                assertThat(file.getValue().statistics().column(path.name()))
                        .as("seed %d: %s", seed, name)
                        .isEqualTo(other.statistics().column(name).withBytes(0));
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 1, 2, 3, 4})
    void mergedFilesAreThoseOfAllRecords(long seed) throws Exception {
        Random random = new Random(seed);
        ReplicaGroups groups = groups((int) seed % GROUPS.length, random.nextBoolean());
        ReplicaGroup group = groups.groups().get(1);
        List<Map<String, Object>> records = records(random, 1 + random.nextInt(6000));
        int[] ends = IntStream.concat(
                        IntStream.generate(() -> random.nextInt(records.size() + 1))
                                .limit(random.nextInt(40)),
                        IntStream.of(records.size()))
                .sorted()
                .distinct()
                .toArray();
        Segments segments = new Segments(dir, groups);
        Map<List<Object>, SegmentFile> whole =
                new Segments(dir.resolve("at-once"), groups).write(SCHEMA, group, "merged", records);
        Map<List<Object>, List<SegmentFile>> split = segments.split(SCHEMA, group, records, ends);
        Path scratch = Files.createDirectory(dir.resolve("scratch"));
        for (Map.Entry<List<Object>, SegmentFile> expected : whole.entrySet()) {
            List<MergeInput> inputs = split.get(expected.getKey()).stream()
                    .map(SegmentFile::input)
                    .toList();
            for (MergeLimits limits : List.of(
                    new MergeLimits(1L << 40, 256 << 20, scratch),
                    new MergeLimits(1 + random.nextInt(60_000), 1 << 20, scratch))) {
                MergeResult result = new PartitionMerge(groups, group, SCHEMA, List.of(), limits)
                        .merge(
                                inputs,
                                expected.getKey(),
                                path -> new LocalOutputFile(segments.path(group, path)),
                                "merged",
                                0);
                assertThat(result.written())
                        .isEqualTo(expected.getValue().statistics().content());
                List<Long> found = new ArrayList<>();
                for (MergedFile file : result.files()) {
                    Path path = segments.path(group, file.relativePath());
                    found.addAll(ids(path));
                    if (limits.targetBytes() == 1L << 40) {
                        assertThat(file.statistics())
                                .isEqualTo(expected.getValue().statistics());
                        assertThat(path)
                                .hasSameBinaryContentAs(expected.getValue().path());
                    }
                    Files.delete(path);
                }
                assertThat(found)
                        .as("seed %d", seed)
                        .isEqualTo(ids(expected.getValue().path()));
            }
        }
        assertThat(scratch).isEmptyDirectory();
    }

    /** A file of an ordinary writer has its records in any order. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 1, 2, 3, 4})
    void filesOfOthersAreSorted(long seed) throws Exception {
        Random random = new Random(seed);
        ReplicaGroups groups = groups((int) seed, true);
        ReplicaGroup group = groups.groups().get(1);
        List<Map<String, Object>> records = records(random, 3000);
        Segments segments = new Segments(dir, groups);
        SegmentFile whole =
                segments.write(SCHEMA, group, "s", records).values().iterator().next();
        List<Map<String, Object>> own = new ArrayList<>();
        ids(whole.path()).forEach(id -> own.add(records.get((int) (long) id)));
        Collections.shuffle(own, random);
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        RandomRecords.append(buffer, groups, own);
        Batch batch = new Batch(buffer, groups);
        List<FileColumn> columns = new GroupFileWriter(groups, group, SCHEMA).columns(batch);
        Path path = dir.resolve("others.parquet");
        try (ColumnarParquetFile file = ColumnarParquetFile.begin(
                new LocalOutputFile(path), columns, List.of(), Codecs.parse("none"), Map.of())) {
            file.writeAll(new SortedRows(IntStream.range(0, own.size()).toArray(), 0, own.size(), null), 500);
            file.finish();
        }
        MergeInput input = new MergeInput("others", new LocalInputFile(path), "s", buffer.content());
        MergeResult result = new PartitionMerge(
                        groups, group, SCHEMA, List.of(), new MergeLimits(1L << 40, 1 << 20, dir))
                .merge(
                        List.of(input),
                        whole.statistics().partition(),
                        name -> new LocalOutputFile(segments.path(group, name)),
                        "merged",
                        0);
        List<Long> found = new ArrayList<>();
        for (MergedFile file : result.files()) {
            found.addAll(ids(segments.path(group, file.relativePath())));
        }
        assertThat(found).isEqualTo(ids(whole.path()));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void lostFilesAreReadFromOtherGroups(long seed) throws Exception {
        Random random = new Random(seed);
        ReplicaGroups groups = groups((int) seed % GROUPS.length, random.nextBoolean());
        List<Map<String, Object>> records = records(random, 500 + random.nextInt(3000));
        Segments segments = new Segments(dir, groups);
        Map<String, List<DataFile>> files = new HashMap<>();
        for (ReplicaGroup group : groups.groups()) {
            List<DataFile> its = new ArrayList<>();
            for (SegmentFile file : segments.write(SCHEMA, group, "s", records).values()) {
                its.add(new DataFile(file.path().toString(), 0, Files.size(file.path()), 1, file.statistics()));
            }
            files.put(group.name(), its);
        }
        for (String group : List.of("columns", "paths")) {
            List<DataFile> its = files.get(group);
            for (DataFile file : its.subList(0, Math.min(5, its.size()))) {
                Substitutes substitutes = Substitutes.find(
                        groups,
                        group,
                        new Substitutes.Planned(file.path(), file.length(), 1),
                        (name, segment) -> files.get(name));
                List<Long> all = ids(Path.of(file.path()));
                check(groups, substitutes, new RowRange(0, all.size()), all);
                if (file.statistics().rowGroups().size() > 1) {
                    long middle = file.statistics().rowGroups().get(0).rows();
                    check(groups, substitutes, new RowRange(middle, all.size()), all);
                }
            }
        }
        assertThat(parts).isPositive();
    }

    private void check(ReplicaGroups groups, Substitutes substitutes, RowRange range, List<Long> all) throws Exception {
        List<Long> expected = new ArrayList<>(all.subList((int) range.from(), (int) range.to()));
        Collections.sort(expected);
        for (var source : substitutes.sources()) {
            List<Long> found = new ArrayList<>();
            try (DegradedRead read = new DegradedRead(
                    groups,
                    SCHEMA,
                    substitutes.lost(),
                    source,
                    other -> new LocalInputFile(Path.of(other.path())),
                    List.of("id"),
                    range)) {
                while (read.next()) {
                    long[] values = ((LongVector) read.column("id")).values();
                    Arrays.stream(read.selected(), 0, read.count()).forEach(row -> found.add(values[row]));
                }
            } catch (NoSubstituteException e) {
                assertThat(range.rows()).isLessThan(all.size());
                continue;
            }
            Collections.sort(found);
            assertThat(found).isEqualTo(expected);
            parts++;
        }
    }

    @Test
    void stringsThatAreNoNamesOfDirectoriesAreRefused() {
        ReplicaGroups groups = groups(4, true);
        Map<String, Object> record = new HashMap<>(Map.of("id", 1L, "pos", Map.of("text", "x".repeat(300))));
        assertThatThrownBy(() -> RandomRecords.append(new RecordBuffer(SCHEMA), groups, List.of(record)))
                .isInstanceOf(BadRecordException.class)
                .hasMessageStartingWith("column 'pos.text' is 'xxx")
                .hasMessageEndingWith("partition by truncate(w, pos.text) or bucket(n, pos.text)");
        record.put("pos", Map.of("text", ""));
        assertThatThrownBy(() -> RandomRecords.append(new RecordBuffer(SCHEMA), groups, List.of(record)))
                .hasMessageContaining(
                        "column 'pos.text' is '', and as a partition directory of the default group 'paths'");
    }
}
