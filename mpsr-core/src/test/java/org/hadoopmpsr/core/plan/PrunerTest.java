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

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hadoopmpsr.core.plan.RandomFiles.PREDICATES;
import static org.hadoopmpsr.core.plan.RandomFiles.SCHEMA;
import static org.hadoopmpsr.core.plan.RandomFiles.filter;
import static org.hadoopmpsr.core.plan.RandomFiles.records;
import static org.hadoopmpsr.core.plan.RandomFiles.statistics;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.Seeds;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.ValueFilter;
import org.junit.jupiter.api.Test;

class PrunerTest {
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
    void dropsByTheFilterOfFewValues() {
        List<byte[]> values = List.of("NOBEAM".getBytes(UTF_8), "STABLE".getBytes(UTF_8), "RAMP".getBytes(UTF_8));
        ColumnStatistics modes = new ColumnStatistics("NOBEAM", "STABLE", 1)
                .withValues(ValueFilter.of(values).orElseThrow());
        FileStatistics file = new FileStatistics("c", new ContentHash(5, 0, 0), List.of(), Map.of("s", modes));
        Pruner pruner = new Pruner(SCHEMA, List.of());
        Filter between = new Filter.Compare(Operator.EQ, "s", "SQUEEZE");
        assertThat(pruner.mayMatch(between, file)).isFalse();
        assertThat(pruner.mayMatch(new Filter.Not(between), file)).isTrue();
        assertThat(pruner.mayMatch(new Filter.In("s", List.of("PHYSICS", "SQUEEZE")), file))
                .isFalse();
        assertThat(pruner.mayMatch(new Filter.In("s", List.of("PHYSICS", "RAMP")), file))
                .isTrue();
        assertThat(pruner.mayMatch(new Filter.Compare(Operator.GE, "s", "SQUEEZE"), file))
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
}
