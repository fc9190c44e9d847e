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

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.hadoopmpsr.client.StagedFile;
import org.hadoopmpsr.columnar.buffer.RecordAppender;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.LeadingBits;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.testing.ParquetRows;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sink writes groups that are sorted by leading bits: the same records, in their order. */
class SortedByBitsTest {
    private static final Schema SCHEMA = Schema.parse("id bigint not null, signal int not null, value double");
    private static final LeadingBits BITS = new LeadingBits(14);
    private static final ReplicaGroups GROUPS = new ReplicaGroups(
            List.of(
                    group("plain", "truncate(4, signal)", "signal, id"),
                    group("first", "bucket(1, signal)", "bits(14, value), signal, id"),
                    group("second", "bucket(2, signal)", "signal, bits(14, value), id")),
            "plain");

    /** Where several of one bin, and those that have none, come in the sort. */
    private static final Double[] ODD = {
        null, -0.0, 0.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE
    };

    @TempDir
    private Path dir;

    private static ReplicaGroup group(String name, String predicate, String sort) {
        return new ReplicaGroup(
                name, List.of(Predicate.parse(predicate)), SortKey.parseList(sort), 1, Codec.parse("zstd:1"));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void theSameRecordsAreSortedByBits(long seed) throws Exception {
        Random random = new Random(seed);
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        RecordAppender appender = new RecordAppender(buffer, GROUPS);
        for (int id = 0; id < 5_000; id++) {
            Double value = random.nextInt(8) == 0
                    ? ODD[random.nextInt(ODD.length)]
                    : (Double) (random.nextGaussian() * Math.pow(10, random.nextInt(5)));
            appender.begin();
            appender.putLong(0, id);
            appender.putLong(1, random.nextInt(9));
            if (value == null) {
                appender.putNull(2);
            } else {
                appender.putDouble(2, value);
            }
            appender.end(0);
        }
        LocalTarget target = new LocalTarget(dir, SCHEMA, GROUPS);
        List<StagedFile> files;
        try (CommitStager stager = new CommitStager(target, GROUPS, 2)) {
            files = stager.stage(buffer, "c1", target.begin("c1")).files();
        }
        assertThat(content(files, "first")).isEqualTo(content(files, "plain"));
        assertThat(content(files, "second")).isEqualTo(content(files, "plain"));

        Comparator<Map<String, Object>> bins =
                Comparator.comparing(SortedByBitsTest::bin, Comparator.nullsFirst(Comparator.<Long>naturalOrder()));
        Comparator<Map<String, Object>> signals = Comparator.comparing(row -> (Long) row.get("signal"));
        Comparator<Map<String, Object>> ids = Comparator.comparing(row -> (Long) row.get("id"));
        List<Map<String, Object>> all = new ArrayList<>(rows(files, "plain"));
        List<Map<String, Object>> first = rows(files, "first");
        assertThat(first).isSortedAccordingTo(bins.thenComparing(signals).thenComparing(ids));
        all.sort(ids);
        first.sort(ids);
        assertThat(values(first)).isEqualTo(values(all));
        for (StagedFile file : files) {
            if (file.group().equals("second")) {
                assertThat(ParquetRows.read(path(file)))
                        .isSortedAccordingTo(signals.thenComparing(bins).thenComparing(ids));
                assertThat(ParquetRows.sortedBy(path(file)))
                        .as("the sort order in the footer ends before the bits")
                        .allSatisfy(by -> assertThat(by).containsExactly("signal"));
            }
        }
    }

    private static Long bin(Map<String, Object> row) {
        Object value = row.get("value");
        return value == null ? null : (Long) BITS.apply(ColumnType.DOUBLE, value);
    }

    private static List<String> values(List<Map<String, Object>> rows) {
        return rows.stream()
                .map(row -> row.get("id") + " " + row.get("signal") + " " + row.get("value"))
                .toList();
    }

    private static ContentHash content(List<StagedFile> files, String group) {
        return files.stream()
                .filter(file -> file.group().equals(group))
                .map(file -> file.statistics().content())
                .reduce(ContentHash.EMPTY, ContentHash::plus);
    }

    private List<Map<String, Object>> rows(List<StagedFile> files, String group) throws IOException {
        List<Map<String, Object>> rows = new ArrayList<>();
        for (StagedFile file : files) {
            if (file.group().equals(group)) {
                rows.addAll(ParquetRows.read(path(file)));
            }
        }
        return rows;
    }

    private Path path(StagedFile file) {
        return dir.resolve("staging").resolve("c1").resolve(file.group()).resolve(file.relativePath());
    }
}
