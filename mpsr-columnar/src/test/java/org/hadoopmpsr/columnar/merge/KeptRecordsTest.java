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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.apache.parquet.io.LocalOutputFile;
import org.hadoopmpsr.columnar.merge.Segments.SegmentFile;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.hash.ContentHashes;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Of records with equal keys the last one is kept, and the same one in every group. */
class KeptRecordsTest {
    private static final Schema SCHEMA =
            Schema.parse("signal string not null, ts timestamp_ns not null, part int, value double, note string");
    private static final List<String> KEYS = List.of("signal", "TS", "part");
    private static final ReplicaGroups GROUPS = new ReplicaGroups(
            List.of(
                    group("time", "day(ts)", List.of("ts", "signal")),
                    group("signal", "bucket(2, signal)", List.of("signal")),
                    group("part", "part", List.of("ts"))),
            "time");

    @TempDir
    private Path dir;

    private static ReplicaGroup group(String name, String predicate, List<String> sort) {
        return new ReplicaGroup(name, List.of(Predicate.parse(predicate)), sort, 1, Codec.parse("none"));
    }

    private static List<Map<String, Object>> records(Random random, int rows) {
        List<Map<String, Object>> records = new ArrayList<>();
        for (int i = 0; i < rows; i++) {
            Map<String, Object> record = new HashMap<>();
            record.put("signal", "s" + random.nextInt(5));
            record.put("ts", 86_400_000_000_000L * random.nextInt(2) + random.nextInt(40));
            record.put("part", random.nextInt(3) == 0 ? null : (Long) (long) random.nextInt(2));
            record.put("value", (double) i);
            record.put("note", "n" + random.nextInt(3));
            records.add(record);
        }
        return records;
    }

    private static List<Map<String, Object>> last(List<Map<String, Object>> records) {
        Map<List<Object>, Map<String, Object>> byKey = new LinkedHashMap<>();
        for (Map<String, Object> record : records) {
            List<Object> key = new ArrayList<>();
            key.add(record.get("signal"));
            key.add(record.get("ts"));
            key.add(record.get("part"));
            byKey.put(key, record);
        }
        return List.copyOf(byKey.values());
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void theLastRecordOfEachKeyIsKeptInEveryGroup(long seed) throws Exception {
        Random random = new Random(seed);
        List<Map<String, Object>> records = records(random, 50 + random.nextInt(2000));
        Set<Integer> ends = new TreeSet<>(Set.of(records.size()));
        for (int i = random.nextInt(30); i > 0; i--) {
            ends.add(random.nextInt(records.size() + 1));
        }
        ContentHash expected = Segments.hash(SCHEMA, HashKind.CURRENT, last(records));
        long memory = random.nextBoolean() ? 1 << 20 : 64 << 20;
        Path scratch = Files.createDirectory(dir.resolve("scratch"));
        Segments segments = new Segments(dir, GROUPS);
        for (ReplicaGroup group : GROUPS.groups()) {
            PartitionMerge merge =
                    new PartitionMerge(GROUPS, group, SCHEMA, KEYS, new MergeLimits(20_000, memory, scratch));
            ContentHash written = ContentHash.EMPTY;
            ContentHashes read = ContentHashes.EMPTY;
            ContentHash duplicates = ContentHash.EMPTY;
            for (Map.Entry<List<Object>, List<SegmentFile>> part : segments.split(
                            SCHEMA,
                            group,
                            records,
                            ends.stream().mapToInt(i -> i).toArray())
                    .entrySet()) {
                MergeResult result = merge.merge(
                        part.getValue().stream().map(SegmentFile::input).toList(),
                        part.getKey(),
                        path -> new LocalOutputFile(segments.path(group, path)),
                        "merged",
                        0);
                written = written.plus(result.written());
                read = read.plus(result.read());
                duplicates = duplicates.plus(result.duplicates());
            }
            assertThat(written).as(group.name()).isEqualTo(expected);
            assertThat(duplicates)
                    .isEqualTo(Segments.hash(SCHEMA, HashKind.CURRENT, records).minus(expected));
            assertThat(read).isEqualTo(ContentHashes.of(Segments.hash(SCHEMA, HashKind.CURRENT, records)));
        }
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
                                + " groups partition or sort by part; make these columns keys too");
    }
}
