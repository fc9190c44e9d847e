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

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.plan.Filter.Operator;
import org.hadoopmpsr.core.schema.Column;
import org.hadoopmpsr.core.schema.ColumnType;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.schema.Values;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.hadoopmpsr.core.stats.ValueFilter;

/** Records of files, what is known of them, and filters, drawn at random: few values, so that they often meet. */
final class RandomFiles {
    static final Schema SCHEMA = Schema.parse("s string, n bigint, d double, t timestamp");
    static final List<Predicate> PREDICATES = List.of(Predicate.parse("bucket(4, s)"), Predicate.parse("day(t)"));
    private static final String[] STRINGS = {"a", "ab", "b", "bc", "\uD83D\uDE00", "z"};

    private RandomFiles() {}

    /** Some records of one value of each predicate, as a file has them. */
    static List<Object[]> records(Random random) {
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

    /** What is known of a file with these records, here and there not all. */
    static FileStatistics statistics(List<Object[]> records, Random random) {
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
                                    bounded
                                            ? values.stream()
                                                    .min(Values::compare)
                                                    .orElseThrow()
                                            : null,
                                    bounded
                                            ? values.stream()
                                                    .max(Values::compare)
                                                    .orElseThrow()
                                            : null,
                                    random.nextInt(5) == 0 ? -1 : records.size() - values.size())
                            .withValues(i == 0 && random.nextBoolean() ? filter(values) : null));
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

    private static ValueFilter filter(List<Object> texts) {
        return ValueFilter.of(texts.stream()
                        .distinct()
                        .map(text -> ((String) text).getBytes(StandardCharsets.UTF_8))
                        .toList())
                .orElse(null);
    }

    /** Some filter that is nested at most so deep. */
    static Filter filter(Random random, int depth) {
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
