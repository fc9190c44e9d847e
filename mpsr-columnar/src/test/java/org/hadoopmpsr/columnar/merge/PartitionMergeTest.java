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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.columnar.buffer.RandomRecords;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.file.GroupFileWriter;
import org.hadoopmpsr.columnar.layout.Batch;
import org.hadoopmpsr.columnar.merge.MergeResult.MergedFile;
import org.hadoopmpsr.columnar.merge.Segments.SegmentFile;
import org.hadoopmpsr.columnar.parquet.ColumnarParquetFile;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Codecs;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.testing.ParquetRows;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Merged files are what the sink would have written had all records come at once. */
class PartitionMergeTest {
    private static final Schema SCHEMA = Schema.parse("signal string not null, device string, system string not null,"
            + " ts timestamp_ns not null, seen timestamp, value double, small float, count int, total bigint,"
            + " good boolean, born date, tiny tinyint, low smallint, local timestamp_ntz, clock time_ns,"
            + " price decimal(7, 2), mass decimal(18, 4), whole decimal(38, 6)");
    private static final ReplicaGroups GROUPS = new ReplicaGroups(
            List.of(
                    group("time", List.of("day(ts)"), List.of("system", "ts", "signal"), "zstd:3"),
                    group("signal", List.of("bucket(4, signal)"), List.of("signal", "ts"), "snappy"),
                    group("device", List.of("system", "device"), List.of(), "none"),
                    group("bins", List.of("good"), List.of("bits(5, value)", "bits(9, count)", "ts"), "zstd:1"),
                    group(
                            "odd",
                            List.of("range(total, -100, 100)", "bits(3, value)"),
                            List.of("value", "small", "good", "count"),
                            "gzip")),
            "time");

    @TempDir
    private Path dir;

    private Path scratch;
    private Segments segments;

    private static ReplicaGroup group(String name, List<String> predicates, List<String> sort, String codec) {
        return new ReplicaGroup(
                name,
                predicates.stream().map(Predicate::parse).toList(),
                sort.stream().map(SortKey::parse).toList(),
                1,
                Codec.parse(codec));
    }

    @BeforeEach
    void start() throws Exception {
        scratch = Files.createDirectory(dir.resolve("scratch"));
        segments = new Segments(dir, GROUPS);
    }

    @AfterEach
    void nothingIsLeftBehind() {
        assertThat(scratch).isEmptyDirectory();
    }

    private MergeLimits limits(long targetBytes, long memoryBytes) {
        return new MergeLimits(targetBytes, memoryBytes, scratch);
    }

    private PartitionMerge merge(ReplicaGroup group, MergeLimits limits) {
        return new PartitionMerge(GROUPS, group, SCHEMA, List.of(), limits);
    }

    private MergeResult merge(ReplicaGroup group, MergeLimits limits, List<Object> tuple, List<MergeInput> inputs)
            throws Exception {
        return merge(group, limits)
                .merge(inputs, tuple, path -> new LocalOutputFile(segments.path(group, path)), "merged", 0);
    }

    private static int[] cuts(Random random, int rows, int parts) {
        return IntStream.concat(
                        IntStream.generate(() -> random.nextInt(rows + 1)).limit(parts - 1), IntStream.of(rows))
                .sorted()
                .distinct()
                .toArray();
    }

