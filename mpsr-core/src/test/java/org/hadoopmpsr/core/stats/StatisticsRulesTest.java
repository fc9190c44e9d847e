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
package org.hadoopmpsr.core.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.schema.Schema;
import org.junit.jupiter.api.Test;

/** What no file can have is refused, with the value and what would be right. */
class StatisticsRulesTest {
    private static final Schema SCHEMA = Schema.parse(
            "name string not null, n bigint, small int, x double, ok boolean, d date, t timestamp not null");
    private static final ReplicaGroup GROUP =
            group("g", "bucket(4, name)", "day(t)", "truncate(2, name)", "range(x, 0, 10)", "month(t)", "hour(t)", "n");
    private static final ReplicaGroups GROUPS = new ReplicaGroups(List.of(group("days", "day(t)"), GROUP), "days");
    private static final List<Object> PARTITION = List.of(3L, 16_000L, "ab", 2L, "2013-10", "2013-10-22-07", -5L);

    private final StatisticsRules rules = new StatisticsRules(SCHEMA, GROUPS);

    private static ReplicaGroup group(String name, String... predicates) {
        return new ReplicaGroup(
                name, Arrays.stream(predicates).map(Predicate::parse).toList(), List.of(), 1, Codec.parse("none"));
    }

    private static FileStatistics file(long records, List<?> partition, Map<String, ColumnStatistics> columns) {
        return new FileStatistics("c", new ContentHash(records, 1, 2), List.copyOf(partition), columns);
    }

    private void assertProblem(FileStatistics file, String... texts) {
        assertThat(rules.problem(GROUP, file)).isPresent().get().asString().contains(texts);
    }

    private void assertProblem(String column, ColumnStatistics statistics, String... texts) {
        assertProblem(file(10, PARTITION, Map.of(column, statistics)), texts);
    }

    private void assertRight(String column, ColumnStatistics statistics) {
        assertThat(rules.problem(GROUP, file(10, PARTITION, Map.of(column, statistics))))
                .isEmpty();
    }

    @Test
    void whatFilesHaveIsRight() {
        assertRight("NAME", ColumnStatistics.of("a", "b".repeat(100), 0));
        assertRight("n", ColumnStatistics.of(Long.MIN_VALUE, Long.MAX_VALUE, 3).withDistinct(10));
        assertRight("n", ColumnStatistics.of(null, null, 10));
        assertRight("small", ColumnStatistics.of((long) Integer.MIN_VALUE, (long) Integer.MAX_VALUE, -1));
        assertRight("x", ColumnStatistics.of(Double.NEGATIVE_INFINITY, -0.0, 9));
        assertRight("x", ColumnStatistics.UNKNOWN);
        assertRight("ok", ColumnStatistics.of(false, true, 0));
        assertRight("d", ColumnStatistics.of(-1L, 1L, 0));
        assertRight("day", ColumnStatistics.of(16_000L, 16_000L, 0).withBytes(0));
        assertRight("name", ColumnStatistics.of("a", "c", 0).withValues(filter()));
        assertRight("n", ColumnStatistics.UNKNOWN.withPageShare(1));
        assertThat(rules.problem(GROUP, file(StatisticsRules.MAX_RECORDS, PARTITION, Map.of())))
                .isEmpty();
    }

    @Test
    void aFileHasRecords() {
        for (long records : new long[] {0, -1, -10, Long.MIN_VALUE, StatisticsRules.MAX_RECORDS + 1, Long.MAX_VALUE}) {
            assertProblem(
                    file(records, PARTITION, Map.of()), "a count of " + records + " records", "1 to 1099511627776");
        }
    }

    @Test
    void nullsAreCountedAmongTheRecords() {
        assertProblem("n", ColumnStatistics.of(1L, 2L, 11), "column 'n' with 11 nulls in 10 records", "0 to 10");
        assertProblem("n", ColumnStatistics.of(1L, 2L, -2), "column 'n' with -2 nulls");
        assertProblem("name", ColumnStatistics.of("a", "b", 1), "1 nulls, although it is 'not null'");
        assertProblem("n", ColumnStatistics.of(1L, 2L, 10), "bounds, although all of its 10 values are null");
        assertProblem("n", ColumnStatistics.of(1L, 2L, 0).withDistinct(11), "11 different values in 10 records");
        assertProblem("n", ColumnStatistics.of(1L, 2L, 0).withDistinct(-2), "-2 different values");
    }

