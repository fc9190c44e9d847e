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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.junit.jupiter.api.Test;

class PrunerTest {
    static final Schema SCHEMA = Schema.parse("s string, n bigint, d double, t timestamp");
    private static final List<Predicate> PREDICATES =
            List.of(Predicate.parse("bucket(4, s)"), Predicate.parse("day(t)"));
    private static final String[] STRINGS = {"a", "ab", "b", "bc", "\uD83D\uDE00", "z"};

    /** Brute force: whatever a record passes, its file must stay. */
    @Test
    void neverDropsAFileThatHoldsAMatch() {
        int[] dropped = {0};
        Seeds.forAll(3000, random -> {
            List<Object[]> records = records(random);
            FileStatistics file = statistics(records, random);
            Pruner pruner = new Pruner(SCHEMA, PREDICATES);
            for (int i = 0; i < 20; i++) {
                Filter filter = filter(random, 3);
                boolean matches = records.stream().anyMatch(r -> Boolean.TRUE.equals(ThreeValued.passes(filter, r)));
                boolean kept = pruner.mayMatch(filter, file);
                assertThat(kept || !matches).as("%s over %s", filter, file).isTrue();
                dropped[0] += kept ? 0 : 1;
            }
        });
        assertThat(Long.getLong("mpsr.seed") != null || dropped[0] > 5000)
                .as("files dropped: %d", dropped[0])
                .isTrue();
    }

    /** Brute force: a file of which all is said to match holds no record that does not. */
    @Test
    void allMatchesOnlyWhereEachRecordDoes() {
        int[] whole = {0};
        Seeds.forAll(3000, random -> {
            List<Object[]> records = records(random);
            FileStatistics file = statistics(records, random);
            for (int i = 0; i < 20; i++) {
                Filter filter = filter(random, 3);
                if (new Pruner(SCHEMA, PREDICATES).allMatch(filter, file)) {
                    assertThat(records)
                            .as("%s over %s", filter, file)
                            .allMatch(r -> Boolean.TRUE.equals(ThreeValued.passes(filter, r)));
                    whole[0]++;
                }
            }
        });
        assertThat(Long.getLong("mpsr.seed") != null || whole[0] > 2000)
                .as("files of which all matches: %d", whole[0])
                .isTrue();
    }

    /** What holds for several files together keeps them all while one of them holds a match. */
    @Test
    void neverDropsFilesTogetherOfWhichOneHoldsAMatch() {
        int[] dropped = {0};
        Seeds.forAll(3000, random -> {
            List<FileStatistics> files = new ArrayList<>();
            for (int i = 2 + random.nextInt(3); i > 0; i--) {
                files.add(statistics(records(random), random));
            }
            FileStatistics together =
                    files.stream().reduce(FileStatistics::union).orElseThrow();
            Pruner pruner = new Pruner(SCHEMA, PREDICATES);
            for (int i = 0; i < 20; i++) {
                Filter filter = filter(random, 3);
                boolean any = files.stream().anyMatch(f -> pruner.mayMatch(filter, f));
                boolean kept = pruner.mayMatch(filter, together);
                assertThat(kept || !any).as("%s over %s", filter, files).isTrue();
                dropped[0] += kept ? 0 : 1;
            }
        });
        assertThat(Long.getLong("mpsr.seed") != null || dropped[0] > 500)
                .as("dropped together: %d", dropped[0])
                .isTrue();
    }

    @Test
    void dropsByBoundsBucketAndNulls() {
        Map<String, ColumnStatistics> columns = Map.of(
                "s", new ColumnStatistics("b", "d", 0),
                "n", new ColumnStatistics(null, null, 5),
                "t", new ColumnStatistics(0L, 10L, 0));
        long bucket = (long) PREDICATES.get(0).transform().apply(ColumnType.STRING, "c");
        FileStatistics file = new FileStatistics("c", new ContentHash(5, 0, 0), Arrays.asList(bucket, 0L), columns);
        Pruner pruner = new Pruner(SCHEMA, PREDICATES);
        assertThat(pruner.mayMatch(new Filter.Compare(Operator.EQ, "S", "c"), file))
                .isTrue();
        assertThat(pruner.mayMatch(new Filter.Compare(Operator.EQ, "s", "e"), file))
                .isFalse();
        String other = List.of("ba", "bb", "bd", "be", "bf").stream()
                .filter(x -> !PREDICATES
                        .get(0)
                        .transform()
                        .apply(ColumnType.STRING, x)
                        .equals(bucket))
                .findFirst()
                .orElseThrow();
        assertThat(pruner.mayMatch(new Filter.Compare(Operator.EQ, "s", other), file))
                .isFalse();
        assertThat(pruner.mayMatch(new Filter.Compare(Operator.GT, "n", 0L), file))
                .isFalse();
        assertThat(pruner.mayMatch(new Filter.Not(new Filter.IsNull("n")), file))
                .isFalse();
        assertThat(pruner.mayMatch(new Filter.IsNull("t"), file)).isFalse();
        assertThat(pruner.mayMatch(new Filter.StartsWith("s", "bx"), file)).isTrue();
        assertThat(pruner.mayMatch(new Filter.StartsWith("s", "e"), file)).isFalse();
        assertThat(pruner.allMatch(new Filter.StartsWith("s", "b"), file)).isFalse();
        FileStatistics prefixed =
                new FileStatistics("c", file.content(), List.of(), Map.of("s", new ColumnStatistics("ab", "abz", 0)));
        assertThat(pruner.allMatch(new Filter.StartsWith("s", "ab"), prefixed)).isTrue();
        assertThat(pruner.allMatch(new Filter.StartsWith("s", "abz"), prefixed)).isFalse();
        assertThat(pruner.mayMatch(new Filter.Compare(Operator.GE, "t", "a string"), file))
                .isTrue();
        assertThat(pruner.mayMatch(new Filter.Not(new Filter.Compare(Operator.LE, "t", 10L)), file))
                .isFalse();
        assertThat(pruner.mayMatch(new Filter.Unknown(), file)).isTrue();
        assertThat(pruner.mayMatch(Filter.ALL, file)).isTrue();
        assertThat(pruner.mayMatch(new Filter.Or(List.of()), file)).isFalse();
    }

