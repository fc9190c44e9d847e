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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BinaryOperator;
import java.util.stream.Stream;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.schema.Schema;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of records with equal keys the greatest one of the last segment is kept, and the same one in every group. */
class KeptRecordsTest {
    private static final Schema SCHEMA =
            Schema.parse("signal string not null, ts timestamp_ns not null, part int, value double, note string");
    private static final List<String> KEYS = List.of("signal", "TS", "part");
    private static final ReplicaGroups GROUPS = new ReplicaGroups(
            List.of(
                    group("time", "day(ts)", List.of("ts", "signal")),
                    group("signal", "bucket(2, signal)", List.of("signal")),
                    group("part", "part", List.of("ts")),
                    group("bins", "day(ts)", List.of("bits(11, part)", "signal"))),
            "time");

    /** Null is least. 0.0 and -0.0 are equal, and different records. */
    private static final List<Object> VALUES =
            Arrays.asList(null, Double.NEGATIVE_INFINITY, -0.0, 0.0, 1.5, Double.NaN);

    private static final List<Object> NOTES = Arrays.asList(null, "", "n", "z", "\u00e9", "\ud83d\ude00");

    @TempDir
    private Path dir;

    private static ReplicaGroup group(String name, String predicate, List<String> sort) {
        return new ReplicaGroup(
                name,
                List.of(Predicate.parse(predicate)),
                sort.stream().map(SortKey::parse).toList(),
                1,
                Codec.parse("none"));
    }

    /** Records that lie in one file of a group, if they are of one partition. */
    private record FileRecords(int segment, List<Map<String, Object>> records) {
        String id() {
            return "s" + segment;
        }
    }

    /** @param scale the more, the more different keys there are */
    private static Map<String, Object> record(Random random, int scale) {
        Map<String, Object> record = new HashMap<>();
        record.put("signal", "s" + random.nextInt(5 * scale));
        record.put("ts", 86_400_000_000_000L * random.nextInt(2) + random.nextInt(20));
        record.put("part", random.nextInt(3) == 0 ? null : (Long) (long) random.nextInt(2));
        record.put("value", VALUES.get(random.nextInt(VALUES.size())));
        record.put("note", NOTES.get(random.nextInt(NOTES.size())));
        return record;
    }

    /** Up to three files for each segment; with some seeds more records than a batch has. */
    private static List<FileRecords> files(Random random) {
        List<FileRecords> files = new ArrayList<>();
        int scale = random.nextInt(3) == 0 ? 40 : 1;
        int segments = 1 + random.nextInt(scale > 1 ? 8 : random.nextBoolean() ? 3 : 100);
        for (int segment = 0; segment < segments; segment++) {
            for (int file = random.nextInt(3); file >= 0; file--) {
                files.add(new FileRecords(
                        segment,
                        Stream.generate(() -> record(random, scale))
                                .limit(1 + random.nextInt(60 * scale))
                                .toList()));
            }
        }
        return files;
    }

    /** The same records with those of each segment in another order. */
    private static List<FileRecords> shuffled(List<FileRecords> files, Random random) {
        Map<Integer, List<Map<String, Object>>> bySegment = new HashMap<>();
        files.forEach(f ->
                bySegment.computeIfAbsent(f.segment(), s -> new ArrayList<>()).addAll(f.records()));
        List<FileRecords> shuffled = new ArrayList<>();
        new TreeMap<>(bySegment).forEach((segment, records) -> {
            Collections.shuffle(records, random);
            int cut = random.nextInt(records.size() + 1);
            shuffled.add(new FileRecords(segment, records.subList(0, cut)));
            shuffled.add(new FileRecords(segment, records.subList(cut, records.size())));
        });
        return shuffled;
    }

    private static List<Map<String, Object>> kept(List<FileRecords> files) {
        Map<List<Object>, Map<String, Object>> byKey = new HashMap<>();
        Map<List<Object>, Integer> segments = new HashMap<>();
        for (FileRecords file : files) {
            for (Map<String, Object> record : file.records()) {
                List<Object> key = Arrays.asList(record.get("signal"), record.get("ts"), record.get("part"));
                Map<String, Object> known = byKey.get(key);
                if (known == null || segments.get(key) < file.segment() || ORDER.compare(known, record) < 0) {
                    byKey.put(key, record);
                    segments.put(key, file.segment());
                }
            }
        }
        return List.copyOf(byKey.values());
    }

    private static final Comparator<Map<String, Object>> ORDER = Comparator.<Map<String, Object>>comparingInt(
                    record -> rank(VALUES, record.get("value")))
            .thenComparingInt(record -> NOTES.indexOf(record.get("note")))
            .thenComparing(record ->
                    Segments.hash(SCHEMA, HashKind.CURRENT, List.of(record)).hex());