    private static List<Map<String, Object>> records(Random random, int rows) throws Exception {
        return RandomRecords.fill(new RecordBuffer(SCHEMA), GROUPS, rows, random);
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void aMergedFileIsByteForByteTheFileOfAllRecords(long seed) throws Exception {
        Random random = new Random(seed);
        int rows = seed == 1 ? 45_000 : 1 + random.nextInt(3000);
        List<Map<String, Object>> records = records(random, rows);
        int[] ends = cuts(random, rows, 1 + random.nextInt(12));
        Segments atOnce = new Segments(dir.resolve("at-once"), GROUPS);
        for (ReplicaGroup group : GROUPS.groups()) {
            Map<List<Object>, List<SegmentFile>> parts = segments.split(SCHEMA, group, records, ends);
            Map<List<Object>, SegmentFile> whole = atOnce.write(SCHEMA, group, "merged", records);
            assertThat(parts.keySet()).isEqualTo(whole.keySet());
            for (Map.Entry<List<Object>, SegmentFile> expected : whole.entrySet()) {
                List<MergeInput> inputs = parts.get(expected.getKey()).stream()
                        .map(SegmentFile::input)
                        .toList();
                MergeResult result = merge(group, limits(1L << 40, 256 << 20), expected.getKey(), inputs);
                assertThat(result.files()).hasSize(1);
                MergedFile file = result.files().get(0);
                assertThat(file.statistics()).isEqualTo(expected.getValue().statistics());
                ContentHash content = expected.getValue().statistics().content();
                assertThat(result.written()).isEqualTo(content);
                assertThat(result.read().stated()).isEqualTo(ContentHashes.of(content));
                assertThat(segments.path(group, file.relativePath()))
                        .hasSameBinaryContentAs(expected.getValue().path());
            }
        }
    }

    @Tag("long")
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void littleMemoryAndManyFilesGiveTheSameRecordsInTheSameOrder(long seed) throws Exception {
        Random random = new Random(seed);
        List<Map<String, Object>> records = records(random, 8_000);
        int[] ends = cuts(random, records.size(), 60);
        long target = 1 + random.nextInt(60_000);
        for (ReplicaGroup group : GROUPS.groups()) {
            Map<List<Object>, List<SegmentFile>> parts = segments.split(SCHEMA, group, records, ends);
            Map<List<Object>, SegmentFile> whole =
                    new Segments(dir.resolve("at-once"), GROUPS).write(SCHEMA, group, "merged", records);
            for (Map.Entry<List<Object>, List<SegmentFile>> part : parts.entrySet()) {
                List<MergeInput> inputs =
                        part.getValue().stream().map(SegmentFile::input).toList();
                MergeResult result = merge(group, limits(target, 1 << 20), part.getKey(), inputs);
                List<Map<String, Object>> found = new ArrayList<>();
                ContentHash content = ContentHash.EMPTY;
                for (MergedFile file : result.files()) {
                    List<Map<String, Object>> rows = ParquetRows.read(segments.path(group, file.relativePath()));
                    assertThat(file.statistics().rows()).isEqualTo(rows.size()).isPositive();
                    found.addAll(rows);
                    content = content.plus(file.statistics().content());
                }
                SegmentFile expected = whole.get(part.getKey());
                assertThat(found).isEqualTo(ParquetRows.read(expected.path()));
                assertThat(content).isEqualTo(expected.statistics().content());
                assertThat(result.read().stated()).isEqualTo(ContentHashes.of(content));
            }
        }
    }

    @Test
    void filesHaveAboutTheTargetsLengthAndEndWithAValue() throws Exception {
        ReplicaGroup group = GROUPS.find("signal").orElseThrow();
        List<Map<String, Object>> records = records(new Random(9), 30_000);
        Random random = new Random(3);
        records.forEach(record -> record.put("signal", "s" + random.nextInt(200)));
        Map<List<Object>, List<SegmentFile>> parts =
                segments.split(SCHEMA, group, records, cuts(random, records.size(), 10));
        Map.Entry<List<Object>, List<SegmentFile>> part =
                parts.entrySet().iterator().next();
        long bytes = 0;
        for (SegmentFile file : part.getValue()) {
            bytes += Files.size(file.path());
        }
        MergeResult result = merge(
                group,
                limits(bytes / 4, 64 << 20),
                part.getKey(),
                part.getValue().stream().map(SegmentFile::input).toList());
        assertThat(result.files()).hasSize(4);
        long rows = result.written().count();
        Object last = null;
        for (MergedFile file : result.files()) {
            assertThat(file.statistics().rows()).isBetween(rows / 4 - rows / 16, rows / 4 + rows / 16);
            assertThat(file.statistics().column("signal").min()).isNotEqualTo(last);
            last = file.statistics().column("signal").max();
            assertThat(file.bytes()).isEqualTo(Files.size(segments.path(group, file.relativePath())));
        }
        assertThat(result.files().stream().map(MergedFile::relativePath))
                .allMatch(path -> path.matches("signal_bucket=\\d/merged-0000\\d.parquet"))
                .doesNotHaveDuplicates();
    }

    @Test
    void ofEachKindOfHashTheRecordsThatWereReadAreSummedAlsoAsNewFilesAreHashed() throws Exception {
        ReplicaGroup group = GROUPS.find("device").orElseThrow();
        List<Map<String, Object>> records = records(new Random(5), 6000);
        records.forEach(record -> record.putAll(Map.of("system", "S", "device", "D")));
        List<SegmentFile> files = segments.split(SCHEMA, group, records, new int[] {2400, 3600, 6000})
                .get(List.of("S", "D"));
        List<MergeInput> inputs = new ArrayList<>();
        inputs.add(new MergeInput(
                "a",
                files.get(0).input().file(),
                "s2400",
                Segments.hash(SCHEMA, HashKind.SHA_256, records.subList(0, 2400))));
        inputs.add(files.get(1).input());
        inputs.add(new MergeInput(
                "c",
                files.get(2).input().file(),
                "s6000",
                Segments.hash(SCHEMA, HashKind.SHA_256, records.subList(3600, 6000))));
        List<Map<String, Object>> old = new ArrayList<>(records.subList(0, 2400));
        old.addAll(records.subList(3600, 6000));
        // all files at a time, and through local files
        for (int memory : new int[] {64 << 20, 1 << 20}) {
            MergeResult result = merge(group, limits(1L << 40, memory), List.of("S", "D"), inputs);
            assertThat(result.written()).isEqualTo(Segments.hash(SCHEMA, HashKind.CURRENT, records));
            assertThat(result.read().stated())
                    .isEqualTo(ContentHashes.of(Segments.hash(SCHEMA, HashKind.SHA_256, old))
                            .plus(Segments.hash(SCHEMA, HashKind.CURRENT, records.subList(2400, 3600))));
            assertThat(result.read().rehashed()).isEqualTo(Segments.hash(SCHEMA, HashKind.CURRENT, old));
            assertThat(result.read().asWritten()).isEqualTo(ContentHashes.of(result.written()));
            for (MergedFile file : result.files()) {
                Files.delete(segments.path(group, file.relativePath()));
            }
        }
    }

    private Map.Entry<List<Object>, SegmentFile> someFile(ReplicaGroup group) throws Exception {
        return segments.write(SCHEMA, group, "s", records(new Random(1), 100))
                .entrySet()
                .iterator()
                .next();
    }

    @Test
    void otherRecordsThanStatedEndTheMerge() throws Exception {
        ReplicaGroup group = GROUPS.find("signal").orElseThrow();
        Map.Entry<List<Object>, SegmentFile> file = someFile(group);
        MergeInput right = file.getValue().input();
        ContentHash c = right.content();
        MergeInput wrong = new MergeInput(
                right.path(),
                right.file(),
                right.segment(),
                new ContentHash(c.kind(), c.count(), c.high(), c.low() + 1));
        assertThatThrownBy(() -> merge(group, limits(1, 64 << 20), file.getKey(), List.of(right, wrong)))
                .hasMessageContaining(
                        file.getValue().path() + " holds " + c.count() + " records with the content hash " + c.hex())
                .hasMessageContaining("are stated of it; it is damaged or its statistics are false");
    }

    @Test
    void noRecordsGiveNoFile() throws Exception {
        ReplicaGroup group = GROUPS.find("signal").orElseThrow();
        SegmentFile empty = unsorted(group, List.of(), List.of(0L), Map.of("mpsr.commit", "s"));
        for (List<MergeInput> inputs : List.of(List.<MergeInput>of(), List.of(empty.input(), empty.input()))) {
            MergeResult result = merge(group, limits(1, 1 << 20), List.of(0L), inputs);
            assertThat(result.files()).isEmpty();
            assertThat(result.read().stated()).isEqualTo(ContentHashes.EMPTY);
            assertThat(result.written()).isEqualTo(ContentHash.EMPTY);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void filesOfOthersAreSortedIfTheyAreNot(long seed) throws Exception {
        Random random = new Random(seed);
        for (ReplicaGroup group : GROUPS.groups()) {
            List<Map<String, Object>> records = records(random, 8000);
            Map.Entry<List<Object>, SegmentFile> whole = new Segments(dir.resolve("at-once"), GROUPS)
                    .write(SCHEMA, group, "merged", records)
                    .entrySet()
                    .iterator()
                    .next();
            List<Object> tuple = whole.getKey();
            List<Map<String, Object>> own = ofPartition(group, records, tuple);
            int first = random.nextInt(own.size() + 1);
            int second = first + random.nextInt(own.size() - first + 1);
            List<MergeInput> inputs = new ArrayList<>();
            inputs.add(unsorted(group, own.subList(0, first), tuple, Map.of()).input());
            segments.write(SCHEMA, group, "s", own.subList(first, second))
                    .values()
                    .forEach(file -> inputs.add(file.input()));
            inputs.add(unsorted(group, own.subList(second, own.size()), tuple, Map.of())
                    .input());
            MergeResult result = merge(group, limits(1L << 40, 2 << 20), tuple, inputs);
            assertThat(result.written()).isEqualTo(whole.getValue().statistics().content());
            assertThat(result.read().stated()).isEqualTo(ContentHashes.of(result.written()));
            List<Map<String, Object>> found = new ArrayList<>();
            for (MergedFile file : result.files()) {
                found.addAll(ParquetRows.read(segments.path(group, file.relativePath())));
            }
            assertThat(found).isEqualTo(ParquetRows.read(whole.getValue().path()));
        }
    }

    @Tag("long")
    @Test
    void filesOfOthersMayBeMoreThanCanBeReadAtATime() throws Exception {
        ReplicaGroup group = GROUPS.find("signal").orElseThrow();
        List<Map<String, Object>> records = records(new Random(3), 3000);
        Map.Entry<List<Object>, SegmentFile> whole = segments.write(SCHEMA, group, "s", records)
                .entrySet()
                .iterator()
                .next();
        List<Object> tuple = whole.getKey();
        List<Map<String, Object>> own = ofPartition(group, records, tuple);
        List<MergeInput> inputs = new ArrayList<>();
        long bytes = 0;
        for (int from = 0; from < own.size(); from += 10) {
            inputs.add(unsorted(group, own.subList(from, Math.min(own.size(), from + 10)), tuple, Map.of())
                    .input());
            bytes += inputs.get(inputs.size() - 1).file().getLength();
        }
        assertThat(5 * bytes).as("memory that reading all takes").isGreaterThan(1 << 20);
        MergeResult result = merge(group, limits(1L << 40, 1 << 20), tuple, inputs);
        assertThat(result.written()).isEqualTo(whole.getValue().statistics().content());
        assertThat(result.read().stated()).isEqualTo(ContentHashes.of(result.written()));
    }

    @Test
    void aFileOfMpsrThatIsNotSortedIsDamaged() throws Exception {
        ReplicaGroup group = GROUPS.find("signal").orElseThrow();
        List<Map<String, Object>> records = records(new Random(2), 300);
        records.get(0).put("signal", "zz");
        SegmentFile file = unsorted(group, records, List.of(0L), Map.of("mpsr.commit", "s"));
        assertThatThrownBy(() -> merge(group, limits(1, 64 << 20), List.of(0L), List.of(file.input())))
                .hasMessageContaining(file.path() + " is not sorted by the columns that its replica group says");
    }

    private static List<Map<String, Object>> ofPartition(
            ReplicaGroup group, List<Map<String, Object>> records, List<Object> tuple) {
        return records.stream()
                .filter(record -> group.predicates().stream()
                        .map(p -> {
                            Object value = record.get(p.source(SCHEMA).name());
                            return value == null
                                    ? null
                                    : p.transform().apply(p.source(SCHEMA).type(), value);
                        })
                        .toList()
                        .equals(tuple))
                .toList();
    }

    /** A file of a group with records in the order in which they come. */
    private SegmentFile unsorted(
            ReplicaGroup group, List<Map<String, Object>> records, List<Object> tuple, Map<String, String> metadata)
            throws Exception {
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        RandomRecords.append(buffer, GROUPS, records);
        Batch batch = new Batch(buffer, GROUPS);
        GroupFileWriter writer = new GroupFileWriter(GROUPS, group, SCHEMA);
        int[] order = IntStream.range(0, records.size()).toArray();
        Path path = segments.path(group, "unsorted-" + records.hashCode() + ".parquet");
        Files.deleteIfExists(path);
        try (ColumnarParquetFile file = ColumnarParquetFile.begin(
                new LocalOutputFile(path), writer.columns(batch), List.of(), Codecs.parse("none"), metadata)) {
            file.writeAll(writer.rows(batch, order, 0, order.length), 1000);
            return new SegmentFile(
                    path,
                    writer.finish(file, writer.columns(batch), tuple, buffer.content(), "s")
                            .statistics());
        }
    }

    @Test
    void columnsThatCameLaterAreNullAndNarrowerOnesAreWidened() throws Exception {
        Schema before = Schema.parse("signal string, ts timestamp_ns, count int, small float");
        Schema after = Schema.parse(
                "signal string, ts timestamp_ns, count bigint, small double, note string, good boolean, born date");
        ReplicaGroups groups = new ReplicaGroups(
                List.of(group("one", List.of("bucket(1, signal)"), List.of("signal", "ts"), "zstd:3")), "one");
        ReplicaGroup group = groups.groups().get(0);
        Segments old = new Segments(dir, groups);
        Random random = new Random(1);
        List<Map<String, Object>> records = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            Map<String, Object> record = new HashMap<>();
            record.put("signal", "s" + random.nextInt(4));
            record.put("ts", (long) i);
            record.put("count", i % 3 == 0 ? null : (Long) (long) i);
            record.put("small", 0.5 * i);
            record.put("note", i < 200 ? null : "n" + i % 2);
            records.add(record);
        }
        List<MergeInput> inputs = new ArrayList<>();
        old.write(before, group, "s1", records.subList(0, 200)).values().forEach(f -> inputs.add(f.input()));
        old.write(after, group, "s2", records.subList(200, 300)).values().forEach(f -> inputs.add(f.input()));
        SegmentFile whole = new Segments(dir.resolve("at-once"), groups)
                .write(after, group, "merged", records)
                .get(List.of(0L));
        MergeResult result = new PartitionMerge(groups, group, after, List.of(), limits(1L << 40, 64 << 20))
                .merge(inputs, List.of(0L), path -> new LocalOutputFile(old.path(group, path)), "merged", 0);
        MergedFile file = result.files().get(0);
        assertThat(old.path(group, file.relativePath())).hasSameBinaryContentAs(whole.path());
        assertThat(file.statistics()).isEqualTo(whole.statistics());
    }

    @Test
    void fewFilesAreOpenAtATime() throws Exception {
        ReplicaGroup group = GROUPS.find("signal").orElseThrow();
        List<Map<String, Object>> records = records(new Random(8), 6000);
        OpenFiles open = new OpenFiles();
        for (Map.Entry<List<Object>, List<SegmentFile>> part : segments.split(
                        SCHEMA,
                        group,
                        records,
                        IntStream.rangeClosed(1, 300).map(i -> i * 20).toArray())
                .entrySet()) {
            List<MergeInput> inputs = part.getValue().stream()
                    .map(file -> new MergeInput(
                            file.path().toString(),
                            open.file(file.path()),
                            file.statistics().commitId(),
                            file.statistics().content()))
                    .toList();
            assertThat(inputs).hasSizeGreaterThan(200);
            MergeResult result = merge(group, limits(1L << 40, 1 << 20), part.getKey(), inputs);
            assertThat(result.read().stated()).isEqualTo(ContentHashes.of(result.written()));
            assertThat(open.most()).isBetween(2, 100);
            assertThat(open.now()).isZero();
        }
    }

    @Test
    void anInterruptEndsIt() throws Exception {
        ReplicaGroup group = GROUPS.find("signal").orElseThrow();
        Map.Entry<List<Object>, SegmentFile> file = someFile(group);
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> merge(
                            group,
                            limits(1, 64 << 20),
                            file.getKey(),
                            List.of(file.getValue().input())))
                    .isInstanceOf(java.io.InterruptedIOException.class)
                    .hasMessage("the merge was interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