    @Test
    void valuesThatAreExcludedDropAFileOfOneOfThem() {
        Pruner pruner = new Pruner(SCHEMA, List.of());
        Filter excluded = new Filter.Not(new Filter.In("n", List.of(3L, 7L)));
        assertThat(pruner.mayMatch(excluded, ofN(new ColumnStatistics(7L, 7L, 0))))
                .isFalse();
        // NOT IN is null for null
        assertThat(pruner.mayMatch(excluded, ofN(new ColumnStatistics(7L, 7L, 2))))
                .isFalse();
        assertThat(pruner.mayMatch(excluded, ofN(new ColumnStatistics(3L, 7L, 0))))
                .isTrue();
        assertThat(pruner.mayMatch(excluded, ofN(new ColumnStatistics(8L, 8L, 0))))
                .isTrue();
    }

    private static FileStatistics ofN(ColumnStatistics n) {
        return new FileStatistics("c", new ContentHash(5, 0, 0), List.of(), Map.of("n", n));
    }

    private static List<Object[]> records(Random random) {
        String s = STRINGS[random.nextInt(STRINGS.length)];
        Object bucket = PREDICATES.get(0).transform().apply(ColumnType.STRING, s);
        long day = random.nextInt(3);
        List<Object[]> records = new ArrayList<>();
        for (int i = random.nextInt(6); i >= 0; i--) {
            String candidate = STRINGS[random.nextInt(STRINGS.length)];
            boolean same = PREDICATES
                    .get(0)
                    .transform()
                    .apply(ColumnType.STRING, candidate)
                    .equals(bucket);
            records.add(new Object[] {
                same ? candidate : s,
                random.nextInt(3) == 0 ? null : (Object) (long) random.nextInt(5),
                random.nextInt(4) == 0 ? null : (Object) number(random),
                day * 86_400_000_000L + random.nextInt(1000)
            });
        }
        return records;
    }

    private static double number(Random random) {
        return new double[] {-1.5, -0.0, 0.0, 2.0, Double.NaN}[random.nextInt(5)];
    }

    private static FileStatistics statistics(List<Object[]> records, Random random) {
        Map<String, ColumnStatistics> columns = new HashMap<>();
        for (int i = 0; i < 4; i++) {
            int column = i;
            List<Object> values = records.stream()
                    .map(r -> r[column])
                    .filter(Objects::nonNull)
                    .toList();
            boolean bounded = !values.isEmpty()
                    && values.stream().noneMatch(v -> v instanceof Double d && d.isNaN())
                    && random.nextInt(5) > 0;
            columns.put(
                    SCHEMA.columns().get(i).name(),
                    new ColumnStatistics(
                            bounded ? values.stream().min(Values::compare).orElseThrow() : null,
                            bounded ? values.stream().max(Values::compare).orElseThrow() : null,
                            random.nextInt(5) == 0 ? -1 : records.size() - values.size()));
        }
        Object[] first = records.get(0);
        List<Object> partition = new ArrayList<>();
        for (Predicate predicate : PREDICATES) {
            Column source = predicate.source(SCHEMA);
            Object value = first[SCHEMA.indexOf(source.name()).orElseThrow()];
            partition.add(predicate.transform().apply(source.type(), value));
        }
        return new FileStatistics("c", new ContentHash(records.size(), 0, 0), partition, columns);
    }

    private static Filter filter(Random random, int depth) {
        switch (depth == 0 ? 3 + random.nextInt(5) : random.nextInt(8)) {
            case 0:
                return new Filter.And(List.of(filter(random, depth - 1), filter(random, depth - 1)));
            case 1:
                return new Filter.Or(List.of(filter(random, depth - 1), filter(random, depth - 1)));
            case 2:
                return new Filter.Not(filter(random, depth - 1));
            case 3:
                return new Filter.IsNull(SCHEMA.columns().get(random.nextInt(4)).name());
            case 4:
                return new Filter.StartsWith("s", STRINGS[random.nextInt(STRINGS.length)]);
            case 5: {
                int column = random.nextInt(4);
                List<Object> literals = new ArrayList<>();
                for (int i = random.nextInt(3); i >= 0; i--) {
                    literals.add(literal(random, column));
                }
                return new Filter.In(SCHEMA.columns().get(column).name(), literals);
            }
            default: {
                int column = random.nextInt(4);
                Operator operator = Operator.values()[random.nextInt(5)];
                Object literal = random.nextInt(20) == 0 ? null : literal(random, column);
                return new Filter.Compare(operator, SCHEMA.columns().get(column).name(), literal);
            }
        }
    }

    private static Object literal(Random random, int column) {
        return switch (column) {
            case 0 -> STRINGS[random.nextInt(STRINGS.length)];
            case 1 -> (long) random.nextInt(5);
            case 2 -> number(random);
            default -> random.nextInt(3) * 86_400_000_000L + random.nextInt(1000);
        };
    }
}
