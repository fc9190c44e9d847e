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

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.hadoopmpsr.columnar.buffer.RandomRecords;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchTest {
    private static final Schema SCHEMA = Schema.parse("signal string not null, device string, ts timestamp_ns not null,"
            + " seen timestamp, count int, total bigint, value double, good boolean");
    private static final ReplicaGroups GROUPS = new ReplicaGroups(
            List.of(new ReplicaGroup(
                    "g", List.of(Predicate.parse("day(ts)")), SortKey.of(List.of("ts")), 1, Codec.parse("none"))),
            "g");

    private static Comparator<Map<String, Object>> by(List<SortKey> keys) {
        Comparator<Object> values = Comparator.nullsFirst(Values::compare);
        Comparator<Map<String, Object>> all = (a, b) -> 0;
        for (SortKey key : keys) {
            ColumnType type = key.source(SCHEMA).type();
            all = all.thenComparing(
                    record -> {
                        Object value = record.get(key.column());
                        return value == null || key.bits() == null
                                ? value
                                : key.bits().apply(type, value);
                    },
                    values);
        }
        return all;
    }

    /** Few rows share a time and many a count, so both ways to sort are taken. */
    @ParameterizedTest(name = "seed {0}, by {1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "1;ts", "2;ts, signal", "3;ts, device, total", "4;seen, good, signal", "5;total, signal, ts",
                "6;count, ts", "7;signal, ts", "8;good, device, count, value", "9;value, ts", "10;seen, seen, ts",
                "11;bits(13, value), ts", "12;bits(9, count), signal, ts", "13;signal, bits(12, value), ts"
            })
    void sortsByAnyColumns(long seed, String names) throws Exception {
        Random random = new Random(seed);
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        List<Map<String, Object>> records = RandomRecords.fill(buffer, GROUPS, 2000, random);
        List<SortKey> keys = SortKey.parseList(names);
        Comparator<Map<String, Object>> comparator = by(keys);
        int[] expected = IntStream.range(0, 2000)
                .boxed()
                .sorted((a, b) -> comparator.compare(records.get(a), records.get(b)))
                .mapToInt(row -> row)
                .toArray();
        Batch batch = new Batch(buffer, GROUPS);
        assertThat(batch.order(keys)).isEqualTo(expected);
        assertThat(batch.order(keys)).as("the second time").isEqualTo(expected);
    }

    @ParameterizedTest(name = "seed {0}, by {1}")
    @CsvSource(
            delimiter = ';',
            value = {
                "1;ts",
                "2;signal, ts",
                "3;device, good, signal, ts",
                "4;total, device",
                "5;good",
                "6;signal",
                "7;bits(13, value), ts",
                "8;device, bits(9, count), ts"
            })
    void sortsByAnyColumnsWithinParts(long seed, String names) throws Exception {
        Random random = new Random(seed);
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        List<Map<String, Object>> records = RandomRecords.fill(buffer, GROUPS, 2000, random);
        List<SortKey> keys = SortKey.parseList(names);
        int[] partOf = random.ints(2000, 0, 30).map(i -> i == 7 ? 8 : i).toArray();
        int[] expected = IntStream.range(0, 2000)
                .boxed()
                .sorted(Comparator.comparing((Integer row) -> partOf[row]).thenComparing(records::get, by(keys)))
                .mapToInt(row -> row)
                .toArray();
        assertThat(new Batch(buffer, GROUPS).order(keys, partOf, 30)).isEqualTo(expected);
    }
}