    @Test
    void boundsAreValuesOfTheColumn() {
        assertProblem("x", new ColumnStatistics(Double.NaN, null, 0), "the minimum NaN", "type double", "no NaN");
        assertProblem("x", new ColumnStatistics(1.0, Double.NaN, 0), "the maximum NaN");
        assertProblem("x", new ColumnStatistics(1L, null, 0), "the minimum 1;");
        assertProblem("n", new ColumnStatistics(null, "z", 0), "the maximum 'z'", "type bigint");
        assertProblem("name", new ColumnStatistics(true, true, 0), "the minimum true");
        assertProblem("small", new ColumnStatistics(null, 1L << 31, 0), "the maximum 2147483648");
        assertProblem("d", new ColumnStatistics(1L << 62, null, 0), "the minimum 4611686018427387904");
        assertProblem("other", ColumnStatistics.UNKNOWN, "a column 'other', which the dataset lacks");
        assertProblem("n", ColumnStatistics.of(1L, 2L, 0).withValues(filter()), "a filter of values");
    }

    private static ValueFilter filter() {
        return ValueFilter.of(List.of("a".getBytes(StandardCharsets.UTF_8), "b".getBytes(StandardCharsets.UTF_8)))
                .orElseThrow();
    }

    @Test
    void partitionValuesAreWhatPredicatesGive() {
        Object[][] wrong = {
            {4L, -1L, "3", 3.0, Long.MAX_VALUE},
            {1L << 62, "2013-10-22"},
            {"abc", 2L},
            {3L, -1L},
            {"2013-13", "201-10-1", "x"},
            {"2013-10-22", "2013-10-22-24"},
            {"5", 5.0}
        };
        for (int field = 0; field < wrong.length; field++) {
            for (Object value : wrong[field]) {
                Object[] partition = PARTITION.toArray();
                partition[field] = value;
                assertProblem(
                        file(10, Arrays.asList(partition), Map.of()),
                        value instanceof String ? "'" + value + "'" : String.valueOf(value),
                        GROUP.predicates().get(field).text() + " never gives");
            }
        }
        assertProblem(file(10, PARTITION.subList(0, 6), Map.of()), "6 partition values", "7 predicates");
        List<Object> withoutNumber = Arrays.asList(3L, 16_000L, "ab", null, "2013-10", "2013-10-22-07", null);
        assertThat(rules.problem(GROUP, new FileStatistics("c", new ContentHash(1, 0, 0), withoutNumber, Map.of())))
                .isEmpty();
        List<Object> withoutTime = Arrays.asList(3L, null, "ab", 2L, "2013-10", "2013-10-22-07", -5L);
        assertThat(rules.problem(GROUP, new FileStatistics("c", new ContentHash(1, 0, 0), withoutTime, Map.of())))
                .get()
                .asString()
                .contains("the partition value null, which day(t) never gives");
    }

    @Test
    void aShareOfThePagesIsOne() {
        for (double share : new double[] {0, -0.5, 1.001, Double.NaN, Double.NEGATIVE_INFINITY}) {
            assertProblem("n", ColumnStatistics.UNKNOWN.withPageShare(share), "the share " + share + " of the pages");
        }
    }

    @Test
    void columnsTakeNoMoreBytesThanTheFile() {
        FileStatistics file = file(
                10,
                PARTITION,
                Map.of(
                        "n", ColumnStatistics.UNKNOWN.withBytes(60),
                        "x", ColumnStatistics.UNKNOWN.withBytes(Long.MAX_VALUE),
                        "ok", ColumnStatistics.UNKNOWN));
        assertThat(StatisticsRules.problemOfBytes(file, 100))
                .get()
                .asString()
                .contains("more bytes than the 100 of the file", "column 'x' with 9223372036854775807");
        FileStatistics fits = file(10, PARTITION, Map.of("n", ColumnStatistics.UNKNOWN.withBytes(100)));
        assertThat(StatisticsRules.problemOfBytes(fits, 100)).isEmpty();
        assertThat(StatisticsRules.problemOfBytes(fits, 99)).isPresent();
    }
}