    private static int rank(List<Object> values, Object value) {
        return values.indexOf(Double.valueOf(-0.0).equals(value) ? (Object) 0.0 : value);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 5, 6, 9, 10, 11})
    void theSameRecordOfEachKeyIsKeptInEveryGroup(long seed) throws Exception {
        Random random = new Random(seed);
        List<FileRecords> files = files(random);
        List<Map<String, Object>> records =
                files.stream().flatMap(f -> f.records().stream()).toList();
        ContentHash before = Segments.hash(SCHEMA, HashKind.CURRENT, records);
        ContentHash expected = Segments.hash(SCHEMA, HashKind.CURRENT, kept(files));
        long memory = seed % 4 == 1 ? 64 << 20 : 1 << 20;
        Path scratch = Files.createDirectory(dir.resolve("scratch"));
        for (ReplicaGroup group : GROUPS.groups()) {
            PartitionMerge merge =
                    new PartitionMerge(GROUPS, group, SCHEMA, KEYS, new MergeLimits(20_000, memory, scratch));
            ContentHash written = ContentHash.EMPTY;
            ContentHashes read = ContentHashes.EMPTY;
            ContentHash duplicates = ContentHash.EMPTY;
            for (Map.Entry<List<Object>, List<MergeInput>> part :
                    inputs(group, shuffled(files, random)).entrySet()) {
                MergeResult result = merge.merge(
                        part.getValue(),
                        part.getKey(),
                        path -> new LocalOutputFile(new Segments(dir, GROUPS).path(group, path)),
                        "merged",
                        0);
                written = written.plus(result.written());
                read = read.plus(result.read().asWritten());
                duplicates = duplicates.plus(result.duplicates());
            }
            assertThat(written).as(group.name()).isEqualTo(expected);
            assertThat(duplicates).as(group.name()).isEqualTo(before.minus(expected));
            assertThat(read).as(group.name()).isEqualTo(ContentHashes.of(before));
        }
    }

    private Map<List<Object>, List<MergeInput>> inputs(ReplicaGroup group, List<FileRecords> files) throws Exception {
        Map<List<Object>, List<MergeInput>> inputs = new LinkedHashMap<>();
        for (int i = 0; i < files.size(); i++) {
            String id = files.get(i).id();
            new Segments(dir.resolve("file" + i), GROUPS)
                    .write(SCHEMA, group, id, files.get(i).records())
                    .forEach((tuple, file) -> inputs.computeIfAbsent(tuple, t -> new ArrayList<>())
                            .add(file.input()));
        }
        return inputs;
    }

    /** A row of a batch that is sorted by {@code ts}; {@code id} is the hash. */
    private record Row(long ts, @Nullable Long part, long value, int segment, long id) {}

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void rowsThatAreNotWrittenAtOnceStayAlone(long seed) {
        Random random = new Random(seed);
        List<Row> rows = new ArrayList<>();
        List<Row> expected = new ArrayList<>();
        for (int ts = 0; ts < 200; ts++) {
            List<Row> run = new ArrayList<>();
            for (int i = random.nextInt(8); i >= 0; i--) {
                Long part = random.nextInt(3) == 0 ? null : (Long) (long) random.nextInt(2);
                run.add(new Row(ts, part, random.nextInt(3), random.nextInt(2), rows.size() + run.size()));
            }
            Map<Long, Row> best = new HashMap<>();
            run.forEach(row -> best.merge(
                    row.part() == null ? -1 : row.part(),
                    row,
                    BinaryOperator.maxBy(Comparator.comparingInt(Row::segment)
                            .thenComparingLong(Row::value)
                            .thenComparingLong(Row::id))));
            run.stream().filter(best.values()::contains).forEach(expected::add);
            rows.addAll(run);
        }
        Schema schema = Schema.parse("ts bigint not null, part int, value bigint");
        MergeColumns columns = new MergeColumns(schema.columns(), List.of(), List.of(new MergeColumns.Key(0, null)));
        MergeBatch batch = new MergeBatch(columns, 0);
        KeptRecords kept = new KeptRecords(batch, columns, schema, List.of("ts", "part"));
        List<Row> written = new ArrayList<>();
        int next = 0;
        while (next < rows.size() || batch.rows() > 0) {
            for (int room = batch.room(); room > 0 && next < rows.size(); room--) {
                put(batch, rows.get(next++));
            }
            boolean isLast = next == rows.size();
            kept.decide(isLast);
            int count = isLast ? kept.size() : 1 + random.nextInt(kept.size());
            for (int i = 0; i < count; i++) {
                written.add(rows.get((int) batch.low()[kept.order()[i]]));
            }
            kept.remove(count);
        }
        assertThat(written).isEqualTo(expected);
        assertThat(kept.leftOut().count()).isEqualTo(rows.size() - expected.size());
        assertThat(kept.leftOut().low())
                .isEqualTo(rows.stream().mapToLong(Row::id).sum()
                        - expected.stream().mapToLong(Row::id).sum());
    }

    private static void put(MergeBatch batch, Row row) {
        int at = batch.append(1);
        ((LongVector) batch.vector(0)).set(at, row.ts());
        if (row.part() == null) {
            batch.vector(1).setNull(at, 1);
        } else {
            ((LongVector) batch.vector(1)).set(at, row.part());
        }
        ((LongVector) batch.vector(2)).set(at, row.value());
        batch.segments()[at] = row.segment();
        batch.high()[at] = 0;
        batch.low()[at] = row.id();
    }

    @Test
    void keysThatGroupsDoNotKeepTogetherAreRefused() {
        assertThatThrownBy(() -> new PartitionMerge(
                        GROUPS,
                        GROUPS.groups().get(0),
                        SCHEMA,
                        List.of("signal", "ts"),
                        new MergeLimits(1, 1 << 20, dir)))
                .hasMessage(
                        "records with equal signal, ts need not lie in the same place in every replica group, because"
                                + " groups partition or sort by part; make these columns keys too: one that the others"
                                + " determine changes no key");
    }
}
