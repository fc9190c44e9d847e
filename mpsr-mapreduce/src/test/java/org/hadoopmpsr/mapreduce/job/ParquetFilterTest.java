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
package org.hadoopmpsr.mapreduce.job;

import static org.apache.parquet.filter2.predicate.FilterApi.and;
import static org.apache.parquet.filter2.predicate.FilterApi.binaryColumn;
import static org.apache.parquet.filter2.predicate.FilterApi.booleanColumn;
import static org.apache.parquet.filter2.predicate.FilterApi.contains;
import static org.apache.parquet.filter2.predicate.FilterApi.doubleColumn;
import static org.apache.parquet.filter2.predicate.FilterApi.eq;
import static org.apache.parquet.filter2.predicate.FilterApi.floatColumn;
import static org.apache.parquet.filter2.predicate.FilterApi.gt;
import static org.apache.parquet.filter2.predicate.FilterApi.gtEq;
import static org.apache.parquet.filter2.predicate.FilterApi.in;
import static org.apache.parquet.filter2.predicate.FilterApi.intColumn;
import static org.apache.parquet.filter2.predicate.FilterApi.longColumn;
import static org.apache.parquet.filter2.predicate.FilterApi.lt;
import static org.apache.parquet.filter2.predicate.FilterApi.ltEq;
import static org.apache.parquet.filter2.predicate.FilterApi.not;
import static org.apache.parquet.filter2.predicate.FilterApi.notEq;
import static org.apache.parquet.filter2.predicate.FilterApi.notIn;
import static org.apache.parquet.filter2.predicate.FilterApi.or;
import static org.apache.parquet.filter2.predicate.FilterApi.userDefined;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serializable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.filter2.compat.FilterCompat;
import org.apache.parquet.filter2.predicate.FilterPredicate;
import org.apache.parquet.filter2.predicate.Statistics;
import org.apache.parquet.filter2.predicate.UserDefinedPredicate;
import org.apache.parquet.hadoop.ParquetReader;
import org.apache.parquet.hadoop.example.GroupReadSupport;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.io.api.Binary;
import org.hadoopmpsr.core.plan.Pruner;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.mapreduce.TestDataset;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ParquetFilterTest {
    @TempDir
    Path dir;

    private static String text(FilterPredicate predicate) {
        return ParquetFilter.of(predicate).orElseThrow().filter().toString();
    }

    private static Binary binary(String text) {
        return Binary.fromString(text);
    }

    @Test
    void comparisons() {
        assertThat(text(eq(binaryColumn("s"), binary("a")))).isEqualTo("s = a");
        assertThat(text(lt(intColumn("i"), 1))).isEqualTo("i < 1");
        assertThat(text(ltEq(longColumn("l"), 1L))).isEqualTo("l <= 1");
        assertThat(text(gt(doubleColumn("d"), 1.5))).isEqualTo("d > 1.5");
        assertThat(text(gtEq(floatColumn("f"), 1.5f))).isEqualTo("f >= 1.5");
        assertThat(text(eq(booleanColumn("b"), true))).isEqualTo("b = true");
    }

    @Test
    void nullIsEqualToNullAndDifferentFromAllValues() {
        assertThat(text(eq(intColumn("i"), null))).isEqualTo("i IS NULL");
        assertThat(text(notEq(intColumn("i"), null))).isEqualTo("NOT i IS NULL");
        assertThat(text(notEq(intColumn("i"), 1))).isEqualTo("(i IS NULL OR NOT i = 1)");
        assertThat(text(in(intColumn("i"), set(1, null)))).isEqualTo("(i IN [1] OR i IS NULL)");
        assertThat(text(notIn(intColumn("i"), Set.of(1)))).isEqualTo("(i IS NULL OR NOT i IN [1])");
        assertThat(text(notIn(intColumn("i"), Set.of(1, 2)))).isEqualTo("?");
    }

    @Test
    void negationsAreParquets() {
        assertThat(text(not(eq(intColumn("i"), 1)))).isEqualTo("(i IS NULL OR NOT i = 1)");
        assertThat(text(not(lt(intColumn("i"), 1)))).isEqualTo("i >= 1");
        assertThat(text(not(and(eq(intColumn("i"), null), gt(longColumn("l"), 2L)))))
                .isEqualTo("(NOT i IS NULL OR l <= 2)");
    }

    /** A column may have the name of the path. */
    @Test
    void aValueWithinAColumnIsNoColumn() {
        for (FilterPredicate within : List.of(
                eq(intColumn("a.b"), 1),
                eq(intColumn("a.b"), null),
                notEq(intColumn("a.b"), null),
                notEq(intColumn("a.b"), 1),
                in(intColumn("a.b"), Set.of(1)),
                notIn(intColumn("a.b"), Set.of(1)))) {
            ParquetFilter filter = ParquetFilter.of(within).orElseThrow();
            assertThat(filter.within(Set.of("a.b", "a", "b")).filter().toString())
                    .isEqualTo("?");
            assertThat(filter.within(Set.of("a\u001fb")).filter().toString()).contains("a\u001fb ");
            assertThat(filter.columns()).containsExactly(ColumnPath.get("a", "b"));
        }
        FilterPredicate both = and(gt(intColumn("A.b"), 1), eq(intColumn("b"), 1));
        assertThat(text(in(intColumn("a.b"), set(1, null)))).isEqualTo("(a\u001fb IN [1] OR a\u001fb IS NULL)");
        assertThat(text(both)).isEqualTo("(A\u001fb > 1 AND b = 1)");
        ParquetFilter filter = ParquetFilter.of(both).orElseThrow();
        assertThat(filter.within(Set.of("a\u001fb"))).isEqualTo(filter);
        assertThat(filter.within(Set.of()).filter().toString()).isEqualTo("(? AND b = 1)");
    }

    @Test
    void longFiltersAreFlat() {
        FilterPredicate any = eq(intColumn("i"), 0);
        for (int i = 1; i < 500; i++) {
            any = or(any, eq(intColumn("i"), i));
        }
        assertThat(text(and(any, and(gt(longColumn("l"), 1L), lt(longColumn("l"), 5L)))))
                .startsWith("((i = 0 OR i = 1 OR")
                .endsWith("i = 499) AND l > 1 AND l < 5)");
    }

    @Test
    void aLongListIsItsRange() {
        Set<Integer> many = new HashSet<>();
        for (int i = 0; i < 2000; i++) {
            many.add(i);
        }
        assertThat(text(in(intColumn("i"), many))).isEqualTo("(i >= 0 AND i <= 1999)");
        assertThat(text(notIn(intColumn("i"), many))).isEqualTo("?");
    }

    @Test
    void whatOurValuesCannotStandForIsUnknown() {
        assertThat(text(eq(binaryColumn("s"), Binary.fromConstantByteArray(new byte[] {(byte) 0xff}))))
                .isEqualTo("?");
        assertThat(text(notEq(doubleColumn("d"), -0.0))).isEqualTo("?");
        assertThat(text(lt(floatColumn("f"), Float.NaN))).isEqualTo("?");
        ParquetFilter own = ParquetFilter.of(and(not(userDefined(intColumn("u"), new Odd())), eq(longColumn("l"), 1L)))
                .orElseThrow();
        assertThat(own.filter().toString()).isEqualTo("(? AND l = 1)");
        assertThat(own.columns()).containsExactlyInAnyOrder(ColumnPath.get("u"), ColumnPath.get("l"));
        assertThat(own.isUnknown()).isFalse();
        assertThat(ParquetFilter.of(or(userDefined(intColumn("u"), new Odd()), eq(longColumn("l"), 1L)))
                        .orElseThrow()
                        .isUnknown())
                .isTrue();
        assertThat(ParquetFilter.of(contains(eq(intColumn("i"), 1)))).isEmpty();
    }

    private static final class Odd extends UserDefinedPredicate<Integer> implements Serializable {
        private static final long serialVersionUID = 1;

        @Override
        public boolean keep(Integer value) {
            return value != null && value % 2 == 1;
        }

        @Override
        public boolean canDrop(Statistics<Integer> statistics) {
            return false;
        }

        @Override
        public boolean inverseCanDrop(Statistics<Integer> statistics) {
            return false;
        }
    }

    /** A file that planning leaves out holds no record that Parquet would have found. */
    @Tag("long")
    @Test
    void planningLosesNoRecordThatParquetFinds() throws Exception {
        long seed = Long.getLong("mpsr.seed", 20261122L);
        Random random = new Random(seed);
        Pruner pruner = new Pruner(TestDataset.SCHEMA, List.of());
        List<org.apache.hadoop.fs.Path> files = new ArrayList<>();
        List<FileStatistics> statistics = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            List<Map<String, Object>> records = TestDataset.records(random, 1 + random.nextInt(3));
            files.add(new org.apache.hadoop.fs.Path(dir.resolve(i + ".parquet").toUri()));
            TestDataset.write(files.get(i), new Configuration(), TestDataset.SCHEMA.columns(), records, Map.of());
            statistics.add(withPaths(TestDataset.statistics("c", List.of(), records), records));
        }
        int left = 0;
        for (int n = 0; n < 150; n++) {
            FilterPredicate predicate = predicate(random, 3);
            ParquetFilter filter = ParquetFilter.of(predicate).orElseThrow();
            for (int i = 0; i < files.size(); i++) {
                if (!pruner.mayMatch(filter.filter(), statistics.get(i))) {
                    left++;
                    assertThat(passes(files.get(i), predicate))
                            .as("seed %d: %s on %s", seed, predicate, statistics.get(i))
                            .isFalse();
                }
            }
        }
        assertThat(left).as("files left out").isGreaterThan(200);
    }

    /** With those of the fields of the struct. */
    private static FileStatistics withPaths(FileStatistics file, List<Map<String, Object>> records) {
        Map<String, ColumnStatistics> columns = new HashMap<>(file.columns());
        for (int field = 0; field < 2; field++) {
            List<Object> values = new ArrayList<>();
            for (Map<String, Object> record : records) {
                Object value = record.get("pos") instanceof List<?> position ? position.get(field) : null;
                if (value != null) {
                    values.add(value);
                }
            }
            values.sort(Values::compare);
            int nulls = records.size() - values.size();
            columns.put(
                    "pos\u001f" + "xy".charAt(field),
                    values.isEmpty()
                            ? new ColumnStatistics(null, null, nulls)
                            : ColumnStatistics.of(values.get(0), values.get(values.size() - 1), nulls));
        }
        return new FileStatistics(file.commitId(), file.content(), file.partition(), columns);
    }

    private static boolean passes(org.apache.hadoop.fs.Path file, FilterPredicate predicate) throws Exception {
        try (ParquetReader<Group> reader = ParquetReader.builder(new GroupReadSupport(), file)
                .withFilter(FilterCompat.get(predicate))
                .build()) {
            return reader.read() != null;
        }
    }

    /** Parquet asks whether null is in it. */
    @SafeVarargs
    private static <T> Set<T> set(T... values) {
        return new HashSet<>(Arrays.asList(values));
    }

    private static FilterPredicate predicate(Random random, int depth) {
        if (depth > 0 && random.nextInt(3) > 0) {
            FilterPredicate left = predicate(random, depth - 1);
            return switch (random.nextInt(3)) {
                case 0 -> and(left, predicate(random, depth - 1));
                case 1 -> or(left, predicate(random, depth - 1));
                default -> not(left);
            };
        }
        Integer quality = random.nextInt(4) == 0 ? null : (Integer) random.nextInt(3);
        Integer some = random.nextInt(3);
        Double value = random.nextInt(100) / 4.0;
        Binary signal = binary("SIG" + random.nextInt(10));
        Double x = random.nextInt(9) / 2.0 + 0.25;
        return switch (random.nextInt(16)) {
            case 0 -> eq(intColumn("quality"), quality);
            case 1 -> notEq(intColumn("quality"), quality);
            case 2 -> lt(doubleColumn("value"), value);
            case 3 -> gtEq(doubleColumn("value"), value);
            case 4 -> notEq(doubleColumn("value"), random.nextBoolean() ? null : value);
            case 5 -> eq(binaryColumn("signal"), signal);
            case 6 -> gt(binaryColumn("signal"), signal);
            case 7 -> in(binaryColumn("signal"), set(signal, binary("SIG")));
            case 8 -> notIn(intColumn("quality"), set(some));
            case 9 -> in(intColumn("quality"), set(quality));
            case 10 -> eq(intColumn("pos.y"), quality);
            case 11 -> notEq(intColumn("pos.y"), quality);
            case 12 -> lt(doubleColumn("pos.x"), x);
            case 13 -> gtEq(doubleColumn("pos.x"), x);
            case 14 -> in(intColumn("pos.y"), set(quality, some));
            default -> userDefined(intColumn("quality"), new Odd());
        };
    }
}
