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
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.hadoopmpsr.columnar.buffer.ColumnVector;
import org.hadoopmpsr.columnar.buffer.LongVector;
import org.hadoopmpsr.columnar.buffer.RandomRecords;
import org.hadoopmpsr.columnar.buffer.RecordBuffer;
import org.hadoopmpsr.columnar.buffer.StringVector;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.group.SortKey;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Against the stable sort of the JDK. */
class StableSortTest {
    private static final Schema SCHEMA = Schema.parse(
            "name string, count int, total bigint, ts timestamp_ns, value double, small float, good boolean, born date, tiny tinyint, low smallint, local timestamp_ntz, clock time_ns,"
                    + " price decimal(7, 2), mass decimal(18, 4), whole decimal(38, 6)");
    private static final ReplicaGroups NO_RULES = new ReplicaGroups(
            List.of(new ReplicaGroup(
                    "all", List.of(Predicate.parse("day(ts)")), SortKey.of(List.of("ts")), 1, Codec.parse("none"))),
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

    private static LongVector numbers(long... values) {
        LongVector vector = new LongVector();
        vector.reserve(values.length);
        for (int row = 0; row < values.length; row++) {
            vector.set(row, values[row]);
        }
        return vector;
    }

    @ParameterizedTest(name = "one of {0} is out of order")
    @ValueSource(ints = {2, 9, 30, 1000})
    void sortsWhatIsNearlySorted(int oneOf) {
        for (int seed = 0; seed < 20; seed++) {
            Random random = new Random(seed);
            long[] values = new long[random.nextInt(3000)];
            for (int i = 0; i < values.length; i++) {
                values[i] = i / 3 - (random.nextInt(oneOf) == 0 ? random.nextInt(100) : 0);
            }
            int[] order = IntStream.range(0, values.length).toArray();
            assertThat(StableSort.byColumn(numbers(values), new int[0], order))
                    .as("seed %s", seed)
                    .isEqualTo(IntStream.of(order)
                            .boxed()
                            .sorted(Comparator.comparing(row -> values[row]))
                            .mapToInt(row -> row)
                            .toArray());
        }
    }

    @Test
    void sortsSomeOfTheRows() {
        LongVector vector = numbers(5, 4, 3, 2, 1, 0);
        assertThat(StableSort.byColumn(vector, new int[0], new int[] {1, 5, 3})).containsExactly(5, 3, 1);
    }

    @Test
    void sortsAFewRowsByARankAmongMany() {
        StringVector strings = new StringVector();
        strings.reserve(50);
        int[] ids = new Random(1).ints(50, 0, 20_000).toArray();
        int[] order = IntStream.range(0, 50).filter(row -> row % 9 > 0).toArray();
        IntStream.of(order).forEach(row -> strings.set(row, ids[row]));
        strings.noteNull();
        int[] withNulls = IntStream.range(0, 50).toArray();
        int[] ranks = IntStream.range(0, 20_000).map(id -> 19_999 - id).toArray();
        assertThat(StableSort.byColumn(strings, ranks, withNulls))
                .isEqualTo(IntStream.of(withNulls)
                        .boxed()
                        .sorted(Comparator.comparing(row -> row % 9 > 0 ? ranks[ids[row]] : -1))
                        .mapToInt(row -> row)
                        .toArray());
    }

    @Test
    void findsRowsWithEqualNumbers() {
        LongVector vector = numbers(7, 7, 1, 3, 3, 3, 9);
        vector.reserve(9);
        vector.noteNull();
        assertThat(StableSort.ties(vector, new int[] {7, 8, 2, 3, 4, 5, 0, 1, 6}))
                .containsExactly(0, 1, 3, 4, 5, 6, 7);
        assertThat(StableSort.ties(vector, new int[] {7, 2, 3, 0, 6})).isEmpty();
    }

    @ParameterizedTest(name = "{0} buckets")
    @ValueSource(ints = {1, 2, 100})
    void keepsTheOrderWithinABucket(int buckets) {
        Random random = new Random(buckets);
        int[] keys = random.ints(500, 0, buckets).toArray();
        int[] order = IntStream.range(0, 500).map(i -> 499 - i).toArray();
        int[] keysInOrder = IntStream.of(order).map(row -> keys[row]).toArray();
        assertThat(StableSort.byBucket(keysInOrder, buckets, order))
                .isEqualTo(IntStream.of(order)
                        .boxed()
                        .sorted(Comparator.comparing(row -> keys[row]))
                        .mapToInt(row -> row)
                        .toArray());
    }
}
