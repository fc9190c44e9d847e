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
package org.hadoopmpsr.catalog.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.expressions.Binder;
import org.apache.iceberg.expressions.Evaluator;
import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expression.Operation;
import org.apache.iceberg.expressions.Expressions;
import org.apache.iceberg.expressions.UnboundTerm;
import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.transforms.Transforms;
import org.apache.iceberg.types.Types;
import org.hadoopmpsr.catalog.table.DatasetTable;
import org.hadoopmpsr.client.Dataset;
import org.hadoopmpsr.core.group.Codec;
import org.hadoopmpsr.core.group.Predicate;
import org.hadoopmpsr.core.group.ReplicaGroup;
import org.hadoopmpsr.core.group.ReplicaGroups;
import org.hadoopmpsr.core.hash.ContentHash;
import org.hadoopmpsr.core.layout.PartitionPath;
import org.hadoopmpsr.core.plan.Filter;
import org.hadoopmpsr.core.plan.Pruner;
import org.hadoopmpsr.core.schema.Schema;
import org.hadoopmpsr.core.stats.ColumnStatistics;
import org.hadoopmpsr.core.stats.FileStatistics;
import org.junit.jupiter.api.Test;

/** Transforms of columns in filters leave out files, and never one with a record that passes. */
class TransformTermsTest {
    private static final long SEED = Long.getLong("mpsr.seed", 20261128);
    private static final Schema SCHEMA =
            Schema.parse("signal string, at timestamp, local timestamp_ntz, d date, n bigint, i int");
    private static final ReplicaGroup TIME = group("time", "month(at)", "day(local)");
    private static final ReplicaGroup SIGNAL = group("signal", "bucket(16, signal)", "truncate(10, i)");
    private static final DatasetTable TABLE = new DatasetTable(
            new Dataset("/d/m", "m-1", SCHEMA, new ReplicaGroups(List.of(TIME, SIGNAL), "time"), List.of(), List.of()),
            false);
    private static final Types.StructType STRUCT = TABLE.schema().asStruct();

    /** Transforms with the type of their results, and the columns that they take. */
    private static final List<String> TIMES = List.of("year", "month", "day", "hour");

    private static ReplicaGroup group(String name, String... predicates) {
        return new ReplicaGroup(
                name, List.of(predicates).stream().map(Predicate::parse).toList(), List.of(), 1, Codec.parse("zstd"));
    }

    /** Iceberg's evaluator takes null for less than all values; its pruning, and SQL, do not. */
    private static final List<Operation> OPERATIONS =
            List.of(Operation.EQ, Operation.NOT_EQ, Operation.LT, Operation.LT_EQ, Operation.GT, Operation.GT_EQ);

