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
package org.hadoopmpsr.core.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hadoopmpsr.core.plan.RandomFiles.PREDICATES;
import static org.hadoopmpsr.core.plan.RandomFiles.SCHEMA;
import static org.hadoopmpsr.core.plan.RandomFiles.filter;
import static org.hadoopmpsr.core.plan.RandomFiles.records;
import static org.hadoopmpsr.core.plan.RandomFiles.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.cost.CostModelTest;
import org.hadoopmpsr.core.files.GroupFiles;
import org.hadoopmpsr.core.files.PartitionFiles;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.DataFile;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.StatisticsCodec;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Whatever is stated of one file, also what rules refuse today, no other file is dropped for it. */
class HostileStatisticsTest {
    private static final long[] COUNTS = {
        Long.MIN_VALUE, -(1L << 62), -10, -2, -1, 0, 1, 2, 5, 10, 1L << 40, 1L << 62, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };
    private static final Object[] VALUES = {
        "", "a", "zz", Long.MIN_VALUE, -1L, 0L, 3L, Long.MAX_VALUE, Double.NaN, -0.0, 0.0, 1e300, true, false
    };
    private static final ReplicaGroup GROUP = new ReplicaGroup("g", PREDICATES, List.of(), 1, Codec.parse("none"));

    private record Partition(List<DataFile> files) implements PartitionFiles {
        @Override
        public FileStatistics summary() {
            FileStatistics all = files.stream()
                    .map(DataFile::statistics)
                    .reduce(FileStatistics::union)
                    .orElseThrow();
            StatisticsCodec codec = new StatisticsCodec(SCHEMA);
            return codec.file("/p", "", 0, codec.encode("", 0, 0, all)).statistics();
        }
    }

    private static long count(Random random) {
        return COUNTS[random.nextInt(COUNTS.length)];
    }

    private static @Nullable Object value(Random random) {
        return random.nextInt(4) == 0 ? null : VALUES[random.nextInt(VALUES.length)];
    }

    private static FileStatistics hostile(Random random) {
        Map<String, ColumnStatistics> columns = new HashMap<>();
        for (Column column : SCHEMA.columns()) {
            Object min = value(random);
            Object max = value(random);
            boolean ordered =
                    min == null || max == null || Values.comparable(min, max) && Values.compare(min, max) <= 0;
            if (random.nextInt(8) > 0) {
                columns.put(
                        column.name(),
                        new ColumnStatistics(
                                min, ordered ? max : min, count(random), count(random), random.nextBoolean()));
            }
        }
        return new FileStatistics(
                "h", new ContentHash(count(random), 0, 0), Arrays.asList(value(random), value(random)), columns);
    }

    @Test
    void noHonestFileIsDropped() {
        int[] dropped = {0};
        Seeds.forAll(4000, random -> {
            Map<DataFile, List<Object[]>> honest = new LinkedHashMap<>();
            List<DataFile> all = new ArrayList<>();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                List<Object[]> records = records(random);
                honest.put(file(all, statistics(records, random)), records);
            }
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                file(all, hostile(random));
            }
            Collections.shuffle(all, random);
            GroupFiles group = new GroupFiles(GROUP, List.of(new Partition(all)), null);
            for (int i = 0; i < 10; i++) {
                Filter filter = filter(random, 3);
                List<String> planned = Planner.plan(
                                SCHEMA,
                                List.of(group),
                                "g",
                                ReadRequest.ofAllColumns(filter),
                                CostModelTest.model(1, 1, 1 + random.nextInt(3)),
                                null)
                        .files()
                        .stream()
                        .map(DataFile::path)
                        .toList();
                honest.forEach((file, records) -> {
                    boolean matches =
                            records.stream().anyMatch(r -> Boolean.TRUE.equals(ThreeValued.passes(filter, r)));
                    boolean kept = planned.contains(file.path());
                    assertThat(kept || !matches).as("%s over %s", filter, all).isTrue();
                    dropped[0] += kept ? 0 : 1;
                });
            }
        });
        assertThat(Long.getLong("mpsr.seed") != null || dropped[0] > 5000)
                .as("files dropped: %d", dropped[0])
                .isTrue();
    }

    private static DataFile file(List<DataFile> all, FileStatistics statistics) {
        DataFile file = new DataFile("/p/" + all.size(), all.size(), 100, 1, statistics);
        all.add(file);
        return file;
    }
}
