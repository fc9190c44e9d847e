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
package org.hadoopmpsr.ingest.layout;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.ingest.buffer.ColumnVector;
import org.hadoopmpsr.ingest.buffer.RandomRecords;
import org.hadoopmpsr.ingest.buffer.RecordBuffer;
import org.hadoopmpsr.ingest.buffer.StringVector;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against the stable sort of the JDK. */
class StableSortTest {
    private static final Schema SCHEMA = Schema.parse(
            "name string, count int, total bigint, ts timestamp_ns, value double, small float, good boolean, born date");
    private static final ReplicaGroups NO_RULES = new ReplicaGroups(
            List.of(new ReplicaGroup(
                    "all", List.of(Predicate.parse("day(ts)")), List.of("ts"), 1, Codec.parse("none"))),
            "all");

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void sortsEveryTypeAsTheJdkDoes(long seed) throws Exception {
        Random random = new Random(seed);
        RecordBuffer buffer = new RecordBuffer(SCHEMA);
        List<Map<String, Object>> records = RandomRecords.fill(buffer, NO_RULES, random.nextInt(3000), random);
        List<Integer> shuffled =
                new ArrayList<>(IntStream.range(0, buffer.rows()).boxed().toList());
        Collections.shuffle(shuffled, random);
        int[] order = shuffled.stream().mapToInt(i -> i).toArray();
        int[] before = order.clone();
        for (int i = 0; i < SCHEMA.columns().size(); i++) {
            Column column = SCHEMA.columns().get(i);
            ColumnVector vector = buffer.vector(i);
            int[] ranks = vector instanceof StringVector strings
                    ? strings.dictionary().ranks()
                    : new int[0];
            Comparator<Object> values = Comparator.nullsFirst(Values::compare);
            int[] expected = shuffled.stream()
                    .sorted(Comparator.comparing(row -> records.get(row).get(column.name()), values))
                    .mapToInt(row -> row)
                    .toArray();
            assertThat(StableSort.byColumn(vector, ranks, order))
                    .as(column.name())
                    .isEqualTo(expected);
            assertThat(order).isEqualTo(before);
        }
    }

    @ParameterizedTest(name = "{0} buckets")
    @ValueSource(ints = {1, 2, 100})
    void keepsTheOrderWithinABucket(int buckets) {
        Random random = new Random(buckets);
        int[] keys = random.ints(500, 0, buckets).toArray();
        int[] order = IntStream.range(0, 500).map(i -> 499 - i).toArray();
        assertThat(StableSort.byBucket(keys, buckets, order))
                .isEqualTo(IntStream.of(order)
                        .boxed()
                        .sorted(Comparator.comparing(row -> keys[row]))
                        .mapToInt(row -> row)
                        .toArray());
    }
}