    private static List<Object> row(Random random) {
        long micros = (random.nextLong() >> random.nextInt(12, 40)) * (random.nextBoolean() ? 1 : 3_600_000_000L);
        List<Object> row = new ArrayList<>();
        row.add(random.nextInt(8) == 0 ? null : text(random));
        row.add(random.nextInt(8) == 0 ? null : (Object) (micros % 100_000_000_000_000_000L));
        row.add((long) random.nextInt(-400, 400) * 3_600_000_000L - random.nextInt(2));
        row.add((long) random.nextInt(-40_000, 40_000));
        row.add(random.nextLong() >> random.nextInt(63));
        row.add((long) random.nextInt(-50, 50));
        return row;
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(List.of("a", "b", "é", "\ud83d\ude00", "~").get(random.nextInt(5)));
        }
        return text.toString();
    }

    private static GenericRecord record(List<Object> row) {
        GenericRecord record = GenericRecord.create(STRUCT);
        for (int i = 0; i < row.size(); i++) {
            record.set(i, value(i, row.get(i)));
        }
        return record;
    }

    /** The value in the class that Iceberg has for it. */
    private static Object value(int column, Object value) {
        boolean isInt = column == 3 || column == 5;
        return isInt && value != null ? (Object) ((Long) value).intValue() : value;
    }

    /** A file that has one record. */
    private static FileStatistics file(List<Object> row) {
        Map<String, ColumnStatistics> columns = new java.util.HashMap<>();
        for (int i = 0; i < row.size(); i++) {
            Object value = row.get(i);
            columns.put(SCHEMA.columns().get(i).name(), new ColumnStatistics(value, value, value == null ? 1 : 0));
        }
        return new FileStatistics("", new ContentHash(1, 0, 0), List.of(), columns);
    }

    @SuppressWarnings("unchecked")
    private static Expression term(Random random, List<Object> near, boolean withNulls) {
        int column = random.nextInt(6);
        String name = SCHEMA.columns().get(column).name();
        String transform = switch (column) {
            case 0 -> random.nextBoolean() ? "bucket[16]" : "truncate[2]";
            case 1, 2 -> TIMES.get(random.nextInt(4));
            case 3 -> TIMES.get(random.nextInt(3));
            default -> random.nextBoolean() ? "bucket[7]" : "truncate[10]";
        };
        Transform<Object, Object> of = (Transform<Object, Object>) Transforms.fromString(transform);
        Object value = near.get(column);
        UnboundTerm<Object> term = Expressions.transform(name, of);
        if (value == null || random.nextInt(10) == 0) {
            return random.nextBoolean() ? Expressions.isNull(term) : Expressions.notNull(term);
        }
        Object result = of.bind(STRUCT.fields().get(column).type()).apply(value(column, value));
        if (result instanceof Integer number && random.nextBoolean()) {
            result = number + random.nextInt(-1, 2);
        }
        Operation operation = OPERATIONS.get(random.nextInt(withNulls ? 2 : OPERATIONS.size()));
        return switch (random.nextInt(8)) {
            case 0 -> Expressions.in(term, result, result);
            case 1 -> Expressions.notIn(term, result);
            case 2 ->
                result instanceof String text && transform.startsWith("truncate")
                        ? Expressions.predicate(Operation.STARTS_WITH, term, List.<Object>of(text))
                        : Expressions.predicate(operation, term, List.of(result));
            default -> Expressions.predicate(operation, term, List.of(result));
        };
    }

    private static Expression expression(Random random, List<Object> near, boolean withNulls, int depth) {
        if (depth == 0 || random.nextInt(3) == 0) {
            return term(random, near, withNulls);
        }
        Expression left = expression(random, near, withNulls, depth - 1);
        Expression right = expression(random, near, withNulls, depth - 1);
        return switch (random.nextInt(5)) {
            case 0, 1 -> Expressions.and(left, right);
            case 2, 3 -> Expressions.or(left, right);
            default -> Expressions.not(left);
        };
    }

    private static Expression bound(Expression expression) {
        return Binder.bind(STRUCT, Expressions.rewriteNot(expression), true);
    }

    @Test
    void noRecordThatPassesIsLeftOut() {
        Random random = new Random(SEED);
        Pruner pruner = new Pruner(SCHEMA, List.of());
        int left = 0;
        for (int i = 0; i < 20_000; i++) {
            List<Object> row = row(random);
            List<Object> near = random.nextBoolean() ? row : row(random);
            Expression expression = expression(random, near, row.contains(null), 2);
            Filter filter = FilterOf.of(bound(expression), TABLE);
            boolean passes = new Evaluator(STRUCT, expression).eval(record(row));
            boolean may = pruner.mayMatch(filter, file(row));
            assertThat(may || !passes)
                    .as("seed %d: %s as %s of %s", SEED, expression, filter, row)
                    .isTrue();
            left += may ? 0 : 1;
        }
        assertThat(left).as("files left out").isGreaterThan(2_000);
    }

    @Test
    void timesAreRangesForThePlanner() {
        Expression day = Expressions.equal(Expressions.day("at"), 20_000);
        assertThat(FilterOf.of(bound(day), TABLE)).hasToString("(at >= 1728000000000000 AND at < 1728086400000000)");
        assertThat(FilterOf.of(bound(Expressions.lessThan(Expressions.month("d"), 12)), TABLE))
                .hasToString("d < 365");
        assertThat(FilterOf.of(bound(Expressions.greaterThan(Expressions.year("local"), 0)), TABLE))
                .hasToString("local >= 31536000000000");
        assertThat(FilterOf.of(bound(Expressions.equal(Expressions.day("at"), Integer.MAX_VALUE)), TABLE))
                .as("beyond all times")
                .isEqualTo(new Filter.Unknown());
    }

    /** Each level of a filter from clients has two parts. */
    @Test
    void aLongConjunctionIsFlat() {
        Expression all = Expressions.alwaysTrue();
        for (int i = 0; i < 200; i++) {
            all = Expressions.and(all, Expressions.notEqual("n", (long) i));
        }
        assertThat(FilterOf.of(bound(all), TABLE))
                .isInstanceOfSatisfying(
                        Filter.And.class, and -> assertThat(and.parts()).hasSize(200));
    }

    /** Files of a group that is partitioned so are left out, of others none. */
    @Test
    void bucketsLeaveOutFilesOfGroupsThatHaveThem() {
        Random random = new Random(SEED);
        var spec = TABLE.spec("signal").orElseThrow();
        for (int i = 0; i < 2_000; i++) {
            List<Object> row = row(random);
            List<Object> tuple = new ArrayList<>();
            for (Predicate predicate : SIGNAL.predicates()) {
                Object value = row.get(SCHEMA.indexOf(predicate.column()).orElseThrow());
                tuple.add(
                        value == null
                                ? null
                                : predicate
                                        .transform()
                                        .apply(predicate.source(SCHEMA).type(), value));
            }
            String path = "/d/m/" + PartitionPath.of(SIGNAL.partitionFields(SCHEMA), tuple) + "/f.parquet";
            PlannedFile file = new PlannedFile(spec, path, 1, 1);
            List<Object> near = random.nextBoolean() ? row : row(random);
            Expression expression = expression(random, near, row.contains(null), 2);
            boolean passes = new Evaluator(STRUCT, expression).eval(record(row));
            List<PlannedFile> kept = new TransformPruning(bound(expression), true).of(List.of(file));
            assertThat(!kept.isEmpty() || !passes)
                    .as("seed %d: %s of %s", SEED, expression, path)
                    .isTrue();
        }
        Expression third = Expressions.equal(Expressions.bucket("signal", 16), 3);
        TransformPruning pruning = new TransformPruning(bound(third), true);
        List<PlannedFile> files = java.util.stream.IntStream.range(0, 16)
                .mapToObj(b -> new PlannedFile(spec, "/d/m/signal_bucket=" + b + "/i_trunc=0/f.parquet", 1, 1))
                .toList();
        assertThat(pruning.of(files)).containsExactly(files.get(3));
        assertThat(pruning.groups(TABLE)).containsExactly("signal");
        assertThat(new TransformPruning(bound(Expressions.equal("signal", "a")), true).groups(TABLE))
                .as("the planner knows these filters")
                .isEmpty();
    }
}
