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
package org.hadoopmpsr.columnar.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.hadoopmpsr.columnar.buffer.RandomRecords;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.layout.GroupLayout.FileSlice;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.hash.HashKind;
import org.hadoopmpsr.core.hash.RecordHasher;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GroupLayoutTest {
    private static final Schema SCHEMA = Schema.parse("signal string not null, device string, ts timestamp_ns not null,"
            + " seen timestamp, count int, total bigint, good boolean, born date, value double, small float");

    private static ReplicaGroup group(String sort, String... predicates) {
        return new ReplicaGroup(
                "g",
                List.of(predicates).stream().map(Predicate::parse).toList(),
                SortKey.of(List.of(sort)),
                1,
                Codec.parse("none"));
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4})
    void givesEachTupleOneSortedFile(long seed) throws Exception {
        Random random = new Random(seed);
        ReplicaGroup group = group("ts", "device", "day(ts)", "bucket(3, signal)");
        ReplicaGroups groups = new ReplicaGroups(List.of(group), "g");
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        List<Map<String, Object>> records = RandomRecords.fill(buffer, groups, 1 + random.nextInt(2000), random);
        GroupLayout layout = new Batch(buffer, groups).layout(group);
        assertThat(layout.fields()).extracting(Column::name).containsExactly("device", "day", "signal_bucket");
        assertThat(IntStream.of(layout.order()).sorted().toArray())
                .isEqualTo(IntStream.range(0, buffer.rows()).toArray());
        Set<List<Object>> seen = new HashSet<>();
        int next = 0;
        for (FileSlice file : layout.files()) {
            assertThat(file.from()).isEqualTo(next);
            next = file.to();
            assertThat(file.rows()).isPositive();
            assertThat(seen.add(file.partition())).isTrue();
            for (int i = file.from(); i < file.to(); i++) {
                Map<String, Object> record = records.get(layout.order()[i]);
                assertThat(tuple(group, record)).isEqualTo(file.partition());
                if (i > file.from()) {
                    Object before = records.get(layout.order()[i - 1]).get("ts");
                    assertThat(Values.compare(before, record.get("ts"))).isLessThanOrEqualTo(0);
                }
            }
        }
        assertThat(next).isEqualTo(buffer.rows());
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {5, 6})
    void sortsByWhatPartitionsDoNotFixAndSumsTheirContent(long seed) throws Exception {
        Random random = new Random(seed);
        ReplicaGroup group = new ReplicaGroup(
                "g",
                List.of(Predicate.parse("device"), Predicate.parse("truncate(1, signal)")),
                SortKey.of(List.of("device", "signal", "ts")),
                1,
                Codec.parse("none"));
        ReplicaGroups groups = new ReplicaGroups(List.of(group), "g");
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        List<Map<String, Object>> records = RandomRecords.fill(buffer, groups, 1500, random);
        GroupLayout layout = new Batch(buffer, groups).layout(group);
        for (FileSlice file : layout.files()) {
            RecordHasher hasher = new RecordHasher(HashKind.CURRENT);
            for (int i = file.from(); i < file.to(); i++) {
                Map<String, Object> record = records.get(layout.order()[i]);
                for (int column = 0; column < SCHEMA.columns().size(); column++) {
                    hasher.put(column, record.get(SCHEMA.columns().get(column).name()));
                }
                hasher.endRecord();
                if (i > file.from()) {
                    Map<String, Object> before = records.get(layout.order()[i - 1]);
                    int signals = Values.compare(before.get("signal"), record.get("signal"));
                    assertThat(signals).isLessThanOrEqualTo(0);
                    assertThat(signals == 0 ? Values.compare(before.get("ts"), record.get("ts")) : 0)
                            .isLessThanOrEqualTo(0);
                }
            }
            assertThat(file.content()).isEqualTo(hasher.take());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "year(seen)",
                "month(ts)",
                "day(born)",
                "hour(ts)",
                "bucket(7, total)",
                "bucket(5, ts)",
                "truncate(10, count)",
                "truncate(1, device)",
                "range(total, -100, 0, 100)",
                "range(value, -100.5, 0.0, 1.5)",
                "range(small, 0.0)",
                "bits(12, value)",
                "bits(5, count)",
                "good",
                "count",
                "born",
                "device"
            })
    void appliesEveryTransform(String text) throws Exception {
        Random random = new Random(text.hashCode());
        ReplicaGroup group = group("ts", text);
        ReplicaGroups groups = new ReplicaGroups(List.of(group), "g");
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        List<Map<String, Object>> records = RandomRecords.fill(buffer, groups, 800, random);
        PartitionField field =
                new PartitionFields(buffer.schema(), buffer::vector, buffer.rows()).of(Predicate.parse(text));
        for (int row = 0; row < records.size(); row++) {
            assertThat(field.values().get(field.ordinals()[row]))
                    .isEqualTo(tuple(group, records.get(row)).get(0));
        }
        assertThat(new HashSet<>(field.values())).hasSameSizeAs(field.values());
        assertThat(field.values().stream().filter(Objects::isNull).count()).isLessThanOrEqualTo(1);
    }

    private static List<Object> tuple(ReplicaGroup group, Map<String, Object> record) {
        List<Object> tuple = new ArrayList<>();
        for (Predicate predicate : group.predicates()) {
            Column source = predicate.source(SCHEMA);
            Object value = record.get(source.name());
            tuple.add(value == null ? null : predicate.transform().apply(source.type(), value));
        }
        return tuple;
    }
}
