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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;

/**
 * A file of records with three columns, sorted by them: some values of {@code a} with as many records each, in each as many
 * of {@code b}, and {@code c} counts up within those.
 */
record SortedFile(int rows, int valuesOfA, int valuesOfB) {
    static final Schema SCHEMA = Schema.parse("a bigint not null, b bigint not null, c bigint not null");

    SortedFile(Random random) {
        this(
                200_000 + random.nextInt(1_800_000),
                1 + random.nextInt(30),
                1 + random.nextInt(random.nextBoolean() ? 4 : 100));
    }

    FileStatistics statistics() {
        return statistics(
                rows,
                new ColumnStatistics(0L, lastOf(0), 0, valuesOfA),
                new ColumnStatistics(0L, lastOf(1), 0, valuesOfB),
                new ColumnStatistics(0L, lastOf(2), 0));
    }

    private static FileStatistics statistics(int rows, ColumnStatistics a, ColumnStatistics b, ColumnStatistics c) {
        return new FileStatistics("c", new ContentHash(rows, 0, 0), List.of(), Map.of("a", a, "b", b, "c", c));
    }

    /** One that demands something of some of the columns. */
    Filter filter(Random random) {
        List<Filter> parts = new ArrayList<>();
        condition("a", valuesOfA, random, parts);
        condition("b", valuesOfB, random, parts);
        condition("c", (int) lastOf(2), random, parts);
        return new Filter.And(parts);
    }

    private static void condition(String column, int values, Random random, List<Filter> parts) {
        long low = random.nextInt(values);
        switch (random.nextInt(5)) {
            case 0 -> parts.add(new Filter.Compare(Operator.EQ, column, low));
            case 1 -> parts.add(new Filter.In(column, distinct(values, random)));
            case 2 -> {
                parts.add(new Filter.Compare(Operator.GE, column, low));
                parts.add(new Filter.Compare(Operator.LE, column, low + random.nextInt(values)));
            }
            default -> {}
        }
    }

    private static List<Object> distinct(int values, Random random) {
        return random.ints(3, 0, values)
                .distinct()
                .<Object>mapToObj(v -> (long) v)
                .toList();
    }

    /** The share of records in pages of which no column's minimum and maximum say that none passes. */
    double readShare(Filter filter) {
        long read = 0;
        for (int first = 0; first < rows; first += FileStatistics.PAGE_ROWS) {
            int next = Math.min(rows, first + FileStatistics.PAGE_ROWS);
            read += mayMatch(filter, first, next) ? next - first : 0;
        }
        return (double) read / rows;
    }

    private boolean mayMatch(Filter filter, int first, int next) {
        FileStatistics page =
                statistics(next - first, bounds(0, first, next), bounds(1, first, next), bounds(2, first, next));
        return new Pruner(SCHEMA, List.of()).mayMatch(filter, page);
    }

    /** Where a column before changes, one run of records ends and another begins. */
    private ColumnStatistics bounds(int column, int first, int next) {
        boolean oneRun = IntStream.range(0, column).allMatch(c -> value(c, first) == value(c, next - 1));
        return oneRun
                ? new ColumnStatistics(value(column, first), value(column, next - 1), 0)
                : new ColumnStatistics(0L, lastOf(column), 0);
    }

    private long value(int column, long row) {
        long rowsOfA = rows / valuesOfA + 1;
        long withinA = row * valuesOfA % rows / valuesOfA;
        return switch (column) {
            case 0 -> row * valuesOfA / rows;
            case 1 -> withinA * valuesOfB / rowsOfA;
            default -> withinA * valuesOfB % rowsOfA / valuesOfB;
        };
    }

    private long lastOf(int column) {
        return switch (column) {
            case 0 -> valuesOfA - 1;
            case 1 -> valuesOfB - 1;
            default -> rows / valuesOfA / valuesOfB;
        };
    }
}
